/* The cells of pockets as a region: stretches of rows, in which a cell is looked for by halving. */
#include "graph/base/error.h"
#include "graph/problem/fluid_pieces.h"
#include "graph/problem/region.h"

#include <stdlib.h>
#include <string.h>

struct pockets_region {
    struct weir_region region;
    int rows; /* of a slice */
    size_t count;
    struct weir_hole holes[]; /* in rising order of rows, and of cells in them */
};

/* The last hole that begins at or before the cell decides. */
static bool contains(const struct weir_region *region, const double point[3]) {
    const struct pockets_region *own = (const struct pockets_region *)region;
    const int x = (int)point[0];
    const int64_t row = (int64_t)point[2] * own->rows + (int64_t)point[1];
    size_t low = 0, high = own->count;
    for (int axis = 0; axis < 3; axis++)
        if (point[axis] < region->low[axis] || point[axis] > region->high[axis])
            return false;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const struct weir_hole *hole = &own->holes[middle];
        if (hole->row < row || (hole->row == row && hole->begin <= x))
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && own->holes[low - 1].row == row && x < own->holes[low - 1].end;
}

static void destroy(struct weir_region *region) {
    free(region);
}

/* Widens the region's bounds by a hole. */
static void bound(struct pockets_region *own, const struct weir_hole *hole) {
    const int low[3] = {hole->begin, (int)(hole->row % own->rows), (int)(hole->row / own->rows)},
              high[3] = {hole->end, low[1] + 1, low[2] + 1};
    for (int axis = 0; axis < 3; axis++) {
        own->region.low[axis] = low[axis] < own->region.low[axis] ? low[axis] : own->region.low[axis];
        own->region.high[axis] = high[axis] > own->region.high[axis] ? high[axis] : own->region.high[axis];
    }
}

int weir_pocket_region_create(const struct weir_problem *problem, const struct weir_hole *holes,
                              int64_t count, struct weir_region **region) {
    struct pockets_region *own = malloc(sizeof *own + (size_t)count * sizeof *own->holes);
    if (!own)
        return weir_fail(WEIR_FAILED, "no memory left for %lld stretches of pockets", (long long)count);
    *own = (struct pockets_region){.region = {.contains = contains, .destroy = destroy},
                                   .rows = problem->cells[1],
                                   .count = (size_t)count};
    for (int axis = 0; axis < 3; axis++)
        own->region.low[axis] = problem->cells[axis];
    for (int64_t k = 0; k < count; k++)
        bound(own, &holes[k]);
    memcpy(own->holes, holes, (size_t)count * sizeof *holes);
    *region = &own->region;
    return 0;
}
