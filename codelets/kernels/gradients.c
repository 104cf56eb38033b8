/* What follows from the gradient of the velocity, on a CPU: the velocity of rows of cells, and, once all have
 * it, what is kept of its differences. Of bricks in vectors, of lists cell by cell. */
#include "codelets/kernels/collision/gradients.h"
#include "codelets/kernels/cells/fetch_ahead.h"
#include "codelets/kernels/cells/observed_rows.h"
#include "codelets/kernels/kernels.h"

#if IN_BRICKS

/* By component, those of the cells of a row. */
struct velocity_rows {
    real *of[DIMENSIONS];
};

/* The velocity of a cell from what arrives there. */
FUNCTION void velocity_of(const real f[POPULATIONS], bool forced, const struct body_force *body,
                          real velocity[DIMENSIONS]) {
    real force[3];
    force_on_cell(body, f, force);
    const struct moments m = moments_of(f, forced, force);
    for (int a = 0; a < DIMENSIONS; a++)
        velocity[a] = m.velocity[a];
}

/* Of the cells of a vector. */
FUNCTION void velocities_of(const struct vector *v, bool forced, const struct body_force *body,
                            real velocities[DIMENSIONS][VECTOR_CELLS]) {
    IVDEP
    for (int k = 0; k < VECTOR_CELLS; k++) {
        real f[POPULATIONS], velocity[DIMENSIONS];
#define WEIR_DIRECTION(i, ...) f[i] = v->rows[i][k];
        WEIR_DIRECTION(0)
        FOR_DIRECTIONS
        FOR_COHESION
#undef WEIR_DIRECTION
        velocity_of(f, forced, body, velocity);
        UNROLL(3)
        for (int a = 0; a < DIMENSIONS; a++)
            velocities[a][k] = velocity[a];
    }
}

#if !WITH_PHASES && !WITH_SURFACE

/* Of the vector at x, away from walls and x faces. Fetches ahead, as steps do. */
FUNCTION void fill_plain_velocities(const struct row *row, int x, bool forced, const struct body_force *body,
                                    const struct velocity_rows *to) {
    struct vector v;
    real velocities[DIMENSIONS][VECTOR_CELLS];
    fetch_ahead(row->in, x);
    for (int i = 0; i < SLOTS; i++)
        load_vector(v.rows[i], row->in[i] + x);
    velocities_of(&v, forced, body, velocities);
    for (int a = 0; a < DIMENSIONS; a++)
        memcpy(to->of[a] + x, velocities[a], sizeof velocities[a]);
}

/* Of the plain vectors from x on; where they end. */
static int fill_plain_row(const struct row *row, int x, int nx, bool forced, const struct body_force *body,
                          const struct velocity_rows *to) {
    for (; x > 0 && x + VECTOR_CELLS < nx && all_plain(row, x); x += VECTOR_CELLS)
        if (forced)
            fill_plain_velocities(row, x, true, body, to);
        else
            fill_plain_velocities(row, x, false, body, to);
    return x;
}

#else

static int fill_plain_row(const struct row *row, int x, int nx, bool forced, const struct body_force *body,
                          const struct velocity_rows *to) {
    (void)row, (void)nx, (void)forced, (void)body, (void)to;
    return x;
}

#endif

/* Of the vector at x, of which not all cells have to be fluid, nor of this row; others have any velocity. */
CALLED void fill_velocities(const struct observer *observer, struct observed_cells *o, int x, int nx,
                            const struct velocity_rows *to) {
    const int end = x + VECTOR_CELLS < nx ? x + VECTOR_CELLS : nx;
    real velocities[DIMENSIONS][VECTOR_CELLS];
    int from = x;
    if (!observe_arriving(observer, &from, end, o))
        memset(&o->arriving, 0, sizeof o->arriving);
    if (observer->forced)
        velocities_of(&o->arriving, true, &observer->force, velocities);
    else
        velocities_of(&o->arriving, false, &observer->force, velocities);
    for (int a = 0; a < DIMENSIONS; a++)
        memcpy(to->of[a] + x, velocities[a], (size_t)(end - x) * sizeof(real));
#if WITH_WET
    for (int k = 0; k < end - x; k++) {
        real f[POPULATIONS], velocity[DIMENSIONS];
        if (is_wall(o->row.flags[x + k]))
            continue;
        for (int i = 0; i < POPULATIONS; i++)
            f[i] = o->arriving.rows[i][k];
        if (!complete_observed(observer, o, k, f))
            continue;
        velocity_of(f, observer->forced, &observer->force, velocity);
        for (int a = 0; a < DIMENSIONS; a++)
            to->of[a][x + k] = velocity[a];
    }
#endif
}

