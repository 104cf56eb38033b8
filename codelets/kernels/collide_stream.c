/* Collide and stream on a CPU: one step of the rows of a block. */
#include "codelets/kernels/collision.h"
#include "codelets/kernels/kernels.h"
#include "codelets/kernels/rows.h"
#include "codelets/kernels/vectors.h"

/* The populations of a vector of cells on their way to the arithmetic and back. */
struct vector {
    real rows[POPULATIONS][VECTOR_CELLS];
};

FUNCTION void collide_vector(struct vector *v, bool forced, const struct relaxation *r) {
#pragma GCC ivdep
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
    for (int x = begin; x < end; x += VECTOR_CELLS)
#pragma GCC ivdep
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

/* Runs that are not whole rows: any number of cells, with walls beside them or not. */
static void step_run(const struct weir_block_view *b, int parity, const struct run *run, bool forced,
                     const struct relaxation *r) {
    struct staging arriving, leaving;
    const stored *in[POPULATIONS];
    stored *out[POPULATIONS];
    arriving_rows(b, parity, run, &arriving, in);
    out[0] = slot(b, 0) + cell_number(b, run->x, run->y, run->z);
    struct view_along ahead[POPULATIONS];
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, mx, my, mz)                   \
    ahead[i] = run->near_wall ? look_along(b, run, cx, cy, cz) : nothing; \
    out[i] = leaving_row(b, parity, run, &ahead[i], leaving.rows[i], i, o, cx, cy, cz, mx, my, mz);
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
    const int whole = run->cells / VECTOR_CELLS * VECTOR_CELLS, rest = run->cells - whole;
    collide_across(in, out, 0, whole, forced, r);
    if (rest > 0) {
        struct vector last;
        memset(&last, 0, sizeof last);
        for (int i = 0; i < POPULATIONS; i++)
            for (int k = 0; k < rest; k++)
                last.rows[i][k] = real_of(in[i][whole + k]);
        collide_one(&last, forced, r);
        for (int i = 0; i < POPULATIONS; i++)
            for (int k = 0; k < rest; k++)
                out[i][whole + k] = stored_of(last.rows[i][k]);
    }
    if (!run->near_wall)
        return;
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, mx, my, mz) \
    if (ahead[i].walls)                                 \
        deliver_row(b, parity, run, out[i], out[i] == leaving.rows[i], i, o, cx, cy, cz, (real)(w), my, mz);
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

/* A row of the block of which no cell is solid or near a wall, but for one at which the domain ends along x.
 */
struct whole_row {
    int y, z;
    int cell;    /* number of the first */
    bool inside; /* the rows around it are in this block */
};

/* An end of such a row: its first or last VECTOR_CELLS cells, of which one is beside the x face. */
struct row_end {
    int towards; /* of the x face: -1 or 1 */
    int first;   /* x of the first of these cells */
    int edge;    /* the one beside the face, among them */
    bool wall;   /* at the face */
    struct vector v;
};

static bool is_whole(const struct weir_block_view *b, int y, int z) {
    const int nx = b->extent[0][1];
    const uint8_t *flags = flag_of(b, 0, y, z);
    if (nx <= VECTOR_CELLS || flags[0] != (b->extent[0][0] == 0 ? WEIR_AT_X_END : WEIR_FLUID) ||
        flags[nx - 1] != (b->extent[0][2] == 0 ? WEIR_AT_X_END : WEIR_FLUID))
        return false;
    uint8_t any = WEIR_FLUID;
    for (int x = 1; x < nx - 1; x++)
        any |= flags[x];
    return any == WEIR_FLUID;
}

/* Reads the populations arriving at the end of a row. */
CALLED void read_end(const struct weir_block_view *b, int parity, const struct whole_row *row,
                     const stored *const in[POPULATIONS], struct row_end *end) {
    const int x = end->first + end->edge, y = row->y, z = row->z;
    const ptrdiff_t ny = b->extent[1][1], nz = b->extent[2][1];
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, mx, my, mz)                                                     \
    if ((cx) != 0 && (cx) == -end->towards) {                                                               \
        const stored *from;                                                                                 \
        if (end->wall) /* came back from it */                                                              \
            from = slot(b, i) + row->cell + x;                                                              \
        else if (!row->inside)                                                                              \
            from = source_of_cell(b, parity, false, i, o, cx, cy, cz, mx, my, mz, x, y, z);                 \
        else                                                                                                \
            from = (const stored *)b->incoming[13 + end->towards] + (((mx)*nz + z - (cz)) * ny + y - (cy)); \
        stored cells[VECTOR_CELLS];                                                                         \
        memcpy(cells + (end->towards < 0), in[i] + end->first + (end->towards < 0),                         \
               sizeof cells - sizeof *cells);                                                               \
        cells[end->edge] = *from;                                                                           \
        load_vector(end->v.rows[i], cells);                                                                 \
    } else {                                                                                                \
        load_vector(end->v.rows[i], in[i] + end->first);                                                    \
    }
    WEIR_DIRECTION(0, 0, 0, 0, 0, 0, 0, 0, 0)
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

