/* The step of rows of bricks on a CPU: of a row, vectors of cells that are all fluid and away from x faces
 * and from walls that have to be looked for are taken in plain loops, such at its ends nearly so
 * (row_ends.h), all others by their lanes (rows.h). */
#ifndef WEIR_KERNELS_COLLIDE_BRICKS_H
#define WEIR_KERNELS_COLLIDE_BRICKS_H

#include "codelets/kernels/boundary/boundary_rows.h"
#include "codelets/kernels/cells/row_ends.h"
#include "codelets/kernels/collision/collide_rows.h"

/* Whether cells at open ends of rows are taken in columns. Fluids with phases and with a free surface have no
 * such ends. */
#define BY_COLUMNS (!WITH_PHASES && !WITH_SURFACE)
#if BY_COLUMNS
#include "codelets/kernels/boundary/open_columns.h"
#endif

FUNCTION const struct potential_rows *potentials_around(const struct row *row) {
#if WITH_PHASES
    return &row->potentials;
#else
    (void)row;
    return NULL;
#endif
}

/* Where what leaves a row goes. */
struct row_targets {
    stored *out[POPULATIONS]; /* out[i][x], but for the exceptions */
};

static void find_targets(const struct weir_block_view *b, int parity, const struct row *row,
                         struct row_targets *targets) {
    targets->out[0] = (stored *)row->in[0];
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                                              \
    if (row->inside) {                                                                      \
        targets->out[o] = (stored *)row->in[i];                                             \
    } else {                                                                                \
        stored *const target = target_row(b, parity, row, d);                               \
        targets->out[i] = target ? target : row->own[o]; /* no cell's then, as in row_of */ \
    }
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

/* Goes on to another row (next_row). */
static inline void step_to_row(const struct weir_block_view *b, int parity, int y, int z, struct row *row,
                               struct row_targets *targets) {
    if (!next_row(b, parity, y, z, row)) {
        find_targets(b, parity, row, targets);
        return;
    }
    for (int i = 0; i < SLOTS; i++)
        targets->out[i] += own_extent(b, 0);
}

#if WITH_SURFACE

/* Keeps what has left cells of a row for other blocks, in their own slots, too (send). */
FUNCTION void keep_left(const struct weir_block_view *b, const struct row *row, const struct cells *cells,
                        bool at_ends, const struct vector *v) {
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                                    \
    {                                                                             \
        const lanes left = leads_out(b, row, cy, cz) ? cells->fluid               \
                           : at_ends                 ? leaving_along_x(cells, cx) \
                                                     : (lanes)0;                                  \
        if (left != 0)                                                            \
            store_lanes(row->own[o] + cells->x, v->rows[i], left);                \
    }
    FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
}

/* The same of the cells begin ... end - 1, away from x faces. */
static void keep_row_left(const struct weir_block_view *b, const struct row *row,
                          const struct row_targets *targets, int begin, int end) {
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d) \
    if (leads_out(b, row, cy, cz))             \
        memcpy(row->own[o] + begin, targets->out[i] + begin, (size_t)(end - begin) * sizeof(stored));
    FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
}

#else

FUNCTION void keep_left(const struct weir_block_view *b, const struct row *row, const struct cells *cells,
                        bool at_ends, const struct vector *v) {
    (void)b, (void)row, (void)cells, (void)at_ends, (void)v;
}

static inline void keep_row_left(const struct weir_block_view *b, const struct row *row,
                                 const struct row_targets *targets, int begin, int end) {
    (void)b, (void)row, (void)targets, (void)begin, (void)end;
}

#endif

