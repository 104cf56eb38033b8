#include "graph/plan/rank_balance.h"

#include "graph/base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Loads are sums of weights in floating point: a gain less than this part of them is rounding. */
static const double ROUNDING = 1e-9;

/* Chains that are tried, per block: each shortens the longest time, or the number of ranks that need it; the
 * limit is for weights that rounding plays tricks with. */
enum { CHAINS_PER_BLOCK = 16 };

/* At least. */
static const double HORIZON_STEPS = 500, HORIZON_SECONDS = 5;

/* A decomposition being changed. */
struct work {
    const struct weir_rank_balance *b;
    int *rank_of;            /* [blocks] */
    double *load;            /* [ranks] */
    int *count;              /* [ranks] blocks with fluid */
    int *first;              /* [ranks] a block of each rank, -1: none */
    int *next, *previous;    /* [blocks] the other blocks of its rank, -1: none */
    int *queue, *reached_by; /* [ranks] search from the slowest: ranks found, and from which; -1: not found */
    int *depth;              /* [ranks] */
    int *moved, *moved_from; /* [ranks] blocks of the chain being tried, and their ranks before */
};

static void release(struct work *w) {
    free(w->rank_of);
    free(w->load);
    free(w->count);
    free(w->first);
    free(w->next);
    free(w->previous);
    free(w->queue);
    free(w->reached_by);
    free(w->depth);
    free(w->moved);
    free(w->moved_from);
}

static bool allocate(struct work *w) {
    const size_t blocks = (size_t)w->b->grid->total, ranks = (size_t)w->b->ranks;
    w->rank_of = malloc(sizeof *w->rank_of * blocks);
    w->load = calloc(ranks, sizeof *w->load);
    w->count = malloc(sizeof *w->count * ranks);
    w->first = malloc(sizeof *w->first * ranks);
    w->next = malloc(sizeof *w->next * blocks);
    w->previous = malloc(sizeof *w->previous * blocks);
    w->queue = malloc(sizeof *w->queue * ranks);
    w->reached_by = malloc(sizeof *w->reached_by * ranks);
    w->depth = malloc(sizeof *w->depth * ranks);
    w->moved = malloc(sizeof *w->moved * ranks);
    w->moved_from = malloc(sizeof *w->moved_from * ranks);
    return w->rank_of && w->load && w->count && w->first && w->next && w->previous && w->queue &&
           w->reached_by && w->depth && w->moved && w->moved_from;
}

static void enter(struct work *w, int block, int rank) {
    w->rank_of[block] = rank;
    w->previous[block] = -1;
    w->next[block] = w->first[rank];
    if (w->first[rank] >= 0)
        w->previous[w->first[rank]] = block;
    w->first[rank] = block;
    w->load[rank] += w->b->weight[block];
    w->count[rank] += !weir_block_is_solid(w->b->grid, block);
}

static void leave(struct work *w, int block) {
    const int rank = w->rank_of[block];
    if (w->previous[block] >= 0)
        w->next[w->previous[block]] = w->next[block];
    else
        w->first[rank] = w->next[block];
    if (w->next[block] >= 0)
        w->previous[w->next[block]] = w->previous[block];
    w->count[rank] -= !weir_block_is_solid(w->b->grid, block);
    w->load[rank] = w->count[rank] > 0 ? w->load[rank] - w->b->weight[block] : 0;
}

static void fill(struct work *w, const int *rank_of) {
    for (int rank = 0; rank < w->b->ranks; rank++) {
        w->load[rank] = 0;
        w->count[rank] = 0;
        w->first[rank] = -1;
    }
    for (int block = 0; block < w->b->grid->total; block++)
        enter(w, block, rank_of[block]);
}

static double seconds_of(const struct work *w, int rank) {
    return w->load[rank] / w->b->speed[rank];
}

static double longest(const struct work *w, int *slowest) {
    *slowest = 0;
    for (int rank = 1; rank < w->b->ranks; rank++)
        if (seconds_of(w, rank) > seconds_of(w, *slowest))
            *slowest = rank;
    return seconds_of(w, *slowest);
}

