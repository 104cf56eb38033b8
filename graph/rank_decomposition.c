#include "graph/rank_decomposition.h"

#include "codelets/block.h"
#include "graph/base/error.h"
#include "graph/plan/rank_map.h"
#include "graph/plan/ranks.h"
#include "graph/plan/time_model.h"
#include "graph/problem/fluid_estimate.h"
#include "graph/problem/forms.h"
#include "graph/problem/solid_blocks.h"
#include "graph/ranks/host_share.h"
#include "graph/ranks/world.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Where nothing is measured, a GPU counts as so many cores (an H100: 17.3 GLUPS; a core of its host: 0.07).
 */
static const double CORES_PER_GPU = 200;

struct weir_step_workers weir_rank_decomposition_workers(const struct weir_world *world,
                                                         const struct weir_step_workers *here) {
    if (weir_world_size(world) == 1 || weir_world_pretends(world))
        return *here;
    int count[3] = {here->cpus, here->gpus, here->teams};
    MPI_Allreduce(MPI_IN_PLACE, count, 3, MPI_INT, MPI_SUM, weir_world_comm(world));
    return (struct weir_step_workers){
        .cpus = count[0], .gpus = count[1], .teams = count[2], .ranks = weir_world_size(world)};
}

void weir_rank_decomposition_shares(const struct weir_world *world, const struct weir_step_workers *here,
                                    double speed, double *share) {
    if (weir_world_size(world) == 1 || weir_world_pretends(world)) { /* all are alike */
        for (int rank = 0; rank < weir_world_size(world); rank++)
            share[rank] = 1;
        return;
    }
    const MPI_Comm comm = weir_world_comm(world);
    double least;
    MPI_Allreduce(&speed, &least, 1, MPI_DOUBLE, MPI_MIN, comm);
    const double mine = least > 0 ? speed : here->gpus > 0 ? CORES_PER_GPU * here->gpus : here->cpus;
    MPI_Allgather(&mine, 1, MPI_DOUBLE, share, 1, MPI_DOUBLE, comm);
}

int weir_rank_decomposition_find_solid(struct weir_world *world, const struct weir_problem *problem,
                                       struct weir_block_grid *grid, bool **solid) {
    const bool together = weir_world_size(world) > 1 && !weir_world_pretends(world);
    const int error =
        weir_world_agree(world, weir_solid_blocks_look(problem, grid, together ? weir_world_rank(world) : 0,
                                                       together ? weir_world_size(world) : 1, solid));
    if (error != 0) {
        free(*solid);
        *solid = NULL;
        return error;
    }
    if (*solid && together)
        MPI_Allreduce(MPI_IN_PLACE, *solid, grid->total, MPI_C_BOOL, MPI_LOR, weir_world_comm(world));
    weir_solid_blocks_settle(grid, solid);
    return 0;
}

bool weir_rank_decomposition_costs(const struct weir_world *world, const struct weir_machine *machine,
                                   struct weir_cell_costs costs[WEIR_CELL_KIND_COUNT]) {
    enum { NUMBERS = WEIR_CELL_KIND_COUNT * sizeof *costs / sizeof(double) };
    struct weir_cell_costs measured[WEIR_CELL_KIND_COUNT] = {{0, 0, 0}};
    int known = machine && weir_time_model_costs(machine, measured);
    const bool together = weir_world_size(world) > 1 && !weir_world_pretends(world);
    if (together) {
        MPI_Allreduce(MPI_IN_PLACE, &known, 1, MPI_INT, MPI_MIN, weir_world_comm(world));
        MPI_Allreduce(MPI_IN_PLACE, measured, NUMBERS, MPI_DOUBLE, MPI_SUM, weir_world_comm(world));
        MPI_Bcast(measured, NUMBERS, MPI_DOUBLE, 0, weir_world_comm(world)); /* the same bits everywhere */
    }
    const double ranks = together ? weir_world_size(world) : 1;
    for (int kind = 0; kind < WEIR_CELL_KIND_COUNT; kind++)
        costs[kind] =
            known ? (struct weir_cell_costs){measured[kind].fluid / ranks, measured[kind].wall / ranks,
                                             measured[kind].solid / ranks}
                  : weir_cell_kinds[kind].cost;
    return known;
}

