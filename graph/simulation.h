/* A flow being computed: the time loop as a graph of tasks. One thread drives it; nothing here waits for a
 * step to end but the submission window, weir_simulation_wait and what says so. */
#ifndef WEIR_GRAPH_SIMULATION_H
#define WEIR_GRAPH_SIMULATION_H

#include "graph/migration.h"
#include "graph/plan/exchange_volume.h"
#include "graph/plan/slab_plan.h"
#include "graph/plan/time_model.h"
#include "graph/problem/blocks.h"
#include "graph/problem/problem.h"
#include "graph/reduction.h"
#include "graph/runtime/memory_check.h"
#include "graph/runtime/runtime.h"
#include "graph/sink.h"

struct weir_agreeing;
struct weir_future;
struct weir_domain;
struct weir_rank_map;
struct weir_rank_seat;
struct weir_record;
struct weir_simulation;
struct weir_probes;
struct weir_probe_sink;
struct weir_time_sums_source;
struct weir_watch;

/* Where a simulation goes on from a checkpoint. */
struct weir_restart {
    int64_t step; /* that is taken next */

    /* Fills `populations`, stored [q of all sets][extent z][extent y][extent x], natural arrangement, of a
     * box that may reach beyond the domain: through periodic faces to the other side, and where there is
     * nothing any value will do. From several threads. Returns 0 or a negative error (weir_fail). */
    int (*read)(void *context, const int origin[3], const int extent[3], void *populations);
    void *context;
};

struct weir_simulation_options {
    int block_cells[3]; /* 0: chosen */
    bool movable;       /* chosen ones: several for each worker, to be placed one by one */
    bool poison;        /* fill memory that no step may read with NaN */
    bool change; /* weir_simulation_change will be called: it takes memory, to be counted from the start */
    const struct weir_named_share
        *shares;                        /* [share_count], wanted shares of the blocks' weight; not copied */
    int share_count;                    /* 0: by the machine below where it is known, else equal shares */
    bool homes_stay;                    /* whatever the policy */
    int64_t steps;                      /* that are planned; 0: unknown */
    const struct weir_restart *restart; /* NULL: from step 0, with the problem's initial state */
    bool alone;         /* this rank by itself, whatever others do; else all ranks of the runtime take part */
    int ranks_along[3]; /* wanted ranks along each axis; 0: chosen */
    const struct weir_rank_map *map;    /* NULL, or regions for ranks and their worker groups, with the */
    const struct weir_rank_seat *seats; /* [ranks] seats of all ranks */
    /* Plays one rank of a world that only pretends (world.h), NULL: not. Tasks are submitted, and end at
     * once: nothing is computed, sent or allocated, and there are no results. */
    struct weir_world *pretended;
    const struct weir_machine *machine; /* what is known of the runtime's worker groups; NULL: nothing */
    /* Bytes of main memory that outputs will take, to be counted from the start. */
    double sums_bytes;  /* of sums over time while they are written into a checkpoint, in one rank */
    double copies_most; /* in each rank, of its blocks while they are written; at most all of them */
};

/* Block size that would be used: the options' where given, else chosen for the workers. */
void weir_simulation_block_cells(const struct weir_problem *problem,
                                 const struct weir_simulation_options *options,
                                 const struct weir_step_workers *workers, int block_cells[3]);

/* Bytes of all data of these blocks that stays for the whole run. set: NULL for all blocks. */
int64_t weir_simulation_bytes_needed(const struct weir_problem *problem,
                                     const struct weir_simulation_options *options,
                                     const struct weir_block_grid *grid, const struct weir_block_set *set);

/* Bytes that cores keep besides, to step those of them by that are lists, about (routes.h). */
double weir_simulation_routes(const struct weir_problem *problem, const struct weir_block_grid *grid,
                              const struct weir_block_set *set);

/* What a process needs that has these blocks (set: as above), with no workers yet and no others beside it. */
struct weir_memory_need weir_simulation_memory(const struct weir_problem *problem,
                                               const struct weir_simulation_options *options,
                                               const struct weir_block_grid *grid,
                                               const struct weir_block_set *set);

