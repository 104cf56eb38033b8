/* The one error path: a function that fails returns weir_fail(...), whose text says what, where and how to
 * mend it. The text is kept per thread until the next failure; main() prints it once. */
#ifndef WEIR_GRAPH_BASE_ERROR_H
#define WEIR_GRAPH_BASE_ERROR_H

/* Negated, these are return values; as they stand they are the exit codes of the program. */
enum weir_error_code {
    WEIR_FAILED = 1,       /* the run failed: diverged, device lost, disk full */
    WEIR_USAGE = 2,        /* wrong usage or case file */
    WEIR_UNAVAILABLE = 77, /* nothing on this machine can run it */
};

/* Stores the formatted text as this thread's error and returns -code. */
int weir_fail(enum weir_error_code code, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The text of this thread's last weir_fail, or "" when there was none. */
const char *weir_error_text(void);

/* Passes a negative return value up unchanged. */
#define WEIR_TRY(call)                \
    do {                              \
        int weir_try_result = (call); \
        if (weir_try_result < 0)      \
            return weir_try_result;   \
    } while (0)

#endif
