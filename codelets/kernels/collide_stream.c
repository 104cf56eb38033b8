/* Collide and stream on a CPU: one step of the rows of a block. Of a row, vectors of cells that are all fluid
 * and away from walls and x faces are taken in plain loops, all others by their lanes (rows.h). Where
 * populations move by more than one cell, or blocks are no bricks, cells are read and written one by one
 * (single_cells.h). */
#include "codelets/kernels/boundary/boundary_rows.h"
#include "codelets/kernels/collision/collision.h"
#include "codelets/kernels/kernels.h"

FUNCTION void collide_vector(struct vector *v, bool forced, const struct relaxation *r) {
    IVDEP
    for (int k = 0; k < VECTOR_CELLS; k++) {
        real f[POPULATIONS];
#define WEIR_DIRECTION(i, ...) f[i] = v->rows[i][k];
        WEIR_DIRECTION(0)
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
        collide(f, forced, r);
#define WEIR_DIRECTION(i, ...) v->rows[i][k] = f[i];
        WEIR_DIRECTION(0)
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
    }
}

/* With and without force, each compiled on its own. */
static void collide_one(struct vector *v, bool forced, const struct relaxation *r) {
    if (forced)
        collide_vector(v, true, r);
    else
        collide_vector(v, false, r);
}

#if BY_ROWS

/* Bytes from what a vector reads to what is fetched into the cache meanwhile. */
enum { FETCHED_AHEAD = 512 };

/* Fetches what is soon read along rows. Processors that fetch ahead by themselves lose the track of so many
 * streams, above all where rows are short. */
FUNCTION void fetch_ahead(const stored *const rows[POPULATIONS], int x) {
    UNROLL(64)
    for (int i = 0; i < POPULATIONS; i++)
        __builtin_prefetch(rows[i] + x + FETCHED_AHEAD / sizeof(stored));
}

static void load_vectors(struct vector *v, const stored *const in[POPULATIONS], int x) {
    for (int i = 0; i < POPULATIONS; i++)
        load_vector(v->rows[i], in[i] + x);
}

static void store_vectors(const struct vector *v, stored *const out[POPULATIONS], int x) {
    for (int i = 0; i < POPULATIONS; i++)
        store_vector(out[i] + x, v->rows[i]);
}

/* The step of cells begin .. end - 1, whole vectors, whose populations arrive in and leave by rows. */
static void collide_across(const stored *const in[POPULATIONS], stored *const out[POPULATIONS], int begin,
                           int end, bool forced, const struct relaxation *r) {
    for (int x = begin; x < end; x += VECTOR_CELLS) {
        struct vector v;
        fetch_ahead(in, x);
        load_vectors(&v, in, x);
        collide_one(&v, forced, r);
        store_vectors(&v, out, x);
    }
}

#if !STORED_IN_HALF

/* The same where what leaves along a direction is written where its opposite was read: nearly all cells go
 * this way. Every row is read and written by one cell only (addressing.h), so any order of cells will do: the
 * compiler may take many at once. */
FUNCTION void collide_rows(const stored *const rows[POPULATIONS], int begin, int end, bool forced,
                           const struct relaxation *relaxation) {
    const struct relaxation r = *relaxation;
#define WEIR_DIRECTION(i, ...) stored *const row_##i = (stored *)rows[i];
    WEIR_DIRECTION(0)
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
    for (int x = begin; x < end; x += VECTOR_CELLS) {
        fetch_ahead(rows, x);
        IVDEP
        for (int k = x; k < x + VECTOR_CELLS; k++) {
            real f[POPULATIONS];
#define WEIR_DIRECTION(i, ...) f[i] = row_##i[k];
            WEIR_DIRECTION(0)
            FOR_DIRECTIONS
#undef WEIR_DIRECTION
            collide(f, forced, &r);
#define WEIR_DIRECTION(i, o, ...) row_##o[k] = f[i];
            WEIR_DIRECTION(0, 0)
            FOR_DIRECTIONS
#undef WEIR_DIRECTION
        }
    }
}

static void collide_inside(const stored *const in[POPULATIONS], stored *const out[POPULATIONS], int begin,
                           int end, bool forced, const struct relaxation *r) {
    (void)out;
    if (forced)
        collide_rows(in, begin, end, true, r);
    else
        collide_rows(in, begin, end, false, r);
}

#else

/* Halves are turned into reals vector by vector in any case. */
#define collide_inside collide_across

#endif

/* Where what leaves a row goes. */
struct row_targets {
    stored *out[POPULATIONS]; /* out[i][x], but for the exceptions */
};

static struct row_targets targets_of(const struct weir_block_view *b, int parity, const struct row *row) {
    struct row_targets targets;
    targets.out[0] = (stored *)row->in[0];
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                                             \
    if (row->inside) {                                                                     \
        targets.out[o] = (stored *)row->in[i];                                             \
    } else {                                                                               \
        stored *const target = target_row(b, parity, row, d);                              \
        targets.out[i] = target ? target : row->own[o]; /* no cell's then, as in row_of */ \
    }
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
    return targets;
}