/* Sets up blocks, places them, and submits the initial state. Where there are several ranks, all of them
 * together: collective, and errors are agreed (world.h). `problem` and `runtime` must outlive the
 * simulation. Errors: block size, room in memory, no fluid, initial values (-WEIR_USAGE); memory. */
int weir_simulation_create(struct weir_runtime *runtime, const struct weir_problem *problem,
                           const struct weir_simulation_options *options,
                           struct weir_simulation **simulation);

/* Waits for all tasks and gives everything back. NULL is allowed. */
void weir_simulation_destroy(struct weir_simulation *simulation);

/* Records all steps from the next on (record.h) until it is given NULL; no task may be under way. The
 * recorder stays the caller's. */
void weir_simulation_record(struct weir_simulation *simulation, struct weir_record *record);

/* Submits the next step of all blocks, or some steps at once, at most `most`, where the domain is one block:
 * then no step waits for a message, and a task takes many. Waits while too many tasks are under way. Returns
 * the run's failure, if a task met one. */
int weir_simulation_advance(struct weir_simulation *simulation, int64_t most);

/* The same for one step. */
int weir_simulation_step(struct weir_simulation *simulation);

/* From here on steps are only submitted, however many: none begins, nor any other task of the program, until
 * they are let go. In between nobody may wait for one. */
void weir_simulation_hold(struct weir_simulation *simulation);
void weir_simulation_let_go(struct weir_simulation *simulation);

/* The body force per volume from the next step on; only after weir_simulation_wait, and of a problem that is
 * driven. The same on all ranks. */
void weir_simulation_set_force(struct weir_simulation *simulation, const double force[3]);

/* Steps submitted so far: the step that is submitted next. */
int64_t weir_simulation_submitted(const struct weir_simulation *simulation);

/* Steps that all blocks on average have ended; of a rank without blocks, steps submitted. */
int64_t weir_simulation_done(const struct weir_simulation *simulation);

/* The blocks and their data, for what advances them otherwise (bare_loop.h): only between
 * weir_simulation_wait and the next step. */
struct weir_domain *weir_simulation_domain(struct weir_simulation *simulation);

/* Submit reductions of the state between the last step submitted and the next: see reduction.h. */
int weir_simulation_totals(struct weir_simulation *simulation, weir_totals_function *function, void *context);
int weir_simulation_change(struct weir_simulation *simulation, weir_change_function *function, void *context);

/* Where weir_simulation_advance takes many steps of a domain of many blocks (slabs.h): submits totals of the
 * states before steps that are multiples of `every`, too, of those in between. Whether it does; else whoever
 * wants them asks for each. */
bool weir_simulation_totals_between(struct weir_simulation *simulation, int64_t every,
                                    weir_totals_function *function, void *context);

/* Prepares a sink (copied), and submits the observation of the state now; what is observed is checked for
 * divergence too. */
int weir_simulation_watch(struct weir_simulation *simulation, const struct weir_sink *sink,
                          struct weir_watch **watch);
int weir_simulation_observe(struct weir_simulation *simulation, struct weir_watch *watch);
void weir_simulation_unwatch(struct weir_watch *watch);

/* Adds the state now to sums over time, of those that the problem has; goes on with others (time_sums.h): on
 * this rank, before its first step. */
int weir_simulation_add_to_time_sums(struct weir_simulation *simulation, int number);
int weir_simulation_restore_time_sums(struct weir_simulation *simulation, int number,
                                      const struct weir_time_sums_source *source);

/* Prepares probes (probes.h), and submits a sample of the state now. Samples are handed over to the sink when
 * there is no room for more, when the state is checked for divergence anyway, and when asked for: the run
 * ends. They stay the simulation's until it ends; destroy them before. */
int weir_simulation_add_probes(struct weir_simulation *simulation, const struct weir_probe_sink *sink,
                               struct weir_probes **probes);
int weir_simulation_sample(struct weir_simulation *simulation, struct weir_probes *probes);
int weir_simulation_hand_over(struct weir_simulation *simulation, struct weir_probes *probes);

/* Whether it is computed by several ranks, and not only as if. */
bool weir_simulation_has_ranks(const struct weir_simulation *simulation);

/* The ranks on which sinks that are called everywhere make their collective calls and agree (agreement.h). */
const struct weir_agreeing *weir_simulation_sink_ranks(const struct weir_simulation *simulation);

