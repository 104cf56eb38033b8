#include "graph/rank_balancer.h"

#include "codelets/call.h"
#include "codelets/sum.h"
#include "graph/base/clock.h"
#include "graph/base/error.h"
#include "graph/future.h"
#include "graph/migration.h"
#include "graph/plan/rank_balance.h"
#include "graph/rank_decomposition.h"
#include "graph/rank_tree.h"
#include "graph/ranks/world.h"
#include "graph/runtime/scheduler.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Numbers are told at a step and used so many steps later, when they have long come: as many as can be under
 * way at once. Which steps these are follows from numbers that all ranks have, never from a clock. */
enum { LAG = 16 };

/* Steps before anything is measured: at the start, and after blocks have moved, caches and pages are cold. */
enum { STEPS_UNTIL_WARM = 8 };

/* Numbers are told after about so much time, but neither too often nor too seldom. They are worth a decision
 * if they were measured over a tenth of a second. */
static const double SECONDS_BETWEEN_LOOKS = 0.5, LEAST_SECONDS = 0.1;
enum { LEAST_STEPS_BETWEEN_LOOKS = 8, FIRST_STEPS = 16, MOST_STEPS_BETWEEN_LOOKS = 8192 };

/* Looks that pass by after one whose moves the memory of a rank did not hold. */
enum { LOOKS_AFTER_REFUSAL = 64 };

/* What a GPU does while it is full counts as its speed if it was so for such a part of its time, and ended so
 * many tasks then. */
static const double LEAST_FULL = 0.05;
enum { TASKS_LEAST = 32 };

/* A gain of this part of the time per step is worth moves when it is there twice in succession, one of the
 * larger part at once: speeds jump about on machines that others use too. Moves that did not bring half of
 * what they promised have the next ones wait for twice as many looks that all wish for moves, and be half as
 * large. */
static const double LEAST_GAIN = 0.03, CLEAR_GAIN = 0.25;
enum { LOOKS_LEAST = 2, LOOKS_MOST = 16 };

/* What moving is expected to take, until it was measured: 1 GB/s, and 50 ms to come to a stop and set up the
 * exchange. */
static const double BANDWIDTH = 1e9, PAUSE = 0.05;

/* The measured time counts up to such a factor: one slow move must not be the last. */
static const double CORRECTION_MOST = 10;

/* A rank without blocks that was too slow for one is given another try when this, from look to look, has made
 * up for that: one ten times too slow after 2300 looks, some twenty minutes. */
static const double FORGIVENESS = 1.001;

/* What a rank tells of itself. Zeros from others are added to it, which leaves it as it is. */
struct numbers {
    double speed;        /* weight per second while there is something to do; 0: not known */
    double seconds;      /* that the measurement took */
    double step_seconds; /* per step */
    double move_seconds; /* of the last time that blocks moved; 0: they never did */
};

struct weir_rank_balancer {
    struct weir_domain *domain;
    const struct weir_worker_groups *groups;
    struct weir_rank_balancer_tasks *tasks;
    int ranks;
    int64_t steps;    /* planned; 0: unknown */
    int64_t moved_at; /* the step before which blocks moved last */
    struct weir_rank_balance balance;
    double *weight; /* [blocks of all ranks] */
    double *share;  /* [ranks] what each was expected to do, in one unit for all */
    double *speed;  /* [ranks] as measured lately, or expected */
    double *damped; /* [ranks] those that the decomposition is made by */
    bool know_speeds;
    bool *has_blocks, *measured; /* [ranks] now; ever */
    int *wish;                   /* [blocks of all ranks] */
    starpu_data_handle_t value;  /* struct numbers [ranks] */
    struct weir_rank_value all;  /* the same of all ranks */
    struct numbers own;          /* as told last */
    int64_t start, tell, use;    /* steps: measurement starts, numbers are told, and used; -1: not now */
    int64_t distance;            /* steps from the first to the second */
    double time, work[WEIR_WORKER_GROUPS_MAX]; /* when the measurement started */
    struct weir_scheduler_load load[WEIR_WORKER_GROUPS_MAX];
    int wishes;           /* looks in succession that would have moved something */
    int needed;           /* so many have to */
    double step_seconds;  /* before blocks moved last */
    double promised;      /* and what was to be gained; 0: it is known whether it was */
    int passes;           /* looks to come without a decision */
    double expected_cost; /* of the moves that were decided on last, seconds, uncorrected */
    double correction;    /* of what moves cost, by the last that was measured */

