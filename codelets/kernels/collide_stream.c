/* Collide and stream on a CPU: one step of the rows of a block. Bricks are taken row by row, lists of fluid
 * cells in the order of their entries. Where populations move by more than one cell, cells are read and
 * written one by one (single_cells.h); where cells keep moments, collide_moments.h. */
#include "codelets/kernels/boundary/boundary_rows.h"
#include "codelets/kernels/kernels.h"

#if WITH_MOMENTS
#include "codelets/kernels/collide_moments.h"
#elif BY_ROWS
#include "codelets/kernels/collide_bricks.h"
#elif BY_ROUTES
#include "codelets/kernels/collide_lists.h"
#else
#include "codelets/kernels/collision/collide_rows.h"

#if BY_VECTORS

/* The step of plain cells of a row, which has places, from x on: where they end. Vectors that reach no end of
 * the row first, else what is left to `next`. */
static int step_plain_cells(const struct weir_block_view *b, int parity, const struct row *row,
                            const struct row_places *places, int x, int next, bool amid, bool forced,
                            const struct relaxation *r) {
    struct vector v;
    int end = x;
    while (all_inside(b, row, end))
        end += VECTOR_CELLS;
    if (end > x) {
        if (amid)
            collide_inside(places->in, places->out, NULL, x, end, forced, r);
        else
            collide_across(places->in, places->out, NULL, x, end, forced, r);
        return end;
    }
    const lanes some = plain_cells(row, x, next);
    if (some == 0)
        return x;
    read_plain_cells(b, parity, row, places, x, some, &v);
    collide_one(&v, forced, r);
    write_plain_cells(b, row, places, x, some, &v);
    return next;
}

#endif

/* Where the cells end that are taken together from x on. Where a vector's cells at a row's end are not all
 * plain, those behind REACH may be. */
static int end_of_vector(const struct row *row, int x, int nx) {
    const int end = x + VECTOR_CELLS < nx ? x + VECTOR_CELLS : nx;
#if BY_VECTORS
    if (x < REACH && REACH < end && plain_cells(row, x, end) == 0)
        return REACH;
#else
    (void)row;
#endif
    return end;
}

static void step_row(const struct weir_block_view *b, int parity, int y, int z,
                     const struct weir_fluid *fluid, const struct relaxation *r, struct boundary_sums *sums) {
    const struct row row = row_of(b, parity, y, z);
    const struct body_force body = body_force_of(r);
    struct cells cells;
    struct vector v;
    const int nx = b->extent[0][1];
#if BY_VECTORS
    const bool placed = !row_is_at_end(b, &row), amid = row_is_amid(b, &row);
    struct row_places places;
    if (placed)
        place_row(b, parity, &row, &places);
#endif
    for (int x = 0, next; x < nx; x = next) {
        const int end = end_of_vector(&row, x, nx);
#if BY_VECTORS
        next = placed ? step_plain_cells(b, parity, &row, &places, x, end, amid, fluid->forced, r) : x;
        if (next > x)
            continue;
#endif
        next = end;
        if (!find_cells(b, &row, x, end, &cells))
            continue;
        read_cells(b, parity, &row, &cells, true, false, &v);
#if WITH_WET
        if (b->flow)
            complete_wet_cells(b, parity, &row, &cells, fluid->forced, &body, &v, sums);
#endif
        collide_one(&v, fluid->forced, r);
        if (b->flow)
            reflect_from_boundaries(b, parity, &row, &cells, fluid, &body, &v, sums);
        else if (fluid->walls_move)
            reflect_from_moving_walls(b, &row, &cells, &v);
        write_single_cells(b, parity, &row, &cells, &v);
    }
}

static void step_rows(const struct weir_block_view *b, int parity, int row_begin, int row_end,
                      const struct weir_fluid *fluid, const struct relaxation *r,
                      struct boundary_sums *sums) {
    const int ny = b->extent[1][1];
    for (int number = row_begin; number < row_end; number++)
        step_row(b, parity, number % ny, number / ny, fluid, r, sums);
}

#endif

weir_collide_stream_cpu WEIR_NAME(collide_stream);
void WEIR_NAME(collide_stream)(const struct weir_block_view *b, const struct weir_fluid *fluid, int parity,
                               int row_begin, int row_end) {
    const struct relaxation r = relaxation_of(fluid);
    struct boundary_sums sums;
    memset(&sums, 0, sizeof sums);
    if (row_begin == 0)
        settle_flows(b, parity);
    step_rows(b, parity, row_begin, row_end, fluid, &r, &sums);
    add_flow(b, parity, row_begin % WEIR_FLOW_SHARES, &sums);
    clear_upper_halves();
}
