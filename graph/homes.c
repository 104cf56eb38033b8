#include "graph/homes.h"

#include "graph/error.h"
#include "graph/placement.h"

#include <stdlib.h>

int weir_homes_choose(struct weir_domain *domain, int parts, const double *share) {
    const size_t blocks = (size_t)domain->grid.total;
    double *weight = malloc(sizeof *weight * blocks);
    int *part_of = malloc(sizeof *part_of * blocks);
    int error;
    if (weight && part_of) {
        for (int number = 0; number < domain->grid.total; number++)
            weight[number] = weir_block_weight(&domain->blocks[number]);
        error = weir_placement_bisect(&domain->grid, weight, parts, share, part_of);
        for (int number = 0; number < domain->grid.total && error == 0; number++)
            domain->blocks[number].home = part_of[number];
    } else
        error = weir_fail(WEIR_FAILED, "out of memory while placing %d blocks; choose larger blocks",
                          domain->grid.total);
    free(weight);
    free(part_of);
    return error;
}
