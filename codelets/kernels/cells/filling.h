/* How full the cells of a liquid with a free surface are (free_surface.h). Behind a cell's populations rest
 *
 *   its mass:  of cells at the surface, how much liquid is in them; of others, what they have above what is
 *              in such a cell, their density or nothing, and could not hand on yet (N82)
 *   its level: 0 of gas, 3 of liquid, 1 + fill level at the surface: what it is, and how full, for the two
 *              steps of a pair
 *   where the surface has a tension, by how much that raises the density of cells at the surface, for as long
 *   where gas that is enclosed has a pressure of its own: how much gas is in the cell, in densities of the
 *          liquid times the cell's volume; and the density - 1 that the liquid has at the surface of that gas
 *
 * so that zeros, as a checkpoint has them where nothing is computed, are gas. */
#ifndef WEIR_KERNELS_FILLING_H
#define WEIR_KERNELS_FILLING_H

#include "codelets/kernels/boundary/boundary_rules.h"
#include "codelets/kernels/cells/block_view.h"
#include "codelets/kernels/variant.h"

#if WITH_SURFACE

/* The density - 1 of the gas, which is the last of the boundaries, as the case has it. */
FUNCTION real excess_of_gas(const struct weir_block_view *b) {
    return ((const real *)b->boundary_values)[WEIR_KERNEL_VALUES * (b->boundaries - 1)];
}

#define LEVEL_OF_GAS ((real)0)
#define LEVEL_OF_LIQUID ((real)3)

FUNCTION bool level_is_gas(real level) {
    return level < (real)0.5;
}

FUNCTION bool level_is_liquid(real level) {
    return level > (real)2.5;
}

FUNCTION bool level_is_at_surface(real level) {
    return !level_is_gas(level) && !level_is_liquid(level);
}

/* Level of a cell at the surface that holds this share of liquid. */
FUNCTION real level_of_fill(real fill) {
    return (real)1 + (fill < 0 ? (real)0 : fill > 1 ? (real)1 : fill);
}

/* From 0 to 1, of any cell. */
FUNCTION real fill_of_level(real level) {
    return level_is_gas(level) ? (real)0 : level_is_liquid(level) ? (real)1 : level - (real)1;
}

/* Which of these numbers a checkpoint has of a cell that is gas. */
FUNCTION bool stays_in_gas(int number) {
    return number == SURFACE_MASS ||
           (WITH_BUBBLES && (number == SURFACE_GAS || number == SURFACE_GAS_EXCESS));
}

/* What is in a cell that is not gas. excess: of its density, above 1. */
FUNCTION real mass_of_cell(const real f[POPULATIONS], real excess) {
    return level_is_liquid(f[SURFACE_LEVEL]) ? ((real)1 + excess) + f[SURFACE_MASS] : f[SURFACE_MASS];
}

#if WITH_BUBBLES

/* How much gas is in a cell of this fill level, of gas of this density. */
FUNCTION real gas_of_density(double density, real fill) {
    return (real)(density * (1.0 - (double)fill));
}

#endif

/* By how much tension raises the density at the surface in a cell. */
FUNCTION real tension_of_cell(const real f[POPULATIONS]) {
#if WITH_TENSION
    return f[SURFACE_TENSION];
#else
    (void)f;
    return 0;
#endif
}

#endif

#endif
