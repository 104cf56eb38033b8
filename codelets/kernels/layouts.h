/* Layouts of weir bench layouts in kernel texts: one text for all, told by WEIR_CLUSTER (cells) and
 * WEIR_TOGETHER (0, 1), as in cells/site_layout.h. */
#ifndef WEIR_KERNELS_LAYOUTS_H
#define WEIR_KERNELS_LAYOUTS_H

#include "codelets/kernels/cells/site_layout.h"
#include "codelets/kernels/collision/collision.h"
#include "codelets/kernels/lattice/directions.h"

enum { CLUSTER = WEIR_CLUSTER, TOGETHER = WEIR_TOGETHER };

/* Numbers to the next cluster of a row, and from one population of a cluster to the next: known to compilers
 * where populations lie together. */
enum { CLUSTER_STEP = CLUSTER * (TOGETHER ? (int)(POPULATIONS) : 1) };
FUNCTION ptrdiff_t population_step(const struct weir_site_layout *l) {
    return TOGETHER ? (ptrdiff_t)CLUSTER : l->array;
}

/* Number of population i of cluster j of a row, of its first cell. */
FUNCTION ptrdiff_t number_of(const struct weir_site_layout *l, int i, int j, int y, int z) {
    return i * population_step(l) + (l->first + z * l->plane + y * l->row + j) * CLUSTER_STEP;
}

#endif
