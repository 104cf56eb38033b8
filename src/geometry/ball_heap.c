/* Centres lie in a grid of buckets, at least a ball wide, so that a place is compared with the few balls near
 * it. */
#include "src/geometry/ball_heap.h"

#include "graph/base/error.h"
#include "src/geometry/ball_packing.h"
#include "src/geometry/random_numbers.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Draws in a row without a free place after which there is taken to be none. */
enum { DRAWS_MOST = 200000 };
static const int64_t BALLS_MOST = 50000000;
/* Buckets are no narrower than this many cells, so that they take far less memory than the domain. */
static const double NARROWEST_BUCKET = 4;

/* Further than by rounding alone: cell widths. */
static const double MARGIN = 0.01;

struct heap {
    struct weir_region region;
    int dimensions;
    double radius;
    double period[3];           /* 0 where balls do not continue */
    double origin[3], width[3]; /* of the first bucket, of each */
    int buckets[3];
    int32_t *first, *next; /* of each bucket its last ball, of each ball the one before it; -1: none */
    double (*centers)[3];
    int32_t count;
};

static void destroy(struct weir_region *region) {
    struct heap *heap = (struct heap *)region;
    free(heap->first);
    free(heap->next);
    free(heap->centers);
    free(heap);
}

/* The bucket along an axis of a coordinate, not yet brought into the grid. */
static int bucket_of(const struct heap *heap, int axis, double x) {
    const double place = (x - heap->origin[axis]) / heap->width[axis];
    const int bucket = (int)place;
    return bucket - (place < bucket); /* downwards, without a call of floor */
}

/* Number of a bucket along an axis: the grid goes on periodically, or ends. */
static int within_grid(const struct heap *heap, int axis, int bucket) {
    const int n = heap->buckets[axis];
    if (bucket >= 0 && bucket < n) /* most are, and division takes long */
        return bucket;
    if (heap->period[axis] > 0)
        return ((bucket % n) + n) % n;
    return bucket < 0 ? 0 : bucket >= n ? n - 1 : bucket;
}

static size_t place_of(const struct heap *heap, const int bucket[3]) {
    return ((size_t)bucket[2] * (size_t)heap->buckets[1] + (size_t)bucket[1]) * (size_t)heap->buckets[0] +
           (size_t)bucket[0];
}

static double square_distance(const struct heap *heap, const double a[3], const double b[3]) {
    double square = 0;
    for (int axis = 0; axis < heap->dimensions; axis++) {
        double d = a[axis] - b[axis];
        if (heap->period[axis] > 0 && fabs(d) > 0.5 * heap->period[axis])
            d -= heap->period[axis] * round(d / heap->period[axis]);
        square += d * d;
    }
    return square;
}

/* Buckets from low to high along each axis, not yet brought into the grid: those of all centres within a
 * distance of a point, each bucket once. */
struct buckets {
    int low[3], high[3];
};

static struct buckets buckets_near(const struct heap *heap, const double point[3], double distance) {
    struct buckets near;
    for (int axis = 0; axis < 3; axis++) {
        near.low[axis] = bucket_of(heap, axis, point[axis] - distance);
        near.high[axis] = bucket_of(heap, axis, point[axis] + distance);
        if (heap->period[axis] == 0) {
            near.low[axis] = within_grid(heap, axis, near.low[axis]);
            near.high[axis] = within_grid(heap, axis, near.high[axis]);
        } else if (near.high[axis] - near.low[axis] >= heap->buckets[axis])
            near.high[axis] = near.low[axis] + heap->buckets[axis] - 1;
    }
    return near;
}

/* The last ball of a bucket that may lie beyond the grid's end. */
static int32_t last_ball(const struct heap *heap, const int at[3]) {
    int bucket[3];
    for (int axis = 0; axis < 3; axis++)
        bucket[axis] = within_grid(heap, axis, at[axis]);
    return heap->first[place_of(heap, bucket)];
}

