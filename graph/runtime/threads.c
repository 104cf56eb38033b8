#include "graph/runtime/threads.h"

#include "codelets/team.h"
#include "graph/base/error.h"
#include "graph/runtime/cores.h"

#include <starpu.h>
#include <stdlib.h>

struct weir_threads {
    struct weir_cores *cores;
    int main_core;
    int reserved_core; /* of the thread that moves messages; -1: it has none of its own */
    struct weir_team *teams[STARPU_NMAXWORKERS]; /* led by the worker of this number, NULL: none */
};

/* Threads of one team and the cores that they get. */
struct formation {
    struct weir_threads *threads;
    int size;
    int core[STARPU_NMAXWORKERS]; /* of each thread, the leader first; numbers of weir_cores */
};

/* What weir_threads_observe hands to the workers. */
struct observer {
    struct weir_threads *threads;
    struct weir_worker *workers;
};

int weir_threads_create(struct weir_threads **result) {
    struct weir_threads *threads = calloc(1, sizeof *threads);
    if (!threads)
        return weir_fail(WEIR_FAILED, "out of memory while starting StarPU");
    const int error = weir_cores_create(&threads->cores);
    if (error != 0) {
        free(threads);
        return error;
    }
    threads->main_core = threads->reserved_core = -1;
    *result = threads;
    return 0;
}

void weir_threads_destroy(struct weir_threads *threads) {
    if (!threads)
        return;
    for (int id = 0; id < STARPU_NMAXWORKERS; id++)
        weir_team_destroy(threads->teams[id]);
    weir_cores_unbind(threads->cores); /* StarPU leaves the main thread where it was bound */
    weir_cores_destroy(threads->cores);
    free(threads);
}

int weir_threads_domains(const struct weir_threads *threads) {
    return weir_cores_domain(threads->cores, weir_cores_count(threads->cores) - 1) + 1;
}

/* Of a thread; 0: the calling one. */
static int bound_core(const struct weir_threads *threads, int thread) {
    const int core = weir_cores_bound(threads->cores, thread);
    return core < 0 ? -1 : weir_cores_unit(threads->cores, core);
}

/* On each worker. */
static void observe(void *argument) {
    const struct observer *observer = argument;
    observer->workers[starpu_worker_get_id()].core = bound_core(observer->threads, 0);
}

void weir_threads_reserve(struct weir_threads *threads, int thread) {
    threads->reserved_core = bound_core(threads, thread);
}

void weir_threads_observe(struct weir_threads *threads, struct weir_worker *workers, int count) {
    unsigned ids[STARPU_NMAXWORKERS];
    struct observer observer = {threads, workers};
    for (int id = 0; id < count; id++)
        ids[id] = (unsigned)id;
    starpu_execute_on_specific_workers(observe, &observer, (unsigned)count, ids, "binding");
    threads->main_core = bound_core(threads, 0);
}

static void bind_helper(void *context, int thread) {
    const struct formation *formation = context;
    weir_cores_bind(formation->threads->cores, formation->core[thread]);
}

/* On the worker that leads. */
static void lead(void *argument) {
    struct formation *formation = argument;
    struct weir_threads *threads = formation->threads;
    weir_cores_bind(threads->cores, formation->core[0]);
    weir_team_lead(threads->teams[starpu_worker_get_id()]);
}

/* Whether a spinning thread that leads no team is on this core. */
static bool is_taken(const struct weir_threads *threads, const struct weir_worker *workers, int count,
                     int core, int first_leader) {
    const int unit = weir_cores_unit(threads->cores, core);
    bool taken = unit == threads->main_core || unit == threads->reserved_core;
    for (int id = 0; id < count; id++)
        taken =
            taken || (workers[id].core == unit && (workers[id].cuda || workers[id].device < first_leader));
    return taken;
}

/* Starts the helpers of a worker and makes it their leader, on the cores of the formation: leaders move to
 * where their helpers are. */
static int form_team(struct weir_threads *threads, struct formation *formation, struct weir_worker *worker) {
    struct weir_team *team = weir_team_create(formation->size, bind_helper, formation);
    if (!team)
        return weir_fail(WEIR_FAILED, "cannot start a team of %d threads; see ulimit -u", formation->size);
    threads->teams[worker->id] = team;
    unsigned leader = (unsigned)worker->id;
    starpu_execute_on_specific_workers(lead, formation, 1, &leader, "lead");
    weir_team_wait_started(team);
    worker->steps = true;
    worker->cores = formation->size;
    /* StarPU's models keep times of workers of different size apart, as of its own combined workers. */
    starpu_worker_get_perf_archtype(worker->id, STARPU_NMAX_SCHED_CTXS)->devices[0].ncores = formation->size;
    return 0;
}

/* Adds the free cores of a domain to a formation that wants `size`; 0: all there are. */
static void add_cores(struct formation *formation, const struct weir_worker *workers, int count, int domain,
                      int first_leader, int size) {
    const struct weir_threads *threads = formation->threads;
    for (int core = 0; core < weir_cores_count(threads->cores); core++)
        if (weir_cores_domain(threads->cores, core) == domain && (size == 0 || formation->size < size) &&
            !is_taken(threads, workers, count, core, first_leader))
            formation->core[formation->size++] = core;
}

int weir_threads_form_teams(struct weir_threads *threads, struct weir_worker *workers, int count, int teams,
                            int size) {
    const int first_leader = (int)starpu_cpu_worker_get_count() - teams;
    const int domains = weir_threads_domains(threads);
    struct formation *formation = malloc(sizeof *formation);
    if (!formation)
        return weir_fail(WEIR_FAILED, "out of memory while forming teams of cores");
    int domain = 0, error = 0;
    for (int id = 0; id < count && error == 0; id++) {
        if (workers[id].cuda)
            continue;
        workers[id].steps = false; /* unless there are cores for it to lead */
        if (workers[id].device < first_leader)
            continue;
        *formation = (struct formation){.threads = threads};
        for (; domain < domains && (formation->size == 0 || formation->size < size); domain++)
            add_cores(formation, workers, count, domain, first_leader, size);
        if (formation->size > 0)
            error = form_team(threads, formation, &workers[id]);
    }
    free(formation);
    return error;
}

bool weir_threads_leads(const struct weir_threads *threads, int worker) {
    return threads->teams[worker] != NULL;
}

int weir_threads_main_core(const struct weir_threads *threads) {
    return threads->main_core;
}

int weir_threads_reserved_core(const struct weir_threads *threads) {
    return threads->reserved_core;
}

int weir_threads_check(const struct weir_worker *workers, int count) {
    if (getenv("STARPU_WORKERS_NOBIND"))
        return 0;
    for (int a = 0; a < count; a++)
        for (int b = 0; b < a; b++) {
            const struct weir_worker *one = &workers[a], *other = &workers[b];
            /* The workers of one GPU are one thread. */
            const bool same_thread = one->cuda && other->cuda && one->device == other->device;
            if (one->core >= 0 && one->core == other->core && !same_thread)
                return weir_fail(
                    WEIR_UNAVAILABLE,
                    "the workers %s and %s share core %d and would keep each other from working; lower "
                    "STARPU_NCPU, or unset the variables that bind StarPU's workers",
                    other->name, one->name, one->core);
        }
    return 0;
}