/* Writes what leaves cells of a row. at_ends and in_rows as in read_cells. */
FUNCTION void write_cells(const struct weir_block_view *b, int parity, const struct row *row,
                          const struct row_targets *targets, const struct cells *cells, bool at_ends,
                          bool in_rows, const struct vector *v) {
    const int at = cells->x;
    store_lanes(row->own[0] + at, v->rows[0], cells->fluid);
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                                                         \
    {                                                                                                  \
        const lanes walls = cells->walls[i];                                                           \
        const lanes edge = at_ends ? leaving_along_x(cells, cx) & ~walls : 0;                          \
        store_lanes(targets->out[i] + at, v->rows[i], cells->fluid & ~((in_rows ? 0 : walls) | edge)); \
        if (!in_rows)                                                                                  \
            store_lanes(row->own[o] + at, v->rows[i], walls & ~past_mirrors(cells, i));                \
        if (edge != 0)                                                                                 \
            *leaving_at_end(b, row, d) = stored_of(v->rows[i][first_lane(edge)]);                      \
    }
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
    keep_left(b, row, cells, at_ends, v);
    if (!in_rows)
        write_past_mirrors(b, parity, row, cells, v);
}

FUNCTION void step_cells(const struct weir_block_view *b, int parity, const struct row *row,
                         const struct row_targets *targets, const struct cells *cells, bool at_ends,
                         bool in_rows, const struct weir_fluid *fluid, const struct relaxation *r,
                         struct boundary_sums *sums) {
    struct vector v;
    read_cells(b, parity, row, cells, at_ends, in_rows, &v);
    fetch_ahead(row->in, cells->x);
    const struct body_force body = body_force_of(r);
    add_cohesion_to_cells(b, &body, row, cells, &v);
#if WITH_WET
    if (b->flow)
        complete_wet_cells(b, parity, row, cells, fluid->forced, &body, &v, sums);
#endif
    collide_one(&v, fluid->forced, r);
    if (b->flow)
        reflect_from_boundaries(b, parity, row, cells, fluid, &body, &v, sums);
    else if (fluid->walls_move)
        reflect_from_moving_walls(b, row, cells, &v);
    write_cells(b, parity, row, targets, cells, at_ends, in_rows, &v);
}

/* One for each of the four kinds, [in_rows][at_ends]. */
typedef void step_of_cells(const struct weir_block_view *b, int parity, const struct row *row,
                           const struct row_targets *targets, const struct cells *cells,
                           const struct weir_fluid *fluid, const struct relaxation *r,
                           struct boundary_sums *sums);
#define STEP_OF_CELLS(name, at_ends, in_rows)                                            \
    CALLED void name(const struct weir_block_view *b, int parity, const struct row *row, \
                     const struct row_targets *targets, const struct cells *cells,       \
                     const struct weir_fluid *fluid, const struct relaxation *r,         \
                     struct boundary_sums *sums) {                                       \
        step_cells(b, parity, row, targets, cells, at_ends, in_rows, fluid, r, sums);    \
    }
STEP_OF_CELLS(step_between, false, false)
STEP_OF_CELLS(step_at_ends, true, false)
STEP_OF_CELLS(step_between_in_rows, false, true)
STEP_OF_CELLS(step_at_ends_in_rows, true, true)
static step_of_cells *const steps_of_cells[2][2] = {{step_between, step_at_ends},
                                                    {step_between_in_rows, step_at_ends_in_rows}};

/* Whether walls beside the cells of the vector at x, which are not beside x faces, send back what they are
 * given, and no more. */
FUNCTION bool walls_rest(const struct row *row, int x) {
    uint8_t greatest = 0;
    for (int k = 0; k < VECTOR_CELLS; k++)
        greatest = row->flags[x + k] > greatest ? row->flags[x + k] : greatest;
    return greatest <= WEIR_AT_END;
}

