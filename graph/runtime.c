#include "graph/runtime.h"

#include "graph/error.h"
#include "graph/nearest.h"

#include <errno.h>
#include <hwloc.h>
#include <starpu.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    STREAMS_PER_GPU =
        4, /* 64 blocks of 128^3 on an H100: 16.8 to 17.6 GLUPS; of 64^3: 8.8 to 13.4 (design.md) */
    OUTPUT_WORKERS = 2, /* CPU workers beside GPUs that do all steps */
};

struct weir_runtime {
    char policy[64];
    bool is_static;
    unsigned step_where;
    struct weir_worker workers[STARPU_NMAXWORKERS];
    int worker_count;
    void **kept; /* freed after StarPU has stopped */
    int kept_count;
};

int weir_runtime_cores(void) {
    hwloc_topology_t topology;
    int cores = 0;
    if (hwloc_topology_init(&topology) == 0) {
        if (hwloc_topology_load(topology) == 0)
            cores = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_PU);
        hwloc_topology_destroy(topology);
    }
    return cores > 0 ? cores : 1;
}

int weir_runtime_gpus(void) {
#if WEIR_WITH_CUDA
    int count = 0;
    return cudaGetDeviceCount(&count) == cudaSuccess ? count : 0;
#else
    return 0;
#endif
}

/* A default of ours for a variable of StarPU's: the user's own setting stays. */
static void prefer(const char *name, const char *value) {
    setenv(name, value, 0);
}

int weir_runtime_schedulers(const char *names[WEIR_SCHEDULERS_MAX + 1]) {
    struct starpu_sched_policy **policies = starpu_sched_get_predefined_policies();
    int count = 0;
    for (; policies[count] && count < WEIR_SCHEDULERS_MAX; count++)
        names[count] = policies[count]->policy_name;
    names[count] = NULL;
    return count;
}

/* Of some forty schedulers these are the ones that most runs are compared with: told where a name is unknown.
 */
static const char usual_schedulers[] = "lws, eager, prio, dmda, dmdar, dmdas";

static int check_scheduler(const char *name) {
    const char *names[WEIR_SCHEDULERS_MAX + 1];
    const int count = weir_runtime_schedulers(names);
    for (int k = 0; k < count; k++)
        if (strcmp(names[k], name) == 0)
            return 0;
    const char *near = weir_nearest(name, names);
    return weir_fail(
        WEIR_USAGE,
        "placement.policy: StarPU has no scheduler \"%s\"; %s%s%susual ones are %s; weir info lists all",
        name, near ? "did you mean \"starpu:" : "", near ? near : "", near ? "\"? The " : "the ",
        usual_schedulers);
}

int weir_runtime_check_policy(const char *policy) {
    if (policy[0] == '\0' || strcmp(policy, "static") == 0)
        return 0;
    if (strncmp(policy, "starpu:", 7) != 0)
        return weir_fail(WEIR_USAGE,
                         "placement.policy: \"%s\" is not known; give \"static\" or \"starpu:NAME\", such as "
                         "\"starpu:dmdas\"",
                         policy);
    return check_scheduler(policy + 7);
}

/* How many workers of each kind to ask for. */
static int choose_workers(struct weir_runtime *runtime, const struct weir_runtime_options *options,
                          struct starpu_conf *conf) {
    const int cores = weir_runtime_cores();
    int gpus = options->has_cuda_kernels ? weir_runtime_gpus() : 0;
    if (options->gpus_max > 0 && gpus > options->gpus_max)
        gpus = options->gpus_max;
    enum weir_worker_choice choice = options->workers;
    if (choice == WEIR_WORKERS_AUTO)
        choice = gpus > 0 ? WEIR_WORKERS_CUDA : WEIR_WORKERS_CPU;
    if (choice == WEIR_WORKERS_CUDA && gpus == 0)
        return weir_fail(
            WEIR_UNAVAILABLE, "placement.workers: \"cuda\" asks for GPUs, and %s; give \"auto\" or \"cpu\"",
            options->has_cuda_kernels ? "CUDA finds none on this machine" : "this build has no CUDA kernels");
    if (choice == WEIR_WORKERS_ALL && gpus == 0)
        choice = WEIR_WORKERS_CPU;
    if (choice == WEIR_WORKERS_CPU) {
        conf->ncuda = 0;
        if (options->cpus_max > 0)
            conf->ncpus = options->cpus_max;
        runtime->step_where = STARPU_CPU;
        return 0;
    }
    conf->ncuda = gpus;
    runtime->step_where = choice == WEIR_WORKERS_ALL ? STARPU_CPU | STARPU_CUDA : STARPU_CUDA;
    /* Threads that spin need cores of their own: one per GPU drives it, one submits. */
    const int left = cores - gpus - 1;
    const int cpus = choice == WEIR_WORKERS_ALL || left < OUTPUT_WORKERS ? left : OUTPUT_WORKERS;
    conf->ncpus = cpus > 0 ? cpus : 1;
    if (left > 0 && !getenv("STARPU_NCPU") && !getenv("STARPU_WORKERS_NOBIND")) {
        prefer("STARPU_MAIN_THREAD_BIND", "1");
        conf->ncpus++; /* StarPU takes the main thread's core out of this number */
    }
    char streams[16];
    snprintf(streams, sizeof streams, "%d", STREAMS_PER_GPU);
    prefer("STARPU_NWORKER_PER_CUDA", streams);
    prefer("STARPU_PERF_MODEL_HOMOGENEOUS_CUDA", "1");
    return 0;
}

