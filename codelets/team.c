#include "codelets/team.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <time.h>

/* Helpers look for work this often before they sleep: some milliseconds. */
enum { SPINS_BEFORE_SLEEP = 200000, SPINS_BEFORE_YIELD = 20000 };

/* Rows at walls take longer than others, and threads are not equally fast: small pieces even that out. */
enum { PIECES_PER_THREAD = 8 };

struct helper {
    struct weir_team *team;
    pthread_t thread;
    int number;
};

struct weir_team {
    int threads;
    struct helper *helpers; /* [threads], the first unused: the leader */
    void (*bind)(void *, int);
    void *bind_context;

    void (*all)(void *); /* of the newest job: this, or the pieces below */
    void (*function)(void *, int, int);
    void *context;
    int count, piece;
    _Alignas(128) atomic_int next; /* first of what nobody has taken yet */
    _Alignas(128) atomic_uint job; /* number of the newest; helpers watch it */
    _Alignas(128) atomic_int working;
    _Alignas(128) atomic_int sleeping;
    atomic_bool ending;
    atomic_int started;
    pthread_mutex_t lock;
    pthread_cond_t called;
};

static _Thread_local struct weir_team *led;

static inline void pause_briefly(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

static void do_pieces(struct weir_team *team) {
    if (team->all) {
        team->all(team->context);
        return;
    }
    for (;;) {
        const int begin = atomic_fetch_add_explicit(&team->next, team->piece, memory_order_relaxed);
        if (begin >= team->count)
            return;
        team->function(team->context, begin,
                       team->piece < team->count - begin ? begin + team->piece : team->count);
    }
}

/* Waits for a job other than the last; false: the team ends. */
static bool wait_for_job(struct weir_team *team, unsigned last) {
    for (int spin = 0; spin < SPINS_BEFORE_SLEEP; spin++) {
        if (atomic_load_explicit(&team->job, memory_order_acquire) != last)
            return !atomic_load(&team->ending);
        pause_briefly();
    }
    pthread_mutex_lock(&team->lock);
    atomic_fetch_add(&team->sleeping, 1);
    while (atomic_load(&team->job) == last)
        pthread_cond_wait(&team->called, &team->lock);
    atomic_fetch_sub(&team->sleeping, 1);
    pthread_mutex_unlock(&team->lock);
    return !atomic_load(&team->ending);
}

static void *help(void *argument) {
    const struct helper *helper = argument;
    struct weir_team *team = helper->team;
    team->bind(team->bind_context, helper->number);
    atomic_fetch_add(&team->started, 1);
    for (unsigned job = 0; wait_for_job(team, job);) {
        job++;
        do_pieces(team);
        atomic_fetch_sub_explicit(&team->working, 1, memory_order_release);
    }
    return NULL;
}

/* The number is raised first: a helper about to sleep either sees it or is counted as sleeping. */
static void call_helpers(struct weir_team *team) {
    atomic_fetch_add(&team->job, 1);
    if (atomic_load(&team->sleeping) > 0) {
        pthread_mutex_lock(&team->lock);
        pthread_cond_broadcast(&team->called);
        pthread_mutex_unlock(&team->lock);
    }
}

struct weir_team *weir_team_create(int threads, void (*bind)(void *context, int thread), void *context) {
    struct weir_team *team = aligned_alloc(_Alignof(struct weir_team), sizeof *team);
    struct helper *helpers = calloc((size_t)threads, sizeof *helpers);
    if (!team || !helpers) {
        free(team);
        free(helpers);
        return NULL;
    }
    *team = (struct weir_team){.threads = 1, .helpers = helpers, .bind = bind, .bind_context = context};
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->called, NULL);
    for (int k = 1; k < threads; k++) {
        helpers[k] = (struct helper){.team = team, .number = k};
        if (pthread_create(&helpers[k].thread, NULL, help, &helpers[k]) != 0) {
            weir_team_destroy(team);
            return NULL;
        }
        team->threads++; /* helpers look at it once there is a job */
    }
    return team;
}

void weir_team_destroy(struct weir_team *team) {
    if (!team)
        return;
    atomic_store(&team->ending, true);
    call_helpers(team);
    for (int k = 1; k < team->threads; k++)
        pthread_join(team->helpers[k].thread, NULL);
    pthread_cond_destroy(&team->called);
    pthread_mutex_destroy(&team->lock);
    free(team->helpers);
    free(team);
}

void weir_team_wait_started(struct weir_team *team) {
    while (atomic_load(&team->started) < team->threads - 1)
        sched_yield();
}

void weir_team_lead(struct weir_team *team) {
    led = team;
}

/* Has everybody do the job that the team holds. */
static void do_job(struct weir_team *team) {
    atomic_store_explicit(&team->working, team->threads - 1, memory_order_relaxed);
    call_helpers(team);
    do_pieces(team);
    for (int spin = 0; atomic_load_explicit(&team->working, memory_order_acquire) > 0; spin++) {
        if (spin < SPINS_BEFORE_YIELD)
            pause_briefly();
        else
            sched_yield(); /* somebody else runs on a helper's core */
    }
}

void weir_team_divide(void (*function)(void *context, int begin, int end), void *context, int count) {
    struct weir_team *team = led;
    if (!team) {
        function(context, 0, count);
        return;
    }
    team->all = NULL;
    team->function = function;
    team->context = context;
    team->count = count;
    team->piece = count / (team->threads * PIECES_PER_THREAD) + 1;
    atomic_store_explicit(&team->next, 0, memory_order_relaxed);
    do_job(team);
}

void weir_team_all(void (*function)(void *context), void *context) {
    struct weir_team *team = led;
    if (!team) {
        function(context);
        return;
    }
    team->all = function;
    team->context = context;
    do_job(team);
}
