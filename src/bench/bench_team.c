#include "src/bench/bench_team.h"

#include "graph/base/clock.h"
#include "graph/base/error.h"
#include "graph/base/spin_barrier.h"

#include <pthread.h>
#include <stdlib.h>

struct member {
    struct weir_bench_team *team;
    pthread_t thread;
    int number;
};

struct weir_bench_team {
    const struct weir_cores *cores;
    struct member *members;
    int threads; /* started */
    bool bound;
    struct weir_spin_barrier barrier; /* of the threads of a run */

    pthread_mutex_t lock;
    pthread_cond_t called, finished;
    unsigned run; /* number of the newest */
    int wanted;   /* threads that take part in it */
    int working;
    bool ending;
    weir_bench_team_function *function;
    void *context;
    double seconds; /* written by thread 0 */
};

static void take_part(struct weir_bench_team *team, int number) {
    weir_spin_barrier_wait(&team->barrier);
    const double start = weir_seconds();
    team->function(team->context, number, team->wanted);
    weir_spin_barrier_wait(&team->barrier);
    if (number == 0)
        team->seconds = weir_seconds() - start;
}

static void *serve(void *argument) {
    const struct member *member = argument;
    struct weir_bench_team *team = member->team;
    unsigned seen = 0;
    if (team->bound)
        weir_cores_bind(team->cores, member->number);
    pthread_mutex_lock(&team->lock);
    for (;;) {
        while (team->run == seen && !team->ending)
            pthread_cond_wait(&team->called, &team->lock);
        if (team->ending)
            break;
        seen = team->run;
        if (member->number >= team->wanted)
            continue;
        pthread_mutex_unlock(&team->lock);
        take_part(team, member->number);
        pthread_mutex_lock(&team->lock);
        if (--team->working == 0)
            pthread_cond_signal(&team->finished);
    }
    pthread_mutex_unlock(&team->lock);
    return NULL;
}

int weir_bench_team_create(const struct weir_cores *cores, int threads, bool bound,
                           struct weir_bench_team **result) {
    struct weir_bench_team *team = calloc(1, sizeof *team);
    struct member *members = calloc((size_t)threads, sizeof *members);
    if (!team || !members) {
        free(team);
        free(members);
        return weir_fail(WEIR_FAILED, "out of memory for %d threads", threads);
    }
    team->cores = cores;
    team->bound = bound;
    team->members = members;
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->called, NULL);
    pthread_cond_init(&team->finished, NULL);
    for (; team->threads < threads; team->threads++) {
        struct member *member = &members[team->threads];
        *member = (struct member){.team = team, .number = team->threads};
        if (pthread_create(&member->thread, NULL, serve, member) != 0) {
            weir_bench_team_destroy(team);
            return weir_fail(WEIR_FAILED, "cannot start %d threads; see ulimit -u", threads);
        }
    }
    *result = team;
    return 0;
}

void weir_bench_team_destroy(struct weir_bench_team *team) {
    if (!team)
        return;
    pthread_mutex_lock(&team->lock);
    team->ending = true;
    pthread_cond_broadcast(&team->called);
    pthread_mutex_unlock(&team->lock);
    for (int k = 0; k < team->threads; k++)
        pthread_join(team->members[k].thread, NULL);
    pthread_cond_destroy(&team->called);
    pthread_cond_destroy(&team->finished);
    pthread_mutex_destroy(&team->lock);
    free(team->members);
    free(team);
}

int weir_bench_team_threads(const struct weir_bench_team *team) {
    return team->threads;
}

double weir_bench_team_run(struct weir_bench_team *team, int threads, weir_bench_team_function *function,
                           void *context) {
    pthread_mutex_lock(&team->lock);
    weir_spin_barrier_init(&team->barrier, threads);
    team->function = function;
    team->context = context;
    team->wanted = team->working = threads;
    team->run++;
    pthread_cond_broadcast(&team->called);
    while (team->working > 0)
        pthread_cond_wait(&team->finished, &team->lock);
    const double seconds = team->seconds;
    pthread_mutex_unlock(&team->lock);
    return seconds;
}

void weir_bench_team_meet(struct weir_bench_team *team) {
    weir_spin_barrier_wait(&team->barrier);
}
