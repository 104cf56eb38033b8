/* The state of one cell before the first step, written where that step reads it: into the cell's slots, and
 * into the messages to the neighbours of cells at block faces. It is equilibrium with the density and
 * velocity asked for, which an even step reads, or what a checkpoint has of the cell, for a step of any
 * parity. Texts for cells that keep moments include moment_cells.h before: with it comes the collision, on
 * which nothing else here depends. */
#ifndef WEIR_KERNELS_INITIAL_H
#define WEIR_KERNELS_INITIAL_H

#include "codelets/kernels/cells/addressing.h"
#include "codelets/kernels/cells/filling.h"
#include "codelets/kernels/collision/scalar.h"
#include "codelets/kernels/collision/thermal.h"
#include "codelets/kernels/kernels.h"

/* The body force on a cell with this scalar, or density of a fluid with phases, but for the cohesion of
 * these. */
FUNCTION double initial_force(const struct weir_fluid *fluid, double above_of, int axis) {
#if WITH_BUOYANCY
    return fma(fluid->buoyancy[axis], above_of - fluid->buoyancy_reference, fluid->force[axis]);
#else
    (void)above_of;
    return fluid->force[axis];
#endif
}

#if SOURCE_VALUES || CONDUCTOR_VALUES

/* Value k of a cell of the block or of the ring around it, where there are any. */
FUNCTION double initial_value(const struct weir_block_view *b, const struct weir_initial_state *state,
                              size_t k, int x, int y, int z) {
    const size_t row = (size_t)flags_row(b), plane = (size_t)flags_plane(b);
    const size_t cells = plane * (size_t)(b->extent[2][1] + 2 * RING_Z);
    return state->values[k * cells + (size_t)(z + RING_Z) * plane + (size_t)(y + RING_Y) * row +
                         (size_t)(x + RING_X)];
}

#endif

#if SOURCE_VALUES

/* What a step adds to the scalar of a cell. */
FUNCTION double initial_source(const struct weir_block_view *b, const struct weir_initial_state *state, int x,
                               int y, int z) {
    return state->values ? initial_value(b, state, 5, x, y, z) : state->source;
}

#endif

#if CONDUCTOR_VALUES

/* What a conductor's cell is like, beside its scalar; values are there wherever some conduct. */
FUNCTION void add_initial_conductor(const struct weir_block_view *b, const struct weir_initial_state *state,
                                    double fifth, int x, int y, int z, struct moments *m) {
    double half_source = 0;
    for (size_t k = 0; k < CONDUCTOR_VALUES; k++)
        m->conductor[k] = (real)initial_value(b, state, 5 + SOURCE_VALUES + k, x, y, z);
#if SOURCE_VALUES
    half_source = (double)m->half_source;
#endif
    m->content = m->scalar;
    if (!conducts(m))
        return;
    const double inverse = (double)m->conductor[CONDUCTOR_INVERSE - CONDUCTOR_PLUS];
    m->content = (real)(fifth / inverse - half_source);
    m->scalar = (real)(fifth - inverse * half_source);
    for (int axis = 0; axis < 3; axis++)
        m->velocity[axis] = m->momentum[axis] = 0;
}

#endif

/* Moments at a cell of the block or of the ring around it. The momentum of the populations is that of the
 * fluid less half the body force, so that the velocity seen afterwards is the one asked for; and so with the
 * scalar and its source. */
