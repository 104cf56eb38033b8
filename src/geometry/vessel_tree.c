/* C. D. Murray, Proc. Natl. Acad. Sci. 12 (1926) 207: with radii to the third power the work of the flow and
 * the cost of blood are least, and the shear stress on walls is the same in all branches. */
#include "src/geometry/vessel_tree.h"

#include "graph/base/error.h"
#include "src/geometry/random_numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct tube {
    double from[3], to[3], radius;
};

/* Buckets along an axis, each with the tubes that come near it: so a place is compared with few of them. */
enum { BUCKETS = 24, ALL_BUCKETS = BUCKETS * BUCKETS * BUCKETS };

struct tree {
    struct weir_region region;
    int count;
    struct tube *tubes; /* those that end at the high face come last */
    double bucket[3];   /* cells of a bucket along an axis */
    int32_t *begin;     /* of each bucket, and of none behind the last: place in `near` */
    int16_t *near;      /* numbers of tubes, bucket by bucket */
};

/* What is known where a branch begins. */
struct bud {
    double place[3], radius;
};

struct growth {
    const struct weir_vessel_tree_options *options;
    struct tree *tree;
    double section; /* length along the axis */
    uint64_t state;
};

static void destroy(struct weir_region *region) {
    struct tree *tree = (struct tree *)region;
    free(tree->near);
    free(tree->begin);
    free(tree->tubes);
    free(tree);
}

/* The square of the distance from a point to the line between two others. */
static double square_distance(const double point[3], const double from[3], const double to[3]) {
    double along = 0, length = 0, square = 0;
    for (int axis = 0; axis < 3; axis++) {
        along += (point[axis] - from[axis]) * (to[axis] - from[axis]);
        length += (to[axis] - from[axis]) * (to[axis] - from[axis]);
    }
    const double share = along <= 0 ? 0 : along >= length ? 1 : along / length;
    for (int axis = 0; axis < 3; axis++) {
        const double d = point[axis] - (from[axis] + share * (to[axis] - from[axis]));
        square += d * d;
    }
    return square;
}

/* The bucket along an axis that has a coordinate; the first and the last have all that lies beyond, too. */
static int bucket_of(const struct tree *tree, int axis, double x) {
    const double place = x / tree->bucket[axis];
    return place < 1 ? 0 : place >= BUCKETS - 1 ? BUCKETS - 1 : (int)place;
}

/* Around the tubes. */
static bool contains(const struct weir_region *region, const double point[3]) {
    const struct tree *tree = (const struct tree *)region;
    const int bucket = (bucket_of(tree, 2, point[2]) * BUCKETS + bucket_of(tree, 1, point[1])) * BUCKETS +
                       bucket_of(tree, 0, point[0]);
    for (int32_t k = tree->begin[bucket]; k < tree->begin[bucket + 1]; k++) {
        const struct tube *tube = &tree->tubes[tree->near[k]];
        if (square_distance(point, tube->from, tube->to) < tube->radius * tube->radius)
            return false;
    }
    return true;
}

/* Axes across along which branches part. */
static int parting_axes(const struct weir_vessel_tree_options *o) {
    return o->planar ? 1 : o->dimensions - 1;
}

/* The axis along which branches of a generation part, and by how much. */
static int parting_axis(const struct weir_vessel_tree_options *o, int generation, double *offset) {
    const int across = parting_axes(o), axis = (o->axis + 1 + (generation - 1) % across) % o->dimensions;
    *offset = o->cells[axis] / pow(2, 2 + (generation - 1) / across);
    return axis;
}

static void add(struct growth *growth, const struct bud *bud, const double to[3]) {
    struct tube *tube = &growth->tree->tubes[growth->tree->count++];
    for (int axis = 0; axis < 3; axis++) {
        tube->from[axis] = bud->place[axis];
        tube->to[axis] = to[axis];
    }
    tube->radius = bud->radius;
}

/* Two branches where there was a bud: where they end, the next begin. */
static void divide(struct growth *growth, int generation, const struct bud *bud, struct bud branches[2]) {
    const struct weir_vessel_tree_options *o = growth->options;
    double offset;
    const int parting = parting_axis(o, generation, &offset),
              wider = weir_random_number(&growth->state) < 0.5 ? 0 : 1;
    for (int side = 0; side < 2; side++) {
        const double share = (1 + (side == wider ? o->asymmetry : -o->asymmetry)) / 2;
        double to[3];
        for (int axis = 0; axis < 3; axis++)
            to[axis] = bud->place[axis];
        to[o->axis] += growth->section;
        to[parting] += side == 0 ? -offset : offset;
        for (int k = 1; k <= parting_axes(o); k++)
            to[(o->axis + k) % o->dimensions] +=
                o->irregularity * offset * (weir_random_number(&growth->state) - 0.5);
        branches[side] = *bud;
        branches[side].radius = bud->radius * pow(share, 1 / o->exponent);
        add(growth, &branches[side], to);
        for (int axis = 0; axis < 3; axis++)
            branches[side].place[axis] = to[axis];
    }
}

/* All of the tree: generation by generation, so that tubes to the high face come last. */
static void grow(struct growth *growth, struct bud *buds, struct bud *next) {
    const struct weir_vessel_tree_options *o = growth->options;
    struct bud stem = {.radius = o->radius};
    for (int axis = 0; axis < 3; axis++)
        stem.place[axis] = axis < o->dimensions ? 0.5 * o->cells[axis] : 0.5;
    double to[3] = {stem.place[0], stem.place[1], stem.place[2]};
    stem.place[o->axis] = -2 * o->radius; /* no round end in the domain */
    to[o->axis] = growth->section;
    add(growth, &stem, to);
    buds[0] = stem;
    buds[0].place[o->axis] = to[o->axis];
    for (int generation = 1; generation <= o->generations; generation++) {
        for (int k = 0; k < 1 << (generation - 1); k++)
            divide(growth, generation, &buds[k], &next[2 * k]);
        for (int k = 0; k < 1 << generation; k++)
            buds[k] = next[k];
    }
    for (int k = 0; k < 1 << o->generations; k++) {
        double end[3] = {buds[k].place[0], buds[k].place[1], buds[k].place[2]};
        end[o->axis] = o->cells[o->axis] + 2 * o->radius;
        add(growth, &buds[k], end);
    }
}

