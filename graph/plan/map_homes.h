/* First homes of one rank's blocks by a map that names worker groups of the rank (rank_map.h). Geometry only.
 */
#ifndef WEIR_GRAPH_PLAN_MAP_HOMES_H
#define WEIR_GRAPH_PLAN_MAP_HOMES_H

#include "graph/plan/rank_map.h"

struct weir_map_homes {
    const struct weir_rank_map *map;
    const struct weir_rank_seat *seat; /* of the rank */
    const struct weir_block_grid *grid;
    const struct weir_block_set *set;        /* the rank's blocks */
    const int *region_of;                    /* [set->count] (weir_rank_map_region) */
    const double *weight;                    /* [set->count] as in placement.h */
    const struct weir_worker_groups *groups; /* of the rank */
    const double *share;                     /* [groups->count] of blocks that may live anywhere; not all 0 */
};

/* group_of[set->count]: where each block lives: those of a region that names a GPU or a worker group, there,
 * others anywhere. *found: whether any region of these blocks names one; else group_of is left alone.
 * -WEIR_USAGE where a worker group that is named takes no steps; -WEIR_FAILED when memory is short. */
int weir_map_homes_choose(const struct weir_map_homes *homes, int *group_of, bool *found);

#endif