WEIR_CALLED struct moments initial_moments(const struct weir_block_view *b, const struct weir_fluid *fluid,
                                           const struct weir_initial_state *state, int x, int y, int z) {
    double density = state->density;
    double velocity[3] = {state->velocity[0], state->velocity[1], state->velocity[2]};
    double fifth = state->fifth;
    if (state->values) {
        const size_t row = (size_t)flags_row(b), plane = (size_t)flags_plane(b);
        const size_t cells = plane * (size_t)(b->extent[2][1] + 2 * RING_Z);
        const double *value =
            state->values + (size_t)(z + RING_Z) * plane + (size_t)(y + RING_Y) * row + (size_t)(x + RING_X);
        density = value[0];
        for (int axis = 0; axis < 3; axis++)
            velocity[axis] = value[(size_t)(axis + 1) * cells];
        if (WITH_FIFTH)
            fifth = value[4 * cells];
    }
    const double inertia = INCOMPRESSIBLE || WITH_TEMPERATURE ? 1 : density; /* forces are per mass then */
    struct moments m;
    m.excess = (real)(density - 1);
    m.density = (real)1 + m.excess;
    for (int axis = 0; axis < 3; axis++) {
        m.velocity[axis] =
            (real)(velocity[axis] - 0.5 * initial_force(fluid, WITH_FIFTH ? fifth : density, axis) / inertia);
        m.momentum[axis] = inertia_of(m.density) * m.velocity[axis];
    }
#if WITH_SCALAR
    m.scalar = (real)fifth;
#if SOURCE_VALUES
    m.half_source = (real)(0.5 * initial_source(b, state, x, y, z));
    m.scalar = (real)(fifth - (double)m.half_source);
#endif
#if CONDUCTOR_VALUES
    add_initial_conductor(b, state, fifth, x, y, z, &m);
#endif
#elif WITH_TEMPERATURE
    const double square = fluid->force[0] * fluid->force[0] + fluid->force[1] * fluid->force[1];
    m.temperature = (real)(fifth - 0.125 * INVERSE_CS2 * square);
#else
    (void)fifth;
#endif
    return m;
}

/* Equilibrium population number i, along c. A scalar's goes with the velocity of the flow's populations: half
 * a step of the body force is nothing to it. */
WEIR_CALLED real initial_population(const struct moments *m, int i, real weight, int cx, int cy, int cz) {
#if WITH_SCALAR
    if (i == SCALAR_0)
#if CONDUCTOR_VALUES
        return content_at_rest(m->content, m->scalar, m->velocity);
#else
        return scalar_at_rest(m->scalar, m->velocity);
#endif
    if (i > SCALAR_0 && i < SCALAR_0 + SCALAR_POPULATIONS) {
        const struct scalar_pair scalar = scalar_equilibrium(m->scalar, m->velocity, weight, cx, cy, cz);
        return scalar.even + scalar.odd;
    }
#endif
#if SOURCE_VALUES
    if (i == SOURCE_0)
        return m->half_source;
#endif
#if CONDUCTOR_VALUES
    if (i >= CONDUCTOR_PLUS && i < CONDUCTOR_PLUS + CONDUCTOR_VALUES)
        return m->conductor[i - CONDUCTOR_PLUS];
#endif
#if WITH_TEMPERATURE
    const real r = (real)WEIR_D2Q37_R;
    const struct thermal_state s = {
        m->excess, {r * m->velocity[0], r * m->velocity[1]}, m->temperature - (real)1};
    const struct fourth_order h = thermal_equilibrium(&s);
    (void)i, (void)cz;
    return population_of(&h, weight, cx, cy);
#else
    if (i >= FLOW_POPULATIONS)
        return 0; /* follows from the density or velocity of all cells, once that is there */
    const struct equilibrium e = equilibrium_of(m);
    const struct pair_equilibrium pair = equilibrium_along(&e, cx, cy, cz);
    return weight * fma_real((real)ODD_SHARE, pair.along, pair.even);
#endif
}

/* That at rest. */
FUNCTION real initial_rest(const struct moments *m) {
#if WITH_TEMPERATURE
    return initial_population(m, 0, REST_WEIGHT, 0, 0, 0);
#else
    return REST_WEIGHT * equilibrium_of(m).base;
#endif
}

#if WITH_MIRRORS

/* Where a checkpoint has what takes such a way out of the block, from the cell that it leaves on. */
FUNCTION ptrdiff_t place_past_mirror(struct direction way, ptrdiff_t cells, ptrdiff_t plane, ptrdiff_t row) {
    return way.i * cells + way.c[2] * plane + way.c[1] * row + way.c[0];
}

