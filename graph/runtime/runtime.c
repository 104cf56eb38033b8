#include "graph/runtime/runtime.h"

#include "graph/base/error.h"
#include "graph/base/host_memory.h"
#include "graph/base/parallel.h"
#include "graph/plan/granularity.h"
#include "graph/ranks/mpi_thread.h"
#include "graph/runtime/cores.h"
#include "graph/runtime/policy.h"
#include "graph/runtime/scheduler.h"
#include "graph/runtime/threads.h"

#include <errno.h>
#include <hwloc.h>
#include <starpu.h>
#include <starpu_mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* CPU workers for output: beside GPUs that do all steps, and beside teams, whose cores have better things to
 * do. */
enum { OUTPUT_WORKERS = 2, OUTPUT_WORKERS_BESIDE_TEAMS = 1 };

/* With fewer cores than this, the thread that moves messages between ranks shares one with a worker: it would
 * be a third of the machine. */
enum { MESSAGE_CORE_MIN = 4 };

/* Fewer cores than this do not make a team worth its place beside a GPU. */
enum { TEAM_CORES_MIN = 2 };

enum { MOVERS = 2 * WEIR_MOVERS_EACH_WAY };

struct weir_runtime {
    char policy[64];
    enum weir_policy kind;
    unsigned step_where;
    double slab_memory;
    int movers[MOVERS];
    struct weir_worker workers[STARPU_NMAXWORKERS];
    int worker_count;
    struct weir_worker_groups groups;
    struct weir_threads *threads;
    struct weir_world *world;
    void **kept; /* freed after StarPU has stopped */
    int kept_count;
};

void weir_runtime_starpu_version(char text[WEIR_STARPU_VERSION_SIZE]) {
    int major, minor, release;
    starpu_get_version(&major, &minor, &release);
    snprintf(text, WEIR_STARPU_VERSION_SIZE, "%d.%d.%d", major, minor, release);
}

const char weir_runtime_starpu_features[] = ""
#ifdef STARPU_USE_CUDA
                                            " with CUDA"
#endif
#ifdef STARPU_USE_FXT
                                            " with FxT"
#endif
    ;

/* A number that an environment variable of StarPU's holds, `missing` where it is not set. */
static int setting(const char *name, int missing) {
    const char *text = getenv(name);
    return text && text[0] != '\0' ? atoi(text) : missing;
}

/* Objects of a type that this process may use, as it is bound: StarPU's workers go there. */
static int count_allowed(hwloc_obj_type_t type, hwloc_cpubind_flags_t whose) {
    hwloc_topology_t topology;
    int count = 0;
    if (hwloc_topology_init(&topology) == 0) {
        hwloc_bitmap_t allowed = hwloc_bitmap_alloc();
        if (hwloc_topology_load(topology) == 0) {
            if (setting("STARPU_WORKERS_GETBIND", 1) != 0 &&
                hwloc_get_cpubind(topology, allowed, (int)whose) == 0)
                hwloc_topology_restrict(topology, allowed, 0);
            count = hwloc_get_nbobjs_by_type(topology, type);
        }
        hwloc_bitmap_free(allowed);
        hwloc_topology_destroy(topology);
    }
    return count;
}

int weir_runtime_cores(void) {
    const int cores = count_allowed(HWLOC_OBJ_PU, HWLOC_CPUBIND_PROCESS);
    return cores > 0 ? cores : 1;
}

/* Cores that StarPU takes one CPU worker each of, when it is not told how many: those that this thread may
 * run on, not their hyperthreads. */
static int worker_cores(void) {
    const int cores = count_allowed(HWLOC_OBJ_CORE, HWLOC_CPUBIND_THREAD);
    return (cores > 0 ? cores : weir_runtime_cores()) * setting("STARPU_NTHREADS_PER_CORE", 1);
}

int weir_runtime_gpus(void) {
    int count = 0;
#if WEIR_WITH_CUDA
    if (cudaGetDeviceCount(&count) != cudaSuccess)
        count = 0;
#endif
    const int wanted = setting("STARPU_NCUDA", count);
    return wanted < count ? wanted : count;
}

