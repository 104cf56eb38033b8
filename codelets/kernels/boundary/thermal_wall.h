/* Walls of flows with a temperature: the cells within reach of one, three rows of them, have its velocity and
 * its temperature. Before collision all that has arrived there is replaced by equilibrium (N71) at these and
 * at the density of what has arrived. Populations that meet the wall come back to their own cell, so no mass
 * passes. numerics.md (N75). */
#ifndef WEIR_KERNELS_THERMAL_WALL_H
#define WEIR_KERNELS_THERMAL_WALL_H

#include "codelets/kernels/boundary/boundary.h"
#include "codelets/kernels/collision/thermal.h"

#if WITH_WET && WITH_TEMPERATURE

/* The wall within reach of a cell along an axis, 0: none is. In corners of two that of the last axis. */
FUNCTION int thermal_wall_near(const struct weir_block_view *b, int x, int y, int z) {
    int found = 0;
    for (int axis = 0; axis < DIMENSIONS; axis++)
        for (int away = -REACH; away <= REACH; away++) {
            const uint8_t flag = *flag_of(b, x + (axis == 0 ? away : 0), y + (axis == 1 ? away : 0), z);
            if (is_wall(flag) && b->boundary_rows[flag].rule == WEIR_RULE_THERMAL_WALL)
                found = flag;
        }
    return found;
}

/* Sets what has arrived at a cell to equilibrium at the wall's velocity and temperature. What is seen of a
 * cell is in the middle of the step, so velocity and temperature are those before half a step of gravity. */
FUNCTION void set_to_wall(const struct weir_block_view *b, int wall, bool forced,
                          const struct body_force *body, real f[POPULATIONS]) {
    struct thermal_state s = {
        excess_of(f),
        {(real)WEIR_D2Q37_R * constant_value(b, wall, 0), (real)WEIR_D2Q37_R * constant_value(b, wall, 1)},
        constant_value(b, wall, 2)};
    if (forced) {
        real gravity[3];
        force_on_cell(body, f, gravity);
        const real x = (real)WEIR_D2Q37_R * gravity[0], y = (real)WEIR_D2Q37_R * gravity[1];
        s.velocity[0] = fma_real((real)-0.5, x, s.velocity[0]);
        s.velocity[1] = fma_real((real)-0.5, y, s.velocity[1]);
        s.heat = fma_real((real)-0.125, fma_real(x, x, y * y), s.heat);
    }
    const struct fourth_order h = thermal_equilibrium(&s);
    set_populations(&h, false, 0, s.excess, f);
}

#endif

#endif
