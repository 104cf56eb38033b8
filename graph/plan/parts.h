/* The parts of a machine that blocks can live on: a GPU with all the workers that feed it, a team of CPU
 * cores that take one block together, or a single CPU core. Knows nothing of StarPU but its numbers. */
#ifndef WEIR_GRAPH_PLAN_PARTS_H
#define WEIR_GRAPH_PLAN_PARTS_H

#include <stdbool.h>

/* Enough for every worker that StarPU can have by default. */
enum { WEIR_PARTS_MAX = 256, WEIR_PART_WORKERS_MAX = 16 };

enum weir_part_kind { WEIR_PART_GPU, WEIR_PART_TEAM, WEIR_PART_CORE, WEIR_PART_KINDS };

struct weir_part {
    enum weir_part_kind kind;
    char name[24];                      /* as in placement.shares: "cuda0", "team0", "cpu3" */
    int device;                         /* number of the GPU, or of the CPU worker */
    int cores;                          /* that compute on it; of a GPU 0 */
    int workers[WEIR_PART_WORKERS_MAX]; /* StarPU's numbers */
    int worker_count;
};

struct weir_parts {
    int count;
    struct weir_part part[WEIR_PARTS_MAX]; /* GPUs first, so that they stay neighbours where blocks are cut */
};

/* Workers that take steps, counted. */
struct weir_step_workers {
    int cpus, gpus; /* cores that compute, in teams or alone; GPUs */
    int teams;      /* 0: each core is a worker of its own */
    int ranks;      /* that they belong to; 0: this process alone */
};

/* Adds a worker that takes steps: to the part of its GPU, or as a part of its own. cores: of a team the
 * number of its cores, of a single core 1. Workers beyond what a part or the list holds are left out. */
void weir_parts_add(struct weir_parts *parts, enum weir_part_kind kind, int device, int worker, int cores);

/* The part that a worker belongs to, -1: none. */
int weir_parts_of_worker(const struct weir_parts *parts, int worker);

/* How many parts there are of a kind. */
int weir_parts_count(const struct weir_parts *parts, enum weir_part_kind kind);

/* "2 GPUs and a team of 13 cores": what the parts are, in words. */
enum { WEIR_PARTS_TEXT = 96 };
void weir_parts_describe(const struct weir_parts *parts, char text[WEIR_PARTS_TEXT]);

/* Whether a part may have this name somewhere: "cuda", "cpu", or "cuda", "cpu" or "team" with a number; and
 * whether this one is called so, by its own name or that of its kind. */
bool weir_parts_is_name(const char *name);
bool weir_parts_is_called(const struct weir_part *part, const char *name);

/* A wanted share by name, as cases give it: a part's own name, or "cuda" or "cpu" for all parts of that kind
 * together (teams are "cpu" too). */
struct weir_named_share {
    char name[24];
    double share;
};

/* Turns named shares into one number per part: share[parts->count], any unit. What is named for a kind is
 * divided among its parts that are not named themselves; parts that nobody names get nothing, and a kind that
 * is not there leaves its share to the others. -WEIR_USAGE for the name of a single part that is not there,
 * or when no part has a share. */
int weir_parts_shares(const struct weir_parts *parts, const struct weir_named_share *named, int named_count,
                      double *share);

#endif