/* The step of some cells from the fluid one at x on and before x_end, VECTOR_CELLS at most. */
static void step_vector(const struct weir_block_view *b, int parity, const struct row *row,
                        const struct row_targets *targets, int x, int x_end, const struct weir_fluid *fluid,
                        const struct relaxation *r, struct boundary_sums *sums) {
    const int nx = b->extent[0][1];
    const bool in_place = row->inside && parity == 0;
    struct cells cells;
    if (!WITH_PHASES && in_place && x > 0 && x + VECTOR_CELLS < nx && walls_rest(row, x)) {
        collide_some_inside(row->in, x, fluid_from(b, row, x, x_end), fluid->forced, r);
    } else if (find_cells(b, row, x, x_end, &cells)) {
        const bool in_rows = in_place || !cells.walled, at_ends = (cells.first | cells.last) != 0;
        steps_of_cells[in_rows][at_ends](b, parity, row, targets, &cells, fluid, r, sums);
    }
}

/* Whether the cells of a row from x_begin on and before x_end are all fluid without any wall beside them,
 * VECTOR_CELLS at most. */
FUNCTION bool some_plain(const struct row *row, int x_begin, int x_end) {
    uint8_t any = 0;
    for (int x = x_begin; x < x_end; x++)
        any |= row->flags[x];
    return any == 0;
}

/* Cells of a row that are not all of a vector, from x_begin on and before x_end, where those around them are
 * of the block and of no wall: where the vectors behind them begin, x_begin if they are not such. at: where a
 * vector with them begins. */
FUNCTION int step_plain_part(const struct row *row, int at, int x_begin, int x_end, bool forced,
                             const struct relaxation *r) {
    if (WITH_PHASES || !row->inside || !some_plain(row, x_begin, x_end))
        return x_begin;
    collide_some_inside(row->in, at, lanes_below(x_end - at) & ~lanes_below(x_begin - at), forced, r);
    return x_end;
}

FUNCTION void add_cohesion_at_end(const struct weir_block_view *b, const struct row *row,
                                  const struct row_end *end, const struct relaxation *r, struct vector *v) {
#if WITH_PHASES
    const struct body_force body = body_force_of(r);
    add_any_cohesion(b, &row->potentials, &body, row->flags + end->x, end->x, row->y, row->z, end->all, v);
#else
    (void)b, (void)row, (void)end, (void)r, (void)v;
#endif
}

/* The step of the vector at x at an end of a row, if it can be taken in a simple way (row_ends.h). */
static bool step_row_end(const struct weir_block_view *b, int parity, const struct row *row,
                         const struct row_targets *targets, int x, const struct weir_fluid *fluid,
                         const struct relaxation *r) {
    struct row_end end;
    struct vector v;
    if (WITH_SURFACE || !find_row_end(b, row, x, fluid->moving_faces, &end))
        return false;
    read_row_end(b, parity, row, &end, &v);
    fetch_ahead(row->in, x);
    add_cohesion_at_end(b, row, &end, r, &v);
    collide_one(&v, fluid->forced, r);
    write_row_end(b, row, &end, targets->out, &v);
    return true;
}

/* Whether what the cell at an end of a row reads and writes is its own, as that of others: the domain ends
 * behind it, at a wall at rest, and the step is an even one. */
FUNCTION bool is_closed(const struct weir_block_view *b, int parity, const struct row *row, int x,
                        unsigned moving_faces) {
    return parity == 0 && row->inside && row->flags[x] == WEIR_AT_END &&
           !(ends_along(b, 0, x) & moving_faces);
}

