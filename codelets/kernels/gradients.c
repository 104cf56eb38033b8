/* What follows from the gradient of the velocity, on a CPU: the velocity of rows of cells, and, once all have
 * it, what is kept of its differences. Of bricks in vectors, of lists cell by cell. */
#include "codelets/kernels/collision/gradients.h"
#include "codelets/kernels/cells/fetch_ahead.h"
#include "codelets/kernels/cells/observed_rows.h"
#include "codelets/kernels/kernels.h"

#if IN_BRICKS

/* By component; of a vector, or of cells of rows. */
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

#if !WITH_PHASES && !WITH_SURFACE

/* Of the vector at x, away from walls and x faces. Fetches ahead, as steps do. */
FUNCTION void fill_plain_velocities(const struct row *row, int x, bool forced, const struct body_force *body,
                                    const struct velocity_rows *to) {
    fetch_ahead(row->in, x);
    IVDEP
    for (int k = x; k < x + VECTOR_CELLS; k++) {
        real f[POPULATIONS], velocity[DIMENSIONS];
#define WEIR_DIRECTION(i, ...) f[i] = real_of(row->in[i][k]);
        WEIR_DIRECTION(0)
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
        velocity_of(f, forced, body, velocity);
        UNROLL(3)
        for (int a = 0; a < DIMENSIONS; a++)
            to->of[a][k] = velocity[a];
    }
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

/* Of cells begin .. end - 1 of a row, none of which is beside an x face or a wall. */
static void keep_in_plain_cells(const struct rows_around *rows, real factor, int begin, int end,
                                const struct kept_rows *kept) {
    IVDEP
    for (int x = begin; x < end; x++) {
        struct gradient g;
        real values[GRADIENT_VALUES];
        UNROLL(3)
        for (int a = 0; a < DIMENSIONS; a++)
            UNROLL(3)
        for (int axis = 0; axis < DIMENSIONS; axis++)
            g.of[a][axis] = central_difference(rows->of[axis][0][a][x], rows->of[axis][1][a][x]);
        values_of_gradient(&g, factor, values);
        UNROLL(8)
        for (int k = 0; k < GRADIENT_VALUES; k++)
            kept->of[k][x] = stored_of(values[k]);
    }
}

/* What is known beside a vector of cells on one side along an axis (struct side). */
struct sides {
    real velocity[DIMENSIONS][VECTOR_CELLS], distance[VECTOR_CELLS];
};

/* Of `count` cells from x on, those of `fluid` being wanted, whose velocities are here. */
static void find_sides(const struct weir_block_view *b, const struct velocity_field *field,
                       const struct row *row, const struct rows_around *rows, int axis, int side, int x,
                       int count, lanes fluid, const struct sides *here, struct sides *sides) {
    const int c = side ? 1 : -1, cx = axis == 0 ? c : 0;
    const real *const *const of = rows->of[axis][side];
    const bool first = cx < 0 && x == 0, last = cx > 0 && x + count == b->extent[0][1];
    lanes alone = walls_of_row(b, row, x, axis == 1 ? c : 0, axis == 2 ? c : 0) >> (1 + cx);
    alone |= (lanes)first | (lanes)last << (count - 1);
    for (int k = 0; k < VECTOR_CELLS; k++)
        sides->distance[k] = 1;
    for (int a = 0; a < DIMENSIONS; a++)
        if (of[a])
            memcpy(sides->velocity[a] + first, of[a] + x + first,
                   (size_t)(count - first - last) * sizeof(real));
        else
            alone = fluid;
    for (alone &= fluid; alone != 0; alone &= alone - 1) {
        const int k = first_lane(alone);
        real velocity[DIMENSIONS];
        for (int a = 0; a < DIMENSIONS; a++)
            velocity[a] = here->velocity[a][k];
        const struct side found = side_of(b, field, axis, c, x + k, row->y, row->z, velocity);
        sides->distance[k] = found.distance;
        for (int a = 0; a < DIMENSIONS; a++)
            sides->velocity[a][k] = found.velocity[a];
    }
}

/* Of `count` cells from x on, those that are fluid: any of a row, VECTOR_CELLS at most. */
CALLED void keep_in_any_cells(const struct weir_block_view *b, const struct velocity_field *field,
                              const struct row *row, const struct rows_around *rows, real factor, int x,
                              int count, const struct kept_rows *kept) {
    const lanes fluid = fluid_from(b, row, x, x + count);
    struct sides here, sides[DIMENSIONS][2];
    real values_of[GRADIENT_VALUES][VECTOR_CELLS];
    if (fluid == 0)
        return;
    memset(&here, 0, sizeof here);
    memset(sides, 0, sizeof sides);
    for (int a = 0; a < DIMENSIONS; a++)
        memcpy(here.velocity[a], field->of + (size_t)a * field->cells + cell_number(b, x, row->y, row->z),
               (size_t)count * sizeof(real));
    for (int axis = 0; axis < DIMENSIONS; axis++)
        for (int side = 0; side < 2; side++)
            find_sides(b, field, row, rows, axis, side, x, count, fluid, &here, &sides[axis][side]);
    IVDEP
    for (int k = 0; k < VECTOR_CELLS; k++) {
        struct gradient g;
        real values[GRADIENT_VALUES];
        UNROLL(3)
        for (int a = 0; a < DIMENSIONS; a++)
            UNROLL(3)
        for (int axis = 0; axis < DIMENSIONS; axis++)
            g.of[a][axis] =
                difference_of(sides[axis][0].velocity[a][k], sides[axis][0].distance[k], here.velocity[a][k],
                              sides[axis][1].velocity[a][k], sides[axis][1].distance[k]);
        values_of_gradient(&g, factor, values);
        UNROLL(8)
        for (int n = 0; n < GRADIENT_VALUES; n++)
            values_of[n][k] = values[n];
    }
    for (int n = 0; n < GRADIENT_VALUES; n++)
        store_lanes(kept->of[n] + x, values_of[n], fluid);
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
