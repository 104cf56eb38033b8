/* What has been counted of boxes of a problem's cells: set-up asks for it several times, to choose blocks,
 * for what is said of memory, to weigh blocks, and to fill them, and each time takes as long. */
#ifndef WEIR_GRAPH_PROBLEM_KNOWN_COUNTS_H
#define WEIR_GRAPH_PROBLEM_KNOWN_COUNTS_H

#include "graph/problem/box.h"

#include <stdint.h>

enum weir_counted { WEIR_COUNTED_FLUID, WEIR_COUNTED_BESIDE_WALLS, WEIR_COUNTED_LINKS };

/* What was counted, and where; all that the answer depends on but the solids. */
struct weir_counted_box {
    enum weir_counted what;
    int lattice;
    struct weir_box box;
    int start[3], distance; /* of the cells that were looked at; 0 where all are */
};

/* Numbers of one count. */
struct weir_counted_numbers {
    int64_t of[2];
};

struct weir_known_counts;

/* Nothing is known; NULL when memory is short, which is no error. For solids and walls that stay as they are.
 */
struct weir_known_counts *weir_known_counts_create(void);
void weir_known_counts_destroy(struct weir_known_counts *known);

/* Several threads may ask and tell at once. known: NULL is allowed, and then nothing is known. */
bool weir_known_counts_find(struct weir_known_counts *known, const struct weir_counted_box *box,
                            struct weir_counted_numbers *numbers);

/* Keeps it while there is room. */
void weir_known_counts_add(struct weir_known_counts *known, const struct weir_counted_box *box,
                           const struct weir_counted_numbers *numbers);

#endif
