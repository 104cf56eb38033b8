/* Walls whose links have values of their own (struct weir_links): interpolated bounce-back. A row of
 * boundary.h as any other, in a file of its own because it looks at what arrived at the cell as well. In
 * texts of runs with such walls only (WEIR_LINKS). */
#ifndef WEIR_KERNELS_LINKS_H
#define WEIR_KERNELS_LINKS_H

#include "codelets/kernels/boundary/boundary_rules.h"
#include "codelets/kernels/cells/addressing.h"

#ifdef WEIR_LINKS
#define WITH_LINKS 1
#else
#define WITH_LINKS 0
#endif

struct boundary_link {
    int boundary;
    struct direction d; /* from the fluid cell to the boundary */
    real weight;
    int x, y, z;        /* of the fluid cell */
    const real *values; /* [WEIR_KERNEL_VALUES] of the boundary, at hand; NULL: as the block has them */
};

#if WITH_LINKS

/* Number of the cell at x, which is one of its group, among all such cells. */
FUNCTION int place_in_group(struct weir_link_group group, int x) {
    return (int)group.first + count_bits(group.linked & ((1u << x % WEIR_LINK_GROUP_CELLS) - 1));
}

/* Values of a link of a cell that meets a boundary in these directions. */
FUNCTION const real *values_of_link(const struct weir_block_view *b, const struct boundary_link *link,
                                    direction_set walls) {
    const int row = link->z * own_extent(b, 1) + link->y;
    const struct weir_link_group group =
        b->links.groups[row * weir_link_groups(own_extent(b, 0)) + link->x / WEIR_LINK_GROUP_CELLS];
    const direction_set before = walls & (((direction_set)1 << link->d.i) - 1);
    const size_t entry =
        b->links.first[place_in_group(group, link->x)] + (size_t)count_bits((uint32_t)before);
    return (const real *)b->links.values + WEIR_LINK_VALUES * entry;
}

/* Interpolated bounce-back from populations of the cell alone: numerics.md (N38), after Bouzidi, Firdaouss,
 * Lallemand, Phys. Fluids 13 (2001) 3452, with what Marson, Thorimbert, Chopard, Ginzburg, Latt, Phys. Rev. E
 * 103 (2021) 053308 add so that steady flows do not depend on the viscosity. leaving, leaving_back: f*_i and
 * f*_o, as they are stored. walls: of walls_around; around: of surroundings_of. What arrived is still where
 * it was: the cell has written nothing yet, and no other cell does (docs/streaming.md, S5). */
WEIR_CALLED_AMONG_OTHERS real interpolated(const struct weir_block_view *b, int parity, direction_set walls,
                                           const struct surroundings *around,
                                           const struct boundary_link *link, real leaving,
                                           real leaving_back) {
    const struct direction d = link->d;
    const struct direction reverse = opposite(d);
    const real *const values = values_of_link(b, link, walls);
    const real share = values[WEIR_LINK_SHARE];
    const real change =
        leaving - arrived_along(b, parity, walls >> d.o & 1, around, d, link->x, link->y, link->z);
    const real opposite_change =
        leaving_back - arrived_along(b, parity, walls >> d.i & 1, around, reverse, link->x, link->y, link->z);
    const real even = (real)0.5 * (change + opposite_change), odd = (real)0.5 * (change - opposite_change);
    const real difference = share > 0 ? leaving_back + odd - leaving : even;
    return fma_real(share, difference, leaving) - values[WEIR_LINK_MOMENTUM];
}

#endif

#endif
