/* Collide and stream on a CPU: one step of the rows of a block. */
#include "codelets/kernels/collision.h"
#include "codelets/kernels/columns.h"
#include "codelets/kernels/kernels.h"
#include "codelets/kernels/rows.h"

/* The step of n cells whose populations arrive in and leave by rows: the arithmetic, and nothing else. Every
 * row is read and written by one cell only (addressing.h), so any order of cells will do: the compiler may
 * take many at once. */
FUNCTION void collide_rows(const real *const in[POPULATIONS], real *const out[POPULATIONS], int n,
                           bool forced, const struct relaxation *relaxation) {
    const struct relaxation r = *relaxation;
#define WEIR_DIRECTION(i, ...)        \
    const real *const in_##i = in[i]; \
    real *const out_##i = out[i];
    WEIR_DIRECTION(0)
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
#pragma GCC ivdep
    for (int x = 0; x < n; x++) {
        real f[POPULATIONS];
#define WEIR_DIRECTION(i, ...) f[i] = in_##i[x];
        WEIR_DIRECTION(0)
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
        collide(f, forced, &r);
#define WEIR_DIRECTION(i, ...) out_##i[x] = f[i];
        WEIR_DIRECTION(0)
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
    }
}

static void collide_run(const real *const in[POPULATIONS], real *const out[POPULATIONS], int n, bool forced,
                        const struct relaxation *r) {
    if (forced)
        collide_rows(in, out, n, true, r);
    else
        collide_rows(in, out, n, false, r);
}

static void step_run(const struct weir_block_view *b, int parity, const struct run *run, bool forced,
                     const struct relaxation *r) {
    struct staging arriving, leaving;
    const real *in[POPULATIONS];
    real *out[POPULATIONS];
    arriving_rows(b, parity, run, &arriving, in);
    out[0] = slot(b, 0) + cell_number(b, run->x, run->y, run->z);
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, mx, my, mz) \
    out[i] = leaving_row(b, parity, run, leaving.rows[i], i, o, cx, cy, cz, mx, my, mz);
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
    collide_run(in, out, run->cells, forced, r);
    if (!run->near_wall)
        return;
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, mx, my, mz) \
    deliver_row(b, parity, run, out[i], out[i] == leaving.rows[i], i, o, cx, cy, cz, (real)(w), my, mz);
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

static void step_column(const struct weir_block_view *b, int parity, const struct column *column, bool forced,
                        const struct relaxation *r) {
    real rows[POPULATIONS][COLUMN_CELLS];
    const real *in[POPULATIONS];
    real *out[POPULATIONS];
    for (int i = 0; i < POPULATIONS; i++)
        in[i] = out[i] = rows[i];
    gather_column(b, parity, column, rows);
    collide_run(in, out, column->cells, forced, r);
    scatter_column(b, parity, column, (const real(*)[COLUMN_CELLS])rows);
}

/* Some neighbouring rows: their ends as columns where these are plain, then the rest. */
static void step_rows(const struct weir_block_view *b, int parity, int y, int z, int rows, bool forced,
                      const struct relaxation *r) {
    const int nx = b->extent[0][1];
    struct column column;
    const bool low = find_column(b, -1, y, z, rows, &column);
    if (low)
        step_column(b, parity, &column, forced, r);
    const bool high = find_column(b, 1, y, z, rows, &column);
    if (high)
        step_column(b, parity, &column, forced, r);
    for (int row = 0; row < rows; row++) {
        struct run run;
        for (int x = low; next_run(b, &x, nx - high, y + row, z, &run);)
            step_run(b, parity, &run, forced, r);
    }
}

weir_collide_stream_cpu WEIR_NAME(collide_stream);
void WEIR_NAME(collide_stream)(const struct weir_block_view *b, const struct weir_fluid *fluid, int parity,
                               int row_begin, int row_end) {
    const struct relaxation r = relaxation_of(fluid);
    const int ny = b->extent[1][1];
    for (int row = row_begin, rows; row < row_end; row += rows) {
        const int y = row % ny, z = row / ny;
        /* The first and last row of a layer on their own: their ends are not plain. */
        const int y_end = y == 0 ? 1 : y == ny - 1 ? ny : ny - 1;
        rows = y_end - y < COLUMN_CELLS ? y_end - y : COLUMN_CELLS;
        rows = rows < row_end - row ? rows : row_end - row;
        step_rows(b, parity, y, z, rows, fluid->forced, &r);
    }
}