static void fill_row(const struct observer *observer, struct observed_cells *o, int y, int z,
                     const struct velocity_rows *to, void *const outgoing[WEIR_FACES]) {
    const struct weir_block_view *const b = observer->block;
    const int nx = b->extent[0][1];
    observe_row(observer, y, z, o);
    for (int x = 0, next; x < nx; x = next) {
        next = fill_plain_row(&o->row, x, nx, observer->forced, &observer->force, to);
        if (next > x)
            continue;
        fill_velocities(observer, o, x, nx, to);
        next += VECTOR_CELLS;
    }
    for (int a = 0; a < DIMENSIONS; a++)
        give_field_row(b, outgoing, a, y, z, to->of[a]);
}

#else

static void fill_row(const struct observer *observer, struct observed_cells *o, int y, int z, real *velocity,
                     void *const outgoing[WEIR_FACES]) {
    const struct weir_block_view *const b = observer->block;
    const size_t cells = kept_cells(b);
    observe_row(observer, y, z, o);
    for (int x = 0; observe_next(observer, &x, b->extent[0][1], o);)
        for (lanes left = o->cells.fluid; left != 0; left &= left - 1) {
            const int k = first_lane(left), here = o->cells.x + k;
            real *const own = velocity + cell_entry(b, here, y, z);
            for (int axis = 0; axis < DIMENSIONS; axis++) {
                own[(size_t)axis * cells] = o->moments[k].velocity[axis];
                give_field(b, outgoing, axis, here, y, z, o->moments[k].velocity[axis]);
            }
        }
}

#endif

weir_velocity_field_cpu WEIR_NAME(velocity_field);
void WEIR_NAME(velocity_field)(const struct weir_block_view *b, const struct weir_fluid *fluid, int parity,
                               int row_begin, int row_end, void *velocity, void *const outgoing[WEIR_FACES]) {
    const struct observer observer = observer_of(b, fluid, parity);
    struct observed_cells observed;
    for (int row = row_begin; row < row_end; row++) {
        const int y = row % b->extent[1][1], z = row / b->extent[1][1];
#if IN_BRICKS
        struct velocity_rows to;
        for (int a = 0; a < DIMENSIONS; a++)
            to.of[a] = (real *)velocity + (size_t)a * kept_cells(b) + cell_number(b, 0, y, z);
        fill_row(&observer, &observed, y, z, &to, outgoing);
#else
        fill_row(&observer, &observed, y, z, velocity, outgoing);
#endif
    }
    clear_upper_halves();
}

#if IN_BRICKS

/* Rows of the components of the velocity around a row, which begin with what is beside its first cell along
 * an axis; NULL: there are none. */
struct rows_around {
    const real *of[DIMENSIONS][2][DIMENSIONS]; /* [axis][side][component] */
    bool whole;                                /* all are there */
};

CALLED struct rows_around rows_around(const struct weir_block_view *b, const struct velocity_field *field,
                                      int y, int z) {
    struct rows_around rows = {.whole = true};
    for (int a = 0; a < DIMENSIONS; a++)
        for (int axis = 0; axis < DIMENSIONS; axis++)
            for (int side = 0; side < 2; side++) {
                const int c = side ? 1 : -1;
                const real *const row =
                    field_row_beside(b, field->of + (size_t)a * field->cells, field->incoming, a, y, z,
                                     axis == 1 ? c : 0, axis == 2 ? c : 0);
                rows.of[axis][side][a] = row ? row + (axis == 0 ? c : 0) : NULL;
                rows.whole = rows.whole && row;
            }
    return rows;
}

/* Where what is kept of a row lies. */
struct kept_rows {
    stored *of[GRADIENT_VALUES];
};

/* The derivatives of the components along each axis in a vector of cells. */
typedef real derivatives_of_vector[DIMENSIONS][DIMENSIONS][VECTOR_CELLS]; /* [axis][component] */

