#include "src/common/set_up_notice.h"

#include "graph/base/clock.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>

static struct timespec time_of(double seconds) {
    const double whole = floor(seconds);
    return (struct timespec){.tv_sec = (time_t)whole, .tv_nsec = (long)(1e9 * (seconds - whole))};
}

static void *tell(void *argument) {
    struct weir_set_up_notice *notice = argument;
    pthread_mutex_lock(&notice->lock);
    while (!notice->is_over) {
        const struct timespec until = time_of(notice->next);
        const double now = weir_seconds();
        if (now < notice->next) {
            pthread_cond_timedwait(&notice->changed, &notice->lock, &until);
            continue;
        }
        const long seconds = (long)(now - notice->start);
        fprintf(stderr, "%s for %ld:%02ld: %s\n", notice->task, seconds / 60, seconds % 60, notice->stage);
        notice->next = now + notice->pause;
        notice->pause = fmin(2 * notice->pause, notice->longest);
    }
    pthread_mutex_unlock(&notice->lock);
    return NULL;
}

void weir_set_up_notice_begin(struct weir_set_up_notice *notice, const char *task, const char *stage,
                              double first, double longest) {
    pthread_condattr_t clock;
    sigset_t all, before;
    *notice = (struct weir_set_up_notice){
        .task = task, .stage = stage, .start = weir_seconds(), .pause = first, .longest = longest};
    notice->next = notice->start + first;
    pthread_mutex_init(&notice->lock, NULL);
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_cond_init(&notice->changed, &clock);
    pthread_condattr_destroy(&clock);
    sigfillset(&all); /* interruptions are for the main thread, which may wait in a call */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    notice->is_there = pthread_create(&notice->thread, NULL, tell, notice) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void weir_set_up_notice_stage(struct weir_set_up_notice *notice, const char *stage) {
    if (!notice || !notice->is_there)
        return;
    pthread_mutex_lock(&notice->lock);
    notice->stage = stage;
    pthread_mutex_unlock(&notice->lock);
}

void weir_set_up_notice_end(struct weir_set_up_notice *notice) {
    if (!notice || !notice->is_there)
        return;
    pthread_mutex_lock(&notice->lock);
    notice->is_over = true;
    pthread_cond_signal(&notice->changed);
    pthread_mutex_unlock(&notice->lock);
    pthread_join(notice->thread, NULL);
    pthread_cond_destroy(&notice->changed);
    pthread_mutex_destroy(&notice->lock);
    notice->is_there = false;
}
