#include "graph/watchman.h"

#include "graph/clock.h"
#include "graph/error.h"
#include "graph/rank_signs.h"

#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <starpu.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { TEXT_SIZE = 2048, NAMED_SIZE = 256 };

/* Seconds. The watchman sleeps for a tick; longer than so much he has not listened. Ranks give signs of
 * life at this interval, or four times in a short timeout. Once the end is decided, the others get so long to
 * follow, the rank that speaks so long to throw away its files, and the rest of the ranks so long to take
 * over from rank 0 and rank 1. */
static const double tick = 0.02, not_listening = 0.1, sign_interval = 1, time_to_follow = 3,
                    time_to_take_over = 5;
enum { TIME_TO_END = 10 };

/* What ranks tell each other; the number is the message's tag. Rank 0 hears and answers all. */
enum kind {
    SIGN,    /* of life, to rank 0, and from rank 0 to all */
    WISH,    /* to stop, to rank 0 */
    ASK,     /* for a promise, from rank 0 */
    PROMISE, /* to submit no more than these steps until told where to stop */
    STOP,    /* before this step, from rank 0 */
    FAILED,  /* to rank 0: this rank has */
    END,     /* to all: because of this failure */
    READY,   /* to end, to who said so */
    LEAVE,   /* no more signs from this rank */
    KINDS
};

struct message {
    double idle;
    int64_t done, step;
    int code, everywhere;
    char text[TEXT_SIZE]; /* of FAILED and END only */
};

struct weir_watchman {
    struct weir_world *world;
    struct weir_watchman_options options;
    MPI_Comm comm;
    int rank, size;
    pthread_t thread;

    /* Between the main thread and the watchman's. */
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct weir_simulation *simulation; /* attended; NULL: none */
    int64_t entered;                    /* steps that are submitted, or about to be */
    bool asked;                         /* for a promise: no step may be entered before there is an answer */
    int64_t stop;                       /* the answer, -1: none yet */
    bool failed;                        /* main thread: with */
    struct message failure;             /* this */
    bool ending, quit;

    /* The watchman's own. */
    struct weir_rank_sign *signs; /* [size]; of rank 0 alone where this is another */
    bool *culprit;                /* [size] */
    bool *ready;                  /* [size] to end, or lost */
    bool lost;                    /* a rank that cannot be told to end */
    struct message out[KINDS];    /* what was sent last */
    MPI_Request *requests;        /* [KINDS * size] */
    bool wished, told;            /* WISH, FAILED */
    double last_tick, last_sign;
    double last_busy;  /* when tasks ran or could run */
    int64_t last_done; /* steps then */
    int chief;         /* who said that all shall end, -1: nobody */
};

static bool has_text(enum kind kind) {
    return kind == FAILED || kind == END;
}

/* Sends what is in out[kind], unless the same kind is still on its way there. */
static void post(struct weir_watchman *w, enum kind kind, int rank) {
    MPI_Request *request = &w->requests[(int)kind * w->size + rank];
    int sent;
    MPI_Test(request, &sent, MPI_STATUS_IGNORE); /* true where there is no request */
    if (sent)
        MPI_Isend(&w->out[kind],
                  (int)(has_text(kind) ? sizeof(struct message) : offsetof(struct message, text)), MPI_BYTE,
                  rank, (int)kind, w->comm, request);
}

static void post_to_others(struct weir_watchman *w, enum kind kind) {
    for (int rank = 0; rank < w->size; rank++)
        if (rank != w->rank)
            post(w, kind, rank);
}

/* From here on all ranks end: they follow `chief`, which tells the user. out[END] has the reason. */
static void begin_end(struct weir_watchman *w, int chief) {
    w->chief = chief;
    pthread_mutex_lock(&w->lock);
    w->ending = true;
    pthread_mutex_unlock(&w->lock);
}

