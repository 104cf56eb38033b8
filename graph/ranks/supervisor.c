#include "graph/ranks/supervisor_state.h"

#include "graph/base/clock.h"
#include "graph/base/error.h"
#include "graph/ranks/world.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Seconds. Longer than so much after a tick, the supervisor has not listened. Ranks give signs of life at
 * this interval, or four times in a short timeout. */
static const double not_listening = 0.1, heartbeat_interval = 1;

static void take(struct weir_supervisor *w, int from, enum weir_control_message_kind kind,
                 const struct weir_control_message *message) {
    struct weir_heartbeat *heartbeat = &w->heartbeats[from];
    heartbeat->heard = weir_seconds();
    heartbeat->pardons = 0;
    switch (kind) {
    case WEIR_CONTROL_HEARTBEAT:
        heartbeat->idle = message->idle;
        heartbeat->done = message->done;
        break;
    case WEIR_CONTROL_DEATH:
        w->heartbeats[message->step].dead = true;
        break;
    case WEIR_CONTROL_FAILED:
        weir_supervisor_take_failure(w, from, message);
        break;
    case WEIR_CONTROL_END:
        weir_supervisor_take_end(w, from, message);
        break;
    case WEIR_CONTROL_READY:
        w->ready[from] = true;
        break;
    case WEIR_CONTROL_GO:
        w->go = true;
        break;
    default:
        weir_supervisor_take_stop(w, from, kind, message->step);
    }
}

void weir_supervisor_receive(struct weir_supervisor *w) {
    struct weir_control_message message;
    enum weir_control_message_kind kind;
    int from;
    while (weir_control_messages_receive(&w->messages, &from, &kind, &message))
        take(w, from, kind, &message);
}

/* Whether tasks run, or could. */
static void check_tasks(struct weir_supervisor *w, double now) {
    pthread_mutex_lock(&w->lock);
    const int64_t done = w->attends ? w->supervised.done(w->supervised.context) : w->last_done;
    if (!w->attends || done != w->last_done || !w->supervised.waits(w->supervised.context))
        w->last_busy = now;
    w->last_done = done;
    pthread_mutex_unlock(&w->lock);
}

static void send_heartbeat(struct weir_supervisor *w, double now) {
    const double timeout = w->timeout, interval = timeout > 0 && timeout < 4 * heartbeat_interval
                                                      ? timeout / 4
                                                      : heartbeat_interval;
    struct weir_heartbeat *own = &w->heartbeats[w->rank];
    own->heard = now;
    own->idle = now - w->last_busy;
    own->done = w->last_done;
    if (now - w->last_heartbeat < interval)
        return;
    w->last_heartbeat = now;
    w->messages.out[WEIR_CONTROL_HEARTBEAT].idle = own->idle;
    w->messages.out[WEIR_CONTROL_HEARTBEAT].done = own->done;
    if (w->rank == 0)
        weir_control_messages_post_to_others(&w->messages, WEIR_CONTROL_HEARTBEAT);
    else
        weir_control_messages_post(&w->messages, WEIR_CONTROL_HEARTBEAT, 0);
}

static void check_deaths(struct weir_supervisor *w) {
    const int dead = weir_rank_processes_ended(&w->processes);
    if (dead < 0)
        return;
    w->heartbeats[dead].dead = true;
    w->messages.out[WEIR_CONTROL_DEATH].step = dead;
    weir_control_messages_post_to_others(&w->messages, WEIR_CONTROL_DEATH);
}

bool weir_supervisor_all_ready(const struct weir_supervisor *w) {
    for (int rank = 0; rank < w->size; rank++)
        if (!w->ready[rank])
            return false;
    return true;
}

/* Says that the main thread needs nobody any more, and finds out whether that is so of all. */
static void check_leave(struct weir_supervisor *w) {
    pthread_mutex_lock(&w->lock);
    const bool leaving = w->leaving;
    pthread_mutex_unlock(&w->lock);
    if (leaving && !w->said && w->rank > 0)
        weir_control_messages_post(&w->messages, WEIR_CONTROL_READY, 0);
    w->said = leaving;
    w->ready[w->rank] = leaving;
    if (w->rank > 0 || !weir_supervisor_all_ready(w))
        return;
    weir_control_messages_post_to_others(&w->messages, WEIR_CONTROL_GO);
    (void)weir_control_messages_wait_sent(&w->messages, WEIR_CONTROL_GO, heartbeat_interval);
    w->go = true;
}

void weir_supervisor_pause(void) {
    nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * WEIR_SUPERVISOR_TICK)}, NULL);
}