void weir_runtime_gpu_name(int gpu, char *name, size_t size) {
    name[0] = '\0';
#if WEIR_WITH_CUDA
    struct cudaDeviceProp properties;
    if (cudaGetDeviceProperties(&properties, gpu) == cudaSuccess)
        snprintf(name, size, "%s", properties.name);
#else
    (void)gpu;
    (void)size;
#endif
}

double weir_runtime_gpu_memory(int gpus) {
    double bytes = 0;
#if WEIR_WITH_CUDA
    const double share = 0.9; /* StarPU's own limit, where STARPU_LIMIT_CUDA_MEM (MiB) sets none */
    const int limit = setting("STARPU_LIMIT_CUDA_MEM", -1);
    struct cudaDeviceProp properties;
    for (int gpu = 0; gpu < gpus; gpu++)
        if (cudaGetDeviceProperties(&properties, gpu) == cudaSuccess)
            bytes += limit >= 0 ? (double)limit * (1 << 20) : share * (double)properties.totalGlobalMem;
#else
    (void)gpus;
#endif
    return bytes;
}

/* A default of ours for a variable of StarPU's: the user's own setting stays. */
static void prefer(const char *name, const char *value) {
    setenv(name, value, 0);
}

/* What StarPU is asked for. */
struct plan {
    unsigned step_where;
    int cores;          /* of this machine: told before StarPU binds the thread that would count them */
    int cpus;           /* CPU workers, with the main thread's core where that is bound; -1: one per core */
    int teams;          /* of these, the last ones lead a team each */
    int team_cores;     /* of all teams together, about */
    int team_size;      /* of a team whose cores need not share a cache; 0: they do */
    int gpus;           /* that take steps */
    bool bind_main;     /* the main thread gets a core of its own */
    bool messages;      /* there are other ranks, and a thread that moves messages */
    bool message_core;  /* that thread gets a core of its own */
    double slab_memory; /* as of weir_step_workers */
};

/* As many teams as there can be. */
static int count_domains(int *domains) {
    struct weir_threads *threads;
    WEIR_TRY(weir_threads_create(&threads));
    *domains = weir_threads_domains(threads);
    weir_threads_destroy(threads);
    return 0;
}

/* The user has said how many CPU workers there are, or that they need no core of their own. */
static bool sets_workers(void) {
    return getenv("STARPU_NCPU") || getenv("STARPU_NCPUS") || getenv("STARPU_WORKERS_NOBIND");
}

/* Cores that shall take the problem as one block, alone on this machine; 0: each has blocks of its own. */
static int count_sharing(const struct weir_runtime_options *options, int *sharing) {
    *sharing = 0;
    if (!options->problem || options->workers != WEIR_WORKERS_AUTO || options->cpus_max > 0 || sets_workers())
        return 0;
    struct weir_cores *cores;
    WEIR_TRY(weir_cores_create(&cores));
    const struct weir_granularity_cores here = {
        .count = weir_cores_count(cores),
        .memories = weir_cores_numa_nodes(cores),
        .cache_bytes = (double)weir_cores_cache_bytes(cores, weir_cores_count(cores))};
    weir_cores_destroy(cores);
    *sharing = weir_granularity_team(options->problem, options->block_cells, &here);
    return 0;
}

/* Of the memory that a GPU gives, what blocks take of a domain that has more: observations need some. */
static const double slabs_share = 0.9;

/* Bytes of a domain that have room at a time where it is computed, by one GPU or by cores; 0: all have, or
 * more GPUs or ranks share it. */
