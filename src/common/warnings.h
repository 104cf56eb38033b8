/* What a run tells of itself that is no failure: on standard error at once, and in the summary. */
#ifndef WEIR_SRC_COMMON_WARNINGS_H
#define WEIR_SRC_COMMON_WARNINGS_H

#include <jansson.h>
#include <stdbool.h>

struct weir_warnings {
    bool quiet;   /* nothing on standard error */
    json_t *list; /* of texts, in the order in which they came; NULL while there are none */
};

/* For the thread that runs the time loop. Text: one sentence without a full stop, what, where and how to mend
 * it. Where memory is short the summary lacks it. */
void weir_warn(struct weir_warnings *warnings, const char *format, ...) __attribute__((format(printf, 2, 3)));

void weir_warnings_release(struct weir_warnings *warnings);

#endif
