#include "graph/plan/placement.h"

#include "graph/base/error.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

struct bisection {
    const struct weir_block_grid *grid;
    const struct weir_block_set *set; /* NULL: all */
    const double *weight;
    const double *share;
    int *home;
    int *order;  /* [blocks] of what is being cut: blocks, by place in the set, one layer after the other */
    int *layers; /* [most blocks along an axis + 1] */
};

static int number_of(const struct bisection *b, int place) {
    return b->set ? b->set->blocks[place] : place;
}

/* The axis along which these blocks reach furthest, in cells, and their first and last layers there. */
static int longest_axis(const struct bisection *b, const int *places, int count, int *first, int *last) {
    int low[3] = {INT_MAX, INT_MAX, INT_MAX}, high[3] = {0, 0, 0}, cells[3], axis = 0;
    for (int k = 0; k < count; k++) {
        int position[3];
        weir_block_grid_position(b->grid, number_of(b, places[k]), position);
        for (int a = 0; a < 3; a++) {
            low[a] = position[a] < low[a] ? position[a] : low[a];
            high[a] = position[a] > high[a] ? position[a] : high[a];
        }
    }
    for (int a = 0; a < 3; a++) {
        const int size = b->grid->block_cells[a];
        const int end = high[a] + 1 == b->grid->count[a] ? b->grid->cells[a] : (high[a] + 1) * size;
        cells[a] = end - low[a] * size;
        if (a > 0 && cells[a] >= cells[axis])
            axis = a;
    }
    *first = low[axis];
    *last = high[axis];
    return axis;
}

/* One coordinate of a block's position: asked for several times per block and cut. */
static int layer_of(const struct bisection *b, int place, int axis) {
    const int *count = b->grid->count;
    const int below = axis == 0 ? 1 : axis == 1 ? count[0] : count[0] * count[1];
    return number_of(b, place) / below % count[axis];
}

/* Puts blocks into `order` layer after layer; within a layer they stay in the order of their numbers. */
static void order_by_layer(const struct bisection *b, const int *places, int count, int axis, int first,
                           int last) {
    int *begin = b->layers; /* of each layer in `order` */
    memset(begin, 0, sizeof *begin * (size_t)(last - first + 2));
    for (int k = 0; k < count; k++)
        begin[layer_of(b, places[k], axis) - first + 1]++;
    for (int layer = first; layer < last; layer++)
        begin[layer - first + 1] += begin[layer - first];
    for (int k = 0; k < count; k++)
        b->order[begin[layer_of(b, places[k], axis) - first]++] = places[k];
}

/* How many blocks of `order` go to the lower side: the cut whose weight is nearest to `target`, the share of
 * that side. One without share gets nothing, not even weightless blocks. Where all are weightless, they count
 * evenly. */
static int find_cut(const struct bisection *b, int count, double target) {
    double weight = 0, sum = 0;
    int cut = 0;
    for (int k = 0; k < count; k++)
        weight += b->weight[b->order[k]];
    while (cut < count && target > 0) {
        const double next = weight > 0 ? sum + b->weight[b->order[cut]] / weight : (cut + 1.0) / count;
        if (target < 1 && next - target > target - sum)
            break;
        sum = next;
        cut++;
    }
    return cut;
}

/* Brings the first `cut` blocks of `order` to the front of `places`; both sides stay in the order of their
 * numbers. `order` is lost. */
static void partition(const struct bisection *b, int *places, int count, int axis, int cut) {
    if (cut == count)
        return;
    const int place = b->order[cut], layer = layer_of(b, place, axis);
    int low = 0, high = 0;
    for (int k = 0; k < count; k++) {
        const int along = layer_of(b, places[k], axis);
        if (along < layer || (along == layer && places[k] < place))
            places[low++] = places[k];
        else
            b->order[high++] = places[k];
    }
    memcpy(places + low, b->order, sizeof *places * (size_t)high);
}

/* places[count]: blocks of a region, in the order of their numbers; for worker groups from first_group on.
 * The work of one cut is proportional to the blocks. */
static void bisect(const struct bisection *b, int *places, int count, int first_group, int groups) {
    if (groups == 1 || count == 0) {
        for (int k = 0; k < count; k++)
            b->home[places[k]] = first_group;
        return;
    }
    const int low_groups = groups / 2;
    double share = 0, low_share = 0;
    for (int p = 0; p < groups; p++) {
        share += b->share[first_group + p];
        low_share += p < low_groups ? b->share[first_group + p] : 0;
    }
    int first, last;
    const int axis = longest_axis(b, places, count, &first, &last);
    order_by_layer(b, places, count, axis, first, last);
    const int cut = find_cut(b, count, share > 0 ? low_share / share : 0);
    partition(b, places, count, axis, cut);
    bisect(b, places, cut, first_group, low_groups);
    bisect(b, places + cut, count - cut, first_group + low_groups, groups - low_groups);
}

int weir_placement_bisect(const struct weir_block_grid *grid, const struct weir_block_set *set,
                          const double *weight, int groups, const double *share, int *home) {
    const int count = set ? set->count : grid->total;
    int along = 0;
    for (int axis = 0; axis < 3; axis++)
        along = grid->count[axis] > along ? grid->count[axis] : along;
    int *places = malloc(sizeof *places * (size_t)count), *order = malloc(sizeof *order * (size_t)count),
        *layers = malloc(sizeof *layers * ((size_t)along + 1));
    const bool there = places && order && layers;
    for (int k = 0; there && k < count; k++)
        places[k] = k;
    if (there)
        bisect(&(struct bisection){grid, set, weight, share, home, order, layers}, places, count, 0, groups);
    free(places);
    free(order);
    free(layers);
    return there
               ? 0
               : weir_fail(WEIR_FAILED, "out of memory while placing %d blocks; choose larger blocks", count);
}
