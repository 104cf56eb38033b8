#include "src/common/warnings.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void weir_warn(struct weir_warnings *warnings, const char *format, ...) {
    char *text = NULL;
    va_list arguments;
    va_start(arguments, format);
    const int length = vasprintf(&text, format, arguments);
    va_end(arguments);
    if (length < 0)
        return;
    if (!warnings->quiet)
        fprintf(stderr, "weir: warning: %s\n", text);
    if (!warnings->list)
        warnings->list = json_array();
    json_array_append_new(warnings->list, json_string(text));
    free(text);
}

void weir_warnings_release(struct weir_warnings *warnings) {
    json_decref(warnings->list);
    warnings->list = NULL;
}