/* Writes what leaves cells of a row. at_ends and in_rows as in read_cells. */
FUNCTION void write_cells(const struct weir_block_view *b, const struct row *row,
                          const struct row_targets *targets, const struct cells *cells, bool at_ends,
                          bool in_rows, const struct vector *v) {
    const ptrdiff_t ny = b->extent[1][1], nz = b->extent[2][1];
    const int at = cells->x;
    store_lanes(row->own[0] + at, v->rows[0], cells->fluid);
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                                                            \
    {                                                                                                     \
        const lanes walls = cells->walls[i];                                                              \
        const lanes edge = at_ends ? leaving_along_x(cells, cx) & ~walls : 0;                             \
        store_lanes(targets->out[i] + at, v->rows[i], cells->fluid & ~((in_rows ? 0 : walls) | edge));    \
        if (!in_rows)                                                                                     \
            store_lanes(row->own[o] + at, v->rows[i], walls);                                             \
        if (edge != 0)                                                                                    \
            ((stored *)                                                                                   \
                 b->outgoing[WEIR_FACE(0, cx)])[weir_layer_place((d).layer[0], row->z, nz, row->y, ny)] = \
                stored_of(v->rows[i][first_lane(edge)]);                                                  \
    }
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

FUNCTION void step_cells(const struct weir_block_view *b, int parity, const struct row *row,
                         const struct row_targets *targets, const struct cells *cells, bool at_ends,
                         bool in_rows, const struct weir_fluid *fluid, const struct relaxation *r,
                         struct boundary_sums *sums) {
    struct vector v;
    read_cells(b, parity, row, cells, at_ends, in_rows, &v);
    fetch_ahead(row->in, cells->x);
    collide_one(&v, fluid->forced, r);
    if (b->flow)
        reflect_from_boundaries(b, parity, row, cells, fluid, r->force, &v, sums);
    else if (fluid->walls_move)
        reflect_from_moving_walls(b, row, cells, &v);
    write_cells(b, row, targets, cells, at_ends, in_rows, &v);
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

/* The even step of such cells in a row inside the block: all that they read and write is their own, so there
 * is no need to know where walls are. */
CALLED void step_resting(const struct row *row, int x, lanes fluid, bool forced, const struct relaxation *r) {
    struct vector v;
    for (int i = 0; i < POPULATIONS; i++)
        unpack_lanes(v.rows[i], pack_lanes(row->own[i] + x, fluid));
    fetch_ahead(row->in, x);
    collide_one(&v, forced, r);
    store_lanes(row->own[0] + x, v.rows[0], fluid);
#define WEIR_DIRECTION(i, o, ...) store_lanes(row->own[o] + x, v.rows[i], fluid);
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

/* The step of some cells from the fluid one at x on, VECTOR_CELLS at most. */
static void step_vector(const struct weir_block_view *b, int parity, const struct row *row,
                        const struct row_targets *targets, int x, const struct weir_fluid *fluid,
                        const struct relaxation *r, struct boundary_sums *sums) {
    const int nx = b->extent[0][1];
    const bool in_place = row->inside && parity == 0;
    struct cells cells;
    if (in_place && x > 0 && x + VECTOR_CELLS < nx && walls_rest(row, x)) {
        step_resting(row, x, fluid_from(b, row, x, nx), fluid->forced, r);
    } else if (find_cells(b, row, x, nx, &cells)) {
        const bool in_rows = in_place || !cells.walled, at_ends = (cells.first | cells.last) != 0;
        steps_of_cells[in_rows][at_ends](b, parity, row, targets, &cells, fluid, r, sums);
    }
}

static void step_row(const struct weir_block_view *b, int parity, int y, int z,
                     const struct weir_fluid *fluid, const struct relaxation *r, struct boundary_sums *sums) {
    const int nx = b->extent[0][1];
    const struct row row = row_of(b, parity, y, z);
    const struct row_targets targets = targets_of(b, parity, &row);
    for (int x = 0; x < nx;) {
        int end = x;
        while (end > 0 && end + VECTOR_CELLS < nx && all_plain(&row, end))
            end += VECTOR_CELLS;
        if (end > x) {
            (row.inside ? collide_inside : collide_across)(row.in, targets.out, x, end, fluid->forced, r);
            x = end;
            continue;
        }
        const lanes some = fluid_from(b, &row, x, nx);
        if (some != 0) { /* vectors begin with a fluid cell, so that there are fewer of them */
            x += first_lane(some);
            step_vector(b, parity, &row, &targets, x, fluid, r, sums);
        }
        x += VECTOR_CELLS;
    }
}

#else

static void step_row(const struct weir_block_view *b, int parity, int y, int z,
                     const struct weir_fluid *fluid, const struct relaxation *r, struct boundary_sums *sums) {
    const struct row row = row_of(b, parity, y, z);
    struct cells cells;
    struct vector v;
    for (int x = 0; x < b->extent[0][1]; x += VECTOR_CELLS) {
        if (!find_cells(b, &row, x, b->extent[0][1], &cells))
            continue;
        read_cells(b, parity, &row, &cells, true, false, &v);
        collide_one(&v, fluid->forced, r);
        if (b->flow)
            reflect_from_boundaries(b, parity, &row, &cells, fluid, r->force, &v, sums);
        else if (fluid->walls_move)
            reflect_from_moving_walls(b, &row, &cells, &v);
        write_single_cells(b, parity, &row, &cells, &v);
    }
}

#endif

weir_collide_stream_cpu WEIR_NAME(collide_stream);
void WEIR_NAME(collide_stream)(const struct weir_block_view *b, const struct weir_fluid *fluid, int parity,
                               int row_begin, int row_end) {
    const struct relaxation r = relaxation_of(fluid);
    const int ny = b->extent[1][1];
    struct boundary_sums sums = {.boundary = 0};
    if (row_begin == 0)
        settle_flows(b, parity);
    for (int number = row_begin; number < row_end; number++)
        step_row(b, parity, number % ny, number / ny, fluid, &r, &sums);
    add_flow(b, parity, row_begin % WEIR_FLOW_SHARES, &sums);
}
