#include "graph/answer.h"

#include <time.h>

void weir_answer_init(struct weir_answer *answer) {
    pthread_mutex_init(&answer->lock, NULL);
    pthread_cond_init(&answer->given, NULL);
    answer->is_there = false;
}

void weir_answer_release(struct weir_answer *answer) {
    pthread_mutex_destroy(&answer->lock);
    pthread_cond_destroy(&answer->given);
}

void weir_answer_ask(struct weir_answer *answer) {
    pthread_mutex_lock(&answer->lock);
    answer->is_there = false;
    pthread_mutex_unlock(&answer->lock);
}

void weir_answer_give(struct weir_answer *answer) {
    pthread_mutex_lock(&answer->lock);
    answer->is_there = true;
    pthread_cond_signal(&answer->given);
    pthread_mutex_unlock(&answer->lock);
}

bool weir_answer_wait(struct weir_answer *answer, struct weir_failure *failure) {
    pthread_mutex_lock(&answer->lock);
    while (!answer->is_there && !weir_failed(failure)) {
        struct timespec soon;
        clock_gettime(CLOCK_REALTIME, &soon);
        soon.tv_sec++; /* a failed run gives no answer, and does not tell */
        pthread_cond_timedwait(&answer->given, &answer->lock, &soon);
    }
    const bool is_there = answer->is_there;
    pthread_mutex_unlock(&answer->lock);
    return is_there;
}
