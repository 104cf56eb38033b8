#include "codelets/failure.h"

#include <stdarg.h>
#include <stdio.h>

void weir_failure_init(struct weir_failure *failure) {
    atomic_init(&failure->happened, false);
    pthread_mutex_init(&failure->lock, NULL);
    failure->text[0] = '\0';
}

static void record(struct weir_failure *failure, bool everywhere, int exit_code, const char *format,
                   va_list arguments) {
    pthread_mutex_lock(&failure->lock);
    if (!weir_failed(failure)) {
        vsnprintf(failure->text, sizeof failure->text, format, arguments);
        failure->exit_code = exit_code;
        failure->everywhere = everywhere;
        atomic_store_explicit(&failure->happened, true, memory_order_release);
    }
    pthread_mutex_unlock(&failure->lock);
}

void weir_failure_record(struct weir_failure *failure, int exit_code, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    record(failure, false, exit_code, format, arguments);
    va_end(arguments);
}

void weir_failure_record_everywhere(struct weir_failure *failure, int exit_code, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    record(failure, true, exit_code, format, arguments);
    va_end(arguments);
}
