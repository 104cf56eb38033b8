/* A decomposition of the domain as a user gives it: boxes of cells, each for a rank or a host, perhaps for
 * one GPU there, as in TheLMA's configuration files (Obrecht et al., paper 002, code 2). Here a box may hold
 * many blocks. Knows neither files nor MPI. */
#ifndef WEIR_GRAPH_PLAN_RANK_MAP_H
#define WEIR_GRAPH_PLAN_RANK_MAP_H

#include "graph/base/visible_gpus.h"
#include "graph/plan/worker_groups.h"
#include "graph/problem/blocks.h"

enum { WEIR_RANK_REGIONS_MAX = 4096, WEIR_REGION_HOST = 256, WEIR_SEAT_HOST = 64 };

struct weir_rank_region {
    struct weir_box box;
    int rank;                    /* -1: by host */
    char host[WEIR_REGION_HOST]; /* with or without its domain; "": by rank */
    int gpu;                     /* its number on the host; -1: none is named */
    char group[24];              /* of the rank, as in placement.shares; "": none is named */
};

struct weir_rank_map {
    char *source; /* what messages begin with: "maps/two.json: ", "case.json: ranks.map." */
    struct weir_rank_region *regions;
    int count;
};

/* NULL is allowed. */
void weir_rank_map_destroy(struct weir_rank_map *map);

/* Where a rank is. GPUs of a host are numbered in the order in which its ranks see them: where all see all,
 * as CUDA does. */
struct weir_rank_seat {
    char host[WEIR_SEAT_HOST];
    int gpus;
    int gpu[WEIR_GPUS_MAX]; /* numbers on the host of the GPUs that the rank calls 0, 1, ... */
};

/* -WEIR_USAGE unless every cell of the domain belongs to exactly one region; names a place where it does not.
 */
int weir_rank_map_check_cells(const struct weir_rank_map *map, const int cells[3]);

/* -WEIR_USAGE where a region is for a rank, host or GPU that is not there, or no region is for a rank.
 * seats[ranks]. */
int weir_rank_map_check_seats(const struct weir_rank_map *map, const struct weir_rank_seat *seats, int ranks);

/* Seats for ranks of which none is there: hosts are numbered in the order in which the map names them, and
 * have the GPUs that it names. One rank per host, or one per GPU named, whichever makes `ranks`; -WEIR_USAGE
 * where neither does. Where the map names ranks alone, any number will do. */
int weir_rank_map_expect(const struct weir_rank_map *map, int ranks, struct weir_rank_seat *seats);

/* The region that most cells of each block belong to, the first of several: region_of[grid->total].
 * -WEIR_USAGE where a region has no block, -WEIR_FAILED when memory is short. */
int weir_rank_map_blocks(const struct weir_rank_map *map, const struct weir_block_grid *grid, int *region_of);

/* That of one block: what it costs does not depend on how many others there are. */
int weir_rank_map_region(const struct weir_rank_map *map, const struct weir_block_grid *grid, int block);

/* Gives every block a rank: rank_of[grid->total]. Regions for a host (without a GPU) that has several ranks
 * are divided among these: weight[grid->total]: cost of each block; share[ranks]: what each can do, any unit,
 * NULL: equal; a rank that is too slow for a block gets none. Errors of both above. */
int weir_rank_map_divide(const struct weir_rank_map *map, const struct weir_block_grid *grid,
                         const double *weight, const struct weir_rank_seat *seats, int ranks,
                         const double *share, int *rank_of);

/* Which worker groups of its rank a region's blocks may have their first homes on: may[groups->count]; all
 * where it names none. -WEIR_USAGE where what it names takes no steps there. */
int weir_rank_map_worker_groups(const struct weir_rank_map *map, int region,
                                const struct weir_rank_seat *seat, const struct weir_worker_groups *groups,
                                bool *may);

#endif