static double room_for_slabs(const struct weir_runtime_options *options, int ranks, int gpus,
                             enum weir_worker_choice choice) {
    const bool chosen = gpus == 0 ? options->memory > 0
                                  : gpus == 1 && (choice == WEIR_WORKERS_AUTO || choice == WEIR_WORKERS_CUDA);
    if (ranks > 1 || !chosen || weir_policy_of(options->policy) == WEIR_POLICY_STARPU)
        return 0;
    const double whole = gpus > 0 ? weir_runtime_gpu_memory(1) : options->memory,
                 most = gpus > 0 ? slabs_share * whole : whole;
    if (options->memory > 0 && options->memory < most)
        return options->data_bytes <= options->memory ? 0 : options->memory;
    return options->data_bytes <= whole ? 0 : most;
}

/* Starts nothing and sets nothing. Of the user's own STARPU_NCPU it knows that it is set. */
static int choose_workers(const struct weir_runtime_options *options, bool gpus_elsewhere,
                          struct plan *plan) {
    const int ranks = options->world ? weir_world_size(options->world) : 1;
    int gpus = options->has_cuda_kernels ? weir_runtime_gpus() : 0;
    if (options->gpus_max > 0 && gpus > options->gpus_max)
        gpus = options->gpus_max;
    const enum weir_policy policy = weir_policy_of(options->policy);
    /* Only who knows how fast worker groups are can use cores beside GPUs without harm. */
    const bool divides = policy == WEIR_POLICY_BALANCED || policy == WEIR_POLICY_MODEL;
    enum weir_worker_choice choice = options->workers;
    /* Beside a GPU a single core takes many steps' time for one of a block: also where the GPU is another
     * rank's. */
    const bool team = gpus == 0 && gpus_elsewhere && divides && !sets_workers() &&
                      (choice == WEIR_WORKERS_AUTO || choice == WEIR_WORKERS_ALL);
    if (gpus > 1 && options->memory > 0 && choice != WEIR_WORKERS_CPU)
        return weir_fail(WEIR_USAGE,
                         "placement.memory: one GPU computes slab by slab, and %d take part here; leave it "
                         "out, or set STARPU_NCUDA=1 in the environment",
                         gpus);
    const double slab_memory = room_for_slabs(
        options, ranks, choice == WEIR_WORKERS_CPU || choice == WEIR_WORKERS_TEAM ? 0 : gpus, choice);
    if (slab_memory > 0 && gpus == 1 && choice == WEIR_WORKERS_AUTO)
        choice = WEIR_WORKERS_CUDA;
    if (choice == WEIR_WORKERS_AUTO)
        choice = gpus == 0 ? WEIR_WORKERS_CPU : divides ? WEIR_WORKERS_ALL : WEIR_WORKERS_CUDA;
    if (choice == WEIR_WORKERS_CUDA && gpus == 0)
        return weir_fail(WEIR_UNAVAILABLE,
                         "placement.workers: \"cuda\" asks for GPUs, and %s; give \"auto\" or \"cpu\"",
                         !options->has_cuda_kernels        ? "this build has no CUDA kernels"
                         : setting("STARPU_NCUDA", 1) == 0 ? "STARPU_NCUDA is 0"
                         : ranks > 1 ? "this rank has none: CUDA finds none, or fewer than there are ranks"
                                     : "CUDA finds none on this machine");
    if (choice == WEIR_WORKERS_ALL && gpus == 0)
        choice = WEIR_WORKERS_CPU;
    if (team)
        choice = WEIR_WORKERS_TEAM;
    *plan = (struct plan){
        .step_where = STARPU_CPU, .cores = weir_runtime_cores(), .cpus = -1, .slab_memory = slab_memory};
    plan->messages = ranks > 1;
    plan->message_core = ranks > 1 && plan->cores >= MESSAGE_CORE_MIN && !getenv("STARPU_WORKERS_NOBIND");
    if (choice == WEIR_WORKERS_TEAM && plan->cores - plan->message_core < TEAM_CORES_MIN)
        choice = WEIR_WORKERS_CPU; /* a core alone is its own team */
    if (choice == WEIR_WORKERS_TEAM) {
        WEIR_TRY(count_domains(&plan->teams));
        plan->cpus = plan->teams;
        plan->team_cores = plan->cores - plan->message_core;
        return 0;
    }
    int sharing = 0;
    if (choice == WEIR_WORKERS_CPU && ranks == 1 && slab_memory == 0)
        WEIR_TRY(count_sharing(options, &sharing));
    if (sharing > 0) {
        plan->cpus = 1;
        plan->teams = sharing > 1;
        plan->team_cores = plan->team_size = sharing;
        return 0;
    }
    if (choice == WEIR_WORKERS_CPU) {
        if (options->cpus_max > 0)
            plan->cpus = options->cpus_max;
        else if (plan->messages) /* else StarPU takes one away, even the only one */
            plan->cpus = worker_cores() - plan->message_core;
        return 0;
    }
    plan->gpus = gpus;
    plan->step_where = choice == WEIR_WORKERS_ALL ? STARPU_CPU | STARPU_CUDA : STARPU_CUDA;
    /* Threads that spin need cores of their own: one per GPU drives it, one submits, one moves messages. */
    if (plan->cores - gpus - 1 <= OUTPUT_WORKERS)
        plan->message_core = false;
    const int left = plan->cores - gpus - 1 - plan->message_core;
    const bool ours = left > 0 && !sets_workers();
    int cpus = choice == WEIR_WORKERS_ALL || left < OUTPUT_WORKERS ? left : OUTPUT_WORKERS;
    const int team_cores = left - OUTPUT_WORKERS_BESIDE_TEAMS;
    if (choice == WEIR_WORKERS_ALL && ours) {
        if (team_cores >= TEAM_CORES_MIN) {
            WEIR_TRY(count_domains(&plan->teams));
            plan->teams = plan->teams < team_cores ? plan->teams : team_cores;
            plan->team_cores = team_cores;
            cpus = OUTPUT_WORKERS_BESIDE_TEAMS + plan->teams;
        } else {
            plan->step_where = STARPU_CUDA;
        }
    }
    plan->cpus = cpus > 0 ? cpus : 1;
    if (ours) {
        plan->bind_main = true;
        plan->cpus++; /* StarPU takes the main thread's core out of this number */
    }
    return 0;
}