static void *watch(void *argument) {
    struct weir_supervisor *w = argument;
    for (; !w->go; weir_supervisor_pause()) {
        const double now = weir_seconds();
        const double missed = now - w->last_tick - not_listening;
        if (missed > 0) { /* he was stopped, or had no core */
            weir_heartbeats_excuse(w->heartbeats, w->size, missed);
            w->last_busy += missed;
        }
        w->last_tick = now;
        weir_supervisor_receive(w);
        check_deaths(w);
        check_tasks(w, now);
        weir_supervisor_check_failure(w);
        weir_supervisor_check_interrupt(w);
        send_heartbeat(w, now);
        weir_supervisor_judge(w, now);
        if (w->chief >= 0)
            weir_supervisor_finish(w);
        check_leave(w);
    }
    return NULL;
}

static void release(struct weir_supervisor *w) {
    weir_rank_processes_release(&w->processes);
    free(w->heartbeats);
    free(w->culprit);
    free(w->ready);
    free(w);
}

/* Room, with the signs of ranks that have all just been heard. NULL when memory is short. */
static struct weir_supervisor *prepare(struct weir_world *world) {
    struct weir_supervisor *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->world = world;
    w->rank = weir_world_rank(world);
    w->size = weir_world_size(world);
    w->timeout = WEIR_RANK_TIMEOUT;
    w->stop = w->chief = -1;
    w->last_done = -1;
    w->last_tick = w->last_busy = weir_seconds();
    w->heartbeats = calloc((size_t)w->size, sizeof *w->heartbeats);
    w->culprit = calloc((size_t)w->size, sizeof *w->culprit);
    w->ready = calloc((size_t)w->size, sizeof *w->ready);
    if (!w->heartbeats || !w->culprit || !w->ready ||
        !weir_control_messages_create(weir_world_watch_comm(world), &w->messages)) {
        release(w);
        return NULL;
    }
    for (int rank = 0; rank < w->size; rank++)
        w->heartbeats[rank] = (struct weir_heartbeat){.heard = w->last_tick, .done = -1, .promised = -1};
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->changed, NULL);
    return w;
}

int weir_supervisor_create(struct weir_world *world, struct weir_supervisor **result) {
    struct weir_rank_processes processes;
    *result = NULL;
    if (weir_world_size(world) == 1)
        return 0;
    weir_rank_processes_find(world, &processes);
    struct weir_supervisor *w = prepare(world);
    if (!w) {
        weir_rank_processes_release(&processes);
        return weir_fail(WEIR_FAILED, "out of memory for %d ranks", weir_world_size(world));
    }
    w->processes = processes;
    const int error = pthread_create(&w->thread, NULL, watch, w);
    if (error != 0) {
        weir_control_messages_destroy(&w->messages);
        release(w);
        return weir_fail(WEIR_FAILED, "no thread can be started to look after the ranks: %s",
                         strerror(error));
    }
    *result = w;
    return 0;
}

void weir_supervisor_leave(struct weir_supervisor *w) {
    if (!w)
        return;
    pthread_mutex_lock(&w->lock);
    weir_supervisor_rest_if_ending(w);
    w->leaving = true;
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
    weir_supervisor_set_alarm(w);
    weir_control_messages_destroy(&w->messages);
    release(w);
}

void weir_supervisor_heed(struct weir_supervisor *w, double timeout,
                          const volatile sig_atomic_t *interrupted) {
    if (!w)
        return;
    w->timeout = timeout;
    w->interrupted = interrupted;
}

void weir_supervisor_guard(struct weir_supervisor *w, const struct weir_supervisor_guard *guard) {
    if (!w)
        return;
    pthread_mutex_lock(&w->lock);
    weir_supervisor_rest_if_ending(w);
    w->guard = guard ? *guard : (struct weir_supervisor_guard){.context = NULL};
    pthread_mutex_unlock(&w->lock);
}

static void attend(struct weir_supervisor *w, const struct weir_supervised *supervised) {
    pthread_mutex_lock(&w->lock);
    weir_supervisor_rest_if_ending(w);
    w->attends = supervised != NULL;
    if (supervised)
        w->supervised = *supervised;
    pthread_mutex_unlock(&w->lock);
}

void weir_supervisor_attend(struct weir_supervisor *w, const struct weir_supervised *supervised) {
    if (!w)
        return;
    attend(w, supervised);
    (void)weir_world_agree(w->world, 0); /* no rank can fail before all are attended: none has a reason to */
}

void weir_supervisor_dismiss(struct weir_supervisor *w) {
    if (w)
        attend(w, NULL);
}
