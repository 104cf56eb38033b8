#include "graph/problem/boundaries.h"

#include "codelets/kernels/cells/precisions.h"
#include "graph/base/error.h"
#include "graph/problem/geometry.h"
#include "graph/problem/links.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Whether the domain ends at this face of the block. */
static bool is_at_face(const struct weir_problem *problem, const struct weir_box *block, int face) {
    const int axis = face / 2;
    return !problem->periodic[axis] && axis < weir_lattice_dimensions(problem->lattice) &&
           (face % 2 == 0 ? block->origin[axis] == 0
                          : block->origin[axis] + block->extent[axis] == problem->cells[axis]);
}

/* Whether the block's fluid has links to this boundary; may say yes where there are none. */
static bool is_met(const struct weir_problem *problem, const struct weir_box *block, int wall) {
    if (problem->walls[wall].gas) /* it may come to any block */
        return true;
    if (wall <= WEIR_FACES)
        return is_at_face(problem, block, wall - WEIR_WALL_OF_FACE(0));
    for (int k = 0; k < problem->shape_count; k++)
        if (problem->shapes[k].wall == wall && weir_geometry_touches(problem, &problem->shapes[k], block))
            return true;
    return false;
}

/* Whether they are counted. */
static bool is_counted(const struct weir_problem *problem, const struct weir_box *block, int wall) {
    return weir_wall_is_counted(&problem->walls[wall]) && is_met(problem, block, wall);
}

/* Whether solids, or gas, may touch the block. */
static bool has_bodies(const struct weir_problem *problem, const struct weir_box *block) {
    if (problem->surface.present) /* gas is like them */
        return true;
    for (int k = 0; k < problem->shape_count; k++)
        if (weir_geometry_touches(problem, &problem->shapes[k], block))
            return true;
    return false;
}

/* Whether all cells at a boundary that the block meets are flagged WEIR_AT_MIRROR; may say no where they are.
 */
static bool is_mirror_of_rows(const struct weir_problem *problem, const struct weir_box *block, int wall) {
    if (wall > WEIR_FACES || !weir_face_mirrors_rows(problem, wall - WEIR_WALL_OF_FACE(0)))
        return false;
    int ends = 0;
    for (int face = 0; face < WEIR_FACES; face++)
        ends += is_at_face(problem, block, face);
    return ends == 1 && !has_bodies(problem, block);
}

/* Whether fluid cells of the block may be flagged WEIR_NEAR_OPEN, and not as those at open ends or mirrors.
 */
static bool has_open_cells_within(const struct weir_problem *problem, const struct weir_box *block) {
    bool open = false, others = weir_lattice_table((int)problem->lattice)->reach > 1 ||
                                problem->cells[0] < WEIR_CELLS_BETWEEN_ENDS;
    for (int wall = 1; wall < problem->wall_count; wall++) {
        const struct weir_wall *const w = &problem->walls[wall];
        const bool end = (wall <= WEIR_WALL_OF_FACE(WEIR_FACE(0, 1)) && weir_wall_is_of_links_alone(w)) ||
                         is_mirror_of_rows(problem, block, wall),
                   counted = is_counted(problem, block, wall);
        open = open || counted;
        others = others || (!end && (counted || (weir_wall_acts(w) && is_met(problem, block, wall))));
    }
    return open && others;
}

/* Whether solids that conduct a scalar, and are told of under a name, may touch the block. */
static bool has_conducting_bodies(const struct weir_problem *problem, const struct weir_box *block) {
    for (int k = 0; k < problem->shape_count; k++)
        if (problem->shapes[k].body != 0 && weir_geometry_touches(problem, &problem->shapes[k], block))
            return true;
    return false;
}

struct weir_block_layout weir_boundaries_layout(const struct weir_problem *problem,
                                                const struct weir_block_form *block) {
    struct weir_profile_sizes profiles = {.varying = 0};
    int flows = 0;
    for (int wall = 1; wall < problem->wall_count; wall++)
        flows += is_counted(problem, &block->box, wall);
    for (int face = 0; face < WEIR_FACES; face++) {
        const struct weir_wall *wall = &problem->walls[WEIR_WALL_OF_FACE(face)];
        if (!wall->profile || !is_at_face(problem, &block->box, face))
            continue;
        profiles.values[face] = weir_rules[wall->rule].values + wall->scalar_profile;
        profiles.varying |= (unsigned)(wall->varies_until > 0) << face;
    }
    for (int k = 0; k < problem->shape_count; k++)
        if (problem->walls[problem->shapes[k].wall].in_time &&
            weir_geometry_touches(problem, &problem->shapes[k], &block->box))
            profiles.varying |= WEIR_VARYING_BODIES;
    const struct weir_precision_row *precision = weir_precision_row(problem->precision);
    const struct weir_moment_sizes moments = {
        .numbers = precision->moments ? weir_problem_flow_set(problem)->populations : 0,
        .planes_at_once = problem->planes_at_once};
    struct weir_block_layout layout =
        weir_layout_block(weir_lattice_table((int)problem->lattice), moments, block->box.extent, block->kept,
                          precision->stored_bytes, precision->real_bytes, problem->wall_count, flows,
                          &profiles, problem->scalar.present, weir_problem_wets(problem));
    layout.bodies = has_bodies(problem, &block->box);
    layout.open_within = has_open_cells_within(problem, &block->box);
    if (block->links.cells > 0)
        weir_layout_add_links(&layout, block->box.extent, block->links, precision->real_bytes);
    if (has_conducting_bodies(problem, &block->box))
        weir_layout_add_bodies(&layout, weir_lattice_table((int)problem->lattice), block->box.extent);
    return layout;
}

