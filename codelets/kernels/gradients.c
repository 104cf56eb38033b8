/* What follows from the gradient of the velocity, on a CPU: the velocity of rows of cells, and, once all have
 * it, what is kept of its differences. */
#include "codelets/kernels/collision/gradients.h"
#include "codelets/kernels/cells/observed_rows.h"
#include "codelets/kernels/kernels.h"

weir_velocity_field_cpu WEIR_NAME(velocity_field);
void WEIR_NAME(velocity_field)(const struct weir_block_view *b, const struct weir_fluid *fluid, int parity,
                               int row_begin, int row_end, void *velocity, void *const outgoing[WEIR_FACES]) {
    const size_t cells = kept_cells(b);
    const struct observer observer = observer_of(b, fluid, parity);
    struct observed_cells observed;
    for (int row = row_begin; row < row_end; row++) {
        const int y = row % b->extent[1][1], z = row / b->extent[1][1];
        observe_row(&observer, y, z, &observed);
        for (int x = 0; observe_next(&observer, &x, b->extent[0][1], &observed);)
            for (lanes left = observed.cells.fluid; left != 0; left &= left - 1) {
                const int k = first_lane(left), here = observed.cells.x + k;
                real *const own = (real *)velocity + cell_entry(b, here, y, z);
                for (int axis = 0; axis < DIMENSIONS; axis++) {
                    own[(size_t)axis * cells] = observed.moments[k].velocity[axis];
                    give_field(b, outgoing, axis, here, y, z, observed.moments[k].velocity[axis]);
                }
            }
    }
    clear_upper_halves();
}

/* Not expanded in place: few cells need it. */
CALLED void keep_in_cell(const struct weir_block_view *b, const struct velocity_field *field, real factor,
                         int x, int y, int z) {
    if (!is_wall(*flag_of(b, x, y, z)))
        keep_gradient(b, field, factor, x, y, z);
}

#if IN_BRICKS

/* Rows of the components of the velocity, before and after a row along each axis. */
struct rows_around {
    const real *of[DIMENSIONS][DIMENSIONS][2]; /* [component][axis][side] */
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
                rows.of[a][axis][side] = row ? row + (axis == 0 ? c : 0) : NULL;
                rows.whole = rows.whole && row;
            }
    return rows;
}

/* Of cells begin .. end - 1 of a row, none of which is beside an x face or a wall. */
static void keep_in_plain_cells(const struct weir_block_view *b, const struct rows_around *rows, real factor,
                                int begin, int end, int y, int z) {
    stored *kept[GRADIENT_VALUES];
    for (int k = 0; k < GRADIENT_VALUES; k++)
        kept[k] = slot(b, EDDIES_0 + k) + cell_number(b, 0, y, z);
    IVDEP
    for (int x = begin; x < end; x++) {
        struct gradient g;
        real values[GRADIENT_VALUES];
        UNROLL(3)
        for (int a = 0; a < DIMENSIONS; a++)
            UNROLL(3)
        for (int axis = 0; axis < DIMENSIONS; axis++)
            g.of[a][axis] = central_difference(rows->of[a][axis][0][x], rows->of[a][axis][1][x]);
        values_of_gradient(&g, factor, values);
        UNROLL(8)
        for (int k = 0; k < GRADIENT_VALUES; k++)
            kept[k][x] = stored_of(values[k]);
    }
}

static void keep_in_row(const struct weir_block_view *b, const struct velocity_field *field, real factor,
                        int y, int z) {
    const int nx = b->extent[0][1];
    const uint8_t *const flags = flag_of(b, 0, y, z);
    const struct rows_around rows = rows_around(b, field, y, z);
    for (int x = 0; x < nx;) {
        int end = x; /* of cells without walls beside them */
        while (rows.whole && end > 0 && end < nx - 1 && flags[end] == WEIR_FLUID)
            end++;
        if (end > x)
            keep_in_plain_cells(b, &rows, factor, x, end, y, z);
        else
            keep_in_cell(b, field, factor, end++, y, z);
        x = end;
    }
}

#else

static void keep_in_row(const struct weir_block_view *b, const struct velocity_field *field, real factor,
                        int y, int z) {
    for (int x = 0; x < b->extent[0][1]; x++)
        keep_in_cell(b, field, factor, x, y, z);
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