/* Rank 0: rank `rank` has failed. The first failure counts. */
static void take_failure(struct weir_watchman *w, int rank, const struct message *failure) {
    if (w->chief >= 0)
        return;
    w->out[END] = *failure;
    if (!failure->everywhere)
        snprintf(w->out[END].text, sizeof w->out[END].text, "rank %d on %s: %.*s", rank,
                 weir_world_host(w->world, rank), TEXT_SIZE - NAMED_SIZE, failure->text);
    begin_end(w, w->rank);
}

/* This rank submits no more until it is told where to stop. */
static int64_t promise(struct weir_watchman *w) {
    pthread_mutex_lock(&w->lock);
    w->asked = true;
    const int64_t entered = w->entered;
    pthread_mutex_unlock(&w->lock);
    return entered;
}

static void stop_at(struct weir_watchman *w, int64_t step) {
    pthread_mutex_lock(&w->lock);
    w->stop = step;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
}

/* Rank 0: notes a promise; with the last one, tells all where to stop. */
static void take_promise(struct weir_watchman *w, int rank, int64_t step) {
    w->signs[rank].promised = step;
    const int64_t stop = weir_rank_signs_stop(w->signs, w->size);
    if (stop < 0)
        return;
    w->out[STOP].step = stop;
    post_to_others(w, STOP);
    stop_at(w, stop);
}

/* Rank 0: somebody wishes to stop. */
static void take_wish(struct weir_watchman *w) {
    if (w->signs[0].promised >= 0)
        return;
    post_to_others(w, ASK);
    take_promise(w, 0, promise(w));
}

static void take(struct weir_watchman *w, int from, enum kind kind, const struct message *message) {
    struct weir_rank_sign *sign = &w->signs[from];
    sign->heard = weir_seconds();
    switch (kind) {
    case SIGN:
        sign->idle = message->idle;
        sign->done = message->done;
        break;
    case WISH:
        take_wish(w);
        break;
    case ASK:
        w->out[PROMISE].step = promise(w);
        post(w, PROMISE, 0);
        break;
    case PROMISE:
        take_promise(w, from, message->step);
        break;
    case STOP:
        stop_at(w, message->step);
        break;
    case FAILED:
        take_failure(w, from, message);
        break;
    case END:
        if (w->chief < 0) {
            w->out[END] = *message;
            begin_end(w, from);
        }
        break;
    case READY:
        w->ready[from] = true;
        break;
    default:
        sign->heard = INFINITY;
    }
}

static void receive(struct weir_watchman *w) {
    struct message message;
    MPI_Status status;
    int there;
    for (;;) {
        MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, w->comm, &there, &status);
        if (!there)
            return;
        MPI_Recv(&message, sizeof message, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG, w->comm,
                 MPI_STATUS_IGNORE);
        take(w, status.MPI_SOURCE, (enum kind)status.MPI_TAG, &message);
    }
}

/* The failure of this rank, if there is one: that of a task, or what the main thread told. */
static bool find_failure(struct weir_watchman *w, struct message *failure) {
    pthread_mutex_lock(&w->lock);
    bool found = w->failed;
    *failure = w->failure;
    const int error = w->simulation ? weir_simulation_status(w->simulation) : 0;
    if (error != 0) {
        found = true;
        failure->code = -error;
        failure->everywhere = weir_simulation_failed_everywhere(w->simulation);
        snprintf(failure->text, sizeof failure->text, "%s", weir_error_text());
    }
    pthread_mutex_unlock(&w->lock);
    return found;
}

static void look_for_failure(struct weir_watchman *w) {
    struct message failure;
    if (w->told || !find_failure(w, &failure))
        return;
    w->told = true;
    w->out[FAILED] = failure;
    if (w->rank == 0)
        take_failure(w, 0, &failure);
    else
        post(w, FAILED, 0);
}