#define FOR_BUCKETS(near, at)                                                 \
    for (int at[3] = {0, 0, (near).low[2]}; at[2] <= (near).high[2]; at[2]++) \
        for (at[1] = (near).low[1]; at[1] <= (near).high[1]; at[1]++)         \
            for (at[0] = (near).low[0]; at[0] <= (near).high[0]; at[0]++)

static bool is_near(const struct heap *heap, int32_t ball, const double point[3], double distance) {
    return square_distance(heap, heap->centers[ball], point) <= distance * distance;
}

/* Whether a centre lies within a distance of a point. */
static bool has_centre_near(const struct heap *heap, const double point[3], double distance) {
    const struct buckets near = buckets_near(heap, point, distance);
    FOR_BUCKETS(near, at) {
        for (int32_t ball = last_ball(heap, at); ball >= 0; ball = heap->next[ball])
            if (is_near(heap, ball, point, distance))
                return true;
    }
    return false;
}

static bool find_part(const struct weir_region *region, const double point[3], double distance,
                      struct weir_region_part *part) {
    const struct heap *heap = (const struct heap *)region;
    const double reach = heap->radius + distance + MARGIN;
    const struct buckets near = buckets_near(heap, point, reach);
    part->count = 0;
    FOR_BUCKETS(near, at) {
        for (int32_t ball = last_ball(heap, at); ball >= 0; ball = heap->next[ball]) {
            if (!is_near(heap, ball, point, reach))
                continue;
            if (part->count == WEIR_REGION_PART_MOST)
                return false;
            part->item[part->count++] = ball;
        }
    }
    return true;
}

static bool part_contains(const struct weir_region *region, const struct weir_region_part *part,
                          const double point[3]) {
    const struct heap *heap = (const struct heap *)region;
    for (int k = 0; k < part->count; k++)
        if (is_near(heap, part->item[k], point, heap->radius))
            return true;
    return false;
}

static bool contains(const struct weir_region *region, const double point[3]) {
    const struct heap *heap = (const struct heap *)region;
    return has_centre_near(heap, point, heap->radius);
}

/* Cells whose places are asked for at once (region.h). */
struct cells {
    double first[3];
    int step, count[3];
    bool *inside;
};

/* Coordinate of cell k along an axis. */
static double coordinate(const struct cells *cells, int axis, int k) {
    return cells->first[axis] + (double)k * cells->step;
}

/* Cells along an axis that are no further than a distance from a place: from *begin to before *end. */
static void reached(const struct cells *cells, int axis, double place, double distance, int *begin,
                    int *end) {
    const double middle = (place - cells->first[axis]) / cells->step,
                 half = (distance + MARGIN) / cells->step;
    *begin = (int)fmax(ceil(middle - half), 0);
    *end = (int)fmin(floor(middle + half) + 1, cells->count[axis]);
}

/* Cells of a row inside a ball: those of which the square of the distance along it from the ball's centre is
 * at most so much. Those by the surface are asked one by one, so that rounding does to each what it does
 * wherever that is asked. */
static void enter_row(const struct heap *heap, double center, double square, const int at[3],
                      const struct cells *cells) {
    const double half = sqrt(fmax(square, 0));
    bool *inside =
        cells->inside + ((size_t)at[2] * (size_t)cells->count[1] + (size_t)at[1]) * (size_t)cells->count[0];
    double point[3] = {0, coordinate(cells, 1, at[1]), coordinate(cells, 2, at[2])};
    int begin, end;
    reached(cells, 0, center, half, &begin, &end);
    for (int x = begin; x < end; x++) {
        point[0] = coordinate(cells, 0, x);
        if (!inside[x])
            inside[x] = fabs(point[0] - center) < half - MARGIN || has_centre_near(heap, point, heap->radius);
    }
}