/* The block across a face, -1: the domain ends there. */
static int across(const struct work *w, int block, int face) {
    int offset[3] = {0, 0, 0};
    offset[face / 2] = face % 2 ? 1 : -1;
    return weir_block_grid_neighbour(w->b->grid, block, offset);
}

/* The block of `from` at the border of `to` whose move keeps regions most compact, any where that has none
 * yet, or where regions may touch in solid blocks only and none is at the border; at its end a chain takes
 * none that would make `to` need as long as `limit`. -1: none. */
static int block_to_move(const struct work *w, int from, int to, double limit) {
    const bool anywhere = w->count[to] == 0 || w->b->grid->solid;
    bool best_touches = false;
    int best = -1, best_score = 0;
    for (int block = w->first[from]; block >= 0; block = w->next[block]) {
        int faces = 0, ties = 0;
        for (int face = 0; face < 6; face++) {
            const int neighbour = across(w, block, face);
            if (neighbour < 0 || neighbour == block)
                continue;
            faces += w->rank_of[neighbour] == to;
            ties += w->rank_of[neighbour] == from;
        }
        const double weight = w->b->weight[block];
        if ((faces == 0 && !anywhere) || weight <= 0 || weir_block_is_solid(w->b->grid, block) ||
            (w->load[to] + weight) / w->b->speed[to] >= limit)
            continue;
        /* Lists have no order of their own: of equal blocks the first by number. */
        const int score = 2 * faces - 3 * ties; /* ties count more, or regions fall apart */
        const bool touches = faces > 0 || w->count[to] == 0;
        if (best < 0 || touches > best_touches ||
            (touches == best_touches && (score > best_score || (score == best_score && block < best)))) {
            best = block;
            best_score = score;
            best_touches = touches;
        }
    }
    return best;
}

/* Moves one block along each step of the way that was found to rank `to`, if all on it end before `now`
 * then. */
static bool move_chain(struct work *w, int to, double now) {
    const double limit = now * (1 - ROUNDING), any = 1e300;
    int hops = 0, moves = 0;
    for (int rank = to; w->depth[rank] > 0; rank = w->reached_by[rank])
        hops++;
    bool good = true;
    for (int hop = 0; hop < hops && good; hop++) {
        int target = to; /* of this step of the way */
        for (int k = hops - 1; k > hop; k--)
            target = w->reached_by[target];
        const int from = w->reached_by[target];
        const int block = block_to_move(w, from, target, target == to ? limit : any);
        good = block >= 0;
        if (!good)
            break;
        w->moved[moves] = block;
        w->moved_from[moves++] = from;
        leave(w, block);
        enter(w, block, target);
    }
    for (int rank = to; good && w->depth[rank] > 0; rank = w->reached_by[rank])
        good = seconds_of(w, rank) < limit;
    while (!good && moves > 0) {
        moves--;
        leave(w, w->moved[moves]);
        enter(w, w->moved[moves], w->moved_from[moves]);
    }
    return good;
}

/* Adds the ranks beside `rank` that were not found yet. Returns how many there are in the queue then. */
static int find_ranks_beside(struct work *w, int rank, int found) {
    for (int block = w->first[rank]; block >= 0; block = w->next[block])
        for (int face = 0; face < 6; face++) {
            const int neighbour = across(w, block, face);
            const int other = neighbour < 0 ? rank : w->rank_of[neighbour];
            if (w->reached_by[other] >= 0)
                continue;
            w->reached_by[other] = rank;
            w->depth[other] = w->depth[rank] + 1;
            w->queue[found++] = other;
        }
    return found;
}

/* Ranks without blocks are beside all. Returns as above. */
static int find_ranks_without_blocks(struct work *w, int rank, int found) {
    for (int other = 0; other < w->b->ranks; other++)
        if (w->count[other] == 0) {
            w->reached_by[other] = rank;
            w->depth[other] = w->depth[rank] + 1;
            w->queue[found++] = other;
        }
    return found;
}