static void look_for_interrupt(struct weir_watchman *w) {
    if (w->wished || !*w->options.interrupted)
        return;
    w->wished = true;
    if (w->rank == 0)
        take_wish(w);
    else
        post(w, WISH, 0);
}

/* Whether tasks run, or could. */
static void look_at_tasks(struct weir_watchman *w, double now) {
    pthread_mutex_lock(&w->lock);
    const int64_t done = w->simulation ? weir_simulation_done(w->simulation) : 0;
    if (!w->simulation || done != w->last_done || starpu_task_nready() > 0 ||
        weir_simulation_migrating(w->simulation))
        w->last_busy = now;
    w->last_done = done;
    pthread_mutex_unlock(&w->lock);
}

static void give_sign(struct weir_watchman *w, double now) {
    const double interval = w->options.timeout > 0 && w->options.timeout < 4 * sign_interval
                                ? w->options.timeout / 4
                                : sign_interval;
    w->signs[w->rank].heard = now;
    w->signs[w->rank].idle = now - w->last_busy;
    w->signs[w->rank].done = w->last_done;
    if (now - w->last_sign < interval)
        return;
    w->last_sign = now;
    w->out[SIGN].idle = now - w->last_busy;
    w->out[SIGN].done = w->last_done;
    if (w->rank == 0)
        post_to_others(w, SIGN);
    else
        post(w, SIGN, 0);
}

/* Appends "rank 2 on node7, rank 3 on node7", not too long. */
static void name_culprits(const struct weir_watchman *w, char text[NAMED_SIZE]) {
    size_t length = 0;
    text[0] = '\0';
    for (int rank = 0; rank < w->size; rank++) {
        if (!w->culprit[rank])
            continue;
        if (length + 120 > NAMED_SIZE) {
            snprintf(text + length, NAMED_SIZE - length, ", and more");
            return;
        }
        length += (size_t)snprintf(text + length, NAMED_SIZE - length, "%srank %d on %s",
                                   length > 0 ? ", " : "", rank, weir_world_host(w->world, rank));
    }
}

static void accuse(struct weir_watchman *w, enum weir_rank_trouble trouble) {
    char names[NAMED_SIZE];
    int first = 0;
    while (!w->culprit[first])
        first++;
    name_culprits(w, names);
    struct message *end = &w->out[END];
    end->code = WEIR_FAILED;
    w->lost = trouble == WEIR_RANKS_SILENT;
    if (w->lost)
        memcpy(w->ready, w->culprit, sizeof *w->ready * (size_t)w->size);
    if (w->lost)
        snprintf(
            end->text, sizeof end->text,
            "no sign of life from %s for %g s, last heard of at step %lld: dead, stopped or cut off from the "
            "network; look at that machine, or give ranks.timeout more seconds",
            names, w->options.timeout, (long long)w->signs[first].done);
    else
        snprintf(
            end->text, sizeof end->text,
            "all ranks wait for each other's messages for %g s; fewest steps (%lld) have been done by %s: "
            "look at the network and these machines, or give ranks.timeout more seconds",
            w->options.timeout, (long long)w->signs[first].done, names);
    begin_end(w, w->rank);
}

/* Rank 0 judges all; the others rank 0: first rank 1, then, if that fails too, everybody for himself. */
static void judge(struct weir_watchman *w, double now) {
    if (w->chief >= 0)
        return;
    const double patience = w->rank > 1 ? time_to_take_over : 0;
    enum weir_rank_trouble trouble;
    if (w->rank == 0) {
        trouble = weir_rank_signs_judge(w->signs, w->size, now, w->options.timeout, w->culprit);
    } else {
        struct weir_rank_sign first = w->signs[0];
        first.idle = 0; /* whether all wait is for rank 0 to know */
        trouble = weir_rank_signs_judge(&first, 1, now - patience, w->options.timeout, w->culprit);
    }
    if (trouble != WEIR_RANKS_WELL)
        accuse(w, trouble);
}

