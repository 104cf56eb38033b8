#include "codelets/team.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Helpers look for work this often before they sleep: some milliseconds. */
enum { SPINS_BEFORE_SLEEP = 200000, SPINS_BEFORE_YIELD = 20000 };

/* Rows at walls take longer than others, and threads are not equally fast: small pieces even that out. */
enum { PIECES_PER_THREAD = 8 };

/* What nobody has taken yet of the rows that one thread begins with: the same ones in every job of the same
 * size, so that they stay in its core's cache. Who is done with his own helps others. */
struct share {
    _Alignas(128) atomic_int next;
    int end;
};

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
    int piece;
    struct share *shares;             /* [threads] */
    _Alignas(128) atomic_ullong jobs; /* helpers watch it: see below */
    _Alignas(128) atomic_int did_all; /* helpers that have done `all` */
    _Alignas(128) atomic_int sleeping;
    atomic_bool ending;
    atomic_int started;
    pthread_mutex_t lock;
    pthread_cond_t called;
};

/* What `jobs` says: the number of the newest job, whether helpers may still join it, and how many are at it.
 * A helper that does not come, because something else has its core, is not waited for: others do its share.
 */
static const unsigned long long NEXT_JOB = 1ull << 32, OPEN = 1ull << 31, HELPERS = OPEN - 1;

static _Thread_local struct weir_team *led;

static inline void pause_briefly(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#endif
}

static void do_share(struct weir_team *team, struct share *share) {
    while (atomic_load_explicit(&share->next, memory_order_relaxed) < share->end) {
        const int begin = atomic_fetch_add_explicit(&share->next, team->piece, memory_order_relaxed);
        if (begin >= share->end)
            return;
        team->function(team->context, begin,
                       team->piece < share->end - begin ? begin + team->piece : share->end);
    }
}

/* What thread `number` does of the job. */
static void do_part(struct weir_team *team, int number) {
    if (team->all) {
        team->all(team->context);
        return;
    }
    for (int k = 0; k < team->threads; k++)
        do_share(team, &team->shares[(number + k) % team->threads]);
}

static unsigned long long number_of(unsigned long long jobs) {
    return jobs / NEXT_JOB;
}

/* Waits for a job other than the last one seen, and notes its number; false: the team ends. */
static bool wait_for_job(struct weir_team *team, unsigned long long *last) {
    for (int spin = 0; spin < SPINS_BEFORE_SLEEP; spin++) {
        const unsigned long long now = number_of(atomic_load_explicit(&team->jobs, memory_order_acquire));
        if (now != *last) {
            *last = now;
            return !atomic_load(&team->ending);
        }
        pause_briefly();
    }
    pthread_mutex_lock(&team->lock);
    atomic_fetch_add(&team->sleeping, 1);
    while (number_of(atomic_load(&team->jobs)) == *last)
        pthread_cond_wait(&team->called, &team->lock);
    *last = number_of(atomic_load(&team->jobs));
    atomic_fetch_sub(&team->sleeping, 1);
    pthread_mutex_unlock(&team->lock);
    return !atomic_load(&team->ending);
}

/* false: it is over, or another one already. */
static bool join_job(struct weir_team *team, unsigned long long number) {
    unsigned long long jobs = atomic_load_explicit(&team->jobs, memory_order_relaxed);
    do {
        if (number_of(jobs) != number || !(jobs & OPEN))
            return false;
    } while (!atomic_compare_exchange_weak_explicit(&team->jobs, &jobs, jobs + 1, memory_order_acquire,
                                                    memory_order_relaxed));
    return true;
}

static void *help(void *argument) {
    const struct helper *helper = argument;
    struct weir_team *team = helper->team;
    team->bind(team->bind_context, helper->number);
    atomic_fetch_add(&team->started, 1);
    for (unsigned long long number = 0; wait_for_job(team, &number);) {
        if (!join_job(team, number))
            continue;
        do_part(team, helper->number);
        if (team->all)
            atomic_fetch_add_explicit(&team->did_all, 1, memory_order_release);
        atomic_fetch_sub_explicit(&team->jobs, 1, memory_order_release);
    }
    return NULL;
}

/* The number is raised first: a helper about to sleep either sees it or is counted as sleeping. */
static void call_helpers(struct weir_team *team) {
    /* No helper is at the last job, nor can join it: nobody else writes this now. */
    atomic_store(&team->jobs, number_of(atomic_load_explicit(&team->jobs, memory_order_relaxed)) * NEXT_JOB +
                                  NEXT_JOB + OPEN);
    if (atomic_load(&team->sleeping) > 0) {
        pthread_mutex_lock(&team->lock);
        pthread_cond_broadcast(&team->called);
        pthread_mutex_unlock(&team->lock);
    }
}

struct weir_team *weir_team_create(int threads, void (*bind)(void *context, int thread), void *context) {
    struct weir_team *team = aligned_alloc(_Alignof(struct weir_team), sizeof *team);
    struct helper *helpers = calloc((size_t)threads, sizeof *helpers);
    struct share *shares = aligned_alloc(_Alignof(struct share), sizeof *shares * (size_t)threads);
    if (!team || !helpers || !shares) {
        free(team);
        free(helpers);
        free(shares);
        return NULL;
    }
    *team = (struct weir_team){
        .threads = 1, .helpers = helpers, .shares = shares, .bind = bind, .bind_context = context};
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
    free(team->shares);
    free(team);
}

void weir_team_wait_started(struct weir_team *team) {
    while (atomic_load(&team->started) < team->threads - 1)
        (void)syscall(SYS_sched_yield);
}

void weir_team_lead(struct weir_team *team) {
    led = team;
}

/* Waits as long as helpers take for what they have in hands; `spin` counts. */
static void wait_a_little(int *spin) {
    if ((*spin)++ < SPINS_BEFORE_YIELD)
        pause_briefly();
    else
        /* Somebody else runs on a helper's core. By the system's call: the function of that name is for long
         * waits (graph/ranks/idle_yield.c). */
        (void)syscall(SYS_sched_yield);
}

/* Has everybody who comes do the job that the team holds, or everybody where all must. */
static void do_job(struct weir_team *team) {
    int spin = 0;
    atomic_store_explicit(&team->did_all, 0, memory_order_relaxed);
    call_helpers(team);
    do_part(team, 0);
    while (team->all && atomic_load_explicit(&team->did_all, memory_order_acquire) < team->threads - 1)
        wait_a_little(&spin);
    atomic_fetch_and_explicit(&team->jobs, ~OPEN, memory_order_relaxed);
    while ((atomic_load_explicit(&team->jobs, memory_order_acquire) & HELPERS) > 0)
        wait_a_little(&spin);
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
    team->piece = count / (team->threads * PIECES_PER_THREAD) + 1;
    for (int k = 0; k < team->threads; k++) {
        const int64_t begin = (int64_t)count * k / team->threads,
                      end = (int64_t)count * (k + 1) / team->threads;
        atomic_store_explicit(&team->shares[k].next, (int)begin, memory_order_relaxed);
        team->shares[k].end = (int)end;
    }
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
