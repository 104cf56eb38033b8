#include "graph/problem/boundaries.h"

#include "codelets/kernels/cells/precisions.h"
#include "graph/base/error.h"
#include "graph/problem/geometry.h"

#include <stdlib.h>

/* Whether the domain ends at this face of the block. */
static bool is_at_face(const struct weir_problem *problem, const struct weir_box *block, int face) {
    const int axis = face / 2;
    return !problem->periodic[axis] && axis < weir_lattice_dimensions(problem->lattice) &&
           (face % 2 == 0 ? block->origin[axis] == 0
                          : block->origin[axis] + block->extent[axis] == problem->cells[axis]);
}

/* Whether fluid of the block may pass this boundary; may say yes where none does. */
static bool is_passed(const struct weir_problem *problem, const struct weir_box *block, int wall) {
    if (!weir_wall_is_open(&problem->walls[wall]))
        return false;
    if (wall <= WEIR_FACES)
        return is_at_face(problem, block, wall - WEIR_WALL_OF_FACE(0));
    for (int k = 0; k < problem->shape_count; k++)
        if (problem->shapes[k].wall == wall && weir_geometry_touches(problem, &problem->shapes[k], block))
            return true;
    return false;
}

/* Whether solids may touch the block. */
static bool has_bodies(const struct weir_problem *problem, const struct weir_box *block) {
    for (int k = 0; k < problem->shape_count; k++)
        if (weir_geometry_touches(problem, &problem->shapes[k], block))
            return true;
    return false;
}

struct weir_block_layout weir_boundaries_layout(const struct weir_problem *problem,
                                                const struct weir_block_form *block) {
    int flows = 0, profile_values[WEIR_FACES];
    for (int wall = 1; wall < problem->wall_count; wall++)
        flows += is_passed(problem, &block->box, wall);
    for (int face = 0; face < WEIR_FACES; face++) {
        const struct weir_wall *wall = &problem->walls[WEIR_WALL_OF_FACE(face)];
        profile_values[face] =
            wall->profile && is_at_face(problem, &block->box, face) ? weir_rules[wall->rule].values : 0;
    }
    const struct weir_precision_row *precision = weir_precision_row(problem->precision);
    struct weir_block_layout layout = weir_layout_block(
        weir_lattice_table((int)problem->lattice), block->box.extent, block->kept, precision->stored_bytes,
        precision->real_bytes, problem->wall_count, flows, profile_values, problem->scalar.present);
    layout.bodies = has_bodies(problem, &block->box);
    return layout;
}

/* What kernels read of value k of a boundary: see block_view.h. */
static double kernel_value(const struct weir_problem *problem, enum weir_rule rule, double value) {
    const double inverse_cs2 = weir_lattice_table((int)problem->lattice)->inverse_cs2;
    switch (weir_rules[rule].value) {
    case WEIR_RULE_DENSITY:
        return value - 1;
    case WEIR_RULE_VELOCITY_AS_IT_IS:
        return value;
    default:
        return 2 * inverse_cs2 * problem->reference_density * value;
    }
}

static void fill_values(const struct weir_problem *problem, void *values) {
    for (int wall = 0; wall < problem->wall_count; wall++)
        for (int k = 0; k < WEIR_BOUNDARY_VALUES; k++) {
            const struct weir_wall *w = &problem->walls[wall];
            const bool density = weir_rules[w->rule].value == WEIR_RULE_DENSITY;
            const double value = !density ? w->velocity[k] : k == 0 ? w->density : 1;
            weir_real_write(problem->precision, values, (size_t)(WEIR_KERNEL_VALUES * wall + k),
                            kernel_value(problem, w->rule, value));
        }
    for (int wall = 0; wall < problem->wall_count; wall++)
        weir_real_write(problem->precision, values,
                        (size_t)(WEIR_KERNEL_VALUES * wall + WEIR_REFERENCE_EXCESS),
                        problem->reference_density - 1);
}

/* What comes back of a scalar's population: see reflected_scalar and scalar_reflected in boundary.h. */
static void fill_scalar_values(const struct weir_problem *problem, void *values) {
    /* All directions that move have one weight. */
    const double weight = weir_lattice_table((int)weir_scalar_lattice(problem))->weight[1];
    for (int wall = 0; wall < problem->wall_count; wall++) {
        const struct weir_wall *w = &problem->walls[wall];
        const bool flux = w->scalar_rule == WEIR_SCALAR_FLUX;
        const size_t place = (size_t)(WEIR_SCALAR_VALUES * wall);
        weir_real_write(problem->precision, values, place, flux ? 1 : -1);
        weir_real_write(problem->precision, values, place + 1, flux ? w->scalar : 2 * weight * w->scalar);
        weir_real_write(problem->precision, values, place + 2,
                        w->scalar_rule == WEIR_SCALAR_FREE ? 2 * weight : 0);
    }
}

static void fill_rows(const struct weir_problem *problem, const struct weir_box *block,
                      struct weir_boundary_row *rows) {
    int flows = 0;
    for (int wall = 0; wall < problem->wall_count; wall++) {
        rows[wall].rule = (uint8_t)problem->walls[wall].rule;
        rows[wall].flow =
            wall > 0 && is_passed(problem, block, wall) ? (uint8_t)flows++ : (uint8_t)WEIR_NO_FLOW;
    }
}

static int fill_profile(const struct weir_problem *problem, const struct weir_box *block, int face,
                        void *profile) {
    const enum weir_rule rule = problem->walls[WEIR_WALL_OF_FACE(face)].rule;
    const size_t cells = weir_layout_profile_cells(block->extent, face);
    const int count = weir_rules[rule].values;
    double *const values = malloc(cells * WEIR_BOUNDARY_VALUES * sizeof *values);
    if (!values)
        return weir_fail(WEIR_FAILED, "out of memory for the values of boundary %s", weir_face_names[face]);
    int origin[3], extent[3];
    for (int axis = 0; axis < 3; axis++) {
        origin[axis] = block->origin[axis] - 1;
        extent[axis] = block->extent[axis] + 2;
    }
    origin[face / 2] = face % 2 ? problem->cells[face / 2] - 1 : 0;
    extent[face / 2] = 1;
    const int error = problem->profile(problem->profile_context, face, origin, extent,
                                       (double *const[]){values, values + cells, values + 2 * cells});
    for (size_t k = 0; error == 0 && k < cells * (size_t)count; k++)
        weir_real_write(problem->precision, profile, k, kernel_value(problem, rule, values[k]));
    free(values);
    return error;
}

int64_t weir_boundaries_fill(const struct weir_problem *problem, const struct weir_box *block,
                             const struct weir_block_layout *layout, void *geometry) {
    char *const bytes = geometry;
    const struct weir_cell_kind_row *kind = &weir_cell_kinds[layout->kept.kind];
    const int64_t fluid = weir_geometry_flags(problem, block, geometry);
    if (fluid < 0)
        return fluid;
    fill_values(problem, bytes + layout->values);
    if (problem->scalar.present)
        fill_scalar_values(problem, bytes + layout->scalar_values);
    fill_rows(problem, block, (struct weir_boundary_row *)(bytes + layout->rows));
    for (int face = 0; face < WEIR_FACES; face++)
        if (layout->profile[face] > 0)
            WEIR_TRY(fill_profile(problem, block, face, bytes + layout->profile[face]));
    if (kind->fill_table)
        kind->fill_table(weir_lattice_table((int)problem->lattice), block->extent, geometry,
                         bytes + layout->table);
    return fluid;
}