static void pause_for(double seconds) {
    nanosleep(&(struct timespec){.tv_nsec = (long)(1e9 * seconds)}, NULL);
}

static bool all_ready(const struct weir_watchman *w) {
    for (int rank = 0; rank < w->size; rank++)
        if (rank != w->rank && !w->ready[rank])
            return false;
    return true;
}

/* The end of a rank that does not get through its end. */
static void give_up(int signal_number) {
    (void)signal_number;
    _exit(WEIR_FAILED);
}

/* Tells the user, if this is the rank to do so, and cleans up. */
static void tell(struct weir_watchman *w, bool chief) {
    const char *text = w->out[END].text;
    pthread_mutex_lock(&w->lock);
    if (w->simulation) {
        weir_simulation_fail(w->simulation, text);
        w->options.hush(w->options.context);
    }
    if (chief) {
        fprintf(stderr, "weir: %s\n", text);
        fflush(stderr);
    }
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0) /* what MPI says of ranks that are already gone helps nobody */
        dup2(nowhere, STDERR_FILENO);
    if (w->simulation)
        w->options.abandon(w->options.context, text);
    pthread_mutex_unlock(&w->lock);
}

/* The last thing that this rank does. Its tasks are left alone: they may never end. */
static void end(struct weir_watchman *w) {
    const int code = w->out[END].code;
    const bool chief = w->chief == w->rank;
    signal(SIGALRM, give_up);
    alarm(TIME_TO_END);
    if (chief)
        post_to_others(w, END);
    tell(w, chief);
    if (!chief) {
        post(w, READY, w->chief);
        /* Whoever ends first has the launcher kill the others: not before the chief is through. */
        for (;;) {
            receive(w);
            if (isinf(w->signs[w->chief].heard))
                _exit(code);
            pause_for(tick);
        }
    }
    const double start = weir_seconds();
    do {
        receive(w);
        pause_for(tick);
    } while (!all_ready(w) && weir_seconds() - start < time_to_follow);
    if (w->lost || !all_ready(w))
        MPI_Abort(MPI_COMM_WORLD, code);
    post_to_others(w, LEAVE);
    for (int sent = 0; !sent && weir_seconds() - start < 2 * time_to_follow; pause_for(tick))
        MPI_Testall(w->size, &w->requests[LEAVE * w->size], &sent, MPI_STATUSES_IGNORE);
    _exit(code);
}

static void *watch(void *argument) {
    struct weir_watchman *w = argument;
    bool quit = false;
    while (!quit) {
        const double now = weir_seconds();
        const double missed = now - w->last_tick - not_listening;
        if (missed > 0) { /* he was stopped, or had no core */
            weir_rank_signs_excuse(w->signs, w->size, missed);
            w->last_busy += missed;
        }
        w->last_tick = now;
        receive(w);
        look_at_tasks(w, now);
        look_for_failure(w);
        look_for_interrupt(w);
        give_sign(w, now);
        judge(w, now);
        if (w->chief >= 0)
            end(w);
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += (long)(1e9 * tick);
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_mutex_lock(&w->lock);
        if (!w->quit)
            pthread_cond_timedwait(&w->changed, &w->lock, &until);
        quit = w->quit;
        pthread_mutex_unlock(&w->lock);
    }
    post_to_others(w, LEAVE);
    return NULL;
}

static void release(struct weir_watchman *w) {
    free(w->signs);
    free(w->culprit);
    free(w->ready);
    free(w->requests);
    free(w);
}