/* The buckets along an axis that a tube comes near: a little more, as coordinates are rounded. */
static void reach_of(const struct tree *tree, const struct tube *tube, int axis, int reach[2]) {
    const double beyond = tube->radius + 1e-6;
    reach[0] = bucket_of(tree, axis, fmin(tube->from[axis], tube->to[axis]) - beyond);
    reach[1] = bucket_of(tree, axis, fmax(tube->from[axis], tube->to[axis]) + beyond);
}

/* Counts the tubes of each bucket, in the place after its own, or puts them there: then `begin` is where the
 * next of a bucket goes. */
static void visit_buckets(struct tree *tree, bool put) {
    for (int k = 0; k < tree->count; k++) {
        int reach[3][2];
        for (int axis = 0; axis < 3; axis++)
            reach_of(tree, &tree->tubes[k], axis, reach[axis]);
        for (int z = reach[2][0]; z <= reach[2][1]; z++)
            for (int y = reach[1][0]; y <= reach[1][1]; y++)
                for (int x = reach[0][0]; x <= reach[0][1]; x++) {
                    const int bucket = (z * BUCKETS + y) * BUCKETS + x;
                    if (put)
                        tree->near[tree->begin[bucket]++] = (int16_t)k;
                    else
                        tree->begin[bucket + 1]++;
                }
    }
}

static int fill_buckets(struct tree *tree) {
    for (int axis = 0; axis < 3; axis++)
        tree->bucket[axis] = fmax(tree->region.high[axis], 1) / BUCKETS;
    tree->begin = calloc(ALL_BUCKETS + 1, sizeof *tree->begin);
    if (!tree->begin)
        return weir_fail(WEIR_FAILED, "no memory left for a tree of vessels");
    visit_buckets(tree, false);
    for (int bucket = 0; bucket < ALL_BUCKETS; bucket++)
        tree->begin[bucket + 1] += tree->begin[bucket];
    tree->near = malloc((size_t)tree->begin[ALL_BUCKETS] * sizeof *tree->near);
    if (!tree->near)
        return weir_fail(WEIR_FAILED, "no memory left for a tree of vessels");
    visit_buckets(tree, true);
    memmove(tree->begin + 1, tree->begin, ALL_BUCKETS * sizeof *tree->begin); /* each is at the next's */
    tree->begin[0] = 0;
    return 0;
}

/* Where the tubes of a generation end: one cell of wall between them and at the sides, at least. */
static int check_ends(const struct tube *last, int count, const struct weir_vessel_tree_options *o) {
    for (int k = 0; k < count; k++) {
        for (int axis = 0; axis < o->dimensions; axis++)
            if (axis != o->axis && (last[k].to[axis] - last[k].radius < 1 ||
                                    last[k].to[axis] + last[k].radius > o->cells[axis] - 1))
                return weir_fail(WEIR_USAGE,
                                 "a branch of radius %.3g cells leaves the domain along %c; give a smaller "
                                 "\"radius\" or \"irregularity\", or more cells",
                                 last[k].radius, "xyz"[axis]);
        for (int other = 0; other < k; other++) {
            double square = 0;
            for (int axis = 0; axis < 3; axis++)
                square +=
                    (last[k].to[axis] - last[other].to[axis]) * (last[k].to[axis] - last[other].to[axis]);
            if (sqrt(square) < last[k].radius + last[other].radius + 1)
                return weir_fail(WEIR_USAGE,
                                 "branches of radii %.3g and %.3g cells end only %.3g cells apart; give a "
                                 "smaller \"radius\", fewer \"generations\", or more cells",
                                 last[k].radius, last[other].radius, sqrt(square));
        }
    }
    return 0;
}

static int check_room(const struct tree *tree, const struct weir_vessel_tree_options *o) {
    for (int generation = 0; generation <= o->generations; generation++)
        WEIR_TRY(check_ends(&tree->tubes[(1 << generation) - 1], 1 << generation, o));
    return 0;
}

int weir_vessel_tree_create(const struct weir_vessel_tree_options *options, struct weir_region **region) {
    struct bud buds[1 << WEIR_VESSEL_GENERATIONS_MOST], next[1 << WEIR_VESSEL_GENERATIONS_MOST];
    struct tree *tree = calloc(1, sizeof *tree);
    const size_t leaves = (size_t)1 << options->generations, tubes = 3 * leaves;
    if (tree)
        tree->tubes = malloc(tubes * sizeof *tree->tubes);
    if (!tree || !tree->tubes) {
        free(tree);
        return weir_fail(WEIR_FAILED, "no memory left for a tree of vessels");
    }
    tree->region = (struct weir_region){.contains = contains, .destroy = destroy};
    for (int axis = 0; axis < 3; axis++)
        tree->region.high[axis] = options->cells[axis];
    struct growth growth = {.options = options,
                            .tree = tree,
                            .section = (double)options->cells[options->axis] / (options->generations + 2),
                            .state = options->seed};
    grow(&growth, buds, next);
    int error = check_room(tree, options);
    if (error == 0)
        error = fill_buckets(tree);
    if (error < 0) {
        destroy(&tree->region);
        return error;
    }
    *region = &tree->region;
    return 0;
}