/* Of the ranks in the queue that are as near as the one at `place`, brings there the one that ends first. */
static void choose_next(struct work *w, int place, int found) {
    int best = place;
    for (int k = place; k < found && w->depth[w->queue[k]] == w->depth[w->queue[place]]; k++) {
        const double seconds = seconds_of(w, w->queue[k]), least = seconds_of(w, w->queue[best]);
        if (seconds < least || (seconds == least && w->queue[k] < w->queue[best]))
            best = k;
    }
    const int rank = w->queue[best];
    w->queue[best] = w->queue[place];
    w->queue[place] = rank;
}

/* Takes a block's load off the slowest rank: nearest ranks first. */
static bool relieve(struct work *w, int slowest, double now) {
    for (int rank = 0; rank < w->b->ranks; rank++)
        w->reached_by[rank] = -1;
    w->reached_by[slowest] = slowest;
    w->depth[slowest] = 0;
    int found = find_ranks_without_blocks(w, slowest, find_ranks_beside(w, slowest, 0));
    for (int place = 0; place < found; place++) {
        choose_next(w, place, found);
        const int rank = w->queue[place];
        if (seconds_of(w, rank) < now && move_chain(w, rank, now))
            return true;
        found = find_ranks_beside(w, rank, found);
    }
    return false;
}

double weir_rank_balance_seconds(const struct weir_rank_balance *balance, const int *rank_of) {
    double *load = calloc((size_t)balance->ranks, sizeof *load);
    double seconds = 0;
    if (!load)
        return 0;
    for (int block = 0; block < balance->grid->total; block++)
        load[rank_of[block]] += balance->weight[block];
    for (int rank = 0; rank < balance->ranks; rank++)
        if (load[rank] / balance->speed[rank] > seconds)
            seconds = load[rank] / balance->speed[rank];
    free(load);
    return seconds;
}

double weir_rank_balance_cost(const struct weir_rank_balance *balance, const int *before, const int *after) {
    double *bytes = calloc((size_t)balance->ranks, sizeof *bytes);
    double most = 0;
    if (!bytes)
        return 0;
    for (int block = 0; block < balance->grid->total; block++)
        if (before[block] != after[block]) {
            const double moved = balance->bytes(balance->context, block);
            bytes[before[block]] += moved;
            bytes[after[block]] += moved;
        }
    for (int rank = 0; rank < balance->ranks; rank++)
        most = bytes[rank] > most ? bytes[rank] : most;
    free(bytes);
    return balance->pause + most / balance->bandwidth;
}

double weir_rank_balance_horizon(double step_seconds, int64_t since, int64_t left) {
    const double horizon = fmax(fmax(HORIZON_STEPS, HORIZON_SECONDS / step_seconds), (double)since);
    return left < 0 ? horizon : fmin(horizon, (double)left);
}

static int improve(struct work *w, int *rank_of) {
    const struct weir_rank_balance *b = w->b;
    const int64_t chains_max = (int64_t)CHAINS_PER_BLOCK * b->grid->total;
    int slowest, moves = 0;
    fill(w, rank_of);
    const double before = longest(w, &slowest);
    double after = before;
    for (int64_t k = 0; k < chains_max && relieve(w, slowest, after); k++)
        after = longest(w, &slowest);
    for (int block = 0; block < b->grid->total; block++)
        moves += w->rank_of[block] != rank_of[block];
    const double gain = before - after;
    if (moves == 0 || gain < b->least_gain * before ||
        gain * b->horizon <= weir_rank_balance_cost(b, rank_of, w->rank_of))
        return 0;
    memcpy(rank_of, w->rank_of, sizeof *rank_of * (size_t)b->grid->total);
    return moves;
}

int weir_rank_balance_improve(const struct weir_rank_balance *balance, int *rank_of) {
    struct work work = {.b = balance};
    const int moves = allocate(&work) ? improve(&work, rank_of)
                                      : weir_fail(WEIR_FAILED, "out of memory while balancing %d blocks",
                                                  balance->grid->total);
    release(&work);
    return moves;
}
