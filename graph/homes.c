#include "graph/homes.h"

#include "graph/error.h"
#include "graph/placement.h"

#include <stdlib.h>

/* Whether any block around this one is at home elsewhere. */
static bool at_border(const struct weir_domain *domain, const int *part_of, int number) {
    for (int k = 0; k < WEIR_NEIGHBOURS; k++) {
        const int offset[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
        const int neighbour = weir_block_grid_neighbour(&domain->grid, number, offset);
        if (neighbour >= 0 && part_of[neighbour] != part_of[number])
            return true;
    }
    return false;
}

void weir_homes_set(struct weir_domain *domain, const int *part_of) {
    for (int number = 0; number < domain->grid.total; number++) {
        domain->blocks[number].home.part = part_of[number];
        domain->blocks[number].home.border = at_border(domain, part_of, number);
    }
}

int weir_homes_choose(struct weir_domain *domain, int parts, const double *share) {
    const size_t blocks = (size_t)domain->grid.total;
    double *weight = malloc(sizeof *weight * blocks);
    int *part_of = malloc(sizeof *part_of * blocks);
    int error;
    if (weight && part_of) {
        for (int number = 0; number < domain->grid.total; number++)
            weight[number] = weir_block_weight(&domain->blocks[number]);
        error = weir_placement_bisect(&domain->grid, weight, parts, share, part_of);
        if (error == 0)
            weir_homes_set(domain, part_of);
    } else
        error = weir_fail(WEIR_FAILED, "out of memory while placing %d blocks; choose larger blocks",
                          domain->grid.total);
    free(weight);
    free(part_of);
    return error;
}
