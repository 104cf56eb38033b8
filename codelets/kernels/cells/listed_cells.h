/* Cells of lists on a CPU, one by one: what single_cells.h offers, with the places of all populations of a
 * cell found at once (list_places.h). */
#ifndef WEIR_KERNELS_LISTED_CELLS_H
#define WEIR_KERNELS_LISTED_CELLS_H

#include "codelets/kernels/cells/list_places.h"

/* Finds where the populations of cell k lie. */
FUNCTION void place_cell(const struct weir_block_view *b, int parity, int x, int y, int z, int k,
                         struct cells *cells) {
    const int segment = first_segment(b, y, z) + x / WEIR_SEGMENT_CELLS, bit = x % WEIR_SEGMENT_CELLS + 1;
    const int entry = entry_from(b->list.segments[segment], bit), lane = entry % WEIR_LISTED_TOGETHER;
    cells->first[k] = entry - lane;
    find_distances(b, parity, (weir_position)segment << 5 | (weir_position)bit,
                   bits_within(x == 0, x == own_extent(b, 0) - 1), entry - lane, lane, cells->distance[k]);
}

/* Two for the parities, each compiled on its own. */
CALLED void place_cell_even(const struct weir_block_view *b, int x, int y, int z, int k,
                            struct cells *cells) {
    place_cell(b, 0, x, y, z, k, cells);
}

CALLED void place_cell_odd(const struct weir_block_view *b, int x, int y, int z, int k, struct cells *cells) {
    place_cell(b, 1, x, y, z, k, cells);
}

static inline void read_cells(const struct weir_block_view *b, int parity, const struct row *row,
                              const struct cells *cells, bool at_ends, bool in_place, struct vector *v) {
    const int y = row->y, z = row->z;
    (void)at_ends;
    (void)in_place;
    memset(v, 0, sizeof *v);
    for (lanes left = cells->fluid; left != 0; left &= left - 1) {
        const int k = first_lane(left), x = cells->x + k;
        const struct group_slots slots = slots_of_group(b, cells->first[k]);
        for (int i = 0; i < POPULATIONS; i++)
            v->rows[i][k] = real_of(*slot_at(slots, i, cells->distance[k][i]));
        if (stays_inside(b, x, y, z))
            continue;
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                                        \
    if (leaves_block(b, x, y, z, -(cx), -(cy), -(cz)) && !(cells->walls[o] >> k & 1)) \
        v->rows[i][k] = real_of(population_from(b, parity, false, d, x, y, z));
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
    }
}

static inline void write_single_cells(const struct weir_block_view *b, int parity, const struct row *row,
                                      const struct cells *cells, const struct vector *v) {
    const int y = row->y, z = row->z;
    for (lanes left = cells->fluid; left != 0; left &= left - 1) {
        const int k = first_lane(left), x = cells->x + k;
        const struct group_slots slots = slots_of_group(b, cells->first[k]);
        *slot_at(slots, 0, cells->distance[k][0]) = stored_of(v->rows[0][k]);
#define WEIR_DIRECTION(i, o, ...) *slot_at(slots, o, cells->distance[k][o]) = stored_of(v->rows[i][k]);
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
        if (stays_inside(b, x, y, z))
            continue;
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                               \
    if (leaves_block(b, x, y, z, cx, cy, cz) && !(cells->walls[i] >> k & 1)) \
        population_to(b, parity, false, d, x, y, z, stored_of(v->rows[i][k]));
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
    }
}

#endif
