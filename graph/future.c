#include "graph/future.h"

#include <time.h>

void weir_future_init(struct weir_future *future) {
    pthread_mutex_init(&future->lock, NULL);
    pthread_cond_init(&future->changed, NULL);
    future->ready = false;
}

void weir_future_release(struct weir_future *future) {
    pthread_mutex_destroy(&future->lock);
    pthread_cond_destroy(&future->changed);
}

void weir_future_reset(struct weir_future *future) {
    pthread_mutex_lock(&future->lock);
    future->ready = false;
    pthread_mutex_unlock(&future->lock);
}

void weir_future_set(struct weir_future *future) {
    pthread_mutex_lock(&future->lock);
    future->ready = true;
    pthread_cond_signal(&future->changed);
    pthread_mutex_unlock(&future->lock);
}

bool weir_future_wait(struct weir_future *future, struct weir_failure *failure) {
    pthread_mutex_lock(&future->lock);
    while (!future->ready && !weir_failed(failure)) {
        struct timespec soon;
        clock_gettime(CLOCK_REALTIME, &soon);
        soon.tv_sec++; /* a failed run sets none, and does not tell */
        pthread_cond_timedwait(&future->changed, &future->lock, &soon);
    }
    const bool ready = future->ready;
    pthread_mutex_unlock(&future->lock);
    return ready;
}