/* Room, with the signs of ranks that have all just been heard. NULL when memory is short. */
static struct weir_watchman *prepare(struct weir_world *world, const struct weir_watchman_options *options) {
    struct weir_watchman *w = calloc(1, sizeof *w);
    if (!w)
        return NULL;
    w->world = world;
    w->options = *options;
    w->comm = weir_world_watch_comm(world);
    w->rank = weir_world_rank(world);
    w->size = weir_world_size(world);
    w->stop = w->chief = -1;
    w->last_tick = w->last_busy = weir_seconds();
    w->signs = calloc((size_t)w->size, sizeof *w->signs);
    w->culprit = calloc((size_t)w->size, sizeof *w->culprit);
    w->ready = calloc((size_t)w->size, sizeof *w->ready);
    w->requests = malloc(sizeof *w->requests * KINDS * (size_t)w->size);
    if (!w->signs || !w->culprit || !w->ready || !w->requests) {
        release(w);
        return NULL;
    }
    for (int rank = 0; rank < w->size; rank++)
        w->signs[rank] = (struct weir_rank_sign){.heard = w->last_tick, .promised = -1};
    for (int k = 0; k < KINDS * w->size; k++)
        w->requests[k] = MPI_REQUEST_NULL;
    pthread_mutex_init(&w->lock, NULL);
    pthread_cond_init(&w->changed, NULL);
    return w;
}

int weir_watchman_create(struct weir_world *world, const struct weir_watchman_options *options,
                         struct weir_watchman **result) {
    *result = NULL;
    if (weir_world_size(world) == 1)
        return 0;
    struct weir_watchman *w = prepare(world, options);
    if (!w)
        return weir_fail(WEIR_FAILED, "out of memory for %d ranks", weir_world_size(world));
    const int error = pthread_create(&w->thread, NULL, watch, w);
    if (error != 0) {
        release(w);
        return weir_fail(WEIR_FAILED, "no thread can be started to look after the ranks: %s",
                         strerror(error));
    }
    *result = w;
    return 0;
}

/* With the lock held: once the end is decided, the main thread does nothing any more. */
static void rest_if_ending(struct weir_watchman *w) {
    if (!w->ending)
        return;
    pthread_mutex_unlock(&w->lock);
    for (;;)
        pause();
}

void weir_watchman_attend(struct weir_watchman *w, struct weir_simulation *simulation) {
    if (!w)
        return;
    pthread_mutex_lock(&w->lock);
    rest_if_ending(w);
    w->simulation = simulation;
    pthread_mutex_unlock(&w->lock);
    (void)weir_world_agree(w->world, 0); /* no rank can fail before all are attended: none has a reason to */
}

bool weir_watchman_stops(struct weir_watchman *w, int64_t step) {
    if (!w)
        return false;
    pthread_mutex_lock(&w->lock);
    while (w->asked && w->stop < 0)
        pthread_cond_wait(&w->changed, &w->lock);
    rest_if_ending(w);
    const bool stops = w->asked && step >= w->stop;
    if (!stops)
        w->entered = step + 1;
    pthread_mutex_unlock(&w->lock);
    return stops;
}

void weir_watchman_end(struct weir_watchman *w, int error) {
    if (!w)
        return;
    pthread_mutex_lock(&w->lock);
    w->failed = true;
    w->failure.code = -error;
    snprintf(w->failure.text, sizeof w->failure.text, "%s", weir_error_text());
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
    for (;;)
        pause();
}

void weir_watchman_dismiss(struct weir_watchman *w) {
    if (!w)
        return;
    pthread_mutex_lock(&w->lock);
    rest_if_ending(w);
    w->simulation = NULL;
    pthread_mutex_unlock(&w->lock);
}

void weir_watchman_destroy(struct weir_watchman *w) {
    if (!w)
        return;
    pthread_mutex_lock(&w->lock);
    w->quit = true;
    pthread_cond_broadcast(&w->changed);
    pthread_mutex_unlock(&w->lock);
    pthread_join(w->thread, NULL);
    const double start = weir_seconds();
    int sent = 0;
    while (!sent && weir_seconds() - start < time_to_follow)
        MPI_Testall(KINDS * w->size, w->requests, &sent, MPI_STATUSES_IGNORE);
    if (sent) /* else MPI still reads there */
        release(w);
}
