#include "graph/ranks/watchman_state.h"

#include "graph/base/clock.h"
#include "graph/base/error.h"
#include "graph/ranks/world.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Seconds. Longer than so much after a tick, the watchman has not listened. Ranks give signs of life at this
 * interval, or four times in a short timeout. */
static const double not_listening = 0.1, sign_interval = 1;

static void take(struct weir_watchman *w, int from, enum weir_letter_kind kind,
                 const struct weir_letter *letter) {
    struct weir_rank_sign *sign = &w->signs[from];
    sign->heard = weir_seconds();
    switch (kind) {
    case WEIR_LETTER_SIGN:
        sign->idle = letter->idle;
        sign->done = letter->done;
        break;
    case WEIR_LETTER_DEATH:
        w->signs[letter->step].dead = true;
        break;
    case WEIR_LETTER_FAILED:
        weir_watchman_take_failure(w, from, letter);
        break;
    case WEIR_LETTER_END:
        weir_watchman_take_end(w, from, letter);
        break;
    case WEIR_LETTER_READY:
        w->ready[from] = true;
        break;
    case WEIR_LETTER_GO:
        w->go = true;
        break;
    default:
        weir_watchman_take_stop(w, from, kind, letter->step);
    }
}

void weir_watchman_receive(struct weir_watchman *w) {
    struct weir_letter letter;
    enum weir_letter_kind kind;
    int from;
    while (weir_letters_receive(&w->letters, &from, &kind, &letter))
        take(w, from, kind, &letter);
}

/* Whether tasks run, or could. */
static void look_at_tasks(struct weir_watchman *w, double now) {
    pthread_mutex_lock(&w->lock);
    const int64_t done = w->attends ? w->supervised.done(w->supervised.context) : w->last_done;
    if (!w->attends || done != w->last_done || !w->supervised.waits(w->supervised.context))
        w->last_busy = now;
    w->last_done = done;
    pthread_mutex_unlock(&w->lock);
}

static void give_sign(struct weir_watchman *w, double now) {
    const double timeout = w->timeout,
                 interval = timeout > 0 && timeout < 4 * sign_interval ? timeout / 4 : sign_interval;
    struct weir_rank_sign *own = &w->signs[w->rank];
    own->heard = now;
    own->idle = now - w->last_busy;
    own->done = w->last_done;
    if (now - w->last_sign < interval)
        return;
    w->last_sign = now;
    w->letters.out[WEIR_LETTER_SIGN].idle = own->idle;
    w->letters.out[WEIR_LETTER_SIGN].done = own->done;
    if (w->rank == 0)
        weir_letters_post_to_others(&w->letters, WEIR_LETTER_SIGN);
    else
        weir_letters_post(&w->letters, WEIR_LETTER_SIGN, 0);
}

static void look_for_deaths(struct weir_watchman *w) {
    const int dead = weir_rank_processes_ended(&w->processes);
    if (dead < 0)
        return;
    w->signs[dead].dead = true;
    w->letters.out[WEIR_LETTER_DEATH].step = dead;
    weir_letters_post_to_others(&w->letters, WEIR_LETTER_DEATH);
}

bool weir_watchman_all_ready(const struct weir_watchman *w) {
    for (int rank = 0; rank < w->size; rank++)
        if (!w->ready[rank])
            return false;
    return true;
}

/* Says that the main thread needs nobody any more, and finds out whether that is so of all. */
static void look_for_leave(struct weir_watchman *w) {
    pthread_mutex_lock(&w->lock);
    const bool leaving = w->leaving;
    pthread_mutex_unlock(&w->lock);
    if (leaving && !w->said && w->rank > 0)
        weir_letters_post(&w->letters, WEIR_LETTER_READY, 0);
    w->said = leaving;
    w->ready[w->rank] = leaving;
    if (w->rank > 0 || !weir_watchman_all_ready(w))
        return;
    weir_letters_post_to_others(&w->letters, WEIR_LETTER_GO);
    (void)weir_letters_wait_sent(&w->letters, WEIR_LETTER_GO, sign_interval);
    w->go = true;
}

void weir_watchman_pause(void) {
    nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * WEIR_WATCHMAN_TICK)}, NULL);
}

