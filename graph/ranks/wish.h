/* Ranks find out whether one of them wishes for something, while they compute: each asks at the same steps,
 * and has the answer when it asks the next time. */
#ifndef WEIR_GRAPH_RANKS_WISH_H
#define WEIR_GRAPH_RANKS_WISH_H

#include "graph/ranks/world.h"

struct weir_wish;

/* Collective. A world of one is allowed. Error: -WEIR_FAILED (no memory), on this rank. */
int weir_wish_create(struct weir_world *world, struct weir_wish **wish);

/* Says whether this rank wishes it, and returns whether one did when all asked the last time; in a world of
 * one, now. Collective; waits for ranks that have not come to the question before this one. */
bool weir_wish_ask(struct weir_wish *wish, bool wished);

/* ended_well: all ranks have asked equally often, and what is under way is waited for. NULL is allowed. */
void weir_wish_destroy(struct weir_wish *wish, bool ended_well);

#endif
