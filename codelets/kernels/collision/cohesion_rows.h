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

/* From those around a row to those around the next one, away from y faces. */
static inline void next_potential_rows(ptrdiff_t further, struct potential_rows *rows) {
    for (int n = 0; n < POTENTIALS; n++) {
        for (int k = 0; k < 9; k++)
            if (rows->of[n][k / 3][k % 3])
                rows->of[n][k / 3][k % 3] += further;
        for (int i = 0; i < FLOW_POPULATIONS; i++)
            if (rows->at[n][i])
                rows->at[n][i] += further;
    }
}

/* The force on the cells of the vector at x, none of which is beside an x face or a wall, behind their
 * populations. */
FUNCTION void add_plain_cohesion(const struct potential_rows *rows, const struct body_force *body, int x,
                                 struct vector *v) {
    const struct body_force shares = *body;
    IVDEP
    for (int k = 0; k < VECTOR_CELLS; k++) {
        real around[POTENTIALS][FLOW_POPULATIONS], force[COHESION_FORCES][3];
        UNROLL(2)
        for (int n = 0; n < POTENTIALS; n++)
            UNROLL(64)
        for (int i = 0; i < FLOW_POPULATIONS; i++)
            around[n][i] = rows->at[n][i][x + k];
        cohesion_from(around, &shares, force);
        UNROLL(6)
        for (int m = 0; m < COHESION_VALUES; m++)
            v->rows[COHESION_0 + m][k] = force[m / DIMENSIONS][m % DIMENSIONS];
    }
}

/* Some cells of a vector of a field, 0 elsewhere: a field of phases is stored as populations are, in full. */
FUNCTION void load_lanes(real to[VECTOR_CELLS], const real *from, lanes some) {
    unpack_lanes(to, pack_lanes((const stored *)from, some));
}

/* What cells of a vector see around them: [value][direction][cell]. */
typedef real potentials_seen[POTENTIALS][FLOW_POPULATIONS][VECTOR_CELLS];

/* Value k of the cell at c from one beside the x face to which c leads. */
FUNCTION real potential_behind(const struct weir_block_view *b, int k, int y, int z, int cx, int cy, int cz) {
    if (block_offset(b, 1, y, cy) != 0 || block_offset(b, 2, z, cz) != 0)
        return potential_beside(b, k, cx < 0 ? 0 : b->extent[0][1] - 1, y, z, cx, cy, cz);
    const real *const message = (const real *)b->potentials_beside[WEIR_OFFSET_NUMBER(cx, 0, 0)];
    return message ? message[weir_layer_place(k, z + cz, b->extent[2][1], y + cy, b->extent[1][1])]
                   : ENTRY_OF_WALL;
}

/* Of the cells of the row at (y, z) from x on. */
FUNCTION void see_potentials(const struct weir_block_view *b, const struct potential_rows *rows, int x, int y,
                             int z, potentials_seen seen) {
    const int nx = b->extent[0][1], count = nx - x < VECTOR_CELLS ? nx - x : VECTOR_CELLS;
    const lanes all = lanes_below(count), first = x == 0 ? 1 : 0,
                last = x + count == nx ? (lanes)1 << (count - 1) : 0;
    UNROLL(2)
    for (int n = 0; n < POTENTIALS; n++) {
        load_lanes(seen[n][0], rows->at[n][0] + x, all);
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...)                                        \
    {                                                                                \
        const lanes edge = (cx) < 0 ? first : (cx) > 0 ? last : 0;                   \
        if (rows->of[n][(cz) + 1][(cy) + 1])                                         \
            load_lanes(seen[n][i], rows->at[n][i] + x, all & ~edge);                 \
        else                                                                         \
            for (int k = 0; k < VECTOR_CELLS; k++)                                   \
                seen[n][i][k] = ENTRY_OF_WALL;                                       \
        if (edge != 0)                                                               \
            seen[n][i][first_lane(edge)] = potential_behind(b, n, y, z, cx, cy, cz); \
    }
        FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
    }
}

/* The force on cells that see this; walled: some of them have walls beside them. */
FUNCTION void add_cohesion_seen(const potentials_seen seen, const uint8_t *flags,
                                const struct body_force *body, bool walled, struct vector *v) {
    IVDEP
    for (int k = 0; k < VECTOR_CELLS; k++) {
        real whole[POTENTIALS][FLOW_POPULATIONS], force[COHESION_FORCES][3];
        UNROLL(2)
        for (int n = 0; n < POTENTIALS; n++) {
            real around[FLOW_POPULATIONS], into_walls[FLOW_POPULATIONS];
            UNROLL(64)
            for (int i = 0; i < FLOW_POPULATIONS; i++)
                around[i] = seen[n][i][k];
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
    potentials_seen seen;
    lanes walled = 0;
    for (int k = 0; k < VECTOR_CELLS; k++)
        walled |= (lanes)(flags[k] != WEIR_FLUID) << k;
    walled &= fluid;
    see_potentials(b, rows, x, y, z, seen);
    if (walled == 0) {
        add_cohesion_seen(seen, flags, body, false, v);
    } else {
        add_cohesion_seen(seen, flags, body, true, v);
        add_adhesion(b, flags, x, y, z, walled, v);
    }
}

#endif
