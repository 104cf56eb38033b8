/* Placement at the start: which part of the machine each block lives on. */
#ifndef WEIR_GRAPH_HOMES_H
#define WEIR_GRAPH_HOMES_H

#include "graph/domain.h"

/* Gives every part a compact region of blocks, whose weights (weir_block_weight) are as near to the shares as
 * whole blocks allow, and sets the blocks' homes. share[parts]: any unit, not all 0. -WEIR_FAILED when memory
 * is short.
 */
int weir_homes_choose(struct weir_domain *domain, int parts, const double *share);

/* Sets the homes, part_of[blocks], at the start or while tasks are under way. */
void weir_homes_set(struct weir_domain *domain, const int *part_of);

#endif
