/* What gives a fluid phases, on a CPU: the pseudopotential of rows of cells, and the force on them by it. */
#include "codelets/kernels/collision/cohesion.h"
#include "codelets/kernels/cells/rows.h"
#include "codelets/kernels/kernels.h"

/* ---- the pseudopotential ------------------------------------------------------------------------------ */

FUNCTION void fill_cells_by(int equation, const struct interaction *a, int count, real *psi) {
    IVDEP
    for (int x = 0; x < count; x++)
        psi[x] = pseudopotential_by(equation, a, psi[x]);
}

/* From densities to what they attract by. */
static void fill_by_equation(int equation, const struct interaction *a, int count, real *psi) {
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

/* Densities of a vector of cells away from walls and x faces. Fetches ahead, as steps do (collide_rows.h). */
FUNCTION void fill_plain_densities(const struct row *row, int x, real *density) {
    enum { AHEAD = 512 / sizeof(stored) };
    UNROLL(64)
    for (int i = 0; i < FLOW_POPULATIONS; i++)
        __builtin_prefetch(row->in[i] + x + AHEAD);
    IVDEP
    for (int k = x; k < x + VECTOR_CELLS; k++) {
        real f[POPULATIONS];
#define WEIR_DIRECTION(i, ...) f[i] = real_of(row->in[i][k]);
        WEIR_DIRECTION(0)
        FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
        density[k] = (real)1 + excess_of(f);
    }
}

/* Keeps the adhesion of cells of a vector to the walls beside them. */
CALLED void keep_adhesion(const struct weir_block_view *b, const struct row *row, const struct cells *cells,
                          const real *density) {
    for (lanes left = cells->fluid; left != 0; left &= left - 1) {
        const int x = cells->x + first_lane(left);
        real force[3];
        if (row->flags[x] == WEIR_FLUID)
            continue;
        adhesion_on_cell(b, row->flags[x], density[x], x, row->y, row->z, force);
        keep_force(b, cell_entry(b, x, row->y, row->z), force);
    }
}

/* Densities of any vector of cells, of which solid ones get any, and adhesion to the walls beside them. */
CALLED void fill_densities(const struct weir_block_view *b, int parity, const struct row *row, int x,
                           real *density) {
    const int nx = b->extent[0][1], count = x + VECTOR_CELLS < nx ? VECTOR_CELLS : nx - x;
    struct cells cells;
    struct vector arriving;
    real densities[VECTOR_CELLS];
    if (!find_cells(b, row, x, nx, &cells)) {
        memset(density + x, 0, (size_t)count * sizeof *density);
        return;
    }
    if (cells.walled)
        read_cells(b, parity, row, &cells, true, false, &arriving);
    else
        read_cells(b, parity, row, &cells, true, true, &arriving);
    IVDEP
    for (int k = 0; k < VECTOR_CELLS; k++) {
        real f[POPULATIONS];
        UNROLL(64)
        for (int i = 0; i < FLOW_POPULATIONS; i++)
            f[i] = arriving.rows[i][k];
        densities[k] = (real)1 + excess_of(f);
    }
    memcpy(density + x, densities, (size_t)count * sizeof *density);
    if (cells.walled)
        keep_adhesion(b, row, &cells, density);
}

static void mark_walls(const struct row *row, int count, real *psi) {
    for (int x = 0; x < count; x++)
        if (is_wall(row->flags[x]))
            psi[x] = ENTRY_OF_WALL;
}

/* Tells the neighbours of a row. */
CALLED void give_row(const struct weir_block_view *b, void *const outgoing[WEIR_FACES], int y, int z,
                     const real *psi) {
    const int nx = b->extent[0][1];
    const bool rim =
        y == 0 || y == b->extent[1][1] - 1 || (DIMENSIONS == 3 && (z == 0 || z == b->extent[2][1] - 1));
    for (int x = 0; x < nx; x = rim || x == nx - 1 ? x + 1 : nx - 1)
        give_field(b, outgoing, 0, x, y, z, psi[x]);
}

weir_pseudopotential_cpu WEIR_NAME(pseudopotential);
void WEIR_NAME(pseudopotential)(const struct weir_block_view *b, const struct weir_fluid *fluid, int parity,
                                int row_begin, int row_end, void *pseudopotential,
                                void *const outgoing[WEIR_FACES]) {
    const int nx = b->extent[0][1], ny = b->extent[1][1];
    const struct interaction a = interaction_of(fluid);
    for (int number = row_begin; number < row_end; number++) {
        const int y = number % ny, z = number / ny;
        const struct row row = row_of(b, parity, y, z);
        real *const psi = (real *)pseudopotential + cell_number(b, 0, y, z);
        for (int x = 0; x < nx; x += VECTOR_CELLS)
            if (x > 0 && x + VECTOR_CELLS < nx && all_plain(&row, x))
                fill_plain_densities(&row, x, psi);
            else
                fill_densities(b, parity, &row, x, psi);
        fill_by_equation(fluid->interaction.equation, &a, nx, psi);
        if (b->bodies)
            mark_walls(&row, nx, psi);
        give_row(b, outgoing, y, z, psi);
    }
}

/* ---- the force ---------------------------------------------------------------------------------------- */

/* The force on cells begin .. end - 1 of a row, none of which is beside an x face or a wall. */
static void fill_plain_cells(const struct weir_block_view *b, const struct interaction *a,
                             const real *const rows[3][3], int begin, int end, int y, int z) {
    stored *force[DIMENSIONS];
    for (int axis = 0; axis < DIMENSIONS; axis++)
        force[axis] = slot(b, COHESION_0 + axis) + cell_number(b, 0, y, z);
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...) const real *const row_##i = rows[(cz) + 1][(cy) + 1] + (cx);
    FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
    const real *const row_0 = rows[1][1];
    IVDEP
    for (int x = begin; x < end; x++) {
        real around[FLOW_POPULATIONS], on_cell[3];
        around[0] = row_0[x];
#define WEIR_DIRECTION(i, ...) around[i] = row_##i[x];
        FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
        cohesion_from(around, a, on_cell);
        for (int axis = 0; axis < DIMENSIONS; axis++)
            force[axis][x] = stored_of(on_cell[axis]);
    }
}

