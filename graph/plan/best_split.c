/* The search. Every set of kinds is tried, the others left without blocks. Within a set, each kind but the
 * fastest is given some number of blocks per worker group, at first that which keeps all equally busy,
 * equation (8) of Calore et al.; then the numbers are moved up and down, one kind at a time, by steps that
 * are halved when neither way helps. What is compared is the prediction for the cut that the bisection really
 * makes, so whole blocks, solids and links are in it. */
#include "graph/plan/best_split.h"

#include "graph/base/error.h"
#include "graph/plan/placement.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct search {
    const struct weir_machine *machine;
    const struct weir_decomposition *decomposition;
    int groups;
    double *weight; /* [blocks] */
    int *group_of;  /* [blocks], of the cut that is tried */
    int tries_left; /* of this set of kinds */
    /* The best so far. */
    int *best_group_of;
    struct weir_split *best;
};

/* Cuts tried per set of kinds: all that the halving wants, but no more than takes a second in all for very
 * many blocks. */
static int tries_for(int blocks) {
    const int tries = 1000000 / (blocks + 1);
    return tries < 12 ? 12 : tries > 200 ? 200 : tries;
}

/* Seconds of a worker group of this kind per average block. */
static double block_seconds(const struct search *s, int kind) {
    const struct weir_machine_kind *k = &s->machine->kinds[kind];
    const double blocks = s->decomposition->set.count;
    return weir_time_model_worker_group(k, weir_time_model_all_work(&k->rates, s->decomposition),
                                        blocks * s->decomposition->stages) /
           blocks;
}

/* Blocks per second of all worker groups of a kind. */
static double kind_speed(const struct search *s, int kind) {
    const double seconds = block_seconds(s, kind);
    return s->machine->kinds[kind].count / (seconds > 0 ? seconds : 1e-30);
}

/* Tries blocks[kind] blocks per worker group; keeps the cut when it is the best so far. Returns the predicted
 * step, infinite where there are not enough blocks. */
static int try_blocks(struct search *s, const double *blocks, double *step_seconds) {
    double share[WEIR_WORKER_GROUPS_MAX], sum = 0;
    *step_seconds = HUGE_VAL;
    for (int group = 0; group < s->groups; group++) {
        share[group] = blocks[weir_machine_kind_of(s->machine, group)];
        if (share[group] < 0)
            return 0;
        sum += share[group];
    }
    if (!(sum > 0))
        return 0;
    struct weir_prediction prediction;
    s->tries_left--;
    WEIR_TRY(weir_placement_bisect(&s->decomposition->grid, &s->decomposition->set, s->weight, s->groups,
                                   share, s->group_of));
    weir_time_model_predict(s->machine, s->decomposition, s->group_of, &prediction);
    *step_seconds = prediction.step_seconds;
    if (prediction.step_seconds < s->best->prediction.step_seconds) {
        s->best->prediction = prediction;
        memcpy(s->best_group_of, s->group_of, sizeof *s->group_of * (size_t)s->decomposition->set.count);
        for (int group = 0; group < s->groups; group++)
            s->best->share[group] = share[group] / sum;
    }
    return 0;
}

/* The fastest kind of a set gets what the others leave. */
static void leave_rest(const struct search *s, int fastest, double *blocks) {
    double others = 0;
    for (int k = 0; k < s->machine->kind_count; k++)
        others += k == fastest ? 0 : blocks[k] * s->machine->kinds[k].count;
    blocks[fastest] = (s->decomposition->set.count - others) / s->machine->kinds[fastest].count;
}

/* Moves one kind's number of blocks by a step, up or down; true when that is better than *step_seconds. */
static int move(struct search *s, int fastest, int kind, double step, double *blocks, double *step_seconds) {
    const double here = blocks[kind];
    for (int side = -1; side <= 1; side += 2) {
        double seconds;
        blocks[kind] = fmax(0, here + side * step);
        leave_rest(s, fastest, blocks);
        WEIR_TRY(try_blocks(s, blocks, &seconds));
        if (seconds < *step_seconds) {
            *step_seconds = seconds;
            return 1;
        }
    }
    blocks[kind] = here;
    leave_rest(s, fastest, blocks);
    return 0;
}

