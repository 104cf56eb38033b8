/* Tells, on standard error, what a run that does not begin for some time is doing, or a check that is not
 * over: a line after a few seconds, and then ever less often. Lines, on terminals too, as others write there
 * meanwhile. */
#ifndef WEIR_SRC_COMMON_SET_UP_NOTICE_H
#define WEIR_SRC_COMMON_SET_UP_NOTICE_H

#include <pthread.h>
#include <stdbool.h>

struct weir_set_up_notice {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    const char *task, *stage;
    double start, next;     /* seconds of the monotonic clock: when the next line is due */
    double pause, longest;  /* seconds between lines: each is twice the one before, up to the longest */
    bool is_there, is_over; /* the thread; it is to end */
};

/* Begins a task, as "setting up", with a stage: what is being done, as "reading the case". Both must outlive
 * it. first: seconds until the first line, and until the second. Where the thread does not start, nothing is
 * told.
 */
void weir_set_up_notice_begin(struct weir_set_up_notice *notice, const char *task, const char *stage,
                              double first, double longest);

/* What is done from now on. NULL is allowed: nobody is told. */
void weir_set_up_notice_stage(struct weir_set_up_notice *notice, const char *stage);

/* No more lines from now on. Again, or with NULL: nothing. */
void weir_set_up_notice_end(struct weir_set_up_notice *notice);

#endif