    struct weir_future future;
    struct numbers *heard; /* [ranks]; once the answer is there */
};

static void tell(void *argument, void *const data[]) {
    const struct weir_rank_balancer *balancer = argument;
    struct numbers *value = data[0];
    memset(value, 0, sizeof *value * (size_t)balancer->ranks);
    value[weir_world_rank(balancer->domain->world)] = balancer->own;
}

static void hear(void *argument, void *const data[]) {
    struct weir_rank_balancer *balancer = argument;
    memcpy(balancer->heard, data[0], sizeof *balancer->heard * (size_t)balancer->ranks);
    weir_future_set(&balancer->future);
}

void weir_rank_balancer_define(struct weir_rank_balancer_tasks *tasks, const struct weir_kernels *kernels) {
    weir_call_define(&tasks->tell, "tell_speed", kernels, tell);
    weir_sum_define(&tasks->add, "add_speeds", kernels);
    weir_call_define(&tasks->hear, "hear_speeds", kernels, hear);
}

/* The exact weights of all blocks: of its own every rank knows them. */
static void gather_weights(struct weir_rank_balancer *balancer) {
    const struct weir_domain *domain = balancer->domain;
    for (int number = 0; number < domain->grid.total; number++)
        balancer->weight[number] = 0;
    for (int k = 0; k < domain->set.count; k++)
        balancer->weight[domain->set.blocks[k]] = weir_block_weight(&domain->blocks[k]);
    MPI_Allreduce(MPI_IN_PLACE, balancer->weight, domain->grid.total, MPI_DOUBLE, MPI_SUM,
                  weir_world_comm(domain->world));
}

static double bytes_of(const void *context, int block) {
    const struct weir_rank_balancer *balancer = context;
    return weir_migration_bytes(balancer->domain, block);
}

/* NULL is allowed. */
static void free_all(struct weir_rank_balancer *balancer) {
    if (!balancer)
        return;
    free(balancer->weight);
    free(balancer->wish);
    free(balancer->share);
    free(balancer->speed);
    free(balancer->damped);
    free(balancer->has_blocks);
    free(balancer->measured);
    free(balancer->heard);
    free(balancer);
}

/* NULL when memory is short. */
static struct weir_rank_balancer *allocate(size_t blocks, size_t ranks) {
    struct weir_rank_balancer *balancer = calloc(1, sizeof *balancer);
    if (balancer) {
        balancer->weight = malloc(sizeof *balancer->weight * blocks);
        balancer->wish = malloc(sizeof *balancer->wish * blocks);
        balancer->share = calloc(ranks, sizeof *balancer->share);
        balancer->speed = calloc(ranks, sizeof *balancer->speed);
        balancer->damped = calloc(ranks, sizeof *balancer->damped);
        balancer->has_blocks = calloc(ranks, sizeof *balancer->has_blocks);
        balancer->measured = calloc(ranks, sizeof *balancer->measured);
        balancer->heard = calloc(ranks, sizeof *balancer->heard);
    }
    if (!balancer || !balancer->weight || !balancer->wish || !balancer->share || !balancer->speed ||
        !balancer->damped || !balancer->has_blocks || !balancer->measured || !balancer->heard) {
        free_all(balancer);
        return NULL;
    }
    return balancer;
}

