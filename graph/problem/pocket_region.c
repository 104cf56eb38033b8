/* The cells of pockets as a region: stretches of rows, of which most rows have few. As large as the pockets
 * and a side of the domain. */
#include "graph/base/error.h"
#include "graph/problem/fluid_pieces.h"
#include "graph/problem/region.h"

#include <stdlib.h>

struct pockets_region {
    struct weir_region region;
    int rows;      /* of a slice */
    size_t *first; /* of each row of the domain, and past the last: its holes */
    struct weir_stretch holes[];
};

static bool contains(const struct weir_region *region, const double point[3]) {
    const struct pockets_region *own = (const struct pockets_region *)region;
    const int x = (int)point[0];
    for (int axis = 0; axis < 3; axis++)
        if (point[axis] < region->low[axis] || point[axis] > region->high[axis])
            return false;
    const int64_t row = (int64_t)point[2] * own->rows + (int64_t)point[1];
    for (size_t k = own->first[row]; k < own->first[row + 1]; k++)
        if (x < own->holes[k].end)
            return x >= own->holes[k].begin;
    return false;
}

static void destroy(struct weir_region *region) {
    free(((struct pockets_region *)region)->first);
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
    const int64_t rows = (int64_t)problem->cells[1] * problem->cells[2];
    struct pockets_region *own = malloc(sizeof *own + (size_t)count * sizeof *own->holes);
    size_t *first = calloc((size_t)rows + 1, sizeof *first);
    if (!own || !first) {
        free(own);
        free(first);
        return weir_fail(WEIR_FAILED, "no memory left for %lld stretches of pockets", (long long)count);
    }
    *own = (struct pockets_region){
        .region = {.contains = contains, .destroy = destroy}, .rows = problem->cells[1], .first = first};
    for (int axis = 0; axis < 3; axis++)
        own->region.low[axis] = problem->cells[axis];
    for (int64_t k = 0; k < count; k++) {
        own->holes[k] = (struct weir_stretch){holes[k].begin, holes[k].end};
        first[holes[k].row + 1]++;
        bound(own, &holes[k]);
    }
    for (int64_t row = 0; row < rows; row++)
        first[row + 1] += first[row];
    *region = &own->region;
    return 0;
}
