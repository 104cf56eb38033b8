/* Density, velocity, scalar or temperature of a cell from its populations, and the equilibrium that belongs
 * to them, in deviations from the weights. */
#ifndef WEIR_KERNELS_MOMENTS_H
#define WEIR_KERNELS_MOMENTS_H

#include "codelets/kernels/variant.h"

/* The incompressible equilibrium (He, Luo, J. Stat. Phys. 88 (1997) 927): what carries momentum is the
 * density of rest, 1, in every cell, and what the density is above that is pressure alone. numerics.md (N33).
 */
#ifdef WEIR_EQUILIBRIUM
#define INCOMPRESSIBLE 1
#else
#define INCOMPRESSIBLE 0
#endif

FUNCTION real inertia_of(real density) {
    return INCOMPRESSIBLE ? (real)1 : density;
}

struct moments {
    real excess; /* density - 1 */
    real density;
    real momentum[3], velocity[3]; /* with half the body force where there is one (Guo, Zheng, Shi, Phys. Rev.
                                      E 65 (2002) 046308, eq. 15b) */
#if WITH_SCALAR
    real scalar;
#endif
#if SOURCE_VALUES
    real half_source; /* of which the scalar has half a step */
#endif
#if CONDUCTOR_VALUES
    real content;                     /* the scalar times the heat capacity, which is 1 in the fluid */
    real conductor[CONDUCTOR_VALUES]; /* as it rests in the cell */
#endif
#if WITH_TEMPERATURE
    real temperature; /* 1 is that of the lattice's weights */
#endif
};

#if WITH_FIFTH
/* What a cell has beside density and velocity. */
FUNCTION real fifth_of(const struct moments *m) {
#if WITH_SCALAR
    return m->scalar;
#else
    return m->temperature;
#endif
}
#endif

#if CONDUCTOR_VALUES

/* Whether the cell is of a solid that conducts the scalar. */
FUNCTION bool conducts(const struct moments *m) {
    return m->conductor[CONDUCTOR_INVERSE - CONDUCTOR_PLUS] > 0;
}

/* Nothing flows there, and the scalar is what the content makes of it. */
FUNCTION void make_conductor(const real f[POPULATIONS], struct moments *m) {
    for (int k = 0; k < CONDUCTOR_VALUES; k++)
        m->conductor[k] = f[CONDUCTOR_PLUS + k];
    m->content = m->scalar;
    m->scalar = conducts(m) ? f[CONDUCTOR_INVERSE] * m->content : m->scalar;
    for (int axis = 0; axis < 3; axis++) {
        m->momentum[axis] = conducts(m) ? (real)0 : m->momentum[axis];
        m->velocity[axis] = conducts(m) ? (real)0 : m->velocity[axis];
    }
}

#endif

#if WITH_SCALAR
/* With half of what a step adds to it where there are sources; of a conductor its content. */
FUNCTION real scalar_of(const real f[POPULATIONS]) {
    real sum = f[SCALAR_0];
#define PAIR(i, o, ...) sum += f[i] + f[o];
    FOR_SCALAR_PAIRS(PAIR)
#undef PAIR
#if SOURCE_VALUES
    sum += f[SOURCE_0];
#endif
    return sum;
}
#endif

/* A run's body force per volume, of flows with a temperature per mass: what is the same in all cells, and
 * what a scalar, or the density of a fluid with phases, adds to it for each unit that it is above its
 * reference value (numerics.md, N47, N52). */
struct body_force {
    real constant[3];
#if WITH_BUOYANCY
    real buoyancy[3], reference;
#endif
#if WITH_PHASES
    real pairs, squares; /* shares of the force between cells (cohesion.h) */
#endif
};

WEIR_EVERYWHERE struct body_force body_force_of_fluid(const struct weir_fluid *fluid) {
    struct body_force body;
    for (int axis = 0; axis < 3; axis++) {
        body.constant[axis] = (real)fluid->force[axis];
#if WITH_BUOYANCY
        body.buoyancy[axis] = (real)fluid->buoyancy[axis];
#endif
    }
#if WITH_BUOYANCY
    body.reference = (real)fluid->buoyancy_reference;
#endif
#if WITH_PHASES
    body.pairs = (real)fluid->interaction.pairs;
    body.squares = (real)fluid->interaction.squares;
#endif
    return body;
}

