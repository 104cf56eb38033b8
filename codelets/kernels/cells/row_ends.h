/* Vectors of cells at ends of rows on a CPU, where all cells are fluid and away from walls, but for those at
 * rest at which the domain ends (flag WEIR_AT_END). What crosses an x face of the block comes from and goes
 * into messages, or comes back from the wall there; all else is as in the middle of the row. */
#ifndef WEIR_KERNELS_ROW_ENDS_H
#define WEIR_KERNELS_ROW_ENDS_H

#include "codelets/kernels/cells/rows.h"

/* A vector at an end of a row, at both where it is all of the row. */
struct row_end {
    int x;
    lanes all;       /* its cells: fewer than a vector has where the row ends before it does */
    lanes beside[2]; /* the one beside the low x face, and beside the high one */
    bool walled[2];  /* there is a wall behind that */
};

/* Whether the vector at x, which is not past the row's end, is such. moving_faces: as in struct weir_fluid.
 */
FUNCTION bool find_row_end(const struct weir_block_view *b, const struct row *row, int x,
                           unsigned moving_faces, struct row_end *end) {
    const int nx = b->extent[0][1], left = nx - x;
    if (x > 0 && left > VECTOR_CELLS)
        return false;
    end->x = x;
    end->all = lanes_below(left);
    end->beside[0] = x == 0 ? 1 : 0;
    end->beside[1] = left <= VECTOR_CELLS ? (lanes)1 << (left - 1) : 0;
    end->walled[0] = row->flags[0] != WEIR_FLUID && is_wall(row->flags[-1]);
    end->walled[1] = row->flags[nx - 1] != WEIR_FLUID && is_wall(row->flags[nx]);
    const unsigned beside = (x == 0 ? ends_along(b, 0, 0) : 0) |
                            (left <= VECTOR_CELLS ? ends_along(b, 0, nx - 1) : 0) |
                            ends_beside_row(b, row->y, row->z);
    return all_served(row->flags + x, end->all, !(beside & moving_faces));
}

/* Whether what comes from, or goes to, the cells at (cy, cz) from an end of a row comes back there: by a wall
 * behind it, or beside the row. */
FUNCTION bool comes_back(const struct weir_block_view *b, const struct row *row, bool walled, int cy,
                         int cz) {
    return walled ||
           (!row->inside && leads_nowhere(b, block_offset(b, 1, row->y, cy), block_offset(b, 2, row->z, cz)));
}

/* Where what arrives from behind an x face along d lies, and where what leaves along d through it goes. */
FUNCTION const stored *arriving_behind(const struct weir_block_view *b, int parity, const struct row *row,
                                       const struct row_end *end, struct direction d) {
    const int side = d.c[0] < 0;
    if (comes_back(b, row, end->walled[side], -d.c[1], -d.c[2]))
        return row->own[d.i] + (side ? b->extent[0][1] - 1 : 0);
    return arriving_at_end(b, parity, row, d);
}

FUNCTION stored *leaving_behind(const struct weir_block_view *b, const struct row *row,
                                const struct row_end *end, struct direction d) {
    const int side = d.c[0] > 0;
    if (comes_back(b, row, end->walled[side], d.c[1], d.c[2]))
        return row->own[d.o] + (side ? b->extent[0][1] - 1 : 0);
    return leaving_at_end(b, row, d);
}

/* The cell into which populations with this velocity come from behind an x face, and that which those leave.
 */
FUNCTION lanes entered(const struct row_end *end, int cx) {
    return cx > 0 ? end->beside[0] : cx < 0 ? end->beside[1] : 0;
}

FUNCTION lanes left_behind(const struct row_end *end, int cx) {
    return entered(end, -cx);
}

FUNCTION void read_row_end(const struct weir_block_view *b, int parity, const struct row *row,
                           const struct row_end *end, struct vector *v) {
    unpack_lanes(v->rows[0], pack_lanes(row->in[0] + end->x, end->all));
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                                   \
    {                                                                            \
        const lanes one = entered(end, cx);                                      \
        packed_populations p = pack_lanes(row->in[i] + end->x, end->all & ~one); \
        if (one != 0)                                                            \
            p = also_one(p, *arriving_behind(b, parity, row, end, d), one);      \
        unpack_lanes(v->rows[i], p);                                             \
    }
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

/* out: where what leaves the row goes. */
FUNCTION void write_row_end(const struct weir_block_view *b, const struct row *row, const struct row_end *end,
                            stored *const out[POPULATIONS], const struct vector *v) {
    store_lanes(out[0] + end->x, v->rows[0], end->all);
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                                        \
    {                                                                                 \
        const lanes one = left_behind(end, cx);                                       \
        store_lanes(out[i] + end->x, v->rows[i], end->all & ~one);                    \
        if (one != 0)                                                                 \
            *leaving_behind(b, row, end, d) = stored_of(v->rows[i][first_lane(one)]); \
    }
    FOR_CHANGED_DIRECTIONS
#undef WEIR_DIRECTION
}

#endif
