/* Rows of cells on a CPU: finds, for a run of neighbouring fluid cells, one pointer per direction from which
 * the populations arriving there can be read in order of x, and one to which those leaving can be written. So
 * the arithmetic is a plain loop over x that knows neither parity nor faces nor walls.
 *
 * Where the plain address does not hold for every cell of the run (block faces, walls), the pointer leads to
 * a small staging row that is filled before, or emptied after, by the rule of addressing.h. */
#ifndef WEIR_KERNELS_ROWS_H
#define WEIR_KERNELS_ROWS_H

#include "codelets/kernels/addressing.h"

/* Cells of a run at most, and of the short runs at both ends of a row, which alone need staging for the x
 * faces. */
enum { RUN_CELLS = 128, END_CELLS = 16 };

struct run {
    int x, y, z;    /* first cell */
    int cells;      /* 1 .. RUN_CELLS, all fluid */
    bool near_wall; /* any of them has a wall among its neighbours */
};

struct staging {
    real rows[POPULATIONS][RUN_CELLS];
};

/* Whether a lattice velocity leads from any cell of the run to a wall. */
static __attribute__((noinline)) bool meets_wall(const struct weir_block_view *b, const struct run *run,
                                                 int cx, int cy, int cz) {
    if (!run->near_wall)
        return false;
    const uint8_t *flags = flag_of(b, run->x + cx, run->y + cy, run->z + cz);
    unsigned walls = 0;
    for (int k = 0; k < run->cells; k++)
        walls |= is_wall(flags[k]);
    return walls != 0;
}

/* Whether a lattice velocity leads from the first or last cell of the run out of the block along x. */
FUNCTION bool crosses_low(const struct run *run, int cx) {
    return cx < 0 && run->x == 0;
}
FUNCTION bool crosses_high(const struct weir_block_view *b, const struct run *run, int cx) {
    return cx > 0 && run->x + run->cells == b->extent[0][1];
}

/* Row of populations i arriving at the run, right for all cells but those at a wall or beside an x face; NULL
 * where the domain ends, so that all are at a wall. */
FUNCTION const real *source_row(const struct weir_block_view *b, int parity, const struct run *run, int i,
                                int o, int cx, int cy, int cz, int my, int mz) {
    const int qx = run->x - cx;
    const int oy = block_offset(b, 1, run->y, -cy), oz = block_offset(b, 2, run->z, -cz);
    if (oy == 0 && oz == 0)
        return parity ? slot(b, o) + cell_number(b, qx, run->y - cy, run->z - cz)
                      : slot(b, i) + cell_number(b, run->x, run->y, run->z);
    const real *message = (const real *)b->incoming[1 + 3 * (oy + 1) + 9 * (oz + 1)];
    if (!message)
        return NULL;
    const int ly = local_coordinate(b, 1, oy, run->y, -cy), lz = local_coordinate(b, 2, oz, run->z, -cz);
    const ptrdiff_t nx = b->extent[0][1], ny = b->extent[1][oy + 1], nz = b->extent[2][oz + 1];
    return message + (oy != 0 ? (ptrdiff_t)my * nz + lz : (ptrdiff_t)mz * ny + ly) * nx + qx;
}

/* Row to which populations i leaving the run go, with the same exceptions. */
FUNCTION real *target_row(const struct weir_block_view *b, int parity, const struct run *run, int i, int o,
                          int cx, int cy, int cz, int my, int mz) {
    const int oy = block_offset(b, 1, run->y, cy), oz = block_offset(b, 2, run->z, cz);
    if (oy == 0 && oz == 0)
        return parity ? slot(b, i) + cell_number(b, run->x + cx, run->y + cy, run->z + cz)
                      : slot(b, o) + cell_number(b, run->x, run->y, run->z);
    real *message = (real *)b->outgoing[oy != 0 ? 2 + (oy > 0) : 4 + (oz > 0)];
    if (!message)
        return NULL;
    const ptrdiff_t nx = b->extent[0][1], ny = b->extent[1][1], nz = b->extent[2][1];
    return message + (oy != 0 ? (ptrdiff_t)my * nz + run->z : (ptrdiff_t)mz * ny + run->y) * nx + run->x;
}