/* Equilibrium of what left along d when it arrives behind a mirror. */
FUNCTION real initial_turned(const struct moments *there, struct direction d, struct direction way,
                             real weight) {
    int c[3];
    for (int axis = 0; axis < 3; axis++)
        c[axis] = way.c[axis] != 0 ? d.c[axis] : -d.c[axis];
    return initial_population(there, way.i, weight, c[0], c[1], c[2]);
}

#endif

#if WITH_SURFACE

/* What the initial state has for the fill level of a cell of the block or its ring; without any, all is full.
 */
FUNCTION real initial_fill(const struct weir_block_view *b, const struct weir_initial_state *state, int x,
                           int y, int z) {
    const size_t row = (size_t)flags_row(b), plane = (size_t)flags_plane(b);
    const size_t cells = plane * (size_t)(b->extent[2][1] + 2 * RING_Z);
    if (!state->values)
        return 1;
    return (real)state->values[4 * cells + (size_t)(z + RING_Z) * plane + (size_t)(y + RING_Y) * row +
                               (size_t)(x + RING_X)];
}

/* Mass and level: full cells beside empty ones are at the surface, as those are that are partly filled. */
FUNCTION void initialise_filling(const struct weir_block_view *b, const struct weir_initial_state *state,
                                 real density, int x, int y, int z) {
    const int cell = cell_entry(b, x, y, z);
    const real fill = initial_fill(b, state, x, y, z);
    bool surface = fill < 1;
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...)                \
    if (!is_wall(*flag_of(b, x + (cx), y + (cy), z + (cz)))) \
        surface = surface || initial_fill(b, state, x + (cx), y + (cy), z + (cz)) <= 0;
    FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
    surface = surface && fill > 0;
    *slot_of(b, SURFACE_LEVEL, cell) = stored_of(surface    ? level_of_fill(fill)
                                                 : fill > 0 ? LEVEL_OF_LIQUID
                                                            : LEVEL_OF_GAS);
    *slot_of(b, SURFACE_MASS, cell) = stored_of(surface ? fill * density : (real)0);
#if WITH_BUBBLES
    const double gas = 1.0 + (double)excess_of_gas(b);
    *slot_of(b, SURFACE_GAS, cell) = stored_of(surface || fill <= 0 ? gas_of_density(gas, fill) : (real)0);
    *slot_of(b, SURFACE_GAS_EXCESS, cell) = stored_of(excess_of_gas(b));
#endif
}

#endif

/* Whether a cell of a checkpoint, of the block or its ring, is not computed: flags know walls alone before
 * the first step, and gas is told by its level. place: of the cell in an array of the checkpoint's. */
FUNCTION bool is_left_out(const struct weir_block_view *b, const stored *place, ptrdiff_t cells, int x, int y,
                          int z) {
#if WITH_SURFACE
    if (level_is_gas(real_of(place[SURFACE_LEVEL * cells])))
        return true;
#endif
    (void)place, (void)cells;
    return is_wall(*flag_of(b, x, y, z));
}

#if WITH_MOMENTS

/* The state of a cell that keeps moments: of its equilibrium, or a checkpoint's. */
FUNCTION void initialise_moments(const struct weir_block_view *b, const struct weir_fluid *fluid,
                                 const struct weir_initial_state *state, int x, int y, int z) {
    struct kept_moments kept;
    if (state->populations) {
        const ptrdiff_t row = flags_row(b), plane = flags_plane(b),
                        cells = plane * (b->extent[2][1] + 2 * RING_Z);
        const stored *const here = (const stored *)state->populations + (ptrdiff_t)(z + RING_Z) * plane +
                                   (ptrdiff_t)(y + RING_Y) * row + (x + RING_X);
        struct kept_words words;
        for (int k = 0; k < KEPT_WORDS; k++)
            words.word[k] = here[k * cells];
        kept = kept_of_words(&words);
    } else {
        const struct moments m = initial_moments(b, fluid, state, x, y, z);
        kept.excess = m.excess;
        for (int axis = 0; axis < 3; axis++)
            kept.momentum[axis] = m.momentum[axis];
        const struct tensor flux = momentum_flux(&m);
        kept.flux = kept_of_flux(&kept, &flux);
    }
    kept = keep_at(b, state->parity, x, y, z, &kept);
    const struct relaxation r = relaxation_of(fluid);
    send_kept(b, fluid->forced, &r, &kept, x, y, z);
}

