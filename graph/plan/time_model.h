/* How long a step takes on a machine when the blocks are placed in a certain way: formulas (T1) to (T8) of
 * docs/placement.md, after Calore et al., Int. J. High Perform. Comput. Appl. (2017), equations (4) to (8).
 * Numbers only: it knows neither StarPU nor where its constants come from (machine files, measurements). */
#ifndef WEIR_GRAPH_PLAN_TIME_MODEL_H
#define WEIR_GRAPH_PLAN_TIME_MODEL_H

#include "graph/plan/decomposition.h"
#include "graph/plan/worker_groups.h"

/* Names of kinds of worker groups in machine files: "cuda", "team", "core"; in the order of the enum, closed
 * by NULL.
 */
extern const char *const weir_machine_kind_names[];

/* Seconds per update of a fluid cell, what one beside a solid takes more, and per solid cell, which is
 * skipped.
 */
struct weir_cell_seconds {
    double fluid, wall, solid;
};

/* What a worker group needs, in seconds; all at least 0. Rates of CPU cores hold while all of them compute.
 */
struct weir_rates {
    double fluid_cell_seconds;      /* per update of a fluid cell, in bricks */
    double solid_cell_seconds;      /* per solid cell, in bricks */
    double task_seconds;            /* per task: handing it out and fetching its result */
    struct weir_cell_seconds lists; /* the same of blocks that are lists of their fluid cells; 0: unknown */
    double wall_cell_seconds;       /* more per update of a cell beside a solid, in bricks; 0: unknown */
};

/* Worker groups that are alike. */
struct weir_machine_kind {
    enum weir_worker_group_kind kind;
    int count;
    int cores;         /* of each worker group; of a GPU 0. For the reader only */
    int tasks_at_once; /* streams of a GPU; 1 for a team and a core */
    struct weir_rates rates;
    /* What a worker group with no more cells than cached_cells needs per fluid cell, for they stay in its
     * last-level cache; 0: as ever. */
    double cached_cells, cached_fluid_cell_seconds;
};

/* From one memory to another, in one direction. */
struct weir_link {
    double message_seconds; /* per message, whatever its size */
    double byte_seconds;
};

enum { WEIR_MACHINE_KINDS_MAX = 8 };

/* Worker groups are numbered from 0, kind after kind. All CPU worker groups share the main memory; each GPU
 * has its own. */
struct weir_machine {
    int kind_count;
    struct weir_machine_kind kinds[WEIR_MACHINE_KINDS_MAX];
    struct weir_link memory_link; /* between main memory and each GPU */
    bool has_gpu_link;            /* else messages between GPUs go through main memory */
    struct weir_link gpu_link;    /* of each GPU, to all others together */
    double submit_seconds;        /* per task, of the one thread that submits them all */
};

/* Number of worker groups of all kinds; at most WEIR_WORKER_GROUPS_MAX are looked at. */
int weir_machine_worker_groups(const struct weir_machine *machine);

/* Updates of fluid cells per second that all worker groups do together, each with large blocks of its own and
 * nothing to wait for. */
double weir_machine_speed(const struct weir_machine *machine);

/* What cells cost in steps of fluid cells of bricks, on the kind of worker groups that does most of the work.
 * false: walls were not measured, and costs are as they were. */
bool weir_time_model_costs(const struct weir_machine *machine,
                           struct weir_cell_costs costs[WEIR_CELL_KIND_COUNT]);

/* Place in `kinds` of a worker group. */
int weir_machine_kind_of(const struct weir_machine *machine, int group);

/* What a step waits for. */
enum weir_bound {
    WEIR_BOUND_COMPUTE,     /* a worker group; bound_group says which */
    WEIR_BOUND_MEMORY_LINK, /* the link between main memory and the GPU bound_group */
    WEIR_BOUND_GPU_LINK,    /* the links of the GPU bound_group to other GPUs */
    WEIR_BOUND_SUBMISSION,
    WEIR_BOUND_ROUND_TRIP, /* blocks that wait for each other's messages */
};

struct weir_worker_group_load {
    int blocks;
    double fluid_cells, solid_cells;
    double seconds; /* (T3) */
};

struct weir_prediction {
    double step_seconds;                          /* (T8) */
    double compute_seconds;                       /* (T3) of the worker group that takes longest */
    double memory_link_seconds, gpu_link_seconds; /* (T4) of the busiest link, one direction */
    double submit_seconds;                        /* (T5) */
    double unhidden_seconds;                      /* (T7) what the slack between neighbours does not hide */
    double updates_per_second;                    /* of fluid cells */
    enum weir_bound bound;
    int bound_group;
    int group_count;
    struct weir_worker_group_load group[WEIR_WORKER_GROUPS_MAX];
};

/* Predicts for blocks that live on group_of[decomposition->set.count], each from 0 to the number of worker
 * groups less 1. */
void weir_time_model_predict(const struct weir_machine *machine,
                             const struct weir_decomposition *decomposition, const int *group_of,
                             struct weir_prediction *prediction);

/* Rates of a worker group of this kind that has so many cells, fluid and solid. */
struct weir_rates weir_time_model_rates(const struct weir_machine_kind *kind, double cells);

/* The rates of blocks that keep their cells in this way. Of lists that were not measured: those of bricks,
 * as many times as cell_kinds.h says. */
struct weir_cell_seconds weir_time_model_cells(const struct weir_rates *rates, enum weir_cell_kind kind);

/* (T1) of so many cells of blocks of this kind on a worker group with these rates: seconds of computing,
 * without what a task costs. */
double weir_time_model_work(const struct weir_rates *rates, enum weir_cell_kind kind,
                            const struct weir_cell_counts *cells);

/* The same of one block of a decomposition. */
double weir_time_model_block_work(const struct weir_rates *rates,
                                  const struct weir_decomposition *decomposition, int block);

/* The same of all blocks of a decomposition. */
double weir_time_model_all_work(const struct weir_rates *rates,
                                const struct weir_decomposition *decomposition);

/* (T3): seconds of a worker group for `tasks` tasks whose work sums up to `work` seconds. */
double weir_time_model_worker_group(const struct weir_machine_kind *kind, double work, double tasks);

#endif