/* Moves the numbers of blocks of all kinds but the fastest until no step helps. */
static int descend(struct search *s, int fastest, double *blocks) {
    const int kinds = s->machine->kind_count;
    double step[WEIR_MACHINE_KINDS_MAX], seconds;
    for (int k = 0; k < kinds; k++)
        step[k] = k == fastest || blocks[k] <= 0 ? 0 : fmax(0.5 * blocks[k], 1);
    s->tries_left = tries_for(s->decomposition->set.count);
    leave_rest(s, fastest, blocks);
    WEIR_TRY(try_blocks(s, blocks, &seconds));
    for (bool finer = true; finer && s->tries_left > 0;) {
        finer = false;
        for (int k = 0; k < kinds && s->tries_left > 0; k++) {
            if (step[k] <= 0)
                continue;
            const int moved = move(s, fastest, k, step[k], blocks, &seconds);
            WEIR_TRY(moved);
            if (!moved)
                step[k] *= 0.5;
            /* Less than half a block for all worker groups of the kind together moves no block. */
            finer = finer || step[k] * s->machine->kinds[k].count >= 0.5;
        }
    }
    return 0;
}

/* Blocks of average size that stay in the cache of a worker group. */
static double cached_blocks(const struct search *s, int kind) {
    const double cells =
        (s->decomposition->total_fluid + s->decomposition->total_solid) / s->decomposition->set.count;
    return floor(s->machine->kinds[kind].cached_cells / cells);
}

static int search_set(struct search *s, unsigned set) {
    const int kinds = s->machine->kind_count;
    double balanced[WEIR_MACHINE_KINDS_MAX] = {0}, cached[WEIR_MACHINE_KINDS_MAX] = {0}, speed = 0;
    int fastest = -1;
    bool fewer =
        false; /* fewer blocks than in balance would stay in a cache: the slope there is another one */
    for (int k = 0; k < kinds; k++)
        if (set & 1u << k) {
            speed += kind_speed(s, k);
            if (fastest < 0 || kind_speed(s, k) > kind_speed(s, fastest))
                fastest = k;
        }
    for (int k = 0; k < kinds; k++)
        if (set & 1u << k && k != fastest) {
            balanced[k] = s->decomposition->set.count * kind_speed(s, k) / speed / s->machine->kinds[k].count;
            cached[k] = cached_blocks(s, k) >= 1 ? fmin(cached_blocks(s, k), balanced[k]) : balanced[k];
            fewer = fewer || cached[k] < balanced[k];
        }
    WEIR_TRY(descend(s, fastest, balanced));
    return fewer ? descend(s, fastest, cached) : 0;
}

static int search_all(struct search *s) {
    const int kinds = s->machine->kind_count;
    unsigned there = 0;
    int fastest = -1;
    for (int k = 0; k < kinds; k++)
        if (s->machine->kinds[k].count > 0) {
            there |= 1u << k;
            if (fastest < 0 || kind_speed(s, k) > kind_speed(s, fastest))
                fastest = k;
        }
    if (there == 0)
        return weir_fail(WEIR_USAGE, "this machine has no part that computes; describe at least one");
    /* Blocks weigh what they cost the fastest kind, where most of them will be. */
    const struct weir_machine_kind *kind = &s->machine->kinds[fastest];
    for (int block = 0; block < s->decomposition->set.count; block++)
        s->weight[block] = weir_time_model_worker_group(
            kind, weir_time_model_block_work(&kind->rates, s->decomposition, block) * kind->tasks_at_once,
            kind->tasks_at_once);
    for (unsigned set = 1; set < 1u << kinds; set++)
        if ((set & there) == set)
            WEIR_TRY(search_set(s, set));
    return 0;
}

int weir_best_split(const struct weir_machine *machine, const struct weir_decomposition *decomposition,
                    int *group_of, struct weir_split *split) {
    const size_t blocks = (size_t)decomposition->set.count;
    struct search s = {.machine = machine,
                       .decomposition = decomposition,
                       .groups = weir_machine_worker_groups(machine),
                       .weight = malloc(sizeof *s.weight * blocks),
                       .group_of = malloc(sizeof *s.group_of * blocks),
                       .best_group_of = group_of,
                       .best = split};
    memset(split, 0, sizeof *split);
    split->prediction.step_seconds = HUGE_VAL;
    const int error =
        s.weight && s.group_of
            ? search_all(&s)
            : weir_fail(WEIR_FAILED, "out of memory while placing %d blocks; choose larger blocks",
                        decomposition->set.count);
    free(s.weight);
    free(s.group_of);
    return error;
}