/* Density - 1. */
FUNCTION real excess_of(const real f[POPULATIONS]) {
    real excess = f[0];
#define PAIR(i, o, ...) excess += f[i] + f[o];
    FOR_FLOW_PAIRS(PAIR)
#undef PAIR
    return excess;
}

/* That on a cell with these populations. */
FUNCTION void force_on_cell(const struct body_force *body, const real f[POPULATIONS], real force[3]) {
#if WITH_BUOYANCY
#if WITH_SCALAR
    const real above = scalar_of(f) - body->reference;
#else
    const real above = ((real)1 + excess_of(f)) - body->reference;
#endif
    for (int axis = 0; axis < 3; axis++)
        force[axis] = fma_real(body->buoyancy[axis], above, body->constant[axis]);
#if WITH_PHASES
    for (int axis = 0; axis < DIMENSIONS; axis++)
        force[axis] += f[COHESION_0 + axis];
#endif
#else
    (void)f;
    for (int axis = 0; axis < 3; axis++)
        force[axis] = body->constant[axis];
#endif
}

#if WITH_TEMPERATURE

/* Sum of c^2 f. */
FUNCTION real second_moment_of(const real f[POPULATIONS]) {
    real sum = 0;
#define PAIR(i, o, cx, cy, ...) sum = fma_real((real)((cx) * (cx) + (cy) * (cy)), f[i] + f[o], sum);
    FOR_FLOW_PAIRS(PAIR)
#undef PAIR
    return sum;
}

/* With half a step of gravity (per mass), and the temperature that goes with it (Scagliarini et al., Phys.
 * Fluids 22 (2010) 055101): density 2 T = r^2 sum c^2 f - density r^2 u^2, u without gravity, and of
 * deviations r^2 sum c^2 f is less by 2. */
FUNCTION void add_temperature(const real f[POPULATIONS], bool forced, const real gravity[3],
                              struct moments *m) {
    const real flux = fma_real(m->momentum[0], m->velocity[0], m->momentum[1] * m->velocity[1]);
    const real above = fma_real((real)INVERSE_CS2, second_moment_of(f) - flux, (real)-2 * m->excess);
    m->temperature = (real)1 + (real)0.5 * (above / m->density);
    if (forced) {
        const real square = fma_real(gravity[0], gravity[0], gravity[1] * gravity[1]);
        m->temperature = fma_real((real)(0.125 * INVERSE_CS2), square, m->temperature);
        for (int axis = 0; axis < 2; axis++) {
            m->velocity[axis] = fma_real((real)0.5, gravity[axis], m->velocity[axis]);
            m->momentum[axis] = m->density * m->velocity[axis];
        }
    }
}

#endif

/* f[q]: populations as deviations. force: per volume, of flows with a temperature per mass; read only when
 * forced. */
FUNCTION struct moments moments_of(const real f[POPULATIONS], bool forced, const real force[3]) {
    struct moments m;
    real excess = f[0];
    real momentum[3] = {0, 0, 0};
#define PAIR(i, o, cx, cy, cz, w)                              \
    {                                                          \
        excess += f[i] + f[o];                                 \
        const real difference = f[i] - f[o];                   \
        momentum[0] = add_signed(momentum[0], cx, difference); \
        momentum[1] = add_signed(momentum[1], cy, difference); \
        momentum[2] = add_signed(momentum[2], cz, difference); \
    }
    FOR_FLOW_PAIRS(PAIR)
#undef PAIR
    if (forced && !WITH_TEMPERATURE) {
        momentum[0] = fma_real((real)0.5, force[0], momentum[0]);
        momentum[1] = fma_real((real)0.5, force[1], momentum[1]);
        if (DIMENSIONS == 3)
            momentum[2] = fma_real((real)0.5, force[2], momentum[2]);
    }
    m.excess = excess;
    m.density = (real)1 + excess;
    const real inverse = (real)1 / inertia_of(m.density);
    for (int axis = 0; axis < 3; axis++) {
        m.momentum[axis] = momentum[axis];
        m.velocity[axis] = momentum[axis] * inverse;
    }
#if WITH_SCALAR
    m.scalar = scalar_of(f);
#endif
#if SOURCE_VALUES
    m.half_source = f[SOURCE_0];
#endif
#if CONDUCTOR_VALUES
    make_conductor(f, &m);
#endif
#if WITH_TEMPERATURE
    add_temperature(f, forced, force, &m);
#endif
    return m;
}

