/* What all collisions share: their constants in the kernel's precision, and the choice of the one this object
 * is built for. A collision is a function  collide_flow(real f[POPULATIONS], bool forced, const struct
 * relaxation *)  that turns the populations arriving at a cell into those leaving it, and a function
 * odd_rate(omega, relaxation)  that says at which rate its odd moments relax where a cell has a rate of its
 * own. Its file, collision_NAME.h, has its row of the table of collisions (collisions.h), too. */
#ifndef WEIR_KERNELS_COLLISION_H
#define WEIR_KERNELS_COLLISION_H

#include "codelets/kernels/collision/moments.h"
#include "codelets/kernels/collision/relaxation.h"

struct relaxation {
    real omega_plus, omega_minus;
    real forcing_plus, forcing_minus; /* 1 - omega / 2 (Guo et al. 2002) */
    real force[3];
    real tau, eddies;                    /* relaxation time; factor of the large-eddy model (eddies.h) */
    real parameter[WEIR_PARAMETERS_MAX]; /* of the collision, in the order of its row */
#if WITH_FURTHER
    real scalar_plus, scalar_minus;
    real scalar_excess, scalar_magic, scalar_mixing; /* as in struct weir_fluid */
#endif
#if WITH_BUOYANCY
    real buoyancy[3], reference; /* as in struct body_force */
#endif
#if WITH_PHASES
    real pairs, squares; /* as in struct body_force */
#endif
#if WITH_COMPONENTS
    real tau_of_second, share_scale, share_offset; /* as in struct weir_mixture */
#endif
};

WEIR_EVERYWHERE struct relaxation relaxation_of(const struct weir_fluid *fluid) {
    double values[WEIR_RELAXATION_REALS];
    real reals[sizeof(struct relaxation) / sizeof(real) + 5 * !WITH_FURTHER + 4 * !WITH_BUOYANCY +
                           2 * !WITH_PHASES + 3 * !WITH_COMPONENTS ==
                       WEIR_RELAXATION_REALS
                   ? WEIR_RELAXATION_REALS
                   : -1];
    struct relaxation r;
    relaxation_values(fluid, values);
    for (int k = 0; k < WEIR_RELAXATION_REALS; k++)
        reals[k] = (real)values[k];
    memcpy(&r, reals, sizeof r);
    return r;
}

FUNCTION struct body_force body_force_of(const struct relaxation *r) {
    struct body_force body;
    for (int axis = 0; axis < 3; axis++) {
        body.constant[axis] = r->force[axis];
#if WITH_BUOYANCY
        body.buoyancy[axis] = r->buoyancy[axis];
#endif
    }
#if WITH_BUOYANCY
    body.reference = r->reference;
#endif
#if WITH_PHASES
    body.pairs = r->pairs;
    body.squares = r->squares;
#endif
    return body;
}

#if WITH_BUOYANCY

/* The same with the force on a cell with these populations as the one of all. */
FUNCTION struct relaxation with_force_on_cell(const struct relaxation *r, const real f[POPULATIONS]) {
    const struct body_force body = body_force_of(r);
    struct relaxation other = *r;
    force_on_cell(&body, f, other.force);
    return other;
}

#endif

/* The same with other rates. */
FUNCTION struct relaxation with_rates(const struct relaxation *r, real omega_plus, real omega_minus) {
    struct relaxation other = *r;
    other.omega_plus = omega_plus;
    other.omega_minus = omega_minus;
    other.forcing_plus = fma_real((real)-0.5, omega_plus, (real)1);
    other.forcing_minus = fma_real((real)-0.5, omega_minus, (real)1);
    return other;
}

#define WEIR_STRING_(text) #text
#define WEIR_STRING(text) WEIR_STRING_(text)
/* The formatter would take the path for an expression. */
/* clang-format off */
#include WEIR_STRING(codelets/kernels/collision/WEIR_JOIN(collision_, WEIR_COLLISION).h)
/* clang-format on */
#include "codelets/kernels/collision/conductors.h"
#include "codelets/kernels/collision/mixture.h"
#include "codelets/kernels/collision/scalar.h"
#include "codelets/kernels/collision/turbulence.h"

#ifdef WEIR_PROPAGATION

/* Cells that pass on what arrives at them: what streaming alone costs (weir bench kernels,
 * layouts). */
FUNCTION void collide(real f[POPULATIONS], bool forced, const struct relaxation *r) {
    (void)f, (void)forced, (void)r;
}

#else

/* All sets of a cell. The scalar goes first, for it wants the velocity that the flow arrives with; what both
 * compute of it is computed once. */
FUNCTION void collide(real f[POPULATIONS], bool forced, const struct relaxation *r) {
#if WITH_BUOYANCY
    const struct relaxation of_cell = with_force_on_cell(r, f);
    r = &of_cell;
#endif
#if WITH_COMPONENTS
    const struct relaxation mixed = relaxation_of_mixture(f, r);
    r = &mixed;
#endif
#if CONDUCTOR_VALUES
    real arrived[FLOW_POPULATIONS];
    for (int i = 0; i < FLOW_POPULATIONS; i++)
        arrived[i] = f[i];
#endif
#if WITH_TURBULENCE
    const struct relaxation local = relaxation_among_eddies(f, forced, r);
    r = &local;
#endif
#if WITH_SCALAR
    collide_scalar(f, moments_of(f, forced, r->force), r->scalar_plus, r->scalar_minus);
#endif
    collide_flow(f, forced, r);
#if CONDUCTOR_VALUES
    turn_round(arrived, f);
#endif
}

#endif

#endif