/* Of one component, where there are cells on both sides. */
FUNCTION void find_central(const real *before, const real *after, real derivative[VECTOR_CELLS]) {
    IVDEP
    for (int k = 0; k < VECTOR_CELLS; k++)
        derivative[k] = central_difference(before[k], after[k]);
}

/* What is kept of them. */
FUNCTION void values_of_derivatives(derivatives_of_vector derivatives, real factor,
                                    real kept_values[GRADIENT_VALUES][VECTOR_CELLS]) {
    IVDEP
    for (int k = 0; k < VECTOR_CELLS; k++) {
        struct gradient g;
        real values[GRADIENT_VALUES];
        UNROLL(3)
        for (int a = 0; a < DIMENSIONS; a++)
            UNROLL(3)
        for (int axis = 0; axis < DIMENSIONS; axis++)
            g.of[a][axis] = derivatives[axis][a][k];
        values_of_gradient(&g, factor, values);
        UNROLL(8)
        for (int n = 0; n < GRADIENT_VALUES; n++)
            kept_values[n][k] = values[n];
    }
}

/* Of cells begin .. end - 1 of a row, whole vectors, none of which is beside an x face or a wall. */
static void keep_in_plain_cells(const struct rows_around *rows, real factor, int begin, int end,
                                const struct kept_rows *kept) {
    for (int x = begin; x < end; x += VECTOR_CELLS) {
        derivatives_of_vector derivatives;
        real kept_values[GRADIENT_VALUES][VECTOR_CELLS];
        for (int axis = 0; axis < DIMENSIONS; axis++)
            for (int a = 0; a < DIMENSIONS; a++)
                find_central(rows->of[axis][0][a] + x, rows->of[axis][1][a] + x, derivatives[axis][a]);
        values_of_derivatives(derivatives, factor, kept_values);
        for (int n = 0; n < GRADIENT_VALUES; n++)
            store_vector(kept->of[n] + x, kept_values[n]);
    }
}

/* What is known beside a vector of cells on one side along an axis (struct side). */
struct sides {
    real velocity[DIMENSIONS][VECTOR_CELLS], distance[VECTOR_CELLS], inverse_distance[VECTOR_CELLS];
};

/* Some cells of a row, VECTOR_CELLS at most. */
struct some_cells {
    int x, count; /* from x on */
    lanes fluid;  /* those that are wanted */
    real velocity[DIMENSIONS][VECTOR_CELLS];
};

/* Values number first .. end - 1 of a vector, and 0 for the others. */
FUNCTION void copy_some(const real *from, int first, int end, real to[VECTOR_CELLS]) {
    if (first == 0 && end == VECTOR_CELLS) {
        memcpy(to, from, VECTOR_CELLS * sizeof *to);
    } else {
        memset(to, 0, VECTOR_CELLS * sizeof *to);
        memcpy(to + first, from + first, (size_t)(end - first) * sizeof *to);
    }
}

/* Finds what is beside some cells along an axis; the cells beside which there is something else than a cell
 * of a row: a wall, or a cell beyond an x face. */
static lanes find_sides(const struct weir_block_view *b, const struct velocity_field *field,
                        const struct row *row, const struct rows_around *rows, int axis, int side,
                        const struct some_cells *some, struct sides *sides) {
    const int c = side ? 1 : -1, cx = axis == 0 ? c : 0, x = some->x, count = some->count;
    const real *const *const of = rows->of[axis][side];
    const bool first = cx < 0 && x == 0, last = cx > 0 && x + count == b->extent[0][1];
    lanes others = walls_of_row(b, row, x, axis == 1 ? c : 0, axis == 2 ? c : 0) >> (1 + cx);
    others |= (lanes)first | (lanes)last << (count - 1);
    for (int k = 0; k < VECTOR_CELLS; k++)
        sides->distance[k] = sides->inverse_distance[k] = 1;
    for (int a = 0; a < DIMENSIONS; a++)
        if (of[a])
            copy_some(of[a] + x, first, count - last, sides->velocity[a]);
        else
            others = some->fluid;
    others &= some->fluid;
    for (lanes left = others; left != 0; left &= left - 1) {
        const int k = first_lane(left);
        real velocity[DIMENSIONS];
        for (int a = 0; a < DIMENSIONS; a++)
            velocity[a] = some->velocity[a][k];
        const struct side found = side_of(b, field, axis, c, x + k, row->y, row->z, velocity);
        sides->distance[k] = found.distance;
        sides->inverse_distance[k] = found.inverse_distance;
        for (int a = 0; a < DIMENSIONS; a++)
            sides->velocity[a][k] = found.velocity[a];
    }
    return others;
}

