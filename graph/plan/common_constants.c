#include "graph/plan/common_constants.h"

#include "codelets/kernels/cuda/shapes.h"

#include <stdlib.h>

static bool gains(const struct weir_constants *constants) {
    const int64_t cells =
        (int64_t)constants->extent[0][1] * constants->extent[1][1] * constants->extent[2][1];
    return constants->bodies != 0 || cells <= WEIR_LARGE_BLOCK;
}

/* Adds a block to the first of `count` groups that it fits. false: to none. */
static bool add(struct weir_common_constants *groups, int count, const struct weir_common_constants *block) {
    for (int k = 0; k < count; k++)
        if (weir_constants_join(&groups[k].constants, &block->constants)) {
            groups[k].cells += block->cells;
            return true;
        }
    return false;
}

static int more_cells(const void *a, const void *b) {
    const int64_t x = ((const struct weir_common_constants *)a)->cells,
                  y = ((const struct weir_common_constants *)b)->cells;
    return (x < y) - (x > y);
}

int weir_common_constants_choose(struct weir_common_constants *blocks, int count) {
    int groups = 0;
    for (int k = 0; k < count; k++) {
        const struct weir_common_constants block = blocks[k];
        if (gains(&block.constants) && !add(blocks, groups, &block))
            blocks[groups++] = block;
    }
    qsort(blocks, (size_t)groups, sizeof *blocks, more_cells);
    return groups < WEIR_COMMON_CONSTANTS_MAX ? groups : WEIR_COMMON_CONSTANTS_MAX;
}