int weir_rank_balancer_create(struct weir_world *world, struct weir_domain *domain,
                              const struct weir_worker_groups *groups, const struct weir_step_workers *here,
                              double speed, struct weir_rank_balancer_tasks *tasks, int64_t first,
                              int64_t steps, struct weir_rank_balancer **result) {
    const size_t blocks = (size_t)domain->grid.total, ranks = (size_t)weir_world_size(domain->world);
    struct weir_rank_balancer *balancer = allocate(blocks, ranks);
    int error =
        balancer ? 0 : weir_fail(WEIR_FAILED, "out of memory for %zu blocks; choose larger blocks", blocks);
    error = weir_world_agree(world, error);
    if (error != 0) {
        free_all(balancer);
        return error;
    }
    balancer->domain = domain;
    balancer->groups = groups;
    balancer->tasks = tasks;
    balancer->ranks = (int)ranks;
    balancer->steps = steps;
    balancer->start = first + STEPS_UNTIL_WARM;
    balancer->tell = balancer->use = -1;
    balancer->distance = FIRST_STEPS;
    balancer->correction = 1;
    balancer->needed = LOOKS_LEAST;
    balancer->balance = (struct weir_rank_balance){.grid = &domain->grid,
                                                   .weight = balancer->weight,
                                                   .bytes = bytes_of,
                                                   .context = balancer,
                                                   .ranks = balancer->ranks,
                                                   .speed = balancer->damped,
                                                   .least_gain = LEAST_GAIN};
    weir_future_init(&balancer->future);
    balancer->value = weir_register_bytes(sizeof(struct numbers) * ranks);
    weir_rank_value_create(domain->world, balancer->value, sizeof(struct numbers) * ranks, &balancer->all);
    gather_weights(balancer);
    weir_rank_decomposition_shares(domain->world, here, speed, balancer->share);
    *result = balancer;
    return 0;
}

void weir_rank_balancer_destroy(struct weir_rank_balancer *balancer) {
    if (!balancer)
        return;
    weir_rank_value_destroy(&balancer->all);
    starpu_data_unregister_no_coherency(balancer->value);
    weir_future_release(&balancer->future);
    free_all(balancer);
}

static void measure_from_here(struct weir_rank_balancer *balancer, int64_t step, const double *work) {
    balancer->start = step;
    balancer->tell = step + balancer->distance;
    balancer->time = weir_seconds();
    for (int group = 0; group < balancer->groups->count; group++) {
        balancer->load[group] = weir_scheduler_load(group);
        balancer->work[group] = work[group];
    }
}

/* Weight per second that a worker group does when it has enough to do; 0: it had nothing to do. */
static double speed_of_group(const struct weir_rank_balancer *balancer, int group, double done) {
    const struct weir_scheduler_load *then = &balancer->load[group], now = weir_scheduler_load(group);
    const double busy = now.busy - then->busy, full = now.full - then->full;
    const double ended = (double)(now.ended - then->ended),
                 ended_full = (double)(now.ended_full - then->ended_full);
    if (busy <= 0 || done <= 0)
        return 0;
    /* Where it hardly ever was full, it does no less than this. */
    return full < LEAST_FULL * busy || ended_full < TASKS_LEAST ? done / busy
                                                                : done * ended_full / ended / full;
}

/* What all worker groups together do per second. Worker groups that had nothing to do count as the slowest of
 * their kind; a kind without work is not used. */
static double speed_of_groups(const struct weir_rank_balancer *balancer, const double *work) {
    double speed = 0;
    for (int kind = 0; kind < WEIR_WORKER_GROUP_KINDS; kind++) {
        double slowest = 0;
        int idle = 0;
        for (int group = 0; group < balancer->groups->count; group++) {
            if ((int)balancer->groups->group[group].kind != kind)
                continue;
            const double own = speed_of_group(balancer, group, work[group] - balancer->work[group]);
            speed += own;
            idle += own == 0;
            if (own > 0 && (slowest == 0 || own < slowest))
                slowest = own;
        }
        speed += idle * slowest;
    }
    return speed;
}

/* Submits what tells all ranks the numbers of all. */
static int tell_others(struct weir_rank_balancer *balancer, int64_t step, const double *work) {
    const struct weir_task_options with_balancer = {.argument = balancer};
    struct weir_task_kind *kind = &balancer->tasks->tell;
    struct weir_buffers buffers = {.count = 0};
    const double seconds = weir_seconds() - balancer->time;
    balancer->own.speed = speed_of_groups(balancer, work);
    balancer->own.seconds = seconds;
    balancer->own.step_seconds = seconds / (double)(step - balancer->start);
    weir_future_reset(&balancer->future);
    balancer->use = step + LAG;
    weir_buffers_add(&buffers, balancer->value, STARPU_W);
    WEIR_TRY(weir_check_submitted(weir_task_submit(kind, &buffers, &with_balancer), kind));
    WEIR_TRY(weir_rank_value_combine(balancer->domain->world, &balancer->all, &balancer->tasks->add,
                                     WEIR_RANKS_SPEEDS));
    kind = &balancer->tasks->hear;
    buffers = (struct weir_buffers){.count = 0};
    weir_buffers_add(&buffers, balancer->value, STARPU_R);
    return weir_check_submitted(weir_task_submit(kind, &buffers, &with_balancer), kind);
}