/* The derivatives of component a along an axis, whatever there is on both sides. */
FUNCTION void find_differences(const struct some_cells *some, const struct sides *before,
                               const struct sides *after, int a, real derivative[VECTOR_CELLS]) {
    IVDEP
    for (int k = 0; k < VECTOR_CELLS; k++)
        derivative[k] = difference_of(before->velocity[a][k], before->distance[k],
                                      before->inverse_distance[k], some->velocity[a][k],
                                      after->velocity[a][k], after->distance[k], after->inverse_distance[k]);
}

/* Of any cells of a row, those that are fluid. */
CALLED void keep_in_any_cells(const struct weir_block_view *b, const struct velocity_field *field,
                              const struct row *row, const struct rows_around *rows, real factor, int x,
                              int count, const struct kept_rows *kept) {
    struct some_cells some = {.x = x, .count = count, .fluid = fluid_from(b, row, x, x + count)};
    derivatives_of_vector derivatives;
    real kept_values[GRADIENT_VALUES][VECTOR_CELLS];
    if (some.fluid == 0)
        return;
    for (int a = 0; a < DIMENSIONS; a++)
        copy_some(field->of + (size_t)a * field->cells + cell_number(b, x, row->y, row->z), 0, count,
                  some.velocity[a]);
    for (int axis = 0; axis < DIMENSIONS; axis++) {
        struct sides before, after;
        lanes others = find_sides(b, field, row, rows, axis, 0, &some, &before);
        others |= find_sides(b, field, row, rows, axis, 1, &some, &after);
        for (int a = 0; a < DIMENSIONS; a++)
            if (others == 0)
                find_central(before.velocity[a], after.velocity[a], derivatives[axis][a]);
            else
                find_differences(&some, &before, &after, a, derivatives[axis][a]);
    }
    values_of_derivatives(derivatives, factor, kept_values);
    for (int n = 0; n < GRADIENT_VALUES; n++)
        store_lanes(kept->of[n] + x, kept_values[n], some.fluid);
}

static void keep_in_row(const struct weir_block_view *b, const struct velocity_field *field, real factor,
                        int y, int z) {
    const int nx = b->extent[0][1];
    const struct row row = {.y = y, .z = z, .flags = flag_of(b, 0, y, z)};
    const struct rows_around rows = rows_around(b, field, y, z);
    struct kept_rows kept;
    for (int k = 0; k < GRADIENT_VALUES; k++)
        kept.of[k] = slot(b, EDDIES_0 + k) + cell_number(b, 0, y, z);
    for (int x = 0, end; x < nx; x = end) {
        end = x;
        while (rows.whole && end > 0 && end + VECTOR_CELLS < nx && all_plain(&row, end))
            end += VECTOR_CELLS;
        if (end > x) {
            keep_in_plain_cells(&rows, factor, x, end, &kept);
        } else {
            end = x + VECTOR_CELLS < nx ? x + VECTOR_CELLS : nx;
            keep_in_any_cells(b, field, &row, &rows, factor, x, end - x, &kept);
        }
    }
}

#else

static void keep_in_row(const struct weir_block_view *b, const struct velocity_field *field, real factor,
                        int y, int z) {
    for (int x = 0; x < b->extent[0][1]; x++)
        if (!is_wall(*flag_of(b, x, y, z)))
            keep_gradient(b, field, factor, x, y, z);
}

#endif

weir_velocity_gradient_cpu WEIR_NAME(velocity_gradient);
void WEIR_NAME(velocity_gradient)(const struct weir_block_view *b, const struct weir_fluid *fluid,
                                  int row_begin, int row_end, const void *velocity,
                                  const void *const incoming[WEIR_NEIGHBOURS]) {
    const struct velocity_field field = {(const real *)velocity, kept_cells(b), incoming};
    for (int row = row_begin; row < row_end; row++)
        keep_in_row(b, &field, (real)fluid->eddies, row % b->extent[1][1], row / b->extent[1][1]);
    clear_upper_halves();
}
