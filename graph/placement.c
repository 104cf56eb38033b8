#include "graph/placement.h"

#include "graph/error.h"

#include <limits.h>
#include <stdlib.h>

struct bisection {
    const struct weir_block_grid *grid;
    const struct weir_block_set *set; /* NULL: all */
    const double *weight;
    const double *share;
    int *home;
};

/* A block, by its place in the set, and where it is along the axis that is being cut; ties go by number, so
 * that the order is always the same. */
struct item {
    int along, place;
};

static int compare(const void *a, const void *b) {
    const struct item *p = a, *q = b;
    return p->along != q->along ? p->along - q->along : p->place - q->place;
}

static struct weir_box box_of(const struct bisection *b, const struct item *item) {
    return weir_block_grid_box(b->grid, b->set ? b->set->blocks[item->place] : item->place);
}

static int longest_axis(const struct bisection *b, const struct item *items, int count) {
    int low[3] = {INT_MAX, INT_MAX, INT_MAX}, high[3] = {0, 0, 0}, axis = 0;
    for (int k = 0; k < count; k++) {
        const struct weir_box box = box_of(b, &items[k]);
        for (int a = 0; a < 3; a++) {
            const int end = box.origin[a] + box.extent[a];
            low[a] = box.origin[a] < low[a] ? box.origin[a] : low[a];
            high[a] = end > high[a] ? end : high[a];
        }
    }
    for (int a = 1; a < 3; a++)
        if (high[a] - low[a] >= high[axis] - low[axis])
            axis = a;
    return axis;
}

static void bisect(const struct bisection *b, struct item *items, int count, int first_part, int parts) {
    if (parts == 1 || count == 0) {
        for (int k = 0; k < count; k++)
            b->home[items[k].place] = first_part;
        return;
    }
    const int axis = longest_axis(b, items, count);
    double weight = 0, share = 0, low_share = 0;
    for (int k = 0; k < count; k++) {
        items[k].along = box_of(b, &items[k]).origin[axis];
        weight += b->weight[items[k].place];
    }
    qsort(items, (size_t)count, sizeof *items, compare);
    const int low_parts = parts / 2;
    for (int p = 0; p < parts; p++) {
        share += b->share[first_part + p];
        low_share += p < low_parts ? b->share[first_part + p] : 0;
    }
    /* The cut whose weight is nearest to the share; a side without share gets nothing, not even weightless
     * blocks. Where all are weightless, they count evenly. */
    const double target = share > 0 ? low_share / share : 0;
    int cut = 0;
    double sum = 0;
    while (cut < count && target > 0) {
        const double next = weight > 0 ? sum + b->weight[items[cut].place] / weight : (cut + 1.0) / count;
        if (target < 1 && next - target > target - sum)
            break;
        sum = next;
        cut++;
    }
    bisect(b, items, cut, first_part, low_parts);
    bisect(b, items + cut, count - cut, first_part + low_parts, parts - low_parts);
}

int weir_placement_bisect(const struct weir_block_grid *grid, const struct weir_block_set *set,
                          const double *weight, int parts, const double *share, int *home) {
    const int count = set ? set->count : grid->total;
    struct item *items = malloc(sizeof *items * (size_t)count);
    if (!items)
        return weir_fail(WEIR_FAILED, "out of memory while placing %d blocks; choose larger blocks",
                         grid->total);
    for (int k = 0; k < count; k++)
        items[k].place = k;
    bisect(&(struct bisection){grid, set, weight, share, home}, items, count, 0, parts);
    free(items);
    return 0;
}