static void *watch(void *argument) {
    struct weir_watchman *w = argument;
    for (; !w->go; weir_watchman_pause()) {
        const double now = weir_seconds();
        const double missed = now - w->last_tick - not_listening;
        if (missed > 0) { /* he was stopped, or had no core */
            weir_rank_signs_excuse(w->signs, w->size, missed);
            w->last_busy += missed;
        }
        w->last_tick = now;
        weir_watchman_receive(w);
        look_for_deaths(w);
        look_at_tasks(w, now);
        weir_watchman_look_for_failure(w);
        weir_watchman_look_for_interrupt(w);
        give_sign(w, now);
        weir_watchman_judge(w, now);
        if (w->chief >= 0)
            weir_watchman_finish(w);
        look_for_leave(w);
    }
    return NULL;
}

static void release(struct weir_watchman *w) {
    weir_rank_processes_release(&w->processes);
    free(w->signs);
    free(w->culprit);
    free(w->ready);
    free(w);
}

/* Room, with the signs of ranks that have all just been heard. NULL when memory is short. */
static struct weir_watchman *prepare(struct weir_world *world) {
    struct weir_watchman *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->world = world;
    w->rank = weir_world_rank(world);
    w->size = weir_world_size(world);
    w->timeout = WEIR_RANK_TIMEOUT;
    w->stop = w->chief = -1;
    w->last_done = -1;
    w->last_tick = w->last_busy = weir_seconds();
    w->signs = calloc((size_t)w->size, sizeof *w->signs);
    w->culprit = calloc((size_t)w->size, sizeof *w->culprit);
    w->ready = calloc((size_t)w->size, sizeof *w->ready);
    if (!w->signs || !w->culprit || !w->ready ||
        !weir_letters_create(weir_world_watch_comm(world), &w->letters)) {
        release(w);
        return NULL;
    }
    for (int rank = 0; rank < w->size; rank++)
        w->signs[rank] = (struct weir_rank_sign){.heard = w->last_tick, .done = -1, .promised = -1};
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->changed, NULL);
    return w;
}

int weir_watchman_create(struct weir_world *world, struct weir_watchman **result) {
    struct weir_rank_processes processes;
    *result = NULL;
    if (weir_world_size(world) == 1)
        return 0;
    weir_rank_processes_find(world, &processes);
    struct weir_watchman *w = prepare(world);
    if (!w) {
        weir_rank_processes_release(&processes);
        return weir_fail(WEIR_FAILED, "out of memory for %d ranks", weir_world_size(world));
    }
    w->processes = processes;
    const int error = pthread_create(&w->thread, NULL, watch, w);
    if (error != 0) {
        weir_letters_destroy(&w->letters);
        release(w);
        return weir_fail(WEIR_FAILED, "no thread can be started to look after the ranks: %s",
                         strerror(error));
    }
    *result = w;
    return 0;
}

void weir_watchman_leave(struct weir_watchman *w) {
    if (!w)
        return;
    pthread_mutex_lock(&w->lock);
    weir_watchman_rest_if_ending(w);
    w->leaving = true;
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
    weir_watchman_set_alarm(w);
    weir_letters_destroy(&w->letters);
    release(w);
}

void weir_watchman_heed(struct weir_watchman *w, double timeout, const volatile sig_atomic_t *interrupted) {
    if (!w)
        return;
    w->timeout = timeout;
    w->interrupted = interrupted;
}

void weir_watchman_guard(struct weir_watchman *w, const struct weir_watchman_guard *guard) {
    if (!w)
        return;
    pthread_mutex_lock(&w->lock);
    weir_watchman_rest_if_ending(w);
    w->guard = guard ? *guard : (struct weir_watchman_guard){.context = NULL};
    pthread_mutex_unlock(&w->lock);
}

static void attend(struct weir_watchman *w, const struct weir_supervised *supervised) {
    pthread_mutex_lock(&w->lock);
    weir_watchman_rest_if_ending(w);
    w->attends = supervised != NULL;
    if (supervised)
        w->supervised = *supervised;
    pthread_mutex_unlock(&w->lock);
}

void weir_watchman_attend(struct weir_watchman *w, const struct weir_supervised *supervised) {
    if (!w)
        return;
    attend(w, supervised);
    (void)weir_world_agree(w->world, 0); /* no rank can fail before all are attended: none has a reason to */
}

void weir_watchman_dismiss(struct weir_watchman *w) {
    if (w)
        attend(w, NULL);
}
