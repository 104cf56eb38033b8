/* Pieces of fluid and pockets (graph/problem/fluid_pieces.h) of a domain of which each rank looks at its own
 * slices. */
#ifndef WEIR_GRAPH_RANK_PIECES_H
#define WEIR_GRAPH_RANK_PIECES_H

#include "graph/problem/fluid_pieces.h"

struct weir_region;
struct weir_world;

/* Finds them, with all cores of all ranks: as many slices for each core. What a rank keeps while it looks is
 * as large as the stretches of fluid in its slices and the pieces that go on from rank to rank. *region,
 * where region is not NULL: the cells of all pockets, the same on all ranks, each of which has its own, the
 * caller's; NULL where there are none. The same whatever the number of ranks. Collective, all ranks having
 * the same problem; world: NULL for one rank. -WEIR_FAILED, agreed, when memory is short. */
int weir_rank_pieces_find(struct weir_world *world, const struct weir_problem *problem,
                          struct weir_region **region, struct weir_fluid_pieces *pieces);

#endif
