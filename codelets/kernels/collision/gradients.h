/* The gradient of the velocity in a cell, by differences of the velocities around it, which are a field that
 * one stage fills and that the next one reads: no cell's is written while others read it. What follows from
 * it is kept behind the cell's populations, where its collision finds it. numerics.md, Gradients from
 * neighbours.
 *
 * Between two fluid cells differences are central. A wall, and a boundary by bounce-back with a velocity, is
 * half a cell away and has its own velocity; both sides then count by what makes the difference exact for
 * parabolas. A mirror has the cell's own velocity beyond it, mirrored. Other boundaries, whose velocity or
 * distance is not known, are no side: the difference is of the other side alone. */
#ifndef WEIR_KERNELS_GRADIENTS_H
#define WEIR_KERNELS_GRADIENTS_H

#include "codelets/kernels/boundary/boundary.h"
#include "codelets/kernels/cells/fields.h"
#include "codelets/kernels/collision/wale.h"

/* The velocity of all cells of a block, and of those around it. */
struct velocity_field {
    const real *of; /* [DIMENSIONS][kept cells] */
    size_t cells;   /* kept */
    const void *const *incoming;
};

/* The difference of two fluid cells, one on each side. */
FUNCTION real central_difference(real before, real after) {
    return (real)0.5 * (after - before);
}

/* What is known beside a cell on one side along an axis: a velocity, at this distance from the cell's
 * centre, whose inverse is at hand; both 0: nothing, and the velocity is the cell's own. */
struct side {
    real velocity[DIMENSIONS];
    real distance, inverse_distance;
};

/* The velocity of the surface where a link along an axis meets it. */
FUNCTION real surface_velocity(const struct weir_block_view *b, const struct boundary_link *link,
                               int component) {
    const real excess = constant_value(b, link->boundary, WEIR_REFERENCE_EXCESS);
    return boundary_value(b, link, component) / ((real)(2 * INVERSE_CS2) * inertia_of((real)1 + excess));
}

/* number: of the boundary beyond a face of a cell, whose velocity is here. */
FUNCTION struct side side_of_boundary(const struct weir_block_view *b, int number, int axis, int c, int x,
                                      int y, int z, const real here[DIMENSIONS]) {
    const int rule = b->boundary_rows[number].rule;
    const struct direction d =
        direction_of(0, 0, axis == 0 ? c : 0, axis == 1 ? c : 0, axis == 2 ? c : 0, 0, 0, 0);
    const struct boundary_link link = {number, d, 0, x, y, z, NULL};
    struct side side;
    side.distance = side.inverse_distance = 0;
    for (int a = 0; a < DIMENSIONS; a++)
        side.velocity[a] = here[a];
    if (b->boundary_rows[number].mirrors) {
        side.distance = side.inverse_distance = 1;
        side.velocity[axis] = -here[axis];
    } else if (rule == WEIR_RULE_WALL || rule == WEIR_RULE_VELOCITY) {
        side.distance = (real)0.5;
        side.inverse_distance = 2;
        for (int a = 0; a < DIMENSIONS; a++)
            side.velocity[a] = surface_velocity(b, &link, a);
    }
    return side;
}

/* c: -1 or 1. */
FUNCTION struct side side_of(const struct weir_block_view *b, const struct velocity_field *field, int axis,
                             int c, int x, int y, int z, const real here[DIMENSIONS]) {
    const int cx = axis == 0 ? c : 0, cy = axis == 1 ? c : 0, cz = axis == 2 ? c : 0;
    const uint8_t flag = *flag_of(b, x + cx, y + cy, z + cz);
    if (is_wall(flag))
        return side_of_boundary(b, flag, axis, c, x, y, z, here);
    struct side side;
    side.distance = side.inverse_distance = 1;
    for (int a = 0; a < DIMENSIONS; a++)
        side.velocity[a] =
            field_beside(b, field->of + (size_t)a * field->cells, field->incoming, a, x, y, z, cx, cy, cz);
    return side;
}

/* The derivative of what is `here` in a cell, and so much at these distances before and after it. */
FUNCTION real difference_of(real before, real to_before, real inverse_before, real here, real after,
                            real to_after, real inverse_after) {
    const real slope_before = (here - before) * inverse_before, slope_after = (after - here) * inverse_after;
    if (to_before == 1 && to_after == 1)
        return central_difference(before, after);
    if (!(to_before > 0) || !(to_after > 0))
        return slope_before + slope_after; /* one of which is 0 */
    return fma_real(to_before, slope_after, to_after * slope_before) / (to_before + to_after);
}

/* The gradient in any fluid cell. */
FUNCTION struct gradient gradient_in_cell(const struct weir_block_view *b, const struct velocity_field *field,
                                          int x, int y, int z) {
    const int entry = cell_entry(b, x, y, z);
    real here[DIMENSIONS];
    struct gradient g = {{{0}}};
    for (int a = 0; a < DIMENSIONS; a++)
        here[a] = field->of[(size_t)a * field->cells + (size_t)entry];
    for (int axis = 0; axis < DIMENSIONS; axis++) {
        const struct side before = side_of(b, field, axis, -1, x, y, z, here),
                          after = side_of(b, field, axis, 1, x, y, z, here);
        for (int a = 0; a < DIMENSIONS; a++)
            g.of[a][axis] = difference_of(before.velocity[a], before.distance, before.inverse_distance,
                                          here[a], after.velocity[a], after.distance, after.inverse_distance);
    }
    return g;
}

/* What is kept of a gradient. factor: of the eddy viscosity (struct weir_fluid). */
FUNCTION void values_of_gradient(const struct gradient *g, real factor, real values[GRADIENT_VALUES]) {
#if WITH_KEPT_EDDIES
    values[0] = factor * strength_wale(g);
#else
    (void)factor;
#endif
#if WITH_KEPT_STRAIN
    int next = WITH_KEPT_EDDIES;
    UNROLL(3)
    for (int a = 0; a < DIMENSIONS; a++)
        values[next++] = g->of[a][a];
    UNROLL(3)
    for (int a = 0; a < DIMENSIONS; a++)
        UNROLL(3)
    for (int c = a + 1; c < DIMENSIONS; c++)
        values[next++] = (real)0.5 * (g->of[a][c] + g->of[c][a]);
#endif
}

/* Keeps that of any fluid cell. */
FUNCTION void keep_gradient(const struct weir_block_view *b, const struct velocity_field *field, real factor,
                            int x, int y, int z) {
    const struct gradient g = gradient_in_cell(b, field, x, y, z);
    const int entry = cell_entry(b, x, y, z);
    real values[GRADIENT_VALUES];
    values_of_gradient(&g, factor, values);
    for (int k = 0; k < GRADIENT_VALUES; k++)
        *slot_of(b, EDDIES_0 + k, entry) = stored_of(values[k]);
}

#endif
