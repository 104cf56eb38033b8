#include "graph/base/error.h"

#include <stdarg.h>
#include <stdio.h>

static _Thread_local char error_text[2048];

int weir_fail(enum weir_error_code code, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(error_text, sizeof error_text, format, arguments);
    va_end(arguments);
    return -(int)code;
}

const char *weir_error_text(void) {
    return error_text;
}
