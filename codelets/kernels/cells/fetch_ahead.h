/* Fetching into the cache what is soon read along rows, on a CPU. Processors that fetch ahead by themselves
 * lose the track of so many streams, above all where rows are short. */
#ifndef WEIR_KERNELS_FETCH_AHEAD_H
#define WEIR_KERNELS_FETCH_AHEAD_H

#include "codelets/kernels/cells/kept_cells.h"

/* From what a vector reads of slots i to what is fetched into the cache meanwhile: so many bytes further
 * along a row; in a list, so many groups. */
enum { BYTES_AHEAD = 512, GROUPS_AHEAD = 4 };
FUNCTION ptrdiff_t distance_ahead(int i) {
#if IN_BRICKS
    (void)i;
    return BYTES_AHEAD / sizeof(stored);
#else
    return GROUPS_AHEAD * WEIR_LISTED_TOGETHER *
           (i < FLOW_POPULATIONS ? FLOW_POPULATIONS : POPULATIONS - FLOW_POPULATIONS);
#endif
}

FUNCTION void fetch_ahead(const stored *const rows[POPULATIONS], int x) {
    UNROLL(64)
    for (int i = 0; i < SLOTS; i++)
        __builtin_prefetch(rows[i] + x + distance_ahead(i));
}

#endif