/* The longest of the ranks' times. */
static struct numbers longest_times(const struct weir_rank_balancer *balancer) {
    struct numbers longest = {0};
    for (int rank = 0; rank < balancer->ranks; rank++) {
        const struct numbers *heard = &balancer->heard[rank];
        longest.seconds = fmax(longest.seconds, heard->seconds);
        longest.step_seconds = fmax(longest.step_seconds, heard->step_seconds);
        longest.move_seconds = fmax(longest.move_seconds, heard->move_seconds);
    }
    return longest;
}

static void find_blocks(struct weir_rank_balancer *balancer) {
    memset(balancer->has_blocks, 0, sizeof *balancer->has_blocks * (size_t)balancer->ranks);
    for (int block = 0; block < balancer->domain->grid.total; block++)
        if (!weir_block_is_solid(&balancer->domain->grid, block))
            balancer->has_blocks[balancer->domain->rank_of[block]] = true;
}

/* What a rank without blocks would do is not measured. One that never had any counts as was expected of it,
 * beside those that have some. One that lost its last block, because it was too slow for it, counts as it was
 * then, but a little faster from look to look: what slowed it may be over. */
static void expect_speeds(struct weir_rank_balancer *balancer) {
    double speed = 0, share = 0;
    for (int rank = 0; rank < balancer->ranks; rank++)
        if (balancer->has_blocks[rank]) {
            speed += balancer->speed[rank];
            share += balancer->share[rank];
        }
    for (int rank = 0; rank < balancer->ranks; rank++) {
        const double expected = balancer->share[rank] * speed / share, known = balancer->speed[rank];
        if (!balancer->has_blocks[rank])
            balancer->speed[rank] =
                balancer->measured[rank] ? fmin(known * FORGIVENESS, fmax(known, expected)) : expected;
        balancer->measured[rank] = balancer->measured[rank] || balancer->has_blocks[rank];
    }
}

/* Whether all ranks' speeds are known now. */
static bool take_speeds(struct weir_rank_balancer *balancer) {
    find_blocks(balancer);
    for (int rank = 0; rank < balancer->ranks; rank++)
        if (balancer->has_blocks[rank] && balancer->heard[rank].speed <= 0)
            return balancer->know_speeds;
    /* The more looks a decision takes, the less one measurement counts. */
    const double newness = balancer->know_speeds ? 1.0 / balancer->needed : 1;
    for (int rank = 0; rank < balancer->ranks; rank++)
        if (balancer->has_blocks[rank])
            balancer->speed[rank] =
                newness * balancer->heard[rank].speed + (1 - newness) * balancer->speed[rank];
    expect_speeds(balancer);
    return balancer->know_speeds = true;
}

/* Whether the last moves brought what they promised. */
static void learn(struct weir_rank_balancer *balancer, double step_seconds) {
    if (balancer->promised <= 0)
        return;
    const bool good = 1 - step_seconds / balancer->step_seconds >= balancer->promised / 2;
    balancer->needed = good ? LOOKS_LEAST : 2 * balancer->needed;
    if (balancer->needed > LOOKS_MOST)
        balancer->needed = LOOKS_MOST;
    balancer->promised = 0;
}

/* Where ranks share cores, one that has less to do gets more of them, and looks fast until blocks come. Moves
 * that disappointed are therefore followed by smaller ones: speeds somewhere between the measured ones and
 * those for which the present decomposition would be the right one. */
