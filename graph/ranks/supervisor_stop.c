/* Where all ranks stop when one is interrupted. That rank tells rank 0, which asks all; each answers with the
 * steps that it has submitted or is about to, and submits no more until it hears the largest of these. */
#include "graph/ranks/supervisor_state.h"

/* This rank submits no more until it is told where to stop. */
static int64_t promise(struct weir_supervisor *w) {
    pthread_mutex_lock(&w->lock);
    w->asked = true;
    const int64_t entered = w->entered;
    pthread_mutex_unlock(&w->lock);
    return entered;
}

static void stop_at(struct weir_supervisor *w, int64_t step) {
    pthread_mutex_lock(&w->lock);
    w->stop = step;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
}

/* Rank 0: notes a promise; with the last one, tells all where to stop. */
static void take_promise(struct weir_supervisor *w, int rank, int64_t step) {
    w->heartbeats[rank].promised = step;
    const int64_t stop = weir_heartbeats_stop(w->heartbeats, w->size);
    if (stop < 0)
        return;
    w->messages.out[WEIR_CONTROL_STOP].step = stop;
    weir_control_messages_post_to_others(&w->messages, WEIR_CONTROL_STOP);
    stop_at(w, stop);
}

/* Rank 0: somebody wishes to stop. */
static void take_wish(struct weir_supervisor *w) {
    if (w->heartbeats[0].promised >= 0)
        return;
    weir_control_messages_post_to_others(&w->messages, WEIR_CONTROL_ASK);
    take_promise(w, 0, promise(w));
}

void weir_supervisor_take_stop(struct weir_supervisor *w, int from, enum weir_control_message_kind kind,
                               int64_t step) {
    if (kind == WEIR_CONTROL_WISH) {
        take_wish(w);
    } else if (kind == WEIR_CONTROL_PROMISE) {
        take_promise(w, from, step);
    } else if (kind == WEIR_CONTROL_STOP) {
        stop_at(w, step);
    } else {
        w->messages.out[WEIR_CONTROL_PROMISE].step = promise(w);
        weir_control_messages_post(&w->messages, WEIR_CONTROL_PROMISE, 0);
    }
}

void weir_supervisor_check_interrupt(struct weir_supervisor *w) {
    const volatile sig_atomic_t *interrupted = w->interrupted;
    if (w->wished || !interrupted || !*interrupted)
        return;
    w->wished = true;
    if (w->rank == 0)
        take_wish(w);
    else
        weir_control_messages_post(&w->messages, WEIR_CONTROL_WISH, 0);
}

bool weir_supervisor_stops(struct weir_supervisor *w, int64_t step) {
    if (!w)
        return false;
    pthread_mutex_lock(&w->lock);
    while (w->asked && w->stop < 0)
        pthread_cond_wait(&w->changed, &w->lock);
    weir_supervisor_rest_if_ending(w);
    const bool stops = w->asked && step >= w->stop;
    if (!stops)
        w->entered = step + 1;
    pthread_mutex_unlock(&w->lock);
    return stops;
}