/* CPU workers that StarPU makes of a plan and its own variables. */
static int expected_cpus(const struct plan *plan) {
    int cpus = setting("STARPU_NCPU", setting("STARPU_NCPUS", plan->cpus));
    if (cpus < 0)
        cpus = worker_cores();
    cpus -= setting("STARPU_RESERVE_NCPU", 0);
    cpus -= setting("STARPU_MAIN_THREAD_BIND", plan->bind_main) > 0;
    return cpus > 0 ? cpus : 0;
}

/* What StarPU will be asked for. Starts nothing and sets nothing. */
static int plan_workers(const struct weir_runtime_options *options, bool gpus_elsewhere, struct plan *plan) {
    WEIR_TRY(choose_workers(options, gpus_elsewhere, plan));
    /* With as many workers as there are cores, a thread that polls as if it had one keeps a worker from its
     * own: 8 CPU workers on 8 cores did not get on. */
    if (expected_cpus(plan) + plan->gpus >= plan->cores)
        plan->message_core = false;
    return 0;
}

/* StarPU keeps what it measures by host, and measures again when the host's cores or GPUs have changed: ranks
 * that have parts of a host get names of their own there, the same for parts alike. */
static void name_part_of_host(const struct plan *plan) {
    char host[256] = "", name[300];
    gethostname(host, sizeof host - 1);
    host[strcspn(host, ".")] = '\0'; /* as StarPU does */
    snprintf(name, sizeof name, "%s-%dc%dg", host, plan->cores, plan->gpus);
    prefer("STARPU_HOSTNAME", name);
}

