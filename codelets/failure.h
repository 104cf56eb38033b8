/* How a task reports that the run cannot go on: the first failure is kept, with its text, and tasks that come
 * after it skip their work, so that what is already submitted drains quickly. Safe from any thread. */
#ifndef WEIR_CODELETS_FAILURE_H
#define WEIR_CODELETS_FAILURE_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

struct weir_failure {
    atomic_bool happened;
    pthread_mutex_t lock;
    int exit_code;   /* of the program: 1 the run failed, 2 the case is wrong */
    bool everywhere; /* all ranks meet it alike, by themselves */
    char text[2048];
};

void weir_failure_init(struct weir_failure *failure);

/* Keeps the formatted text unless a failure is kept already. */
void weir_failure_record(struct weir_failure *failure, int exit_code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The same for what all ranks of the run find by themselves, with the same text. */
void weir_failure_record_everywhere(struct weir_failure *failure, int exit_code, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static inline bool weir_failed(struct weir_failure *failure) {
    return atomic_load_explicit(&failure->happened, memory_order_acquire);
}

#endif
