/* The force between cells of a fluid with phases (cohesion.h) along rows on a CPU: of a vector of cells at a
 * time, from the rows around it, in this block and in messages. */
#ifndef WEIR_KERNELS_COHESION_ROWS_H
#define WEIR_KERNELS_COHESION_ROWS_H

#include "codelets/kernels/cells/vectors.h"
#include "codelets/kernels/collision/cohesion.h"

/* What the cells of the rows around a row, and of itself, attract by. */
struct potential_rows {
    const real *of[POTENTIALS][3][3];             /* [value][z][y]; NULL where the domain ends */
    const real *at[POTENTIALS][FLOW_POPULATIONS]; /* at[n][i][x]: of the cell at c_i from cell x, if it is
                                                      neither before nor behind the row */
};

/* Finds them. */
static inline void find_potential_rows(const struct weir_block_view *b, int y, int z,
                                       struct potential_rows *rows) {
    const int deep = DIMENSIONS == 3;
    for (int n = 0; n < POTENTIALS; n++) {
        for (int cz = -deep; cz <= deep; cz++)
            for (int cy = -1; cy <= 1; cy++)
                rows->of[n][cz + 1][cy + 1] =
                    field_row_beside(b, potentials_of(b, n), b->potentials_beside, n, y, z, cy, cz);
        rows->at[n][0] = rows->of[n][1][1];
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...) \
    rows->at[n][i] = rows->of[n][(cz) + 1][(cy) + 1] ? rows->of[n][(cz) + 1][(cy) + 1] + (cx) : NULL;
        FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
    }
}

/* The force on the cells of the vector at x, none of which is beside an x face or a wall, behind their
 * populations. */
FUNCTION void add_plain_cohesion(const struct potential_rows *rows, const struct body_force *body, int x,
                                 struct vector *v) {
    const struct potential_rows *const beside = rows;
    const struct body_force shares = *body;
    IVDEP
    for (int k = 0; k < VECTOR_CELLS; k++) {
        real around[POTENTIALS][FLOW_POPULATIONS], force[COHESION_FORCES][3];
        UNROLL(2)
        for (int n = 0; n < POTENTIALS; n++)
            UNROLL(64)
        for (int i = 0; i < FLOW_POPULATIONS; i++)
            around[n][i] = beside->at[n][i][x + k];
        cohesion_from(around, &shares, force);
        UNROLL(6)
        for (int m = 0; m < COHESION_VALUES; m++)
            v->rows[COHESION_0 + m][k] = force[m / DIMENSIONS][m % DIMENSIONS];
    }
}

/* What the cells at (cy, cz) from cells x - 1 to x + VECTOR_CELLS of a row attract by; what lies further
 * beyond the row's ends counts as wall. */
static inline void copy_potentials(const struct weir_block_view *b, const real *row, int n, int x, int y,
                                   int z, int cy, int cz, real line[VECTOR_CELLS + 2]) {
    const int nx = b->extent[0][1], first = x > 0 ? 0 : 1,
              end = nx - x + 1 < VECTOR_CELLS + 2 ? nx - x + 1 : VECTOR_CELLS + 2;
    for (int k = end + 1; k < VECTOR_CELLS + 2; k++)
        line[k] = ENTRY_OF_WALL;
    for (int k = first; k < end; k++)
        line[k] = row ? row[x - 1 + k] : ENTRY_OF_WALL;
    if (x == 0)
        line[0] = potential_beside(b, n, 0, y, z, -1, cy, cz);
    if (end < VECTOR_CELLS + 2)
        line[end] = potential_beside(b, n, nx - 1, y, z, 1, cy, cz);
}

/* The force on cells by their neighbours; walled: some of them have walls beside them. */
FUNCTION void add_cohesion_of_lines(const real lines[POTENTIALS][3][3][VECTOR_CELLS + 2],
                                    const uint8_t *flags, const struct body_force *body, bool walled,
                                    struct vector *v) {
    IVDEP
    for (int k = 0; k < VECTOR_CELLS; k++) {
        real whole[POTENTIALS][FLOW_POPULATIONS], force[COHESION_FORCES][3];
        UNROLL(2)
        for (int n = 0; n < POTENTIALS; n++) {
            real around[FLOW_POPULATIONS], into_walls[FLOW_POPULATIONS];
            around[0] = lines[n][1][1][k + 1];
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...) around[i] = lines[n][(cz) + 1][(cy) + 1][k + 1 + (cx)];
            FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
            if (walled)
                continue_into_walls(around, into_walls);
            UNROLL(64)
            for (int i = 0; i < FLOW_POPULATIONS; i++)
                whole[n][i] = walled && flags[k] != WEIR_FLUID ? into_walls[i] : around[i];
        }
        cohesion_from(whole, body, force);
        UNROLL(6)
        for (int m = 0; m < COHESION_VALUES; m++)
            v->rows[COHESION_0 + m][k] = force[m / DIMENSIONS][m % DIMENSIONS];
    }
}

/* Adds the adhesion to the walls beside cells. */
FUNCTION void add_adhesion(const struct weir_block_view *b, const uint8_t *flags, int x, int y, int z,
                           lanes some, struct vector *v) {
    for (lanes left = some; left != 0; left &= left - 1) {
        const int k = first_lane(left);
        real f[POPULATIONS], densities[POTENTIALS], force[COHESION_FORCES][3];
        for (int i = 0; i < SLOTS; i++)
            f[i] = v->rows[i][k];
        densities_of(f, densities);
        adhesion_on_cell(b, flags[k], densities, x + k, y, z, force);
        for (int m = 0; m < COHESION_VALUES; m++)
            v->rows[COHESION_0 + m][k] += force[m / DIMENSIONS][m % DIMENSIONS];
    }
}

/* The force on any vector of cells of a row, from cell x on, of which the fluid ones count. flags: of these
 * cells; v: with what has arrived at them. */
WEIR_CALLED void add_any_cohesion(const struct weir_block_view *b, const struct potential_rows *rows,
                                  const struct body_force *body, const uint8_t *flags, int x, int y, int z,
                                  lanes fluid, struct vector *v) {
    const int deep = DIMENSIONS == 3;
    real lines[POTENTIALS][3][3][VECTOR_CELLS + 2];
    lanes walled = 0;
    for (int k = 0; k < VECTOR_CELLS; k++)
        walled |= (lanes)(flags[k] != WEIR_FLUID) << k;
    walled &= fluid;
    for (int n = 0; n < POTENTIALS; n++)
        for (int cz = -deep; cz <= deep; cz++)
            for (int cy = -1; cy <= 1; cy++)
                copy_potentials(b, rows->of[n][cz + 1][cy + 1], n, x, y, z, cy, cz, lines[n][cz + 1][cy + 1]);
    if (walled == 0) {
        add_cohesion_of_lines(lines, flags, body, false, v);
    } else {
        add_cohesion_of_lines(lines, flags, body, true, v);
        add_adhesion(b, flags, x, y, z, walled, v);
    }
}

#endif