static void apply(const struct plan *plan, struct starpu_conf *conf) {
    conf->ncuda = plan->gpus;
    if (plan->cpus >= 0)
        conf->ncpus = plan->cpus;
    if (plan->messages && !plan->message_core)
        prefer("STARPU_MPI_NOBIND", "1");
    if (plan->gpus == 0)
        return;
    char streams[16];
    snprintf(streams, sizeof streams, "%d", WEIR_STREAMS_PER_GPU + (plan->slab_memory > 0 ? MOVERS : 0));
    prefer("STARPU_NWORKER_PER_CUDA", streams);
    if (plan->slab_memory > 0) { /* places of slabs stay where they are, and need no copy in main memory */
        prefer("STARPU_MINIMUM_CLEAN_BUFFERS", "0");
        prefer("STARPU_TARGET_CLEAN_BUFFERS", "0");
        prefer("STARPU_CUDA_PIPELINE", "1"); /* a step that waits behind another is not the next in turn */
    }
    prefer("STARPU_PERF_MODEL_HOMOGENEOUS_CUDA", "1");
    if (plan->bind_main)
        prefer("STARPU_MAIN_THREAD_BIND", "1");
}

/* StarPU takes main memory for as large as its NUMA nodes say they are, and some virtual machines, which get
 * memory as they need it, begin with a small part of what they may have. Blocks have been counted against
 * what the system says (memory_check.h). */
static void lift_limit_of_main_memory(void) {
    if (!getenv("STARPU_LIMIT_CPU_MEM") && !getenv("STARPU_LIMIT_CPU_NUMA_MEM") &&
        (double)starpu_memory_get_total(STARPU_MAIN_RAM) < weir_memory_room(1).bytes)
        starpu_malloc_on_node_set_default_flags(STARPU_MAIN_RAM, STARPU_MALLOC_PINNED);
}

static void list_workers(struct weir_runtime *runtime) {
    runtime->worker_count = (int)starpu_worker_get_count();
    for (int id = 0; id < runtime->worker_count; id++) {
        struct weir_worker *worker = &runtime->workers[id];
        worker->id = id;
        worker->cuda = starpu_worker_get_type(id) == STARPU_CUDA_WORKER;
        worker->device = starpu_worker_get_devid(id);
        worker->steps = (runtime->step_where & (worker->cuda ? STARPU_CUDA : STARPU_CPU)) != 0;
        worker->cores = worker->cuda ? 0 : 1;
        starpu_worker_get_name(id, worker->name, sizeof worker->name);
    }
}

/* Where slabs come and go: the last workers of the GPU. */
static void choose_movers(struct weir_runtime *runtime) {
    int left = runtime->slab_memory > 0 && (int)starpu_cuda_worker_get_count() > MOVERS ? MOVERS : 0;
    for (int k = 0; k < MOVERS; k++)
        runtime->movers[k] = -1;
    for (int id = runtime->worker_count - 1; id >= 0 && left > 0; id--)
        if (runtime->workers[id].cuda) {
            runtime->workers[id].steps = false;
            runtime->movers[--left] = id;
        }
}

static void list_groups(struct weir_runtime *runtime) {
    for (int id = 0; id < runtime->worker_count; id++) {
        const struct weir_worker *worker = &runtime->workers[id];
        if (worker->steps)
            weir_worker_groups_add(&runtime->groups,
                                   worker->cuda                               ? WEIR_WORKER_GROUP_GPU
                                   : weir_threads_leads(runtime->threads, id) ? WEIR_WORKER_GROUP_TEAM
                                                                              : WEIR_WORKER_GROUP_CORE,
                                   worker->device, id, worker->cores);
    }
}

/* Whether a plan can be run with as many workers as there are, or will be. */
static int check_workers(const struct plan *plan, int cpus, int gpu_workers) {
    if (cpus == 0)
        return weir_fail(WEIR_UNAVAILABLE,
                         "StarPU has no CPU worker, and output and digest need one; set STARPU_NCPU to 1 or "
                         "more, or leave it unset");
    if (!(plan->step_where & STARPU_CPU) && gpu_workers == 0)
        return weir_fail(
            WEIR_UNAVAILABLE,
            "StarPU started no GPU worker; unset STARPU_NCUDA, or give placement.workers \"cpu\"");
    if (cpus > plan->cores && !getenv("STARPU_WORKERS_NOBIND"))
        return weir_fail(
            WEIR_UNAVAILABLE,
            "%d CPU workers are too many for %d cores: workers that share a core are terribly slow; "
            "lower STARPU_NCPU",
            cpus, plan->cores);
    return 0;
}

