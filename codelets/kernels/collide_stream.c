/* Collide and stream on a CPU: one step of the rows of a block. */
#include "codelets/kernels/collision.h"
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

static void step_run(const struct weir_block_view *b, int parity, const struct run *run, bool forced,
                     const struct relaxation *r) {
    struct staging arriving, leaving;
    const real *in[POPULATIONS];
    real *out[POPULATIONS];
    arriving_rows(b, parity, run, &arriving, in);
    out[0] = slot(b, 0) + cell_number(b, run->x, run->y, run->z);
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, mx, my, mz) \
    out[i] = leaving_row(b, parity, run, leaving.rows[i], i, o, cx, cy, cz, my, mz);
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
    if (forced)
        collide_rows(in, out, run->cells, true, r);
    else
        collide_rows(in, out, run->cells, false, r);
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, mx, my, mz) \
    if (out[i] == leaving.rows[i])                      \
        deliver_row(b, parity, run, leaving.rows[i], i, o, cx, cy, cz, (real)(w), mx, my, mz);
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

weir_collide_stream_cpu WEIR_NAME(collide_stream);
void WEIR_NAME(collide_stream)(const struct weir_block_view *b, const struct weir_fluid *fluid, int parity,
                               int row_begin, int row_end) {
    const struct relaxation r = relaxation_of(fluid);
    for (int row = row_begin; row < row_end; row++) {
        const int y = row % b->extent[1][1], z = row / b->extent[1][1];
        struct run run;
        for (int x = 0; next_run(b, &x, b->extent[0][1], y, z, &run);)
            step_run(b, parity, &run, fluid->forced, &r);
    }
}
