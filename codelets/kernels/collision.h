/* What all collisions share: their constants in the kernel's precision, and the choice of the one this object
 * is built for. A collision is a function  collide(real f[POPULATIONS], bool forced, const struct relaxation
 * *)  that turns the populations arriving at a cell into those leaving it. Its file,
 * collision_NAME.h, has its row of the table of collisions (collisions.h), too. */
#ifndef WEIR_KERNELS_COLLISION_H
#define WEIR_KERNELS_COLLISION_H

#include "codelets/kernels/moments.h"

struct relaxation {
    real omega_plus, omega_minus;
    real forcing_plus, forcing_minus; /* 1 - omega / 2 (Guo et al. 2002) */
    real force[3];
};

static inline struct relaxation relaxation_of(const struct weir_fluid *fluid) {
    struct relaxation r;
    r.omega_plus = (real)fluid->omega_plus;
    r.omega_minus = (real)fluid->omega_minus;
    r.forcing_plus = (real)(1 - 0.5 * fluid->omega_plus);
    r.forcing_minus = (real)(1 - 0.5 * fluid->omega_minus);
    for (int axis = 0; axis < 3; axis++)
        r.force[axis] = (real)fluid->force[axis];
    return r;
}

#define WEIR_STRING_(text) #text
#define WEIR_STRING(text) WEIR_STRING_(text)
/* The formatter would take the path for an expression. */
/* clang-format off */
#include WEIR_STRING(codelets/kernels/WEIR_JOIN(collision_, WEIR_COLLISION).h)
/* clang-format on */

#endif
