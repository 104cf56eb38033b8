#include "codelets/failure.h"

#include <stdarg.h>
#include <stdio.h>

void weir_failure_init(struct weir_failure *failure) {
    atomic_init(&failure->happened, false);
    pthread_mutex_init(&failure->lock, NULL);
    failure->text[0] = '\0';
}

void weir_failure_record(struct weir_failure *failure, int exit_code, const char *format, ...) {
    pthread_mutex_lock(&failure->lock);
    if (!weir_failed(failure)) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(failure->text, sizeof failure->text, format, arguments);
        va_end(arguments);
        failure->exit_code = exit_code;
        atomic_store_explicit(&failure->happened, true, memory_order_release);
    }
    pthread_mutex_unlock(&failure->lock);
}
