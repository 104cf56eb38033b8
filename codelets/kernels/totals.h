/* Sums over cells whose result does not depend on the order of the cells, so that totals have the same bits
 * however the domain is cut and whoever computes: every cell's contribution is rounded to a multiple of 2^-56
 * and added as an integer. */
#ifndef WEIR_KERNELS_TOTALS_H
#define WEIR_KERNELS_TOTALS_H

#include <math.h>
#include <stdint.h>

/* high * 2^-24 + low * 2^-56. Each contribution's low part is in [0, 2^32], so a block, of at most 2^30
 * cells, adds its own in any order and needs no carry: there is room for 2^32 contributions. Blocks are added
 * with one. `high` has room for a sum of magnitude 2^39, which is that of 2^39 cells of density 2. */
struct weir_exact_sum {
    int64_t high;
    uint64_t low;
};

/* Brings `low` below 2^32: the same number, in the one form that equal sums share. */
static inline void weir_exact_sum_carry(struct weir_exact_sum *sum) {
    sum->high += (int64_t)(sum->low >> 32);
    sum->low &= UINT32_MAX;
}

/* sum: carried, and so it stays. */
static inline void weir_exact_sum_add(struct weir_exact_sum *sum, const struct weir_exact_sum *part) {
    struct weir_exact_sum carried = *part;
    weir_exact_sum_carry(&carried);
    sum->high += carried.high;
    sum->low += carried.low;
    weir_exact_sum_carry(sum);
}

static inline double weir_exact_sum_value(const struct weir_exact_sum *sum) {
    return ldexp((double)sum->high, -24) + ldexp((double)sum->low, -56);
}

/* Sums of a boundary whose links are counted: mass into the fluid, force of the fluid along x, y, z, and what
 * comes into it of a scalar. */
enum {
    WEIR_FLOW_MASS,
    WEIR_FLOW_FORCE,
    WEIR_FLOW_SCALAR = WEIR_FLOW_FORCE + 3,
    WEIR_FLOW_SUMS,
    WEIR_FLOW_SHARES = 32
};

/* What passes such a boundary of a block. A step adds to the sums of its parity, which are zero before it;
 * meanwhile those of the step before the last go into `mass` and become zero. Threads take different shares,
 * because additions to one word take turns. */
struct weir_boundary_flow {
    struct weir_exact_sum mass; /* passed in all steps but the last; carried */
    struct weir_exact_sum step[2][WEIR_FLOW_SHARES][WEIR_FLOW_SUMS];
    struct weir_exact_sum torque[2][WEIR_FLOW_SHARES][3]; /* used where links have values of their own */
};

enum { WEIR_TOTALS_WALLS_MAX = 128 };

/* What one block contributes at one step. The largest speed is kept twice: exactly, and packed with its place
 * (the bits of the squared speed as float, then the complement of the cell's number in the block, so that the
 * first of equals wins). */
struct weir_partial_totals {
    struct weir_exact_sum
        fifth; /* sum of a scalar, or of internal energy; first, because only some kernels add to it */
    struct weir_exact_sum mass_excess; /* sum of density - 1 */
    struct weir_exact_sum momentum[3];
    struct weir_exact_sum kinetic_energy;
    uint64_t
        largest_square; /* bits of the squared speed as double: ordered like the numbers, which are >= 0 */
    uint64_t largest_square_place; /* packed as above */
    uint64_t diverged_cell; /* smallest number of a cell that is not finite or too fast; UINT64_MAX: none */
    struct weir_exact_sum force[WEIR_TOTALS_WALLS_MAX]
                               [3]; /* on walls, by number; gauge pressure (density 1 exerts none) */
    struct weir_exact_sum torque[WEIR_TOTALS_WALLS_MAX][3];   /* where links have values of their own */
    struct weir_exact_sum mass_flow[WEIR_TOTALS_WALLS_MAX];   /* into the fluid, in the last step */
    struct weir_exact_sum mass_passed[WEIR_TOTALS_WALLS_MAX]; /* the same in all steps */
    struct weir_exact_sum
        scalar_flow[WEIR_TOTALS_WALLS_MAX]; /* of a scalar into the fluid, in the last step */
};

/* Adds what other cells of the same block contribute. */
static inline void weir_partial_totals_add(struct weir_partial_totals *totals,
                                           const struct weir_partial_totals *part) {
    weir_exact_sum_add(&totals->mass_excess, &part->mass_excess);
    weir_exact_sum_add(&totals->kinetic_energy, &part->kinetic_energy);
    weir_exact_sum_add(&totals->fifth, &part->fifth);
    for (int axis = 0; axis < 3; axis++) {
        weir_exact_sum_add(&totals->momentum[axis], &part->momentum[axis]);
        for (int wall = 0; wall < WEIR_TOTALS_WALLS_MAX; wall++) {
            weir_exact_sum_add(&totals->force[wall][axis], &part->force[wall][axis]);
            weir_exact_sum_add(&totals->torque[wall][axis], &part->torque[wall][axis]);
        }
    }
    for (int wall = 0; wall < WEIR_TOTALS_WALLS_MAX; wall++) {
        weir_exact_sum_add(&totals->mass_flow[wall], &part->mass_flow[wall]);
        weir_exact_sum_add(&totals->mass_passed[wall], &part->mass_passed[wall]);
        weir_exact_sum_add(&totals->scalar_flow[wall], &part->scalar_flow[wall]);
    }
    if (part->largest_square > totals->largest_square)
        totals->largest_square = part->largest_square;
    if (part->largest_square_place > totals->largest_square_place)
        totals->largest_square_place = part->largest_square_place;
    if (part->diverged_cell < totals->diverged_cell)
        totals->diverged_cell = part->diverged_cell;
}

/* What one block contributes to the test for a steady flow: bits of doubles >= 0, as above, or of NaN where
 * any velocity is. */
struct weir_partial_change {
    uint64_t largest_change; /* of a velocity component since the last time */
    uint64_t largest_speed;  /* of a velocity component */
};

#endif