#endif

/* Whether what arrives along d from a wall comes past a mirror out of another block. */
FUNCTION bool is_from_beyond(const struct weir_block_view *b, struct direction d, int x, int y, int z) {
#if WITH_MIRRORS
    return way_into_block(b, opposite(d), x, y, z).i != d.o;
#else
    (void)b, (void)d, (void)x, (void)y, (void)z;
    return false;
#endif
}

/* What arrives along d at a cell of a checkpoint, and what leaves the block along d from there. here: of the
 * cell in the checkpoint's array of populations 0. Called, as all that is done for each direction here:
 * expanded it would be most of what compilers have to do. */
WEIR_CALLED void restore_along(const struct weir_block_view *b, const struct weir_initial_state *state,
                               const stored *here, struct direction d, int x, int y, int z) {
    const ptrdiff_t row = flags_row(b), plane = flags_plane(b),
                    cells = plane * (b->extent[2][1] + 2 * RING_Z),
                    way = d.c[2] * plane + d.c[1] * row + d.c[0];
    const int cx = d.c[0], cy = d.c[1], cz = d.c[2];
    const bool wall = is_left_out(b, here - way, cells, x - cx, y - cy, z - cz);
    const bool inside =
        block_offset(b, 0, x, -cx) == 0 && block_offset(b, 1, y, -cy) == 0 && block_offset(b, 2, z, -cz) == 0;
    if (wall ? !is_from_beyond(b, d, x, y, z) : inside || (WITH_SURFACE && !state->parity))
        *(stored *)source_of(b, state->parity, wall, d, x, y, z) = here[d.i * cells];
    const bool leaves =
        block_offset(b, 0, x, cx) != 0 || block_offset(b, 1, y, cy) != 0 || block_offset(b, 2, z, cz) != 0;
    if (leaves && !is_left_out(b, here + way, cells, x + cx, y + cy, z + cz))
        *target_of(b, 0, false, d, x, y, z) = here[d.i * cells + way];
}

#if WITH_MIRRORS

/* What leaves along d and comes back into another block past a mirror. */
WEIR_CALLED void restore_past_mirror(const struct weir_block_view *b, const stored *here, struct direction d,
                                     int x, int y, int z) {
    const ptrdiff_t row = flags_row(b), plane = flags_plane(b),
                    cells = plane * (b->extent[2][1] + 2 * RING_Z);
    const struct direction way = way_into_block(b, d, x, y, z);
    if (is_other_way(way, d.i))
        *target_of(b, 0, false, way, x, y, z) = here[place_past_mirror(way, cells, plane, row)];
}

#endif

/* The state of a cell of a checkpoint. */
FUNCTION void restore_cell(const struct weir_block_view *b, const struct weir_initial_state *state, int x,
                           int y, int z) {
    const ptrdiff_t row = flags_row(b), plane = flags_plane(b),
                    cells = plane * (b->extent[2][1] + 2 * RING_Z);
    const stored *const here = (const stored *)state->populations + (ptrdiff_t)(z + RING_Z) * plane +
                               (ptrdiff_t)(y + RING_Y) * row + (x + RING_X);
#if WITH_SURFACE
    if (level_is_gas(real_of(here[SURFACE_LEVEL * cells]))) { /* nothing arrives there */
        *slot_of(b, SURFACE_MASS, cell_entry(b, x, y, z)) = here[SURFACE_MASS * cells];
        *slot_of(b, SURFACE_LEVEL, cell_entry(b, x, y, z)) = stored_of(LEVEL_OF_GAS);
#if WITH_BUBBLES
        *slot_of(b, SURFACE_GAS, cell_entry(b, x, y, z)) = here[SURFACE_GAS * cells];
        *slot_of(b, SURFACE_GAS_EXCESS, cell_entry(b, x, y, z)) = here[SURFACE_GAS_EXCESS * cells];
#endif
        return;
    }
#endif
    *slot_of(b, 0, cell_entry(b, x, y, z)) = here[0];
    if (!WITH_MIRRORS && !state->parity && stays_inside(b, x, y, z)) {
#define WEIR_DIRECTION(i, ...) *slot_of(b, i, cell_entry(b, x, y, z)) = here[(i)*cells];
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
        return;
    }
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d) restore_along(b, state, here, d, x, y, z);
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
#if WITH_MIRRORS
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d) restore_past_mirror(b, here, d, x, y, z);
    FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