static void damp(struct weir_rank_balancer *balancer) {
    const double fraction = (double)LOOKS_LEAST / balancer->needed;
    double all_speed = 0, all_load = 0, *load = balancer->damped;
    for (int rank = 0; rank < balancer->ranks; rank++) {
        load[rank] = 0;
        all_speed += balancer->speed[rank];
    }
    for (int block = 0; block < balancer->domain->grid.total; block++) {
        load[balancer->domain->rank_of[block]] += balancer->weight[block];
        all_load += balancer->weight[block];
    }
    for (int rank = 0; rank < balancer->ranks; rank++)
        balancer->damped[rank] =
            fraction * balancer->speed[rank] + (1 - fraction) * load[rank] * all_speed / all_load;
}

/* Whether blocks should move, now that all ranks' numbers are there. */
static int decide(struct weir_rank_balancer *balancer, int64_t step, bool *move) {
    struct weir_rank_balance *balance = &balancer->balance;
    const int *rank_of = balancer->domain->rank_of;
    const struct numbers times = longest_times(balancer);
    const double distance = ceil(SECONDS_BETWEEN_LOOKS / fmax(times.step_seconds, 1e-9));
    balancer->distance = (int64_t)fmin(fmax(distance, LEAST_STEPS_BETWEEN_LOOKS), MOST_STEPS_BETWEEN_LOOKS);
    *move = false;
    if (times.move_seconds > 0 && balancer->expected_cost > 0)
        balancer->correction =
            fmin(fmax(times.move_seconds / balancer->expected_cost, 1 / CORRECTION_MOST), CORRECTION_MOST);
    if (times.seconds < LEAST_SECONDS || !take_speeds(balancer) || balancer->passes > 0) {
        balancer->passes -= balancer->passes > 0;
        return 0;
    }
    learn(balancer, times.step_seconds);
    damp(balancer);
    balance->bandwidth = BANDWIDTH / balancer->correction;
    balance->pause = PAUSE * balancer->correction;
    balance->horizon = weir_rank_balance_horizon(times.step_seconds, step - balancer->moved_at,
                                                 balancer->steps > 0 ? balancer->steps - step : -1);
    memcpy(balancer->wish, rank_of, sizeof *rank_of * (size_t)balancer->domain->grid.total);
    const int moves = weir_rank_balance_improve(balance, balancer->wish);
    if (moves < 0)
        return moves;
    const double gain =
        1 - weir_rank_balance_seconds(balance, balancer->wish) / weir_rank_balance_seconds(balance, rank_of);
    balancer->wishes = moves > 0 ? balancer->wishes + 1 : 0;
    *move = moves > 0 &&
            (balancer->wishes >= balancer->needed || (gain >= CLEAR_GAIN && balancer->needed == LOOKS_LEAST));
    if (!*move)
        return 0;
    balancer->wishes = 0;
    balancer->step_seconds = times.step_seconds;
    balancer->promised = gain;
    balancer->expected_cost = weir_rank_balance_cost(balance, rank_of, balancer->wish) / balancer->correction;
    return 0;
}

int weir_rank_balancer_review(struct weir_rank_balancer *balancer, int64_t step, const double *work,
                              const int **rank_of) {
    *rank_of = NULL;
    if (step == balancer->start)
        measure_from_here(balancer, step, work);
    if (step == balancer->tell)
        return tell_others(balancer, step, work);
    if (step != balancer->use)
        return 0;
    balancer->use = -1;
    if (!weir_future_wait(&balancer->future, &balancer->domain->failure))
        return 0; /* the run's failure is told by who meets it */
    bool move;
    WEIR_TRY(decide(balancer, step, &move));
    measure_from_here(balancer, step, work);
    *rank_of = move ? balancer->wish : NULL;
    return 0;
}

void weir_rank_balancer_moved(struct weir_rank_balancer *balancer, int64_t step, bool moved, double seconds) {
    if (moved) {
        balancer->moved_at = step;
        balancer->own.move_seconds = seconds;
        balancer->know_speeds = false; /* with other blocks a rank may be faster or slower per block */
    } else {
        balancer->passes = LOOKS_AFTER_REFUSAL;
        balancer->promised = 0;
    }
    balancer->start = step + STEPS_UNTIL_WARM;
    balancer->tell = -1;
}
