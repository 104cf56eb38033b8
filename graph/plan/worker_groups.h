/* The worker groups of a machine that blocks can live on: a GPU with all the workers that feed it, a team of
 * CPU cores that take one block together, or a single CPU core. Knows nothing of StarPU but its numbers.
 * Files and messages call one a part of the machine. */
#ifndef WEIR_GRAPH_PLAN_WORKER_GROUPS_H
#define WEIR_GRAPH_PLAN_WORKER_GROUPS_H

#include <stdbool.h>

/* Enough for every worker that StarPU can have by default. */
enum { WEIR_WORKER_GROUPS_MAX = 256, WEIR_WORKER_GROUP_WORKERS_MAX = 16 };

enum weir_worker_group_kind {
    WEIR_WORKER_GROUP_GPU,
    WEIR_WORKER_GROUP_TEAM,
    WEIR_WORKER_GROUP_CORE,
    WEIR_WORKER_GROUP_KINDS
};

struct weir_worker_group {
    enum weir_worker_group_kind kind;
    char name[24];                              /* as in placement.shares: "cuda0", "team0", "cpu3" */
    int device;                                 /* number of the GPU, or of the CPU worker */
    int cores;                                  /* that compute on it; of a GPU 0 */
    int workers[WEIR_WORKER_GROUP_WORKERS_MAX]; /* StarPU's numbers */
    int worker_count;
};

struct weir_worker_groups {
    int count;
    /* GPUs first, so that they stay neighbours where blocks are cut. */
    struct weir_worker_group group[WEIR_WORKER_GROUPS_MAX];
};

/* Workers that take steps, counted. */
struct weir_step_workers {
    int cpus, gpus; /* cores that compute, in teams or alone; GPUs */
    int teams;      /* 0: each core is a worker of its own */
    int ranks;      /* that they belong to; 0: this process alone */
    /* Bytes of blocks that have room where they are computed, of a domain that has more (slab_plan.h); 0: all
     * of it has. */
    double slab_memory;
};

/* Adds a worker that takes steps: to the worker group of its GPU, or as a worker group of its own. cores: of
 * a team the number of its cores, of a single core 1. Workers beyond what a worker group or the list holds
 * are left out. */
void weir_worker_groups_add(struct weir_worker_groups *groups, enum weir_worker_group_kind kind, int device,
                            int worker, int cores);

/* The worker group that a worker belongs to, -1: none. */
int weir_worker_groups_of_worker(const struct weir_worker_groups *groups, int worker);

/* How many worker groups there are of a kind. */
int weir_worker_groups_count(const struct weir_worker_groups *groups, enum weir_worker_group_kind kind);

/* "2 GPUs and a team of 13 cores": what the worker groups are, in words. */
enum { WEIR_WORKER_GROUPS_TEXT = 96 };
void weir_worker_groups_describe(const struct weir_worker_groups *groups, char text[WEIR_WORKER_GROUPS_TEXT]);

/* Whether a worker group may have this name somewhere: "cuda", "cpu", or "cuda", "cpu" or "team" with a
 * number; and whether this one is called so, by its own name or that of its kind. */
bool weir_worker_groups_is_name(const char *name);
bool weir_worker_groups_is_called(const struct weir_worker_group *group, const char *name);

/* A wanted share by name, as cases give it: a worker group's own name, or "cuda" or "cpu" for all worker
 * groups of that kind together (teams are "cpu" too). */
struct weir_named_share {
    char name[24];
    double share;
};

/* Turns named shares into one number per worker group: share[groups->count], any unit. What is named for a
 * kind is divided among its worker groups that are not named themselves; worker groups that nobody names get
 * nothing, and a kind that is not there leaves its share to the others. -WEIR_USAGE for the name of a single
 * worker group that is not there, or when no worker group has a share. */
int weir_worker_groups_shares(const struct weir_worker_groups *groups, const struct weir_named_share *named,
                              int named_count, double *share);

#endif
