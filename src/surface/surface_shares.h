/* Which rank makes which part of the surface of bodies: boxes (surface_boxes.h), one after the other, so that
 * each rank has about as much of the surface. That has nothing to do with whose cells are where: blocks may
 * move, the surface stays. */
#ifndef WEIR_SRC_SURFACE_SURFACE_SHARES_H
#define WEIR_SRC_SURFACE_SURFACE_SHARES_H

#include "graph/problem/problem.h"
#include "graph/ranks/agreement.h"

/* Collective, on ranks that all have the same problem and wanted[WEIR_WALLS_MAX].
 * own[weir_surface_box_count]: the boxes of this rank; of one alone, all. -WEIR_FAILED when memory is short,
 * on all ranks alike. */
int weir_surface_shares_find(const struct weir_problem *problem, const bool *wanted,
                             const struct weir_agreeing *who, bool *own);

#endif
