/* What gives a fluid phases or components, on a CPU: what rows of cells attract or repel by. The force that
 * follows is for who collides or looks at cells (collision/cohesion.h). */
#include "codelets/kernels/cells/fetch_ahead.h"
#include "codelets/kernels/cells/row_ends.h"
#include "codelets/kernels/collision/cohesion.h"
#include "codelets/kernels/kernels.h"

FUNCTION void fill_cells_by(int equation, const struct interaction *a, int count,
                            real *const psi[POTENTIALS]) {
    IVDEP
    for (int x = 0; x < count; x++) {
        real values[POTENTIALS];
        for (int k = 0; k < POTENTIALS; k++)
            values[k] = psi[k][x];
        attract_by(equation, a, values);
        for (int k = 0; k < POTENTIALS; k++)
            psi[k][x] = values[k];
    }
}

/* From densities to what they attract by. */
static void fill_by_equation(int equation, const struct interaction *a, int count,
                             real *const psi[POTENTIALS]) {
    switch (equation) {
    case WEIR_SHAN_CHEN:
        fill_cells_by(WEIR_SHAN_CHEN, a, count, psi);
        break;
    case WEIR_SHAN_CHEN_1994:
        fill_cells_by(WEIR_SHAN_CHEN_1994, a, count, psi);
        break;
    case WEIR_CARNAHAN_STARLING:
        fill_cells_by(WEIR_CARNAHAN_STARLING, a, count, psi);
        break;
    default:
        fill_cells_by(WEIR_PENG_ROBINSON, a, count, psi);
    }
}

/* Densities of a vector of cells away from walls and x faces. */
FUNCTION void fill_plain_densities(const struct row *row, int x, real *const densities[POTENTIALS]) {
    fetch_ahead(row->in, x);
    IVDEP
    for (int k = x; k < x + VECTOR_CELLS; k++) {
        real f[POPULATIONS], of_cell[POTENTIALS];
#define WEIR_DIRECTION(i, ...) f[i] = real_of(row->in[i][k]);
        WEIR_DIRECTION(0)
        FOR_FLOW_DIRECTIONS
        FOR_SCALAR_REST
        FOR_SCALAR_DIRECTIONS
#undef WEIR_DIRECTION
        densities_of(f, of_cell);
        for (int n = 0; n < POTENTIALS; n++)
            densities[n][k] = of_cell[n];
    }
}

/* Densities of any vector of cells, of which solid ones get any. */
CALLED void fill_densities(const struct weir_block_view *b, int parity, const struct row *row, int x,
                           real *const densities[POTENTIALS]) {
    const int nx = b->extent[0][1], count = x + VECTOR_CELLS < nx ? VECTOR_CELLS : nx - x;
    struct row_end end;
    struct cells cells;
    struct vector arriving;
    real of_cells[POTENTIALS][VECTOR_CELLS];
    fetch_ahead(row->in, x);
    if (find_row_end(b, row, x, 0, &end)) {
        read_row_end(b, parity, row, &end, &arriving);
    } else if (find_cells(b, row, x, nx, &cells)) {
        look_at_cells(b, parity, row, &cells, &arriving);
    } else {
        for (int n = 0; n < POTENTIALS; n++)
            memset(densities[n] + x, 0, (size_t)count * sizeof(real));
        return;
    }
    IVDEP
    for (int k = 0; k < VECTOR_CELLS; k++) {
        real f[POPULATIONS], of_cell[POTENTIALS];
        UNROLL(64)
        for (int i = 0; i < FLOW_POPULATIONS + SCALAR_POPULATIONS; i++)
            f[i] = arriving.rows[i][k];
        densities_of(f, of_cell);
        for (int n = 0; n < POTENTIALS; n++)
            of_cells[n][k] = of_cell[n];
    }
    for (int n = 0; n < POTENTIALS; n++)
        memcpy(densities[n] + x, of_cells[n], (size_t)count * sizeof(real));
}

static void mark_walls(const struct row *row, int count, real *const psi[POTENTIALS]) {
    for (int x = 0; x < count; x++)
        for (int n = 0; n < POTENTIALS && is_wall(row->flags[x]); n++)
            psi[n][x] = ENTRY_OF_WALL;
}

weir_pseudopotential_cpu WEIR_NAME(pseudopotential);
void WEIR_NAME(pseudopotential)(const struct weir_block_view *b, const struct weir_fluid *fluid, int parity,
                                int row_begin, int row_end, void *const outgoing[WEIR_FACES]) {
    const int nx = b->extent[0][1], ny = b->extent[1][1];
    const struct interaction a = interaction_of(fluid);
    struct row row = {.y = -1};
    for (int number = row_begin; number < row_end; number++) {
        const int y = number % ny, z = number / ny;
        next_row(b, parity, y, z, &row);
        real *psi[POTENTIALS];
        for (int n = 0; n < POTENTIALS; n++)
            psi[n] = potentials_of(b, n) + cell_number(b, 0, y, z);
        for (int x = 0; x < nx; x += VECTOR_CELLS)
            if (x > 0 && x + VECTOR_CELLS < nx && all_plain(&row, x))
                fill_plain_densities(&row, x, psi);
            else
                fill_densities(b, parity, &row, x, psi);
        fill_by_equation(fluid->interaction.equation, &a, nx, psi);
        if (b->bodies)
            mark_walls(&row, nx, psi);
        for (int n = 0; n < POTENTIALS; n++)
            give_field_row(b, outgoing, n, y, z, psi[n]);
    }
    clear_upper_halves();
}
