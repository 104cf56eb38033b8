/* Rows of cells on a CPU: finds, for a run of neighbouring fluid cells, one pointer per direction from which
 * the populations arriving there can be read in order of x, and one to which those leaving can be written. So
 * the arithmetic is a plain loop over x that knows neither parity nor faces nor walls.
 *
 * The first and the last cell of a row are runs of their own, because only they have neighbours beyond an x
 * face. Where walls stand beside some cells of a run only, the pointer leads to a small staging row that is
 * filled before, or emptied after, by the rule of addressing.h. */
#ifndef WEIR_KERNELS_ROWS_H
#define WEIR_KERNELS_ROWS_H

#include "codelets/kernels/addressing.h"

/* What only rows beside faces and walls need is called, not expanded in place for each of up to 26
 * directions: that would take minutes to compile. */
#define CALLED static __attribute__((noinline, unused))

/* Cells of a run at most. */
enum { RUN_CELLS = 256 };

struct run {
    int x, y, z;    /* first cell */
    int cells;      /* 1 .. RUN_CELLS, all fluid */
    bool at_end;    /* of the row: a single cell beside an x face of the block */
    bool near_wall; /* any of them has a wall among its neighbours */
};

struct staging {
    stored rows[POPULATIONS][RUN_CELLS];
};

/* What a lattice velocity leads to from the cells of a run. */
struct view_along {
    bool walls;   /* some are walls */
    bool uniform; /* all are, and the same */
};

static const struct view_along nothing = {false, false};

CALLED struct view_along look_along(const struct weir_block_view *b, const struct run *run, int cx, int cy,
                                    int cz) {
    struct view_along view;
    const uint8_t *flags = flag_of(b, run->x + cx, run->y + cy, run->z + cz);
    unsigned walls = 0, others = 0;
    for (int k = 0; k < run->cells; k++) {
        walls |= is_wall(flags[k]);
        others |= flags[k] ^ flags[0];
    }
    view.walls = walls != 0;
    view.uniform = view.walls && others == 0;
    return view;
}

/* Row of populations i arriving at the run, right for all cells but those at a wall or at the end of the row;
 * NULL where the domain ends, so that all are at a wall. */
CALLED const stored *source_row(const struct weir_block_view *b, int parity, const struct run *run, int i,
                                int o, int cx, int cy, int cz, int my, int mz) {
    const int qx = run->x - cx;
    const int oy = block_offset(b, 1, run->y, -cy), oz = block_offset(b, 2, run->z, -cz);
    if (oy == 0 && oz == 0)
        return parity ? slot(b, o) + cell_number(b, qx, run->y - cy, run->z - cz)
                      : slot(b, i) + cell_number(b, run->x, run->y, run->z);
    const stored *message = (const stored *)b->incoming[1 + 3 * (oy + 1) + 9 * (oz + 1)];
    if (!message)
        return NULL;
    const int ly = local_coordinate(b, 1, oy, run->y, -cy), lz = local_coordinate(b, 2, oz, run->z, -cz);
    const ptrdiff_t nx = b->extent[0][1], ny = b->extent[1][oy + 1], nz = b->extent[2][oz + 1];
    return message + (oy != 0 ? (ptrdiff_t)my * nz + lz : (ptrdiff_t)mz * ny + ly) * nx + qx;
}

/* Row to which populations i leaving the run go, with the same exceptions. */
CALLED stored *target_row(const struct weir_block_view *b, int parity, const struct run *run, int i, int o,
                          int cx, int cy, int cz, int my, int mz) {
    const int oy = block_offset(b, 1, run->y, cy), oz = block_offset(b, 2, run->z, cz);
    if (oy == 0 && oz == 0)
        return parity ? slot(b, i) + cell_number(b, run->x + cx, run->y + cy, run->z + cz)
                      : slot(b, o) + cell_number(b, run->x, run->y, run->z);
    stored *message = (stored *)b->outgoing[oy != 0 ? 2 + (oy > 0) : 4 + (oz > 0)];
    if (!message)
        return NULL;
    const ptrdiff_t nx = b->extent[0][1], ny = b->extent[1][1], nz = b->extent[2][1];
    return message + (oy != 0 ? (ptrdiff_t)my * nz + run->z : (ptrdiff_t)mz * ny + run->y) * nx + run->x;
}

