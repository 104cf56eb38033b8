/* All ranks' shares of a surface on rank 0, in the one order that does not depend on how many ranks there
 * are: its triangles once, and what there is at each at every step that is written. */
#ifndef WEIR_SRC_OUTPUT_SURFACE_GATHERING_H
#define WEIR_SRC_OUTPUT_SURFACE_GATHERING_H

#include "graph/ranks/agreement.h"
#include "src/surface/wall_surface.h"

enum { WEIR_SURFACE_VALUES = 4 }; /* of each triangle: stress, pressure */

struct weir_surface_gathering {
    int64_t count; /* triangles of all ranks; known to all */
    /* on rank 0: */
    struct weir_triangles triangles; /* [count] */
    uint8_t *walls;                  /* [count] */
    /* its own: */
    const struct weir_agreeing *who;
    int rank, ranks;
    int own;              /* triangles of this rank */
    int *counts, *begins; /* [ranks], on rank 0 */
    int64_t *place;       /* [count], on rank 0: of what comes, in the order of ranks, in what is written */
};

/* Collective. who must outlive the result, which is the caller's. -WEIR_FAILED when memory is short, on all
 * ranks alike. */
int weir_surface_gathering_create(const struct weir_wall_surface *surface, const struct weir_agreeing *who,
                                  struct weir_surface_gathering **result);

/* NULL is allowed. */
void weir_surface_gathering_destroy(struct weir_surface_gathering *gathering);

/* Collective. values: of this rank's triangles, patch by patch; *all: on rank 0 of all [count], the caller's;
 * NULL on others. -WEIR_FAILED when memory is short, on all ranks alike. */
int weir_surface_gather(const struct weir_surface_gathering *gathering,
                        const double (*values)[WEIR_SURFACE_VALUES], double (**all)[WEIR_SURFACE_VALUES]);

#endif