int weir_runtime_expect(const struct weir_runtime_options *options, struct weir_step_workers *workers) {
    struct plan plan;
    WEIR_TRY(plan_workers(options, false, &plan));
    const int cpus = expected_cpus(&plan);
    WEIR_TRY(check_workers(&plan, cpus, plan.gpus));
    *workers = (struct weir_step_workers){.cpus = !(plan.step_where & STARPU_CPU) ? 0
                                                  : plan.teams > 0                ? plan.team_cores
                                                                                  : cpus,
                                          .gpus = plan.gpus,
                                          .teams = plan.teams,
                                          .slab_memory = plan.slab_memory};
    return 0;
}

/* Whether some rank has GPUs that take steps, though this one may have none. Collective. */
static bool find_gpus_elsewhere(const struct weir_runtime_options *options) {
    const bool wanted = options->workers == WEIR_WORKERS_AUTO || options->workers == WEIR_WORKERS_ALL;
    int gpus = wanted && options->has_cuda_kernels ? weir_runtime_gpus() : 0;
    if (!options->world || weir_world_size(options->world) == 1 || weir_world_pretends(options->world))
        return false;
    MPI_Allreduce(MPI_IN_PLACE, &gpus, 1, MPI_INT, MPI_MAX, weir_world_comm(options->world));
    return gpus > 0;
}

/* On this rank. */
static int create(const struct weir_runtime_options *options, bool gpus_elsewhere,
                  struct weir_runtime **result) {
    struct weir_runtime *runtime = calloc(1, sizeof *runtime);
    struct starpu_conf conf;
    if (!runtime)
        return weir_fail(WEIR_FAILED, "out of memory while starting StarPU");
    prefer("STARPU_SILENT", "1");
    prefer("STARPU_FXT_TRACE", "0");
    starpu_conf_init(&conf);
    int error = weir_policy_check(options->policy);
    runtime->kind = weir_policy_of(options->policy);
    const bool ours = runtime->kind != WEIR_POLICY_STARPU;
    const char *scheduler = ours ? weir_scheduler_policy.policy_name : options->policy + 7;
    struct plan plan;
    if (error == 0)
        error = plan_workers(options, gpus_elsewhere, &plan);
    if (error == 0)
        error = weir_threads_create(&runtime->threads);
    if (error == 0) {
        weir_parallel_note_cores(); /* before StarPU binds this thread */
        apply(&plan, &conf);
        if (options->world && weir_world_local_size(options->world) > 1)
            name_part_of_host(&plan);
        unsetenv("STARPU_SCHED"); /* the case decides, and what is printed is what runs */
        conf.sched_policy = ours ? &weir_scheduler_policy : weir_scheduler_of_starpu(scheduler);
        const int started = plan.messages
                                ? starpu_mpi_init_conf(NULL, NULL, 0, weir_world_comm(options->world), &conf)
                                : starpu_init(&conf);
        starpu_malloc_set_align(4096); /* pages: vectors of 64 bytes shall not span two lines */
        if (started == 0)
            lift_limit_of_main_memory();
        if (started == -ENODEV)
            error = weir_fail(WEIR_UNAVAILABLE,
                              "StarPU finds no worker on this machine; look at STARPU_NCPU and STARPU_NCUDA");
        else if (started != 0)
            error = weir_fail(WEIR_FAILED, "StarPU does not start: %s", strerror(-started));
    }
    if (error != 0) {
        weir_threads_destroy(runtime->threads);
        free(runtime);
        return error;
    }
    if (plan.messages) {
        const int thread = weir_mpi_thread_id();
        runtime->world = options->world;
        if (plan.message_core)
            weir_threads_reserve(runtime->threads, thread);
        else {
            weir_mpi_thread_give_way(thread);
            weir_scheduler_give_way();
        }
    }
    runtime->step_where = plan.step_where;
    runtime->slab_memory = plan.slab_memory;
    list_workers(runtime);
    choose_movers(runtime);
    const char *running = starpu_sched_get_sched_policy()->policy_name;
    if (ours)
        snprintf(runtime->policy, sizeof runtime->policy, "%s", weir_policy_names[runtime->kind]);
    else
        snprintf(runtime->policy, sizeof runtime->policy, "starpu:%s", running);
    error = check_workers(&plan, (int)starpu_cpu_worker_get_count(), (int)starpu_cuda_worker_get_count());
    if (error == 0 && strcmp(running, scheduler) != 0)
        error =
            weir_fail(WEIR_FAILED, "asked StarPU for the scheduler %s, and it runs %s", scheduler, running);
    if (error == 0) {
        weir_threads_observe(runtime->threads, runtime->workers, runtime->worker_count);
        if (plan.teams > 0) {
            error = weir_threads_form_teams(runtime->threads, runtime->workers, runtime->worker_count,
                                            plan.teams, plan.team_size);
            weir_threads_observe(runtime->threads, runtime->workers, runtime->worker_count);
        }
    }
    if (error == 0)
        error = weir_threads_check(runtime->workers, runtime->worker_count);
    if (error != 0) {
        weir_runtime_destroy(runtime);
        return error;
    }
    list_groups(runtime);
    if (ours && plan.slab_memory > 0)
        weir_scheduler_heed_priorities();
    if (ours)
        weir_scheduler_serve(&runtime->groups, runtime->kind == WEIR_POLICY_BALANCED);
    *result = runtime;
    return 0;
}