/* Cells inside a ball. */
static void enter_ball(const struct heap *heap, const double center[3], const struct cells *cells) {
    const double whole = heap->radius * heap->radius;
    int begin[3] = {0, 0, 0}, end[3] = {0, 0, 1}, at[3];
    for (int axis = 1; axis < heap->dimensions; axis++)
        reached(cells, axis, center[axis], heap->radius, &begin[axis], &end[axis]);
    for (at[2] = begin[2]; at[2] < end[2]; at[2]++) {
        const double z = heap->dimensions > 2 ? coordinate(cells, 2, at[2]) - center[2] : 0;
        for (at[1] = begin[1]; at[1] < end[1]; at[1]++) {
            const double y = coordinate(cells, 1, at[1]) - center[1], square = whole - y * y - z * z;
            if (square > -MARGIN * MARGIN)
                enter_row(heap, center[0], square, at, cells);
        }
    }
}

/* All balls in a bucket, or their images where it lies beyond the grid. */
static void enter_bucket(const struct heap *heap, const int at[3], const struct cells *cells) {
    double shift[3], image[3];
    for (int axis = 0; axis < 3; axis++)
        shift[axis] = (at[axis] - within_grid(heap, axis, at[axis])) * heap->width[axis];
    for (int32_t ball = last_ball(heap, at); ball >= 0; ball = heap->next[ball]) {
        for (int axis = 0; axis < 3; axis++)
            image[axis] = heap->centers[ball][axis] + shift[axis];
        enter_ball(heap, image, cells);
    }
}

static void contains_box(const struct weir_region *region, const double first[3], int step,
                         const int count[3], bool *inside) {
    const struct heap *heap = (const struct heap *)region;
    const struct cells cells = {{first[0], first[1], first[2]}, step, {count[0], count[1], count[2]}, inside};
    struct buckets near;
    memset(inside, 0, sizeof *inside * (size_t)count[0] * (size_t)count[1] * (size_t)count[2]);
    for (int axis = 0; axis < 3; axis++) {
        near.low[axis] = bucket_of(heap, axis, first[axis] - heap->radius);
        near.high[axis] = bucket_of(heap, axis, coordinate(&cells, axis, count[axis] - 1) + heap->radius);
        if (heap->period[axis] == 0) {
            near.low[axis] = within_grid(heap, axis, near.low[axis]);
            near.high[axis] = within_grid(heap, axis, near.high[axis]);
        }
    }
    FOR_BUCKETS(near, at) {
        enter_bucket(heap, at, &cells);
    }
}

static void put(struct heap *heap, const double center[3]) {
    int bucket[3];
    for (int axis = 0; axis < 3; axis++) {
        heap->centers[heap->count][axis] = center[axis];
        bucket[axis] = within_grid(heap, axis, bucket_of(heap, axis, center[axis]));
    }
    int32_t *first = &heap->first[place_of(heap, bucket)];
    heap->next[heap->count] = *first;
    *first = heap->count++;
}

static double volume_of_box(const struct weir_ball_heap_options *o) {
    double volume = 1;
    for (int axis = 0; axis < o->dimensions; axis++)
        volume *= o->to[axis] - o->from[axis];
    return volume;
}

static double volume_of_ball(const struct weir_ball_heap_options *o) {
    return o->dimensions == 2 ? M_PI * o->radius * o->radius : 4 * M_PI / 3 * pow(o->radius, 3);
}

/* Balls for the porosity. */
static double wanted_balls(const struct weir_ball_heap_options *o) {
    const double share = o->overlap ? -log(o->porosity) : 1 - o->porosity;
    return round(share * volume_of_box(o) / volume_of_ball(o));
}

