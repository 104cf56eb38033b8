#include "graph/plan/balance.h"

#include "graph/base/error.h"
#include "graph/plan/worker_groups.h"

#include <stdlib.h>
#include <string.h>

/* Loads are sums of weights in floating point: a gain less than this part of them is rounding. */
static const double ROUNDING = 1e-9;

static void add_loads(const struct weir_balance *b, const int *home, double *load) {
    for (int group = 0; group < b->groups; group++)
        load[group] = 0;
    for (int k = 0; k < b->set.count; k++)
        load[home[k]] += b->weight[k];
}

static double seconds_of(const struct weir_balance *b, const double *load, int group) {
    return load[group] > 0 ? load[group] / b->rate[group] : 0;
}

static double longest(const struct weir_balance *b, const double *load, int *slowest) {
    double seconds = 0;
    *slowest = 0;
    for (int group = 0; group < b->groups; group++)
        if (seconds_of(b, load, group) > seconds) {
            seconds = seconds_of(b, load, group);
            *slowest = group;
        }
    return seconds;
}

double weir_balance_seconds(const struct weir_balance *balance, const int *home) {
    double *load = malloc(sizeof *load * (size_t)balance->groups);
    int slowest;
    if (!load)
        return 0;
    add_loads(balance, home, load);
    const double seconds = longest(balance, load, &slowest);
    free(load);
    return seconds;
}

/* Neighbours across faces of a block that are at home in a worker group. */
static int faces_towards(const struct weir_balance *b, const int *home, int block, int group) {
    int faces = 0;
    for (int axis = 0; axis < 3; axis++)
        for (int side = -1; side <= 1; side += 2) {
            int offset[3] = {0, 0, 0};
            offset[axis] = side;
            const int neighbour = weir_block_grid_neighbour(b->grid, b->set.blocks[block], offset);
            const int place = neighbour < 0 ? -1 : weir_block_set_index(&b->set, neighbour);
            faces += place >= 0 && place != block && home[place] == group;
        }
    return faces;
}

/* The block of `from` whose move to `to` keeps regions most compact, among those after which both end before
 * `from` does now; -1: none. */
static int block_to_move(const struct weir_balance *b, const int *home, const double *load, int from,
                         int to) {
    const double now = seconds_of(b, load, from);
    int best = -1, best_score = 0;
    for (int block = 0; block < b->set.count; block++) {
        if (home[block] != from || b->weight[block] <= 0)
            continue;
        if ((load[to] + b->weight[block]) / b->rate[to] >= now * (1 - ROUNDING))
            continue;
        const int score = faces_towards(b, home, block, to) - faces_towards(b, home, block, from);
        if (best < 0 || score > best_score) {
            best = block;
            best_score = score;
        }
    }
    return best;
}

/* Where a block of the slowest worker group goes: to the worker group that would be done first with what it
 * has, if that helps. */
static bool move_one(const struct weir_balance *b, int *home, double *load, int from) {
    bool tried[WEIR_WORKER_GROUPS_MAX] = {false};
    tried[from] = true;
    for (;;) {
        int to = -1;
        for (int group = 0; group < b->groups; group++)
            if (!tried[group] && b->rate[group] > 0 &&
                (to < 0 || seconds_of(b, load, group) < seconds_of(b, load, to)))
                to = group;
        if (to < 0)
            return false;
        tried[to] = true;
        const int block = block_to_move(b, home, load, from, to);
        if (block < 0)
            continue;
        home[block] = to;
        load[from] -= b->weight[block];
        load[to] += b->weight[block];
        return true;
    }
}

static int improve(const struct weir_balance *b, int *home, int *wish, double *load) {
    int slowest;
    add_loads(b, home, load);
    memcpy(wish, home, sizeof *wish * (size_t)b->set.count);
    const double before = longest(b, load, &slowest);
    /* Every move shortens the longest time or the number of worker groups that need it, so this ends; the
     * limit is for weights that rounding plays tricks with. */
    double after = before;
    for (int k = 0; k < b->set.count && move_one(b, wish, load, slowest); k++)
        after = longest(b, load, &slowest);
    int moves = 0;
    double cost = 0;
    for (int block = 0; block < b->set.count; block++)
        if (wish[block] != home[block]) {
            moves++;
            if (b->move_seconds)
                cost += b->move_seconds(b->context, block, home[block], wish[block]);
        }
    const double gain = before - after;
    if (moves == 0 || gain < b->least_gain * before || gain * b->horizon <= cost)
        return 0;
    memcpy(home, wish, sizeof *home * (size_t)b->set.count);
    return moves;
}

int weir_balance_improve(const struct weir_balance *balance, int *home) {
    double *load = malloc(sizeof *load * (size_t)balance->groups);
    int *wish = malloc(sizeof *wish * (size_t)balance->set.count);
    const int moves =
        load && wish ? improve(balance, home, wish, load)
                     : weir_fail(WEIR_FAILED, "out of memory while balancing %d blocks", balance->set.count);
    free(load);
    free(wish);
    return moves;
}