/* The weights of blocks from `begin` on, until `end`. */
static void weigh(const struct weir_problem *problem, const struct weir_block_grid *grid,
                  const struct weir_cell_costs costs[WEIR_CELL_KIND_COUNT], int begin, int end,
                  double *weight) {
    for (int block = begin; block < end; block++) {
        const struct weir_box box = weir_block_grid_box(grid, block);
        weight[block] = 0;
        if (weir_block_is_solid(grid, block))
            continue;
        const struct weir_cell_counts cells = weir_cells_estimate(problem, &box, -1);
        weight[block] = weir_cells_cost(&costs[weir_block_kind(problem, &box, cells.fluid)], cells.fluid,
                                        cells.wall, cells.solid);
    }
}

int weir_rank_decomposition_weights(struct weir_world *world, const struct weir_problem *problem,
                                    const struct weir_block_grid *grid,
                                    const struct weir_cell_costs costs[WEIR_CELL_KIND_COUNT],
                                    double *weight) {
    const int ranks = weir_world_size(world);
    if (ranks == 1 || weir_world_pretends(world) || problem->shape_count == 0) {
        weigh(problem, grid, costs, 0, grid->total, weight);
        return 0;
    }
    /* Bodies are looked at cell by cell: blocks in the order of their numbers, as many for each rank. */
    int *begin = malloc(sizeof *begin * ((size_t)ranks + 1)), *count = malloc(sizeof *count * (size_t)ranks);
    int error = begin && count
                    ? 0
                    : weir_fail(WEIR_FAILED, "out of memory while dividing the domain among %d ranks", ranks);
    error = weir_world_agree(world, error);
    if (error == 0) {
        const int rank = weir_world_rank(world);
        begin[0] = 0;
        for (int r = 0; r < ranks; r++) {
            begin[r + 1] = (int)((int64_t)grid->total * (r + 1) / ranks);
            count[r] = begin[r + 1] - begin[r];
        }
        weigh(problem, grid, costs, begin[rank], begin[rank + 1], weight);
        MPI_Allgatherv(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, weight, count, begin, MPI_DOUBLE,
                       weir_world_comm(world));
    }
    free(begin);
    free(count);
    return error;
}

void weir_rank_decomposition_seats(const struct weir_world *world, const struct weir_host_share *share,
                                   struct weir_rank_seat *seats) {
    struct weir_rank_seat mine = {.gpus = 0};
    if (weir_world_size(world) == 1) {
        gethostname(mine.host, sizeof mine.host - 1);
        mine.gpus = weir_runtime_gpus();
        mine.gpus = mine.gpus < WEIR_GPUS_MAX ? mine.gpus : WEIR_GPUS_MAX;
        for (int gpu = 0; gpu < mine.gpus; gpu++)
            mine.gpu[gpu] = gpu;
        seats[0] = mine;
        return;
    }
    snprintf(mine.host, sizeof mine.host, "%s", weir_world_host(world, weir_world_rank(world)));
    mine.gpus = share->gpus;
    memcpy(mine.gpu, share->gpu, sizeof mine.gpu);
    MPI_Allgather(&mine, sizeof mine, MPI_BYTE, seats, sizeof mine, MPI_BYTE, weir_world_comm(world));
}

int weir_rank_decomposition_make(struct weir_world *world, const struct weir_problem *problem,
                                 const struct weir_block_grid *grid, const struct weir_step_workers *here,
                                 double speed, const struct weir_cell_costs costs[WEIR_CELL_KIND_COUNT],
                                 const int ranks_along[3], const struct weir_rank_map *map,
                                 const struct weir_rank_seat *seats, int *rank_of) {
    double *share = malloc(sizeof *share * (size_t)weir_world_size(world));
    double *weight = malloc(sizeof *weight * (size_t)grid->total);
    int error = share && weight ? 0
                                : weir_fail(WEIR_FAILED, "out of memory while dividing %d blocks among ranks",
                                            grid->total);
    error = weir_world_agree(world, error);
    if (error == 0) {
        weir_rank_decomposition_shares(world, here, speed, share);
        error = weir_rank_decomposition_weights(world, problem, grid, costs, weight);
    }
    if (error == 0 && map)
        error = weir_rank_map_divide(map, grid, weight, seats, weir_world_size(world), share, rank_of);
    else if (error == 0)
        error = weir_ranks_divide(grid, weight, weir_world_size(world), share,
                                  ranks_along[0] > 0 ? ranks_along : NULL, rank_of);
    free(share);
    free(weight);
    return error;
}