FUNCTION real dot(const real a[3], const real b[3]) {
    real sum = fma_real(a[1], b[1], a[0] * b[0]);
    if (DIMENSIONS == 3)
        sum = fma_real(a[2], b[2], sum);
    return sum;
}

/* The equilibrium of a cell, but for the weights:
 *     f_eq(c) = w [ excess + density (a^2/2 (c.u)^2 - a/2 u^2) + a density c.u ]
 *             = w [ base + (c.p)(c.u) + 2/a c.p ],     p = a^2/2 density u,     a = 1 / c_s^2, 3 as a rule,
 * as it takes the fewest operations.
 *
 * D3Q13, whose velocities lie in the planes of two axes, has the right flux of momentum with one of its own
 * (d'Humieres, Bouzidi, Lallemand, Phys. Rev. E 63 (2001) 066702), n being the axis across the plane of c:
 *     f_eq(c) = w [ excess + density (a (c.u)^2 - a u_n^2) + a density c.u ],
 *     f_eq(0) = w [ excess - density u^2 ],     in which p = a density u. numerics.md (N43). */
#define IN_PLANES (FLOW_POPULATIONS == 13)
#define P_SHARE (IN_PLANES ? INVERSE_CS2 : 0.5 * INVERSE_CS2 * INVERSE_CS2) /* p = P_SHARE density u */
#define ODD_SHARE (INVERSE_CS2 / P_SHARE)                                   /* times c.p: the odd part */
#define REST_SHARE (IN_PLANES ? 1.0 : 0.5 * INVERSE_CS2)                    /* times - density u^2: at rest */

struct equilibrium {
    real base; /* at rest; along all c but in planes */
    real p[3], velocity[3],
        across[3]; /* across: the base along c without a component of that axis, in planes */
};

/* The axis across the plane of c. */
FUNCTION int axis_across(int cx, int cy) {
    return cx == 0 ? 0 : cy == 0 ? 1 : 2;
}

/* Its even part at c and -c, and c.p, of which ODD_SHARE is the odd part. */
struct pair_equilibrium {
    real even, along;
};

FUNCTION struct equilibrium equilibrium_of(const struct moments *m) {
    struct equilibrium e;
    e.base = fma_real((real)-REST_SHARE, dot(m->momentum, m->velocity), m->excess);
    for (int axis = 0; axis < 3; axis++) {
        e.p[axis] = (real)P_SHARE * m->momentum[axis];
        e.velocity[axis] = m->velocity[axis];
        if (IN_PLANES)
            e.across[axis] = fma_real(-e.p[axis], e.velocity[axis], m->excess);
    }
    return e;
}

FUNCTION struct pair_equilibrium equilibrium_along(const struct equilibrium *e, int cx, int cy, int cz) {
    const real along = dot_lattice(cx, cy, cz, e->p);
    struct pair_equilibrium equilibrium;
    equilibrium.along = along;
    equilibrium.even = fma_real(along, dot_lattice(cx, cy, cz, e->velocity),
                                IN_PLANES ? e->across[axis_across(cx, cy)] : e->base);
    return equilibrium;
}

/* Body force of a pair of directions, in two halves (Guo et al., eq. 20, without the factor of the
 * relaxation): even +- odd. It is what the equilibrium changes by with a change F of the momentum at a given
 * density. */
#define REST_FORCING ((real)(-2 * REST_SHARE) * REST_WEIGHT) /* times u.F: of the population at rest */

struct pair_forcing {
    real even, odd;
};

FUNCTION struct pair_forcing forcing_of(const struct moments *m, real weight, int cx, int cy, int cz,
                                        const real force[3], real force_along_velocity) {
    const real along = dot_lattice(cx, cy, cz, m->velocity);
    const real force_along = dot_lattice(cx, cy, cz, force);
    struct pair_forcing s;
    const real a = (real)INVERSE_CS2;
    if (IN_PLANES) {
        const int across = axis_across(cx, cy);
        s.even =
            ((real)2 * a * weight) * fma_real(along, force_along, -(m->velocity[across] * force[across]));
    } else {
        s.even = (a * weight) * fma_real(a * along, force_along, -force_along_velocity);
    }
    s.odd = (a * weight) * force_along;
    return s;
}

#endif
