/* StarPU, started for one run: which workers there are, where their threads run, which scheduler decides. The
 * only object in Weir that stands for something global; create one at a time. */
#ifndef WEIR_GRAPH_RUNTIME_RUNTIME_H
#define WEIR_GRAPH_RUNTIME_RUNTIME_H

#include "graph/plan/worker_groups.h"
#include "graph/ranks/world.h"
#include "graph/runtime/policy.h"

#include <stdbool.h>
#include <stddef.h>

struct weir_problem;
struct weir_runtime;

/* Workers of each GPU, every one with a stream of its own: with them 64 blocks of 128^3 on an H100 went from
 * 16.8 to 17.6 GLUPS, and of 64^3 from 8.8 to 13.4. A user's STARPU_NWORKER_PER_CUDA comes before it. */
enum { WEIR_STREAMS_PER_GPU = 4 };

enum weir_worker_choice {
    WEIR_WORKERS_AUTO, /* the GPUs where there are any, else the CPU cores; both where the policy divides by
                          speed. There the cores of a rank without GPUs work in teams as those beside GPUs
                          do, if another rank has GPUs; also with WEIR_WORKERS_ALL */
    WEIR_WORKERS_CPU,
    WEIR_WORKERS_CUDA,
    WEIR_WORKERS_ALL,
    WEIR_WORKERS_TEAM, /* the CPU cores, in a team per last-level cache, as beside GPUs */
};

struct weir_runtime_options {
    const char *policy; /* "static", "model", "balanced", "starpu:NAME", or "" for balanced */
    enum weir_worker_choice workers;
    bool has_cuda_kernels;  /* this build has CUDA kernels: GPUs can be used */
    int cpus_max, gpus_max; /* use no more of them than this; 0: all */
    /* With WEIR_WORKERS_AUTO and no GPU: what will be computed, so that cores share the one block of a small
     * domain (granularity.h), and the size of its blocks where that is wanted (0: not). NULL: every core is a
     * worker. */
    const struct weir_problem *problem;
    int block_cells[3];
    /* Where one GPU computes alone, or cores and `memory` is given: bytes of all blocks, 0: not known; and
     * bytes of them that may be on the GPU at a time, 0: as many as it has room for. A domain of more is
     * taken slab by slab (slab_plan.h), and cores do not take steps beside the GPU, unless they are asked
     * for. */
    double data_bytes, memory;
    struct weir_world *world; /* NULL: this process alone */
};

/* The StarPU that runs, as "1.4.10". */
enum { WEIR_STARPU_VERSION_SIZE = 48 };
void weir_runtime_starpu_version(char text[WEIR_STARPU_VERSION_SIZE]);

/* What it was built with, such as " with CUDA with FxT"; may be empty. */
extern const char weir_runtime_starpu_features[];

/* Starts StarPU, and in a world of several ranks its MPI layer: collective then, and what fails on one rank
 * fails on all. Environment variables of StarPU that the user has set (STARPU_NCPU, STARPU_NCUDA,
 * STARPU_SCHED is not among them: the policy of the options counts) are respected. -WEIR_USAGE for an unknown
 * policy, with the nearest known one; -WEIR_UNAVAILABLE when nothing here can run what is asked for. */
int weir_runtime_create(const struct weir_runtime_options *options, struct weir_runtime **runtime);

/* Workers that take steps when a runtime is created with these options: found without starting StarPU, from
 * what hwloc and CUDA find and the environment variables of StarPU that are respected. -WEIR_UNAVAILABLE as
 * above. */
int weir_runtime_expect(const struct weir_runtime_options *options, struct weir_step_workers *workers);

/* Frees memory (of malloc) once StarPU has stopped: for what StarPU looks at until then, such as codelets
 * with their performance models. */
void weir_runtime_free_at_stop(struct weir_runtime *runtime, void *memory);

/* Stops StarPU; all data must be gone. */
void weir_runtime_destroy(struct weir_runtime *runtime);

/* Policy as it is in force: its name, or "starpu:" and the name that StarPU itself reports. */
const char *weir_runtime_policy_name(const struct weir_runtime *runtime);
enum weir_policy weir_runtime_policy(const struct weir_runtime *runtime);

/* The worker groups of the machine that take steps. Valid as long as the runtime. */
const struct weir_worker_groups *weir_runtime_worker_groups(const struct weir_runtime *runtime);

struct weir_worker {
    int id; /* StarPU's */
    bool cuda;
    int device;    /* number of the GPU, or of the CPU worker */
    int core;      /* logical number of the processing unit its thread really is bound to, -1: not bound */
    bool steps;    /* collide/stream tasks may run here; other CPU workers only serve output */
    int cores;     /* of a CPU worker: 1, or those of the team that it leads */
    char name[64]; /* StarPU's, such as "CPU 0" or "CUDA 0.1 (NVIDIA H100 ...)" */
};

/* Workers, in StarPU's order. */
int weir_runtime_worker_count(const struct weir_runtime *runtime);
const struct weir_worker *weir_runtime_worker(const struct weir_runtime *runtime, int index);

/* Workers of a GPU that do nothing but move data of slabs, StarPU's numbers: some that bring it, then as many
 * that put it back, so that a copy waits behind each that is under way; -1: there are none. */
enum { WEIR_MOVERS_EACH_WAY = 2 };
void weir_runtime_movers(const struct weir_runtime *runtime, int movers[2 * WEIR_MOVERS_EACH_WAY]);

/* How many CPU cores and GPUs take steps. */
struct weir_step_workers weir_runtime_step_workers(const struct weir_runtime *runtime);

/* Logical number of the processing unit that the main thread, which submits, is bound to; -1: not bound. */
int weir_runtime_main_core(const struct weir_runtime *runtime);

/* The same for the thread that moves messages between ranks; -1 too where there is none. */
int weir_runtime_message_core(const struct weir_runtime *runtime);

/* The ranks of this run, NULL: this process alone. */
struct weir_world *weir_runtime_world(const struct weir_runtime *runtime);

/* Kinds of workers on which collide/stream tasks may run, as StarPU's bits. */
unsigned weir_runtime_step_where(const struct weir_runtime *runtime);

/* Cores (processing units) of this machine that the program may use, bound as it is; GPUs that CUDA finds,
 * but no more than STARPU_NCUDA where that is set. */
int weir_runtime_cores(void);
int weir_runtime_gpus(void);

/* Bytes that StarPU takes at most of the first GPUs together. */
double weir_runtime_gpu_memory(int gpus);

/* Name of a GPU, such as "NVIDIA H100 80GB HBM3"; "" where CUDA does not tell. */
void weir_runtime_gpu_name(int gpu, char *name, size_t size);

#endif
