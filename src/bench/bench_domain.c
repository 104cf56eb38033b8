#include "src/bench/bench_domain.h"

#include "graph/base/error.h"
#include "graph/domain.h"
#include "graph/runtime/bookkeeping.h"

#include <string.h>

/* Blocks per worker, and in all, at least: enough that a worker is not idle while it waits for neighbours. */
enum { BLOCKS_PER_WORKER = 4, BLOCKS_LEAST = 8 };

/* At most, where the caches are so large or blocks so small that it takes more to be beyond: a step of more
 * says no more of what a task costs, and takes seconds. */
enum { BLOCKS_MOST = 16384, BLOCKS_MOST_QUICK = 256 };

/* The domain is to be out of cache: times the last-level caches. */
static const double beyond_cache = 4;

/* Part of the memory that is free. The caller has other things there as well, but small ones. */
static const double memory_share = 0.45;

static bool has_room(const struct weir_bench_room *room, const struct weir_problem *problem,
                     const struct weir_block_grid *grid) {
    const double data = (double)weir_domain_bytes(problem, false, grid, NULL),
                 books = grid->total * weir_bookkeeping_bytes(problem, false);
    return data <= memory_share * room->data_bytes &&
           books + (room->on_gpu ? 0 : data) <= memory_share * room->main_bytes;
}

static bool is_large_enough(const struct weir_bench_room *room, const struct weir_problem *problem,
                            const struct weir_block_grid *grid) {
    int wanted = BLOCKS_PER_WORKER * room->workers;
    if (wanted < BLOCKS_LEAST)
        wanted = BLOCKS_LEAST;
    return grid->total >= wanted &&
           (2 * grid->total > (room->quick ? BLOCKS_MOST_QUICK : BLOCKS_MOST) ||
            (double)weir_domain_bytes(problem, false, grid, NULL) >= beyond_cache * room->cache_bytes);
}

int weir_bench_domain_choose(const struct weir_bench_room *room, const int block_cells[3],
                             struct weir_problem *problem, struct weir_block_grid *grid, bool *fits) {
    const int axes = weir_lattice_dimensions(problem->lattice);
    memcpy(problem->cells, block_cells, sizeof problem->cells);
    WEIR_TRY(weir_block_grid_create(problem, block_cells, grid));
    *fits = has_room(room, problem, grid);
    for (int turn = 0; *fits && !is_large_enough(room, problem, grid); turn++) {
        struct weir_block_grid larger;
        const int axis = axes - 1 - turn % axes;
        problem->cells[axis] *= 2; /* one axis after the other */
        WEIR_TRY(weir_block_grid_create(problem, block_cells, &larger));
        if (!has_room(room, problem, &larger)) {
            problem->cells[axis] /= 2;
            break;
        }
        *grid = larger;
    }
    return 0;
}