#endif
}

#if !WITH_MOMENTS

/* What arrives along d at a cell with these moments, and what leaves the block along d from there. */
WEIR_CALLED void initialise_along(const struct weir_block_view *b, const struct weir_fluid *fluid,
                                  const struct weir_initial_state *state, const struct moments *m,
                                  struct direction d, real weight, int x, int y, int z) {
    const int cx = d.c[0], cy = d.c[1], cz = d.c[2];
    const bool arrives_here = WITH_SURFACE || is_wall(*flag_of(b, x - cx, y - cy, z - cz)) ||
                              (block_offset(b, 0, x, -cx) == 0 && block_offset(b, 1, y, -cy) == 0 &&
                               block_offset(b, 2, z, -cz) == 0);
    if (arrives_here)
        *slot_of(b, d.i, cell_entry(b, x, y, z)) = stored_of(initial_population(m, d.i, weight, cx, cy, cz));
    const bool leaves =
        block_offset(b, 0, x, cx) != 0 || block_offset(b, 1, y, cy) != 0 || block_offset(b, 2, z, cz) != 0;
    if (leaves && !is_wall(*flag_of(b, x + cx, y + cy, z + cz))) {
        const struct moments there = initial_moments(b, fluid, state, x + cx, y + cy, z + cz);
        *target_of(b, 0, false, d, x, y, z) = stored_of(initial_population(&there, d.i, weight, cx, cy, cz));
    }
}

#if WITH_MIRRORS

/* What leaves along d and comes back into another block past a mirror. */
WEIR_CALLED void initialise_past_mirror(const struct weir_block_view *b, const struct weir_fluid *fluid,
                                        const struct weir_initial_state *state, struct direction d,
                                        real weight, int x, int y, int z) {
    const struct direction way = way_into_block(b, d, x, y, z);
    if (is_other_way(way, d.i)) {
        const struct moments there =
            initial_moments(b, fluid, state, x + way.c[0], y + way.c[1], z + way.c[2]);
        *target_of(b, 0, false, way, x, y, z) = stored_of(initial_turned(&there, d, way, weight));
    }
}

#endif

#endif

FUNCTION void initialise_cell(const struct weir_block_view *b, const struct weir_fluid *fluid,
                              const struct weir_initial_state *state, int x, int y, int z) {
    if (is_wall(*flag_of(b, x, y, z)))
        return;
#if WITH_MOMENTS
    initialise_moments(b, fluid, state, x, y, z);
#else
    if (state->populations) {
        restore_cell(b, state, x, y, z);
        return;
    }
    const struct moments m = initial_moments(b, fluid, state, x, y, z);
    const int cell = cell_entry(b, x, y, z);
    *slot_of(b, 0, cell) = stored_of(initial_rest(&m));
    if (stays_inside(b, x, y, z)) {
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d) \
    *slot_of(b, i, cell) = stored_of(initial_population(&m, i, (real)(w), cx, cy, cz));
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
    } else {
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d) initialise_along(b, fluid, state, &m, d, (real)(w), x, y, z);
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
    }
#if WITH_SURFACE
    initialise_filling(b, state, m.density, x, y, z);
#endif
#if WITH_MIRRORS
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d) initialise_past_mirror(b, fluid, state, d, (real)(w), x, y, z);
    FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
#endif
#endif
}

#endif