CALLED void fill_cell(const struct weir_block_view *b, const struct interaction *a, const real *psi,
                      const void *const incoming[WEIR_NEIGHBOURS], int x, int y, int z) {
    const uint8_t flag = *flag_of(b, x, y, z);
    real force[3];
    if (is_wall(flag))
        return;
    cohesion_on_cell(b, a, psi, incoming, x, y, z, force);
    add_force(b, flag, cell_entry(b, x, y, z), force);
}

weir_cohesion_cpu WEIR_NAME(cohesion);
void WEIR_NAME(cohesion)(const struct weir_block_view *b, const struct weir_fluid *fluid, int row_begin,
                         int row_end, const void *pseudopotential,
                         const void *const incoming[WEIR_NEIGHBOURS]) {
    const int nx = b->extent[0][1], ny = b->extent[1][1], deep = DIMENSIONS == 3;
    const struct interaction a = interaction_of(fluid);
    const real *const psi = (const real *)pseudopotential;
    for (int number = row_begin; number < row_end; number++) {
        const int y = number % ny, z = number / ny;
        const uint8_t *const flags = flag_of(b, 0, y, z);
        const real *rows[3][3];
        bool within = true;
        for (int cz = -deep; cz <= deep; cz++)
            for (int cy = -1; cy <= 1; cy++) {
                rows[cz + 1][cy + 1] = field_row_beside(b, psi, incoming, 0, y, z, cy, cz);
                within = within && rows[cz + 1][cy + 1];
            }
        for (int x = 0; x < nx;) {
            int end = x; /* of cells without walls beside them */
            while (within && end > 0 && end < nx - 1 && flags[end] == WEIR_FLUID)
                end++;
            if (end > x)
                fill_plain_cells(b, &a, rows, x, end, y, z);
            else
                fill_cell(b, &a, psi, incoming, end++, y, z);
            x = end;
        }
    }
}
