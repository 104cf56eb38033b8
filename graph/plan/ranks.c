#include "graph/plan/ranks.h"

#include "graph/base/error.h"
#include "graph/plan/placement.h"
#include "graph/problem/model.h"

#include <stdlib.h>

static int divide_along_axes(const struct weir_block_grid *grid, int ranks, const int along[3],
                             int *rank_of) {
    static const char axis_names[] = "xyz";
    const int64_t made = (int64_t)along[0] * along[1] * along[2];
    if (made != ranks)
        return weir_fail(WEIR_USAGE,
                         "ranks.grid: %d x %d x %d makes %lld ranks, and there are %d; give numbers whose "
                         "product is %d",
                         along[0], along[1], along[2], (long long)made, ranks, ranks);
    for (int axis = 0; axis < 3; axis++)
        if (along[axis] > grid->count[axis])
            return weir_fail(
                WEIR_USAGE,
                "ranks.grid: %d ranks along %c, and only %d block%s there; choose smaller blocks, or "
                "fewer ranks along %c",
                along[axis], axis_names[axis], grid->count[axis], grid->count[axis] > 1 ? "s" : "",
                axis_names[axis]);
    for (int block = 0; block < grid->total; block++) {
        int position[3], at[3];
        weir_block_grid_position(grid, block, position);
        for (int axis = 0; axis < 3; axis++)
            at[axis] = (int)((int64_t)position[axis] * along[axis] / grid->count[axis]);
        rank_of[block] = (at[2] * along[1] + at[1]) * along[0] + at[0];
    }
    return 0;
}

static int fail_memory(int ranks) {
    return weir_fail(WEIR_FAILED, "out of memory while dividing the domain among %d ranks", ranks);
}

/* Divides the blocks with fluid by their weights. A solid one goes with the one before it, so that what
 * outputs write of it is written near by. */
static int divide_fluid(const struct weir_block_grid *grid, const double *weight, int ranks,
                        const double *share, int *rank_of) {
    const size_t total = (size_t)grid->total;
    int *blocks = malloc(sizeof *blocks * total), *home = malloc(sizeof *home * total);
    double *of_fluid = malloc(sizeof *of_fluid * total);
    int error = blocks && home && of_fluid ? 0 : fail_memory(ranks);
    if (error == 0) {
        const struct weir_block_set set = {blocks, weir_block_grid_find_fluid(grid, blocks)};
        for (int k = 0; k < set.count; k++)
            of_fluid[k] = weight[blocks[k]];
        error = weir_placement_bisect(grid, &set, of_fluid, ranks, share, home);
        for (int block = 0, next = 0; error == 0 && block < grid->total; block++) {
            next += next < set.count && blocks[next] == block;
            rank_of[block] = set.count == 0 ? 0 : home[next > 0 ? next - 1 : 0];
        }
    }
    free(blocks);
    free(home);
    free(of_fluid);
    return error;
}

int weir_ranks_divide(const struct weir_block_grid *grid, const double *weight, int ranks,
                      const double *share, const int ranks_along[3], int *rank_of) {
    if (ranks_along)
        return divide_along_axes(grid, ranks, ranks_along, rank_of);
    double *equal = malloc(sizeof *equal * (size_t)ranks);
    if (!equal)
        return fail_memory(ranks);
    for (int rank = 0; rank < ranks; rank++)
        equal[rank] = 1;
    const double *wanted = share ? share : equal;
    const int error = grid->solid ? divide_fluid(grid, weight, ranks, wanted, rank_of)
                                  : weir_placement_bisect(grid, NULL, weight, ranks, wanted, rank_of);
    free(equal);
    return error;
}

void weir_ranks_sort(const struct weir_block_grid *grid, const int *rank_of, int ranks, int *first,
                     int *blocks) {
    for (int rank = 0; rank <= ranks; rank++)
        first[rank] = 0;
    for (int block = 0; block < grid->total; block++)
        first[rank_of[block] + 1] += !weir_block_is_solid(grid, block);
    for (int rank = 0; rank < ranks; rank++)
        first[rank + 1] += first[rank];
    for (int block = 0; block < grid->total; block++)
        if (!weir_block_is_solid(grid, block))
            blocks[first[rank_of[block]]++] = block;
    for (int rank = ranks; rank > 0; rank--) /* each has become the end of its rank */
        first[rank] = first[rank - 1];
    first[0] = 0;
}

int weir_ranks_count(const struct weir_problem *problem, const struct weir_block_grid *grid,
                     const int *rank_of, int ranks, struct weir_rank_part *part) {
    struct weir_model model;
    weir_model_make(problem, false, &model);
    /* The last rank by which each rank was seen as a neighbour: one pass per rank finds each once. */
    int *seen_by = malloc(sizeof *seen_by * (size_t)ranks);
    int *first = malloc(sizeof *first * ((size_t)ranks + 1)),
        *sorted = malloc(sizeof *sorted * (size_t)grid->total);
    if (!seen_by || !first || !sorted) {
        free(seen_by);
        free(first);
        free(sorted);
        return fail_memory(ranks);
    }
    weir_ranks_sort(grid, rank_of, ranks, first, sorted);
    for (int rank = 0; rank < ranks; rank++) {
        seen_by[rank] = -1;
        part[rank] = (struct weir_rank_part){.blocks = first[rank + 1] - first[rank]};
    }
    for (int rank = 0; rank < ranks; rank++)
        for (int k = first[rank]; k < first[rank + 1]; k++) {
            const struct weir_box box = weir_block_grid_box(grid, sorted[k]);
            part[rank].cells += weir_box_cells(&box);
            for (int n = 0; n < WEIR_NEIGHBOURS; n++) {
                const struct weir_offset offset = weir_offset(n);
                const int neighbour = weir_block_grid_fluid_neighbour(grid, sorted[k], offset.along);
                if (neighbour < 0 || rank_of[neighbour] == rank)
                    continue;
                const int64_t bytes = weir_model_crossing_bytes(&model, box.extent, offset);
                part[rank].sent_bytes += bytes;
                if (bytes > 0 && seen_by[rank_of[neighbour]] != rank) {
                    seen_by[rank_of[neighbour]] = rank;
                    part[rank].neighbours++;
                }
            }
        }
    free(seen_by);
    free(first);
    free(sorted);
    return 0;
}