static void set_grid(struct heap *heap, const struct weir_ball_heap_options *o) {
    for (int axis = 0; axis < 3; axis++) {
        const bool used = axis < o->dimensions, periodic = used && o->periodic[axis];
        const double length = periodic ? o->cells[axis] : o->to[axis] - o->from[axis];
        const double narrowest = fmax(2 * o->radius, NARROWEST_BUCKET);
        heap->period[axis] = periodic ? o->cells[axis] : 0;
        heap->origin[axis] = periodic ? 0 : o->from[axis];
        heap->buckets[axis] = used ? (int)fmax(floor(length / narrowest), 1) : 1;
        heap->width[axis] = used ? length / heap->buckets[axis] : 1;
        const bool wraps =
            !used || (periodic && (o->from[axis] < o->radius || o->to[axis] > length - o->radius));
        heap->region.low[axis] = wraps ? 0 : o->from[axis] - o->radius;
        heap->region.high[axis] = wraps ? o->cells[axis] : o->to[axis] + o->radius;
    }
}

static void clear(struct heap *heap) {
    const size_t buckets = (size_t)heap->buckets[0] * (size_t)heap->buckets[1] * (size_t)heap->buckets[2];
    for (size_t k = 0; k < buckets; k++)
        heap->first[k] = -1;
    heap->count = 0;
}

static int allocate(struct heap *heap, int64_t balls) {
    const size_t buckets = (size_t)heap->buckets[0] * (size_t)heap->buckets[1] * (size_t)heap->buckets[2];
    heap->first = malloc(buckets * sizeof *heap->first);
    heap->next = malloc((size_t)(balls + 1) * sizeof *heap->next);
    heap->centers = malloc((size_t)(balls + 1) * sizeof *heap->centers);
    if (!heap->first || !heap->next || !heap->centers)
        return weir_fail(WEIR_FAILED, "no memory left for %lld balls", (long long)balls);
    clear(heap);
    return 0;
}

static int fail_full(const struct weir_ball_heap_options *o, int64_t balls) {
    return weir_fail(WEIR_USAGE,
                     "%lld balls would take %.3g of the volume, and no places without overlaps were found "
                     "(random places fill at most about %s); give fewer balls, or \"overlap\": true",
                     (long long)balls, (double)balls * volume_of_ball(o) / volume_of_box(o),
                     o->dimensions == 2 ? "0.82" : "0.62");
}

static void draw_centre(const struct weir_ball_heap_options *o, uint64_t *state, double center[3]) {
    center[2] = 0.5;
    for (int axis = 0; axis < o->dimensions; axis++)
        center[axis] = o->from[axis] + (o->to[axis] - o->from[axis]) * weir_random_number(state);
}

/* One after the other; *full: no place was found for all. */
static void place_in_turn(struct heap *heap, const struct weir_ball_heap_options *o, int64_t balls,
                          bool *full) {
    uint64_t state = o->seed;
    *full = false;
    for (int draws = 0; heap->count < balls && !*full; draws++) {
        double center[3];
        draw_centre(o, &state, center);
        if (!o->overlap && has_centre_near(heap, center, 2 * o->radius)) {
            *full = draws + 1 == DRAWS_MOST;
            continue;
        }
        put(heap, center);
        draws = -1;
    }
}

/* All at once, and moved apart; in a list of their own, as `put` makes that of the heap. */
static int place_together(struct heap *heap, const struct weir_ball_heap_options *o, int64_t balls) {
    struct weir_ball_space space = {.dimensions = o->dimensions};
    double(*centers)[3] = malloc((size_t)(balls + 1) * sizeof *centers);
    uint64_t state = o->seed;
    bool apart;
    if (!centers)
        return weir_fail(WEIR_FAILED, "no memory left for %lld balls", (long long)balls);
    for (int axis = 0; axis < o->dimensions; axis++) {
        space.from[axis] = o->from[axis];
        space.to[axis] = o->to[axis];
        space.wraps[axis] = o->periodic[axis] && o->from[axis] == 0 && o->to[axis] == o->cells[axis];
        if (o->periodic[axis] && !space.wraps[axis]) /* away from their images */
            space.to[axis] = fmin(space.to[axis],
                                  fmax(space.from[axis], space.from[axis] + o->cells[axis] - 2 * o->radius));
    }
    for (int64_t ball = 0; ball < balls; ball++) {
        draw_centre(o, &state, centers[ball]);
        for (int axis = 0; axis < o->dimensions; axis++)
            centers[ball][axis] = fmin(centers[ball][axis], space.to[axis]);
    }
    int error = weir_ball_packing_separate(&space, 2 * o->radius, (int32_t)balls, centers, &apart);
    if (error == 0 && !apart)
        error = fail_full(o, balls);
    for (int64_t ball = 0; error == 0 && ball < balls; ball++)
        put(heap, centers[ball]);
    free(centers);
    return error;
}