int weir_runtime_create(const struct weir_runtime_options *options, struct weir_runtime **result) {
    struct weir_runtime *runtime = NULL;
    int error = create(options, find_gpus_elsewhere(options), &runtime);
    if (options->world)
        error = weir_world_agree(options->world, error);
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
    if (runtime->world)
        starpu_mpi_shutdown();
    else
        starpu_shutdown();
    weir_threads_destroy(runtime->threads);
    for (int k = 0; k < runtime->kept_count; k++)
        free(runtime->kept[k]);
    free(runtime->kept);
    free(runtime);
}

const char *weir_runtime_policy_name(const struct weir_runtime *runtime) {
    return runtime->policy;
}

enum weir_policy weir_runtime_policy(const struct weir_runtime *runtime) {
    return runtime->kind;
}

const struct weir_worker_groups *weir_runtime_worker_groups(const struct weir_runtime *runtime) {
    return &runtime->groups;
}

int weir_runtime_main_core(const struct weir_runtime *runtime) {
    return weir_threads_main_core(runtime->threads);
}

int weir_runtime_message_core(const struct weir_runtime *runtime) {
    return weir_threads_reserved_core(runtime->threads);
}

struct weir_world *weir_runtime_world(const struct weir_runtime *runtime) {
    return runtime->world;
}

int weir_runtime_worker_count(const struct weir_runtime *runtime) {
    return runtime->worker_count;
}

const struct weir_worker *weir_runtime_worker(const struct weir_runtime *runtime, int index) {
    return &runtime->workers[index];
}

void weir_runtime_movers(const struct weir_runtime *runtime, int movers[2 * WEIR_MOVERS_EACH_WAY]) {
    for (int k = 0; k < MOVERS; k++)
        movers[k] = runtime->movers[k];
}

struct weir_step_workers weir_runtime_step_workers(const struct weir_runtime *runtime) {
    struct weir_step_workers count = {
        .gpus = weir_worker_groups_count(&runtime->groups, WEIR_WORKER_GROUP_GPU),
        .teams = weir_worker_groups_count(&runtime->groups, WEIR_WORKER_GROUP_TEAM),
        .slab_memory = runtime->slab_memory};
    for (int k = 0; k < runtime->groups.count; k++)
        count.cpus += runtime->groups.group[k].cores;
    return count;
}

unsigned weir_runtime_step_where(const struct weir_runtime *runtime) {
    return runtime->step_where;
}