/* walls: the problem's, with the values that they have at a time. */
static void fill_values(const struct weir_problem *problem, const struct weir_wall *walls, void *values) {
    for (int wall = 0; wall < problem->wall_count; wall++) {
        double of_wall[WEIR_KERNEL_VALUES];
        weir_wall_kernel_values(problem, &walls[wall], of_wall);
        for (int k = 0; k < WEIR_KERNEL_VALUES; k++)
            weir_real_write(problem->precision, values, (size_t)(WEIR_KERNEL_VALUES * wall + k), of_wall[k]);
    }
}

/* What kernels read of how walls are wetted. */
static void fill_wetting(const struct weir_problem *problem, void *wetting) {
    for (int wall = 0; wall < problem->wall_count; wall++)
        weir_real_write(problem->precision, wetting, (size_t)wall, weir_problem_wetting(problem, wall));
}

/* Twice the weight of all directions of the scalar's lattice that move. */
static double twice_scalar_weight(const struct weir_problem *problem) {
    return 2 * weir_lattice_table((int)weir_scalar_lattice(problem))->weight[1];
}

/* What kernels read of what is given of a scalar. */
static double scalar_kernel_value(const struct weir_problem *problem, const struct weir_wall *wall,
                                  double given) {
    return wall->scalar_rule == WEIR_SCALAR_FLUX ? given : twice_scalar_weight(problem) * given;
}

/* What comes back of a scalar's population: see reflected_scalar and scalar_reflected in boundary.h. */
static void fill_scalar_values(const struct weir_problem *problem, const struct weir_wall *walls,
                               void *values) {
    for (int wall = 0; wall < problem->wall_count; wall++) {
        const struct weir_wall *w = &walls[wall];
        const bool flux = w->scalar_rule == WEIR_SCALAR_FLUX;
        const size_t place = (size_t)(WEIR_SCALAR_VALUES * wall);
        weir_real_write(problem->precision, values, place, flux ? 1 : -1);
        weir_real_write(problem->precision, values, place + 1, scalar_kernel_value(problem, w, w->scalar));
        weir_real_write(problem->precision, values, place + 2,
                        w->scalar_rule == WEIR_SCALAR_FREE ? twice_scalar_weight(problem) : 0);
    }
}

/* To a multiple of 2^-32, so that levers are exact, and torque the same whatever block a cell is in. */
static double rounded(double center) {
    return ldexp(round(ldexp(center, 32)), -32);
}

static void fill_rows(const struct weir_problem *problem, const struct weir_box *block,
                      struct weir_boundary_row *rows) {
    int flows = 0;
    for (int wall = 0; wall < problem->wall_count; wall++) {
        const struct weir_wall *w = &problem->walls[wall];
        const bool counted = wall > 0 && is_counted(problem, block, wall);
        rows[wall] = (struct weir_boundary_row){
            .rule = (uint8_t)(w->links ? WEIR_RULE_INTERPOLATED_WALL : w->rule),
            .open = counted && weir_wall_is_open(w),
            .flow = counted ? (uint8_t)flows++ : (uint8_t)WEIR_NO_FLOW,
            .scalar_place = w->scalar_profile ? (uint8_t)(1 + weir_rules[w->rule].values) : 0,
            .mirrors = weir_rules[w->rule].mirrors,
            .wet = weir_rules[w->rule].wet,
            .quiet = weir_rules[w->rule].mirrors || !(weir_wall_is_counted(w) || weir_wall_moves(w))};
        for (int axis = 0; axis < 3; axis++) {
            const double period = problem->periodic[axis] ? problem->cells[axis] : 0,
                         center = rounded(w->center[axis]);
            const double image = period > 0 ? center - period * floor(center / period) : center;
            rows[wall].arm[axis] = block->origin[axis] + 0.5 - image;
            rows[wall].period[axis] = period;
        }
    }
}

/* Where the profile of a face of a block is asked for: at its cells, and at a ring around them. */
static struct weir_profile_place profile_place(const struct weir_problem *problem,
                                               const struct weir_box *block, int face) {
    struct weir_profile_place place = {.face = face};
    for (int axis = 0; axis < 3; axis++) {
        place.origin[axis] = block->origin[axis] - 1;
        place.extent[axis] = block->extent[axis] + 2;
    }
    place.origin[face / 2] = face % 2 ? problem->cells[face / 2] - 1 : 0;
    place.extent[face / 2] = 1;
    return place;
}