/* Pointer to the populations i arriving at the run's cells; `stage` is a row that it may use. */
CALLED const stored *arriving_row(const struct weir_block_view *b, int parity, const struct run *run,
                                  stored *stage, int i, int o, int cx, int cy, int cz, int mx, int my,
                                  int mz) {
    const struct view_along back = run->near_wall ? look_along(b, run, -cx, -cy, -cz) : nothing;
    if (run->at_end)
        return source_of(b, parity, back.walls, i, o, cx, cy, cz, mx, my, mz, run->x, run->y, run->z);
    const stored *own = slot(b, i) + cell_number(b, run->x, run->y, run->z);
    if (back.uniform)
        return own;
    const stored *source = source_row(b, parity, run, i, o, cx, cy, cz, my, mz);
    if (!back.walls || source == own)
        return source;
    const uint8_t *flags = flag_of(b, run->x - cx, run->y - cy, run->z - cz);
    for (int k = 0; k < run->cells; k++)
        stage[k] = is_wall(flags[k]) ? own[k] : source[k];
    return stage;
}

/* Pointer to which the populations i leaving the run's cells may be written; deliver_row must follow where
 * there are walls ahead. */
CALLED stored *leaving_row(const struct weir_block_view *b, int parity, const struct run *run,
                           const struct view_along *ahead, stored *stage, int i, int o, int cx, int cy,
                           int cz, int mx, int my, int mz) {
    if (run->at_end)
        return target_of(b, parity, ahead->walls, i, o, cx, cy, cz, mx, my, mz, run->x, run->y, run->z);
    if (ahead->uniform)
        return slot(b, o) + cell_number(b, run->x, run->y, run->z);
    return ahead->walls ? stage : target_row(b, parity, run, i, o, cx, cy, cz, my, mz);
}

/* Takes from what was written to `row` what moving walls keep, and empties a staging row. */
CALLED void deliver_row(const struct weir_block_view *b, int parity, const struct run *run, stored *row,
                        bool staged, int i, int o, int cx, int cy, int cz, real weight, int my, int mz) {
    const uint8_t *flags = flag_of(b, run->x + cx, run->y + cy, run->z + cz);
    stored *const own = staged ? slot(b, o) + cell_number(b, run->x, run->y, run->z) : row;
    stored *const target = staged ? target_row(b, parity, run, i, o, cx, cy, cz, my, mz) : NULL;
    const bool alike = memcmp(flags, flags + 1, (size_t)run->cells - 1) == 0;
    for (int k = 0; k < run->cells;) {
        const int first = k;
        const uint8_t flag = is_wall(flags[k]) ? flags[k] : WEIR_FLUID;
        k = alike ? run->cells : k;
        while (k < run->cells && (is_wall(flags[k]) ? flags[k] : WEIR_FLUID) == flag)
            k++;
        if (flag != WEIR_FLUID) {
            const real momentum = wall_momentum(b, flag, weight, cx, cy, cz);
            if (momentum == 0 && !staged)
                continue;
            for (int j = first; j < k; j++)
                own[j] = stored_of(real_of(row[j]) - momentum);
        } else if (staged) {
            memcpy(target + first, row + first, (size_t)(k - first) * sizeof(stored));
        }
    }
}

/* The general rule for single cells, called. */
CALLED const stored *source_of_cell(const struct weir_block_view *b, int parity, bool wall, int i, int o,
                                    int cx, int cy, int cz, int mx, int my, int mz, int x, int y, int z) {
    return source_of(b, parity, wall, i, o, cx, cy, cz, mx, my, mz, x, y, z);
}

CALLED stored *target_of_cell(const struct weir_block_view *b, int parity, bool wall, int i, int o, int cx,
                              int cy, int cz, int mx, int my, int mz, int x, int y, int z) {
    return target_of(b, parity, wall, i, o, cx, cy, cz, mx, my, mz, x, y, z);
}

/* All arriving rows of a run. */
CALLED void arriving_rows(const struct weir_block_view *b, int parity, const struct run *run,
                          struct staging *staging, const stored *rows[POPULATIONS]) {
    rows[0] = slot(b, 0) + cell_number(b, run->x, run->y, run->z);
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, mx, my, mz) \
    rows[i] = arriving_row(b, parity, run, staging->rows[i], i, o, cx, cy, cz, mx, my, mz);
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

/* Finds the next run of fluid cells in a row, from cell *x on and before x_end; returns false when there is
 * none. */
static inline bool next_run(const struct weir_block_view *b, int *x, int x_end, int y, int z,
                            struct run *run) {
    const int last = b->extent[0][1] - 1;
    const uint8_t *flags = flag_of(b, 0, y, z);
    while (*x < x_end && is_wall(flags[*x]))
        (*x)++;
    if (*x >= x_end)
        return false;
    *run = (struct run){.x = *x, .y = y, .z = z, .at_end = *x == 0 || *x == last};
    int end = run->at_end ? *x + 1 : last;
    if (end > *x + RUN_CELLS)
        end = *x + RUN_CELLS;
    if (end > x_end)
        end = x_end;
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