/* After the simulation has failed, and where its tasks may never end: see weir_watch_abandon (observation.h).
 */
void weir_simulation_abandon(struct weir_watch *watch, const struct timespec *until);

/* Waits until about half of the tasks under way have ended. */
void weir_simulation_wait_some(struct weir_simulation *simulation);

/* Ends the run with this text, from any thread: what is under way drains, and all that follows fails. */
void weir_simulation_fail(struct weir_simulation *simulation, const char *text);

/* Waits for all tasks. Returns the run's failure, if a task met one. */
int weir_simulation_wait(struct weir_simulation *simulation);

/* Waits for what a task of this simulation tells (future.h); false: it has failed, and there is no answer. */
bool weir_simulation_await(struct weir_simulation *simulation, struct weir_future *future);

/* 0, or the failure that a task met so far; does not wait. */
int weir_simulation_status(struct weir_simulation *simulation);

/* Whether all ranks meet this failure alike, as they do when the flow diverges. */
bool weir_simulation_failed_everywhere(const struct weir_simulation *simulation);

/* Waits, and writes the digest of all populations as 32 hexadecimal digits: equal for equal states, however
 * cut and placed. */
int weir_simulation_digest(struct weir_simulation *simulation, char digest[33]);

/* How the domain is computed slab by slab (slabs.h); NULL: all of it has room where it is computed. */
const struct weir_slab_plan *weir_simulation_slabs(const struct weir_simulation *simulation);

const struct weir_block_grid *weir_simulation_grid(const struct weir_simulation *simulation);
int64_t weir_simulation_fluid_cells(const struct weir_simulation *simulation);
int64_t weir_simulation_bytes(const struct weir_simulation *simulation); /* as needed, above */

/* What the time model said of the blocks' first homes; NULL where the machine was not known. */
const struct weir_prediction *weir_simulation_prediction(const struct weir_simulation *simulation);
const char *weir_simulation_instruction_set(const struct weir_simulation *simulation);

/* What a worker did: blocks at home there (static policies), steps of blocks, and cell updates. index as in
 * the runtime. */
struct weir_worker_share {
    int blocks; /* of a GPU's several workers, all say those of the GPU */
    int64_t tasks;
    int64_t updates;
};
struct weir_worker_share weir_simulation_share(const struct weir_simulation *simulation, int index);

/* Changes of homes so far, by the policy `balanced`. */
int64_t weir_simulation_moves(const struct weir_simulation *simulation);

/* What this rank sends to others in a step; nothing in a world of one. */
struct weir_exchange_volume weir_simulation_volume(const struct weir_simulation *simulation);

/* Blocks that moved between ranks. */
struct weir_rank_moves {
    int64_t blocks; /* so far, counted at every move */
    int times;      /* that all stopped for it */
    int last_blocks;
    double last_seconds;
    int refusals; /* times that nothing moved, because a rank had no room for what was to come */
    struct weir_migration_room lacking; /* which, the last time */
};
const struct weir_rank_moves *weir_simulation_rank_moves(const struct weir_simulation *simulation);

/* Divides the blocks among ranks as rank_of[blocks] says, the same on all ranks: waits, moves what is to be
 * moved, goes on. Collective, between steps, only where there are several ranks. Changes nothing where a rank
 * has no room (weir_rank_moves tells); room: bytes that may come to this rank, -1: what is free. `balanced`
 * does it by itself. */
int weir_simulation_migrate(struct weir_simulation *simulation, const int *rank_of, int64_t room);

/* Whether this rank waits for others, if no step ends meanwhile: it has no task to run, or one that is inside
 * a collective call, which may keep its only worker. While blocks move, no step ends either, and that is not
 * waiting. From any thread. */
bool weir_simulation_waits(const struct weir_simulation *simulation);

/* Blocks that each rank has now: blocks[ranks]. */
void weir_simulation_rank_blocks(const struct weir_simulation *simulation, int *blocks);

/* Mean over largest share of cell updates among this rank's workers of one kind that take steps: 1 is perfect
 * balance. */
double weir_simulation_balance(const struct weir_simulation *simulation);

#endif
