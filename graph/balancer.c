#include "graph/balancer.h"

#include "graph/base/clock.h"
#include "graph/base/error.h"
#include "graph/homes.h"
#include "graph/plan/balance.h"
#include "graph/runtime/scheduler.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Homes are looked over after so many steps, and not before so much time: enough that a rate is no accident.
 */
enum { STEPS_BETWEEN_LOOKS = 10 };
static const double SECONDS_BETWEEN_LOOKS = 0.1;

/* Steps that take long need not be so many. */
enum { LONG_STEPS_BETWEEN_LOOKS = 3 };
static const double SECONDS_OF_LONG_STEPS = 0.3;

/* Main memory that GPUs copy from and to is pinned, page by page, when a block first comes there; meanwhile
 * the driver keeps GPUs waiting. Measured: 70 to 90 ms for 159 MB. */
static const double PINNED_BYTES_PER_SECOND = 2e9;

/* A move has to pay within so many steps, or within as many as there were: who has gone on so long goes on.
 */
static const double HORIZON_STEPS = 500;

/* A gain of this part of the time per step is worth a move when it is there twice in succession, one of the
 * larger part at once: rates jump about on machines that others use too. */
static const double LEAST_GAIN = 0.015, CLEAR_GAIN = 0.25;

/* Among single cores, where an idle one takes over what waits at another, homes only decide whose cache a
 * block is in: they move for a lasting difference. */
static const double LEAST_GAIN_AMONG_CORES = 0.15;

/* Of a new measurement in the rate that counts. */
static const double NEWNESS = 0.5;

struct weir_balancer {
    struct weir_domain *domain;
    const struct weir_worker_groups *groups;
    struct weir_balance balance;
    double *weight;                      /* [blocks of this rank] */
    double *bytes;                       /* [blocks of this rank] that go along when a block moves */
    int *home;                           /* [blocks of this rank] */
    double rate[WEIR_WORKER_GROUPS_MAX]; /* weight per second while busy */
    bool measured[WEIR_WORKER_GROUPS_MAX];
    int node[WEIR_WORKER_GROUPS_MAX]; /* StarPU's memory node of each worker group */

    int64_t step; /* of the last look */
    double time, busy[WEIR_WORKER_GROUPS_MAX], work[WEIR_WORKER_GROUPS_MAX];
    bool settling; /* homes have just moved: what is measured until the next look is of both states */
    bool wished;   /* the last look would have moved something */
    int64_t moves;
};

/* Whether main memory must be taken for a block before it can live there. */
static bool needs_main_memory(const struct weir_block *block) {
    int allocated = 0, valid, loading, requested;
    starpu_data_query_status2(block->data[WEIR_FLOW].handle, STARPU_MAIN_RAM, &allocated, &valid, &loading,
                              &requested);
    return !allocated;
}

static double move_seconds(const void *context, int block, int from, int to) {
    const struct weir_balancer *balancer = context;
    const int source = balancer->node[from], target = balancer->node[to];
    if (source == target)
        return 0;
    const double bandwidth =
        1e6 * starpu_transfer_bandwidth((unsigned)source, (unsigned)target); /* was MB/s */
    double seconds = bandwidth > 0 ? balancer->bytes[block] / bandwidth : 0;
    if (target == STARPU_MAIN_RAM && needs_main_memory(&balancer->domain->blocks[block]))
        seconds += balancer->bytes[block] / PINNED_BYTES_PER_SECOND;
    return seconds;
}

static void measure_from_here(struct weir_balancer *balancer, int64_t step, const double *work) {
    balancer->step = step;
    balancer->time = weir_seconds();
    for (int group = 0; group < balancer->groups->count; group++) {
        balancer->busy[group] = weir_scheduler_load(group).busy;
        balancer->work[group] = work[group];
    }
}

static bool allocate_blocks(struct weir_balancer *balancer, size_t blocks) {
    free(balancer->weight);
    free(balancer->bytes);
    free(balancer->home);
    balancer->weight = malloc(sizeof *balancer->weight * blocks);
    balancer->bytes = malloc(sizeof *balancer->bytes * blocks);
    balancer->home = malloc(sizeof *balancer->home * blocks);
    return balancer->weight && balancer->bytes && balancer->home;
}

int weir_balancer_follow_blocks(struct weir_balancer *balancer) {
    const struct weir_domain *domain = balancer->domain;
    if (!allocate_blocks(balancer, (size_t)domain->set.count + 1))
        return weir_fail(WEIR_FAILED, "out of memory for %d blocks; choose larger blocks", domain->set.count);
    balancer->balance.set = domain->set;
    balancer->balance.weight = balancer->weight;
    for (int k = 0; k < domain->set.count; k++) {
        const struct weir_block *block = &domain->blocks[k];
        balancer->weight[k] = weir_block_weight(block);
        balancer->bytes[k] = 0;
        for (int n = 0; n < block->data_count; n++)
            if (!block->data[n].is.message)
                balancer->bytes[k] += (double)block->data[n].is.bytes;
    }
    balancer->settling = true; /* the first steps find caches and pages cold */
    return 0;
}