/* The step of the cells of a row from x_begin on and before x_end: all, or but for one at an end. */
static void step_row(const struct weir_block_view *b, int parity, const struct row *row,
                     const struct row_targets *targets, int x_begin, int x_end,
                     const struct weir_fluid *fluid, const struct relaxation *r, struct boundary_sums *sums) {
    const int nx = b->extent[0][1];
    const bool rest = !(fluid->moving_faces & ends_beside_row(b, row->y, row->z));
    const bool closed_low = is_closed(b, parity, row, 0, fluid->moving_faces),
               closed_high = is_closed(b, parity, row, nx - 1, fluid->moving_faces);
    int x = x_begin;
    if (x_begin > 0 && x_end > VECTOR_CELLS) /* vectors begin where those of whole rows do */
        x = step_plain_part(row, 0, x_begin, VECTOR_CELLS, fluid->forced, r);
    while (x < x_end) {
        int end = x;
        while ((end > 0 || closed_low) && end + VECTOR_CELLS <= nx - !closed_high &&
               all_served(row->flags + end, lanes_below(VECTOR_CELLS), rest))
            end += VECTOR_CELLS;
        if (end > x) {
            (row->inside ? collide_inside : collide_across)(row->in, targets->out, potentials_around(row), x,
                                                            end, fluid->forced, r);
            keep_row_left(b, row, targets, x, end);
            x = end;
            continue;
        }
        if (x_end == nx && step_row_end(b, parity, row, targets, x, fluid, r)) {
            x += VECTOR_CELLS;
            continue;
        }
        if (x_end < nx && x > 0 && x + VECTOR_CELLS > x_end) {
            x = step_plain_part(row, x, x, x_end, fluid->forced, r);
            if (x == x_end)
                break;
        }
        const lanes some = fluid_from(b, row, x, x_end);
        if (some != 0) { /* vectors begin with a fluid cell, so that there are fewer of them */
            x += first_lane(some);
            step_vector(b, parity, row, targets, x, x_end, fluid, r, sums);
        }
        x += VECTOR_CELLS;
    }
}

#if BY_COLUMNS

/* The step of rows y ... y + count - 1, VECTOR_CELLS at most, and then of the columns at their open ends,
 * which are in the cache by then. */
static void step_some_rows(const struct weir_block_view *b, int parity, const struct open_columns *columns,
                           int y, int z, int count, const struct weir_fluid *fluid,
                           const struct relaxation *r, struct boundary_sums *sums) {
    const struct column low = column_of(b, &columns->end[0], y, z, count),
                        high = column_of(b, &columns->end[1], y, z, count);
    struct row row = {.y = -1};
    struct row_targets targets;
    for (int k = 0; k < count; k++) {
        step_to_row(b, parity, y + k, z, &row, &targets);
        step_row(b, parity, &row, &targets, low.some >> k & 1, b->extent[0][1] - (int)(high.some >> k & 1),
                 fluid, r, sums);
    }
    if (low.some != 0)
        step_column(b, parity, &low, fluid, r, sums);
    if (high.some != 0)
        step_column(b, parity, &high, fluid, r, sums);
}

/* The step of all rows, where there are open ends. */
static void step_rows_and_columns(const struct weir_block_view *b, int parity,
                                  const struct open_columns *columns, int row_begin, int row_end,
                                  const struct weir_fluid *fluid, const struct relaxation *r,
                                  struct boundary_sums *sums) {
    const int ny = b->extent[1][1];
    for (int number = row_begin, count; number < row_end; number += count) {
        const int y = number % ny;
        count = ny - y < VECTOR_CELLS ? ny - y : VECTOR_CELLS;
        count = row_end - number < count ? row_end - number : count;
        step_some_rows(b, parity, columns, y, number / ny, count, fluid, r, sums);
    }
}

#endif

static void step_rows(const struct weir_block_view *b, int parity, int row_begin, int row_end,
                      const struct weir_fluid *fluid, const struct relaxation *r,
                      struct boundary_sums *sums) {
    const int ny = b->extent[1][1];
#if BY_COLUMNS
    const struct open_columns columns = open_columns_of(b);
    if (columns.end[0].open || columns.end[1].open) {
        step_rows_and_columns(b, parity, &columns, row_begin, row_end, fluid, r, sums);
        return;
    }
#endif
    struct row row = {.y = -1};
    struct row_targets targets;
    for (int number = row_begin; number < row_end; number++) {
        if (WITH_SURFACE && !has_fluid(b, number % ny, number / ny)) /* as most rows of gas have none */
            continue;
        step_to_row(b, parity, number % ny, number / ny, &row, &targets);
        step_row(b, parity, &row, &targets, 0, b->extent[0][1], fluid, r, sums);
    }
}

#endif
