#include "src/common/json_text.h"

#include <stdlib.h>
#include <string.h>

/* Bytes of the character that a text begins with, 0: it begins with none. Jansson knows which are valid. */
static size_t character(const char *bytes, size_t length) {
    for (size_t size = 1; size <= 4 && size <= length; size++) {
        json_t *one = json_stringn(bytes, size);
        json_decref(one);
        if (one)
            return size;
    }
    return 0;
}

json_t *weir_json_text(const char *bytes) {
    static const char replacement[] = "\xef\xbf\xbd";
    json_t *text = bytes ? json_string(bytes) : json_null();
    if (text)
        return text;
    size_t left = strlen(bytes), used = 0;
    char *mended = malloc(left * (sizeof replacement - 1) + 1);
    while (mended && left > 0) {
        const size_t size = character(bytes, left), put = size > 0 ? size : sizeof replacement - 1;
        memcpy(mended + used, size > 0 ? bytes : replacement, put);
        used += put;
        bytes += size > 0 ? size : 1;
        left -= size > 0 ? size : 1;
    }
    text = mended ? json_stringn(mended, used) : json_null();
    free(mended);
    return text;
}