/* Writes what leaves it. */
CALLED void write_end(const struct weir_block_view *b, int parity, const struct whole_row *row,
                      stored *const out[POPULATIONS], struct row_end *end) {
    const int x = end->first + end->edge, y = row->y, z = row->z;
    const ptrdiff_t ny = b->extent[1][1], nz = b->extent[2][1];
    const uint8_t wall = end->wall ? *flag_of(b, x + end->towards, y, z) : WEIR_FLUID;
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, mx, my, mz)                                         \
    if ((cx) != 0 && (cx) == end->towards) {                                                    \
        stored cells[VECTOR_CELLS];                                                             \
        store_vector(cells, end->v.rows[i]);                                                    \
        const stored leaving = cells[end->edge];                                                \
        memcpy(out[i] + end->first + (end->towards < 0), cells + (end->towards < 0),            \
               sizeof cells - sizeof *cells);                                                   \
        if (end->wall)                                                                          \
            slot(b, o)[row->cell + x] =                                                         \
                stored_of(real_of(leaving) - wall_momentum(b, wall, (real)(w), cx, cy, cz));    \
        else if (row->inside)                                                                   \
            ((stored *)b->outgoing[end->towards > 0])[((mx)*nz + z) * ny + y] = leaving;        \
        else                                                                                    \
            *target_of_cell(b, parity, false, i, o, cx, cy, cz, mx, my, mz, x, y, z) = leaving; \
    } else {                                                                                    \
        store_vector(out[i] + end->first, end->v.rows[i]);                                      \
    }
    WEIR_DIRECTION(0, 0, 0, 0, 0, 0, 0, 0, 0)
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

/* The vectors at the two ends of a row are taken apart from those between. Where the number of cells is no
 * multiple of theirs, the last one begins before the one before it ends: what they have in common is computed
 * twice, from the same numbers, because the last one is read before the one before it is written. */
static void step_whole_row(const struct weir_block_view *b, int parity, const struct whole_row *row,
                           bool forced, const struct relaxation *r) {
    const int nx = b->extent[0][1], last = (nx - 1) / VECTOR_CELLS * VECTOR_CELLS - VECTOR_CELLS;
    const struct run run = {.x = 0, .y = row->y, .z = row->z, .cells = nx};
    struct row_end low = {.towards = -1, .first = 0, .edge = 0, .wall = b->extent[0][0] == 0};
    struct row_end high = {
        .towards = 1, .first = nx - VECTOR_CELLS, .edge = VECTOR_CELLS - 1, .wall = b->extent[0][2] == 0};
    const stored *in[POPULATIONS];
    stored *out[POPULATIONS];
    in[0] = out[0] = slot(b, 0) + row->cell;
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, mx, my, mz)                                                     \
    if (row->inside) {                                                                                      \
        out[o] = parity ? slot(b, o) + (row->cell - cell_distance(b, cx, cy, cz)) : slot(b, i) + row->cell; \
        in[i] = out[o];                                                                                     \
    } else {                                                                                                \
        in[i] = source_row(b, parity, &run, i, o, cx, cy, cz, my, mz);                                      \
        out[i] = target_row(b, parity, &run, i, o, cx, cy, cz, my, mz);                                     \
    }
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
    read_end(b, parity, row, in, &low);
    if (last < VECTOR_CELLS)
        read_end(b, parity, row, in, &high);
    collide_one(&low.v, forced, r);
    write_end(b, parity, row, out, &low);
    if (last >= VECTOR_CELLS) {
        (row->inside ? collide_inside : collide_across)(in, out, VECTOR_CELLS, last, forced, r);
        read_end(b, parity, row, in, &high);
        (row->inside ? collide_inside : collide_across)(in, out, last, last + VECTOR_CELLS, forced, r);
    }
    collide_one(&high.v, forced, r);
    write_end(b, parity, row, out, &high);
}

weir_collide_stream_cpu WEIR_NAME(collide_stream);
void WEIR_NAME(collide_stream)(const struct weir_block_view *b, const struct weir_fluid *fluid, int parity,
                               int row_begin, int row_end) {
    const struct relaxation r = relaxation_of(fluid);
    const int nx = b->extent[0][1], ny = b->extent[1][1];
    for (int number = row_begin; number < row_end; number++) {
        const int y = number % ny, z = number / ny;
        if (is_whole(b, y, z)) {
            const struct whole_row row = {y, z, number * nx, row_is_inside(b, y, z)};
            step_whole_row(b, parity, &row, fluid->forced, &r);
            continue;
        }
        struct run run;
        for (int x = 0; next_run(b, &x, nx, y, z, &run);)
            step_run(b, parity, &run, fluid->forced, &r);
    }
}
