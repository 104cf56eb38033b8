/* The constants of a run's collision, which kernels take as a struct of reals (collision.h): computed in
 * double precision, in one place for those who step on a CPU and who launch steps on a GPU. */
#ifndef WEIR_KERNELS_RELAXATION_H
#define WEIR_KERNELS_RELAXATION_H

#include "codelets/kernels/cells/block_view.h"

enum { WEIR_RELAXATION_REALS = 23 + WEIR_PARAMETERS_MAX };

/* In the order of struct relaxation, of which those of a scalar, of its force, of phases, and of a second
 * component come last. */
WEIR_EVERYWHERE void relaxation_values(const struct weir_fluid *fluid, double values[WEIR_RELAXATION_REALS]) {
    values[0] = fluid->omega_plus;
    values[1] = fluid->omega_minus;
    values[2] = 1 - 0.5 * fluid->omega_plus;
    values[3] = 1 - 0.5 * fluid->omega_minus;
    for (int axis = 0; axis < 3; axis++)
        values[4 + axis] = fluid->force[axis];
    values[7] = 1 / fluid->omega_plus;
    values[8] = fluid->eddies;
    for (int k = 0; k < WEIR_PARAMETERS_MAX; k++)
        values[9 + k] = fluid->parameters[k];
    values[WEIR_RELAXATION_REALS - 14] = fluid->scalar_omega_plus;
    values[WEIR_RELAXATION_REALS - 13] = fluid->scalar_omega_minus;
    values[WEIR_RELAXATION_REALS - 12] = fluid->scalar_excess;
    values[WEIR_RELAXATION_REALS - 11] = fluid->scalar_magic;
    values[WEIR_RELAXATION_REALS - 10] = fluid->scalar_mixing;
    for (int axis = 0; axis < 3; axis++)
        values[WEIR_RELAXATION_REALS - 9 + axis] = fluid->buoyancy[axis];
    values[WEIR_RELAXATION_REALS - 6] = fluid->buoyancy_reference;
    values[WEIR_RELAXATION_REALS - 5] = fluid->interaction.pairs;
    values[WEIR_RELAXATION_REALS - 4] = fluid->interaction.squares;
    values[WEIR_RELAXATION_REALS - 3] = fluid->mixture.tau_of_second;
    values[WEIR_RELAXATION_REALS - 2] = fluid->mixture.share_scale;
    values[WEIR_RELAXATION_REALS - 1] = fluid->mixture.share_offset;
}

#endif