/* time: as of struct weir_profile_place. */
static int fill_profile(const struct weir_problem *problem, const struct weir_box *block, int face,
                        double time, void *profile) {
    const struct weir_wall *wall = &problem->walls[WEIR_WALL_OF_FACE(face)];
    const size_t cells = weir_layout_profile_cells(block->extent, face);
    const size_t count = cells * (size_t)weir_rules[wall->rule].values;
    double *const values = malloc(cells * WEIR_PROFILE_VALUES * sizeof *values);
    if (!values)
        return weir_fail(WEIR_FAILED, "out of memory for the values of boundary %s", weir_face_names[face]);
    const double *const scalar = values + WEIR_PROFILE_SCALAR * cells;
    struct weir_profile_place place = profile_place(problem, block, face);
    place.time = time;
    const int error =
        problem->profile(problem->profile_context, &place,
                         (double *const[]){values, values + cells, values + 2 * cells, (double *)scalar});
    for (size_t k = 0; error == 0 && k < count; k++)
        weir_real_write(problem->precision, profile, k,
                        weir_rule_kernel_value(problem, wall->rule, values[k]));
    for (size_t k = 0; error == 0 && wall->scalar_profile && k < cells; k++)
        weir_real_write(problem->precision, profile, count + k,
                        scalar_kernel_value(problem, wall, scalar[k]));
    free(values);
    return error;
}

/* Links are met in the middle of a step, cells on a boundary are completed at its beginning. */
static double time_of(const struct weir_wall *wall, int64_t step) {
    return (double)step + (weir_rules[wall->rule].wet ? 0 : 0.5);
}

/* Of all boundaries without profile, of which those of bodies may change. */
static int vary_bodies(const struct weir_problem *problem, const struct weir_block_layout *layout,
                       int64_t step, char *varying) {
    struct weir_wall *const walls = malloc((size_t)problem->wall_count * sizeof *walls);
    int error = 0;
    if (!walls)
        return weir_fail(WEIR_FAILED, "out of memory for the values of solids");
    memcpy(walls, problem->walls, (size_t)problem->wall_count * sizeof *walls);
    for (int wall = WEIR_FIRST_BODY; wall < problem->wall_count && error == 0; wall++)
        if (walls[wall].in_time)
            error =
                problem->body_values(problem->body_context, wall, time_of(&walls[wall], step), &walls[wall]);
    if (error == 0)
        fill_values(problem, walls, varying + layout->varying_values);
    if (error == 0 && problem->scalar.present)
        fill_scalar_values(problem, walls, varying + layout->varying_scalar_values);
    free(walls);
    return error;
}

int weir_boundaries_vary(const struct weir_problem *problem, const struct weir_box *block,
                         const struct weir_block_layout *layout, int64_t step, void *varying) {
    for (int face = 0; face < WEIR_FACES; face++)
        if (layout->varying >> face & 1)
            WEIR_TRY(fill_profile(problem, block, face,
                                  time_of(&problem->walls[WEIR_WALL_OF_FACE(face)], step),
                                  (char *)varying + layout->profile[face]));
    return layout->varying & WEIR_VARYING_BODIES ? vary_bodies(problem, layout, step, varying) : 0;
}

int64_t weir_boundaries_fill(const struct weir_problem *problem, const struct weir_box *block, int threads,
                             const struct weir_block_layout *layout, void *geometry) {
    char *const bytes = geometry;
    const struct weir_cell_kind_row *kind = &weir_cell_kinds[layout->kept.kind];
    const int64_t fluid = weir_geometry_flags_shared(problem, block, threads, geometry);
    if (fluid < 0)
        return fluid;
    fill_values(problem, problem->walls, bytes + layout->values);
    if (weir_problem_wets(problem))
        fill_wetting(problem, bytes + layout->wetting);
    if (problem->scalar.present)
        fill_scalar_values(problem, problem->walls, bytes + layout->scalar_values);
    fill_rows(problem, block, (struct weir_boundary_row *)(bytes + layout->rows));
    for (int face = 0; face < WEIR_FACES; face++)
        if (layout->profile[face] > 0 && !(layout->varying >> face & 1))
            WEIR_TRY(fill_profile(problem, block, face, 0, bytes + layout->profile[face]));
    if (layout->link_groups > 0)
        WEIR_TRY(weir_links_fill(problem, block, layout, threads, geometry));
    if (layout->bodies_of > 0)
        WEIR_TRY(weir_geometry_conducting_bodies(problem, block, (uint8_t *)geometry + layout->bodies_of));
    if (kind->fill_tables)
        kind->fill_tables(weir_lattice_table((int)problem->lattice), block->extent, layout->kept.count,
                          geometry, layout->table);
    return fluid;
}