static void list_workers(struct weir_runtime *runtime) {
    runtime->worker_count = (int)starpu_worker_get_count();
    for (int id = 0; id < runtime->worker_count; id++) {
        struct weir_worker *worker = &runtime->workers[id];
        worker->id = id;
        worker->cuda = starpu_worker_get_type(id) == STARPU_CUDA_WORKER;
        worker->device = starpu_worker_get_devid(id);
        worker->core = getenv("STARPU_WORKERS_NOBIND") ? -1 : starpu_worker_get_bindid(id);
        worker->steps = (runtime->step_where & (worker->cuda ? STARPU_CUDA : STARPU_CPU)) != 0;
        starpu_worker_get_name(id, worker->name, sizeof worker->name);
    }
}

static int check_workers(const struct weir_runtime *runtime) {
    const int cpus = (int)starpu_cpu_worker_get_count(), cuda = (int)starpu_cuda_worker_get_count();
    if (cpus == 0)
        return weir_fail(WEIR_UNAVAILABLE,
                         "StarPU has no CPU worker, and output and digest need one; set STARPU_NCPU to 1 or "
                         "more, or leave it unset");
    if (!(runtime->step_where & STARPU_CPU) && cuda == 0)
        return weir_fail(
            WEIR_UNAVAILABLE,
            "StarPU started no GPU worker; unset STARPU_NCUDA, or give placement.workers \"cpu\"");
    if (cpus > weir_runtime_cores() && !getenv("STARPU_WORKERS_NOBIND"))
        return weir_fail(
            WEIR_UNAVAILABLE,
            "%d CPU workers are too many for %d cores: workers that share a core are terribly slow; "
            "lower STARPU_NCPU",
            cpus, weir_runtime_cores());
    return 0;
}

int weir_runtime_create(const struct weir_runtime_options *options, struct weir_runtime **result) {
    struct weir_runtime *runtime = calloc(1, sizeof *runtime);
    struct starpu_conf conf;
    if (!runtime)
        return weir_fail(WEIR_FAILED, "out of memory while starting StarPU");
    prefer("STARPU_SILENT", "1");
    prefer("STARPU_FXT_TRACE", "0");
    starpu_conf_init(&conf);
    int error = weir_runtime_check_policy(options->policy);
    runtime->is_static = strncmp(options->policy, "starpu:", 7) != 0;
    /* Under a static policy the scheduler only has output tasks to deal with, which have no home. */
    const char *scheduler = runtime->is_static ? "lws" : options->policy + 7;
    if (error == 0)
        error = choose_workers(runtime, options, &conf);
    if (error == 0) {
        unsetenv("STARPU_SCHED"); /* the case decides, and what is printed is what runs */
        conf.sched_policy_name = scheduler;
        const int started = starpu_init(&conf);
        if (started == -ENODEV)
            error = weir_fail(WEIR_UNAVAILABLE,
                              "StarPU finds no worker on this machine; look at STARPU_NCPU and STARPU_NCUDA");
        else if (started != 0)
            error = weir_fail(WEIR_FAILED, "StarPU does not start: %s", strerror(-started));
    }
    if (error != 0) {
        free(runtime);
        return error;
    }
    list_workers(runtime);
    const char *running = starpu_sched_get_sched_policy()->policy_name;
    if (runtime->is_static)
        snprintf(runtime->policy, sizeof runtime->policy, "static");
    else
        snprintf(runtime->policy, sizeof runtime->policy, "starpu:%s", running);
    error = check_workers(runtime);
    if (error == 0 && strcmp(running, scheduler) != 0)
        error =
            weir_fail(WEIR_FAILED, "asked StarPU for the scheduler %s, and it runs %s", scheduler, running);
    if (error != 0) {
        weir_runtime_destroy(runtime);
        return error;
    }
    *result = runtime;
    return 0;
}

void weir_runtime_free_at_stop(struct weir_runtime *runtime, void *memory) {
    void **kept = realloc(runtime->kept, sizeof *kept * (size_t)(runtime->kept_count + 1));
    if (!kept)
        return; /* lost until the program ends: better than too early */
    runtime->kept = kept;
    kept[runtime->kept_count++] = memory;
}

void weir_runtime_destroy(struct weir_runtime *runtime) {
    if (!runtime)
        return;
    starpu_shutdown();
    for (int k = 0; k < runtime->kept_count; k++)
        free(runtime->kept[k]);
    free(runtime->kept);
    free(runtime);
}

const char *weir_runtime_policy(const struct weir_runtime *runtime) {
    return runtime->policy;
}

bool weir_runtime_is_static(const struct weir_runtime *runtime) {
    return runtime->is_static;
}

int weir_runtime_worker_count(const struct weir_runtime *runtime) {
    return runtime->worker_count;
}

const struct weir_worker *weir_runtime_worker(const struct weir_runtime *runtime, int index) {
    return &runtime->workers[index];
}

unsigned weir_runtime_step_where(const struct weir_runtime *runtime) {
    return runtime->step_where;
}
