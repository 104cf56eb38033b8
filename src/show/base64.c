#include "src/show/base64.h"

#include "graph/base/error.h"
#include "src/common/output_files.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

/* Three bytes, of which some may be missing, as four characters. */
static void write_group(const unsigned char *bytes, size_t count, FILE *stream) {
    static const char characters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint32_t bits = 0;
    for (size_t k = 0; k < 3; k++)
        bits = bits << 8 | (k < count ? bytes[k] : 0u);
    for (size_t k = 0; k < 4; k++)
        fputc(k <= count ? characters[bits >> (18 - 6 * k) & 63] : '=', stream);
}

int weir_base64_of_file(const char *path, char **text) {
    size_t size = 0, count;
    unsigned char bytes[3];
    *text = NULL;
    FILE *file = fopen(path, "re"), *stream = file ? open_memstream(text, &size) : NULL;
    if (!stream) {
        const int error = weir_output_error("read", path, errno);
        if (file)
            fclose(file);
        return error;
    }
    while ((count = fread(bytes, 1, sizeof bytes, file)) > 0)
        write_group(bytes, count, stream);
    const int reason = ferror(file) ? EIO : 0;
    fclose(file);
    if (fclose(stream) == 0 && reason == 0)
        return 0;
    free(*text);
    *text = NULL;
    return weir_output_error("read", path, reason ? reason : ENOMEM);
}