const double *weir_balancer_rates(const struct weir_balancer *balancer) {
    return balancer->rate;
}

int weir_balancer_create(struct weir_domain *domain, const struct weir_worker_groups *groups,
                         const double *rate, struct weir_balancer **result) {
    struct weir_balancer *balancer = calloc(1, sizeof *balancer);
    if (!balancer)
        return weir_fail(WEIR_FAILED, "out of memory while setting up the simulation");
    balancer->domain = domain;
    balancer->groups = groups;
    for (int group = 0; group < groups->count; group++) {
        balancer->rate[group] = rate[group];
        balancer->node[group] = (int)starpu_worker_get_memory_node((unsigned)groups->group[group].workers[0]);
    }
    balancer->balance = (struct weir_balance){.grid = &domain->grid,
                                              .groups = groups->count,
                                              .rate = balancer->rate,
                                              .move_seconds = move_seconds,
                                              .context = balancer,
                                              .horizon = HORIZON_STEPS,
                                              .least_gain = LEAST_GAIN};
    bool cores_only = true;
    for (int group = 0; group < groups->count; group++)
        cores_only = cores_only && groups->group[group].kind == WEIR_WORKER_GROUP_CORE;
    if (cores_only)
        balancer->balance.least_gain = LEAST_GAIN_AMONG_CORES;
    const int error = weir_balancer_follow_blocks(balancer);
    if (error != 0) {
        weir_balancer_destroy(balancer);
        return error;
    }
    balancer->time = weir_seconds();
    *result = balancer;
    return 0;
}

void weir_balancer_destroy(struct weir_balancer *balancer) {
    if (!balancer)
        return;
    free(balancer->weight);
    free(balancer->bytes);
    free(balancer->home);
    free(balancer);
}

int64_t weir_balancer_moves(const struct weir_balancer *balancer) {
    return balancer->moves;
}

static void take_rates(struct weir_balancer *balancer, const double *work) {
    for (int group = 0; group < balancer->groups->count; group++) {
        const double busy = weir_scheduler_load(group).busy - balancer->busy[group],
                     done = work[group] - balancer->work[group];
        if (busy <= 0 || done <= 0)
            continue;
        const double rate = done / busy;
        balancer->rate[group] =
            balancer->measured[group] ? NEWNESS * rate + (1 - NEWNESS) * balancer->rate[group] : rate;
        balancer->measured[group] = true;
    }
    /* What was never measured nor expected: as fast as the slowest of its kind. */
    for (int group = 0; group < balancer->groups->count; group++)
        for (int other = 0; other < balancer->groups->count && !balancer->measured[group]; other++)
            if (balancer->measured[other] &&
                balancer->groups->group[other].kind == balancer->groups->group[group].kind &&
                (balancer->rate[group] <= 0 || balancer->rate[other] < balancer->rate[group]))
                balancer->rate[group] = balancer->rate[other];
}

int weir_balancer_review(struct weir_balancer *balancer, int64_t step, const double *work) {
    struct weir_domain *domain = balancer->domain;
    const int64_t steps = step - balancer->step;
    const double seconds = weir_seconds() - balancer->time;
    if (balancer->groups->count < 2 ||
        ((steps < STEPS_BETWEEN_LOOKS || seconds < SECONDS_BETWEEN_LOOKS) &&
         (steps < LONG_STEPS_BETWEEN_LOOKS || seconds < SECONDS_OF_LONG_STEPS)))
        return 0;
    if (balancer->settling) {
        balancer->settling = false;
        measure_from_here(balancer, step, work);
        return 0;
    }
    take_rates(balancer, work);
    measure_from_here(balancer, step, work);
    for (int group = 0; group < balancer->groups->count; group++)
        for (int k = 0; k < domain->set.count; k++)
            if (domain->blocks[k].home.group == group && balancer->rate[group] <= 0)
                return 0; /* a worker group with blocks has not ended one yet */
    for (int k = 0; k < domain->set.count; k++)
        balancer->home[k] = domain->blocks[k].home.group;
    balancer->balance.horizon = fmax((double)step, HORIZON_STEPS);
    const double before = weir_balance_seconds(&balancer->balance, balancer->home);
    const int moves = weir_balance_improve(&balancer->balance, balancer->home);
    if (moves <= 0) {
        balancer->wished = false;
        return moves;
    }
    const double gain = 1 - weir_balance_seconds(&balancer->balance, balancer->home) / before;
    if (gain < CLEAR_GAIN && !balancer->wished) {
        balancer->wished = true;
        return 0;
    }
    weir_homes_set(domain, balancer->home);
    balancer->moves += moves;
    balancer->settling = true;
    balancer->wished = false;
    return 0;
}