/* Pointer to the populations i arriving at the run's cells; `stage` is a row that it may use. */
FUNCTION const real *arriving_row(const struct weir_block_view *b, int parity, const struct run *run,
                                  real *stage, int i, int o, int cx, int cy, int cz, int mx, int my, int mz) {
    const real *source = source_row(b, parity, run, i, o, cx, cy, cz, my, mz);
    const bool low = crosses_low(run, -cx), high = crosses_high(b, run, -cx);
    const real *own = slot(b, i) + cell_number(b, run->x, run->y, run->z);
    const bool walls = source != own && meets_wall(b, run, -cx, -cy, -cz);
    if (!low && !high && !walls)
        return source;
    const int begin = low, end = run->cells - high;
    if (walls) {
        const uint8_t *flags = flag_of(b, run->x - cx, run->y - cy, run->z - cz);
        for (int k = begin; k < end; k++)
            stage[k] = is_wall(flags[k]) ? own[k] : source[k];
    } else if (end > begin) {
        memcpy(stage + begin, source + begin, (size_t)(end - begin) * sizeof(real));
    }
    if (low || high) {
        const int edge = low ? 0 : run->cells - 1, x = run->x + edge;
        const bool wall = is_wall(*flag_of(b, x - cx, run->y - cy, run->z - cz));
        stage[edge] = *source_of(b, parity, wall, i, o, cx, cy, cz, mx, my, mz, x, run->y, run->z);
    }
    return stage;
}

/* Pointer to which the populations i leaving the run's cells may be written. When it is `stage`, deliver_row
 * must follow. */
FUNCTION real *leaving_row(const struct weir_block_view *b, int parity, const struct run *run, real *stage,
                           int i, int o, int cx, int cy, int cz, int my, int mz) {
    if (crosses_low(run, cx) || crosses_high(b, run, cx) || meets_wall(b, run, cx, cy, cz))
        return stage;
    return target_row(b, parity, run, i, o, cx, cy, cz, my, mz);
}

FUNCTION void deliver_row(const struct weir_block_view *b, int parity, const struct run *run,
                          const real *stage, int i, int o, int cx, int cy, int cz, real weight, int mx,
                          int my, int mz) {
    real *target = target_row(b, parity, run, i, o, cx, cy, cz, my, mz);
    real *own = slot(b, o) + cell_number(b, run->x, run->y, run->z);
    const bool low = crosses_low(run, cx), high = crosses_high(b, run, cx);
    const int end = run->cells - high;
    const uint8_t *flags = flag_of(b, run->x + cx, run->y + cy, run->z + cz);
    if (!run->near_wall && end > low)
        memcpy(target + low, stage + low, (size_t)(end - low) * sizeof(real));
    for (int k = low; run->near_wall && k < end;) {
        const int first = k;
        const uint8_t flag = is_wall(flags[k]) ? flags[k] : WEIR_FLUID;
        while (k < end && (is_wall(flags[k]) ? flags[k] : WEIR_FLUID) == flag)
            k++;
        if (flag == WEIR_FLUID) {
            memcpy(target + first, stage + first, (size_t)(k - first) * sizeof(real));
        } else {
            const real momentum = wall_momentum(b, flag, weight, cx, cy, cz);
            for (int j = first; j < k; j++)
                own[j] = stage[j] - momentum;
        }
    }
    if (low || high) {
        const int edge = low ? 0 : run->cells - 1, x = run->x + edge;
        const uint8_t flag = *flag_of(b, x + cx, run->y + cy, run->z + cz);
        *target_of(b, parity, is_wall(flag), i, o, cx, cy, cz, mx, my, mz, x, run->y, run->z) =
            is_wall(flag) ? stage[edge] - wall_momentum(b, flag, weight, cx, cy, cz) : stage[edge];
    }
}

/* All arriving rows of a run. */
FUNCTION void arriving_rows(const struct weir_block_view *b, int parity, const struct run *run,
                            struct staging *staging, const real *rows[POPULATIONS]) {
    rows[0] = slot(b, 0) + cell_number(b, run->x, run->y, run->z);
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, mx, my, mz) \
    rows[i] = arriving_row(b, parity, run, staging->rows[i], i, o, cx, cy, cz, mx, my, mz);
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

/* Finds the next run of fluid cells in a row, from cell *x on and before x_end; returns false when there is
 * none. Ends of rows come as short runs, so that only they pay for the x faces. */
static inline bool next_run(const struct weir_block_view *b, int *x, int x_end, int y, int z,
                            struct run *run) {
    const int nx = b->extent[0][1];
    const uint8_t *flags = flag_of(b, 0, y, z);
    while (*x < x_end && is_wall(flags[*x]))
        (*x)++;
    if (*x >= x_end)
        return false;
    int end = *x + RUN_CELLS < x_end ? *x + RUN_CELLS : x_end;
    const int edge = *x < END_CELLS ? END_CELLS : nx - END_CELLS;
    if (nx > 3 * END_CELLS && *x < edge && end > edge)
        end = edge;
    *run = (struct run){.x = *x, .y = y, .z = z};
    uint8_t any = 0;
    int k = *x;
    while (k < end && !is_wall(flags[k]))
        any |= flags[k++];
    run->cells = k - *x;
    run->near_wall = any != WEIR_FLUID;
    *x = k;
    return true;
}

#endif
