/* Where the populations that arrive at a cell of a list lie (cell_list.h), all at once:
 * the rule of addressing.h within the block, with walls found in the same words as cells.
 *
 * A link into another block is taken as one to a wall: to the cell's own slot, which no population lies in
 * then and no other cell reads or writes (docs/streaming.md). */
#ifndef WEIR_KERNELS_LIST_PLACES_H
#define WEIR_KERNELS_LIST_PLACES_H

#include "codelets/kernels/cells/addressing.h"

#if BY_LIST

/* Slots 0 of the first cell of a group, in the arrays of populations. */
struct group_slots {
    stored *flow, *further;
};

FUNCTION struct group_slots slots_of_group(const struct weir_block_view *b, int first) {
    struct group_slots slots;
    slots.flow = slot_of(b, 0, first);
#if WITH_FURTHER
    slots.further = slot_of(b, FLOW_POPULATIONS, first);
#else
    slots.further = slots.flow;
#endif
    return slots;
}

/* From there to slot i of a cell, whose entry is counted from that first cell's and may be negative. In
 * signed 32 bits, so that the part which is constant goes into instructions. */
FUNCTION int distance_to(int i, int entry) {
    const bool flow = i < FLOW_POPULATIONS;
    const int count = flow ? FLOW_POPULATIONS : POPULATIONS - FLOW_POPULATIONS,
              number = flow ? i : i - FLOW_POPULATIONS;
    return entry + (entry >> 5) * (WEIR_LISTED_TOGETHER * (count - 1)) + number * WEIR_LISTED_TOGETHER;
}

FUNCTION stored *slot_at(struct group_slots slots, int i, int distance) {
    return (i < FLOW_POPULATIONS ? slots.flow : slots.further) + distance;
}

/* A row of cells beside a cell, or the cell's own. */
struct row_beside {
    int entry;     /* of the first cell kept at x or after it, counted from the group's first cell */
    unsigned kept; /* bits 0, 1, 2: the cells at x - 1, x, x + 1 are, or beyond an x face there is fluid */
};

FUNCTION struct row_beside row_at(const struct weir_block_view *b, weir_position position, int first, int cy,
                                  int cz) {
    const int bit = (int)(position & 31), rows = cz * (own_extent(b, 1) + 2) + cy;
    const struct weir_segment segment =
        b->list.segments[(int)(position >> 5) + rows * weir_row_segments(own_extent(b, 0))];
    const struct row_beside row = {entry_from(segment, bit) - first, segment.kept >> (bit - 1) & 7};
    return row;
}

/* Of the bits of rows beside a cell, those of cells in the block; the others are of cells beyond x faces. */
FUNCTION unsigned bits_within(bool first_in_row, bool last_in_row) {
    return (first_in_row ? 6u : 7u) & (last_in_row ? 3u : 7u);
}

/* distance[i], from the slots of the cell's group, to where f_i lies that arrives at the cell; what leaves
 * along its opposite goes there. first, lane: entry of the group's first cell, and the cell's among them.
 * within: of bits_within. */
FUNCTION void find_distances(const struct weir_block_view *b, int parity, weir_position position,
                             unsigned within, int first, int lane, int distance[POPULATIONS]) {
    distance[0] = distance_to(0, lane);
    if (parity) {
        struct row_beside row[3][3];
        for (int cz = DIMENSIONS == 2 ? 0 : -1; cz <= (DIMENSIONS == 2 ? 0 : 1); cz++)
            for (int cy = -1; cy <= 1; cy++) {
                row[cz + 1][cy + 1] = row_at(b, position, first, cy, cz);
                row[cz + 1][cy + 1].kept &= within;
            }
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...)                                                     \
    {                                                                                             \
        const struct row_beside from = row[1 - (cz)][1 - (cy)];                                   \
        const int entry = (cx) > 0   ? from.entry - 1                                             \
                          : (cx) < 0 ? from.entry + (int)(from.kept >> 1 & 1)                     \
                                     : from.entry;                                                \
        distance[i] = from.kept >> (1 - (cx)) & 1 ? distance_to(o, entry) : distance_to(i, lane); \
    }
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
    } else {
#define WEIR_DIRECTION(i, ...) distance[i] = distance_to(i, lane);
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
    }
}

#endif

#endif
