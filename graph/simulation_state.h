/* A simulation from inside: shared by its set-up, its time loop, and what moves its blocks. */
#ifndef WEIR_GRAPH_SIMULATION_STATE_H
#define WEIR_GRAPH_SIMULATION_STATE_H

#include "graph/balancer.h"
#include "graph/boundary_values.h"
#include "graph/bubbles.h"
#include "graph/domain.h"
#include "graph/exchange.h"
#include "graph/observation.h"
#include "graph/pace.h"
#include "graph/probes.h"
#include "graph/rank_balancer.h"
#include "graph/reduction.h"
#include "graph/simulation.h"
#include "graph/slabs.h"
#include "graph/start.h"
#include "graph/time_sums.h"

struct weir_worker_count {
    _Atomic int64_t tasks, updates;
    _Atomic int64_t weight; /* of the steps done, rounded (weir_block_weight) */
};

/* All kinds of tasks of a simulation; StarPU knows their models until it stops, so they stay until then. */
struct weir_simulation_tasks {
    struct weir_start start;
    struct weir_task_kind stage[WEIR_STAGES_MAX], digest, boundary_values;
    struct weir_observation_tasks observation;
    struct weir_time_sums_tasks time_sums;
    struct weir_probe_tasks probes;
    struct weir_reduction_tasks reduction;
    struct weir_exchange_tasks exchange;
    struct weir_pace_tasks pace;
    struct weir_slabs_tasks slabs;
    struct weir_bubbles_tasks bubbles;
    struct weir_rank_balancer_tasks rank_balancer;
};

/* Totals that are wanted of a domain in slabs: each block's are submitted when the block is where it is
 * computed anyway, just before its step. */
struct weir_slab_totals {
    bool wanted;   /* of the state before the next step */
    int64_t every; /* of those before steps that are multiples of this, in between; 0: of none */
    weir_totals_function *function;
    void *context;
};

struct weir_simulation {
    struct weir_runtime *runtime;
    struct weir_world *world; /* the ranks that compute it together; NULL: this one alone */
    struct weir_domain *domain;
    struct weir_slabs *slabs; /* NULL: all blocks have room where they are computed */
    bool *solid_blocks;       /* [blocks] of the domain's grid; NULL: all have fluid */
    int64_t bytes;            /* of all data that stays */
    struct weir_simulation_tasks *tasks;
    struct weir_reduction *reduction;
    struct weir_bubbles *bubbles;             /* NULL: there are none */
    struct weir_balancer *balancer;           /* NULL: homes stay, or there are none */
    struct weir_exchange *exchange;           /* NULL in a world of one */
    struct weir_rank_balancer *rank_balancer; /* NULL as well, and where homes stay */
    struct weir_pace *pace;                   /* NULL in a world of one */
    struct weir_rank_moves rank_moves;
    atomic_bool migrating; /* blocks move between ranks just now */
    struct weir_together together;
    struct weir_probes *probes; /* the last ones created, which lead to those before; NULL: there are none */
    int *order;                 /* [blocks] places in the domain, as submitted; those that are at the */
    int border_blocks;          /* border to other ranks first, so many */
    int steps_per_task;         /* at most; more than one where all of the domain is one block */
    struct weir_record *record; /* NULL: nobody records */
    struct weir_worker_count counts[STARPU_NMAXWORKERS];
    _Atomic int64_t block_steps_done;
    int64_t submitted;
    struct weir_slab_totals next_totals, totals_between;
    int64_t checked; /* step whose state the last totals were submitted for, -1: none */
    int window;      /* tasks */
    bool held;       /* none of them begins, so that the window is not waited for */
    bool predicted;
    struct weir_prediction prediction; /* of the first homes */
};

/* How the steps of the domain's blocks, if any, are submitted: those at the border to other ranks first, and
 * how far ahead. -WEIR_FAILED when memory is short. */
int weir_simulation_set_order(struct weir_simulation *simulation);

/* Makes the exchange with other ranks, where there are any. */
int weir_simulation_set_up_exchange(struct weir_simulation *simulation);

/* Submits what is done once before the first step, where there is any (weir_stage.prepares): the first
 * populations and messages are there. */
int weir_simulation_prepare(struct weir_simulation *simulation);

/* Submits a stage of steps of a block (its place in the domain), the first of which has this parity.
 * prepares: as of the step before the first. */
int weir_simulation_submit_stage(struct weir_simulation *simulation, int number, int block, int steps,
                                 int parity, bool prepares);

/* Submits as many of the next steps, at most `most`, as slabs take while they are where they are computed. */
int weir_simulation_sweep(struct weir_simulation *simulation, int64_t most);

/* Submits the totals that are wanted of the state before the next step, if any, for who wants to see it, or
 * waits, before that step. */
int weir_simulation_settle(struct weir_simulation *simulation);

/* Waits while too many tasks are under way. */
void weir_simulation_throttle(const struct weir_simulation *simulation);

/* To be called at every step: moves homes of blocks between the worker groups of this rank, and blocks
 * between ranks, where that pays. */
int weir_simulation_review(struct weir_simulation *simulation);

#endif
