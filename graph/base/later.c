#include "graph/base/later.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

struct weir_later {
    weir_later_make *make;
    void *context;
    atomic_bool given_up, ready;
    pthread_t thread;
};

static void *work(void *argument) {
    struct weir_later *later = argument;
    later->make(later->context, &later->given_up);
    atomic_store(&later->ready, true);
    return NULL;
}

struct weir_later *weir_later_start(weir_later_make *make, void *context) {
    struct weir_later *later = calloc(1, sizeof *later);
    sigset_t all, before;
    if (!later)
        return NULL;
    later->make = make;
    later->context = context;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int error = pthread_create(&later->thread, NULL, work, later);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (error == 0)
        return later;
    free(later);
    return NULL;
}

bool weir_later_ready(const struct weir_later *later) {
    return atomic_load(&later->ready);
}

void weir_later_destroy(struct weir_later *later) {
    if (!later)
        return;
    atomic_store(&later->given_up, true);
    pthread_join(later->thread, NULL);
    free(later);
}