static int place(struct heap *heap, const struct weir_ball_heap_options *o, int64_t balls) {
    const double share = (double)balls * volume_of_ball(o) / volume_of_box(o),
                 hopeless = o->dimensions == 2 ? 0.56 : 0.40, none = o->dimensions == 2 ? 0.84 : 0.64;
    bool full = !o->overlap && share > hopeless;
    if (!full)
        place_in_turn(heap, o, balls, &full);
    if (!full)
        return 0;
    if (share > none)
        return fail_full(o, balls);
    clear(heap);
    return place_together(heap, o, balls);
}

/* Puts balls of one bucket beside each other, as they are looked at together. */
static int sort_by_buckets(struct heap *heap) {
    const size_t buckets = (size_t)heap->buckets[0] * (size_t)heap->buckets[1] * (size_t)heap->buckets[2];
    double(*sorted)[3] = malloc((size_t)(heap->count + 1) * sizeof *sorted);
    int32_t *next = malloc((size_t)(heap->count + 1) * sizeof *next), count = 0;
    if (!sorted || !next) {
        free(sorted);
        free(next);
        return weir_fail(WEIR_FAILED, "no memory left for %d balls", heap->count);
    }
    for (size_t bucket = 0; bucket < buckets; bucket++) {
        const int32_t last = heap->first[bucket];
        heap->first[bucket] = last < 0 ? -1 : count;
        for (int32_t ball = last; ball >= 0; ball = heap->next[ball], count++) {
            memcpy(sorted[count], heap->centers[ball], sizeof *sorted);
            next[count] = heap->next[ball] < 0 ? -1 : count + 1;
        }
    }
    free(heap->centers);
    free(heap->next);
    heap->centers = sorted;
    heap->next = next;
    return 0;
}

int weir_ball_heap_create(const struct weir_ball_heap_options *o, struct weir_region **region,
                          struct weir_ball_heap_facts *facts) {
    const double wanted = o->count > 0 ? (double)o->count : wanted_balls(o);
    if (wanted > (double)BALLS_MOST)
        return weir_fail(WEIR_USAGE,
                         "that would be %.3g balls, and at most %lld are placed; make them larger", wanted,
                         (long long)BALLS_MOST);
    struct heap *heap = calloc(1, sizeof *heap);
    if (!heap)
        return weir_fail(WEIR_FAILED, "no memory left for a heap of balls");
    heap->region = (struct weir_region){.contains = contains,
                                        .contains_box = contains_box,
                                        .find_part = find_part,
                                        .part_contains = part_contains,
                                        .destroy = destroy};
    heap->dimensions = o->dimensions;
    heap->radius = o->radius;
    set_grid(heap, o);
    int error = allocate(heap, (int64_t)wanted);
    if (error == 0)
        error = place(heap, o, (int64_t)wanted);
    if (error == 0)
        error = sort_by_buckets(heap);
    if (error < 0) {
        destroy(&heap->region);
        return error;
    }
    const double share = heap->count * volume_of_ball(o) / volume_of_box(o);
    if (facts)
        *facts = (struct weir_ball_heap_facts){heap->count, o->overlap ? exp(-share) : 1 - share};
    *region = &heap->region;
    return 0;
}
