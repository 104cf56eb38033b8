/* Rows of lists (cell_list.h) on a CPU, as those observe them who take cells row by row: what rows.h offers,
 * cell by cell. Steps take the cells in the order of the list instead (list_routes.h). */
#ifndef WEIR_KERNELS_LIST_ROWS_H
#define WEIR_KERNELS_LIST_ROWS_H

#include "codelets/kernels/cells/list_places.h"
#include "codelets/kernels/cells/row_cells.h"

static inline struct row row_of(const struct weir_block_view *b, int parity, int y, int z) {
    (void)parity;
    return (struct row){.y = y, .z = z, .inside = row_is_inside(b, y, z), .flags = flag_of(b, 0, y, z)};
}

/* The general rule for what crosses the block's faces, called. */
CALLED stored *single_target(const struct weir_block_view *b, int parity, struct direction d, int x, int y,
                             int z) {
    return target_of(b, parity, false, d, x, y, z);
}

/* Reads the populations arriving at cells of a row; of others they are 0. */
static inline void read_cells(const struct weir_block_view *b, int parity, const struct row *row,
                              const struct cells *cells, bool at_ends, bool in_rows, struct vector *v) {
    const int y = row->y, z = row->z, nx = own_extent(b, 0);
    (void)at_ends;
    (void)in_rows;
    memset(v, 0, sizeof *v);
    for (lanes left = cells->fluid; left != 0; left &= left - 1) {
        const int k = first_lane(left), x = cells->x + k, entry = cell_entry(b, x, y, z),
                  first = entry - entry % WEIR_LISTED_TOGETHER;
        const struct group_slots slots = slots_of_group(b, first);
        int distance[POPULATIONS];
        find_distances(b, parity, b->list.positions[entry], bits_within(x == 0, x == nx - 1), first,
                       entry - first, distance);
        for (int i = 0; i < POPULATIONS; i++)
            v->rows[i][k] = real_of(*slot_at(slots, i, distance[i]));
        if (row->inside && x > 0 && x < nx - 1)
            continue;
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                                        \
    if (!(cells->walls[o] >> k & 1) && leaves_block(b, x, y, z, -(cx), -(cy), -(cz))) \
        v->rows[i][k] = real_of(*single_source(b, parity, d, x, y, z));
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
    }
}

#endif
