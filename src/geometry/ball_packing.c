/* Balls aim to be a little farther apart than they must, so that a sweep that leaves small rests is enough.
 * Centres lie in buckets at least a ball wide, made anew for each sweep; whether all are apart is seen at its
 * beginning, before anything moves. */
#include "src/geometry/ball_packing.h"

#include "graph/base/error.h"

#include <math.h>
#include <stdlib.h>

/* What balls aim for, per what they need. */
static const double AIM = 1.002;
enum { SWEEPS_LEAST = 500, SWEEPS_MOST = 20000, BUCKETS_MOST = 512 };
static const double VISITS_MOST = 2e8; /* of balls, in all sweeps: some minutes before a bed is refused */

struct packing {
    const struct weir_ball_space *space;
    double diameter, aim;
    int32_t count;
    double (*centers)[3];
    double length[3], width[3]; /* of the space, of a bucket */
    int buckets[3];
    int32_t *first, *next; /* of each bucket its last ball, of each ball the one before it; -1: none */
};

static int bucket_along(const struct packing *p, int axis, double x) {
    const int bucket = (int)((x - p->space->from[axis]) / p->width[axis]);
    return bucket < 0 ? 0 : bucket < p->buckets[axis] ? bucket : p->buckets[axis] - 1;
}

static size_t place_of(const struct packing *p, const int bucket[3]) {
    return ((size_t)bucket[2] * (size_t)p->buckets[1] + (size_t)bucket[1]) * (size_t)p->buckets[0] +
           (size_t)bucket[0];
}

static void fill_buckets(struct packing *p) {
    const size_t buckets = (size_t)p->buckets[0] * (size_t)p->buckets[1] * (size_t)p->buckets[2];
    for (size_t k = 0; k < buckets; k++)
        p->first[k] = -1;
    for (int32_t ball = 0; ball < p->count; ball++) {
        int bucket[3];
        for (int axis = 0; axis < 3; axis++)
            bucket[axis] = bucket_along(p, axis, p->centers[ball][axis]);
        const size_t place = place_of(p, bucket);
        p->next[ball] = p->first[place];
        p->first[place] = ball;
    }
}

/* From one centre to the nearest image of another; the square of the distance. */
static double between(const struct packing *p, int32_t one, int32_t other, double d[3]) {
    double square = 0;
    for (int axis = 0; axis < 3; axis++) {
        d[axis] = p->centers[other][axis] - p->centers[one][axis];
        if (p->space->wraps[axis] && fabs(d[axis]) > 0.5 * p->length[axis])
            d[axis] -= copysign(p->length[axis], d[axis]);
        square += d[axis] * d[axis];
    }
    return square;
}

static void move(struct packing *p, int32_t ball, const double d[3], double share) {
    for (int axis = 0; axis < p->space->dimensions; axis++) {
        const double low = p->space->from[axis], high = p->space->to[axis];
        double x = p->centers[ball][axis] + share * d[axis];
        if (p->space->wraps[axis])
            x = x < low ? x + p->length[axis] : x >= high ? x - p->length[axis] : x;
        else
            x = x < low ? low : x > high ? high : x;
        p->centers[ball][axis] = x;
    }
}

/* Moves both apart, where they are too close. Of two at one place, the first goes down along x. */
static void part(struct packing *p, int32_t one, int32_t other) {
    double d[3];
    const double square = between(p, one, other, d);
    if (square >= p->aim * p->aim)
        return;
    const double distance = sqrt(square);
    if (distance == 0)
        d[0] = 1;
    const double share = 0.5 * (p->aim - distance) / (distance == 0 ? 1 : distance);
    move(p, one, d, -share);
    move(p, other, d, share);
}

/* Calls for each pair of a ball with one of a higher number in the buckets around it; `visit` returns whether
 * to go on. */
static bool for_pairs(struct packing *p, int32_t ball,
                      bool (*visit)(struct packing *p, int32_t one, int32_t other)) {
    int low[3], high[3], at[3], bucket[3];
    for (int axis = 0; axis < 3; axis++) {
        const int here = bucket_along(p, axis, p->centers[ball][axis]), most = p->buckets[axis] - 1;
        const bool wraps = p->space->wraps[axis];
        low[axis] = wraps ? here - 1 : here > 0 ? here - 1 : 0;
        high[axis] = wraps ? here + 1 : here < most ? here + 1 : most;
        if (high[axis] - low[axis] > most)
            high[axis] = low[axis] + most;
    }
    for (at[2] = low[2]; at[2] <= high[2]; at[2]++)
        for (at[1] = low[1]; at[1] <= high[1]; at[1]++)
            for (at[0] = low[0]; at[0] <= high[0]; at[0]++) {
                for (int axis = 0; axis < 3; axis++)
                    bucket[axis] = (at[axis] + p->buckets[axis]) % p->buckets[axis];
                for (int32_t other = p->first[place_of(p, bucket)]; other >= 0; other = p->next[other])
                    if (other > ball && !visit(p, ball, other))
                        return false;
            }
    return true;
}

static bool visit_apart(struct packing *p, int32_t one, int32_t other) {
    double d[3];
    return between(p, one, other, d) >= p->diameter * p->diameter;
}

static bool visit_part(struct packing *p, int32_t one, int32_t other) {
    part(p, one, other);
    return true;
}

static bool all_apart(struct packing *p) {
    for (int32_t ball = 0; ball < p->count; ball++)
        if (!for_pairs(p, ball, visit_apart))
            return false;
    return true;
}

int weir_ball_packing_separate(const struct weir_ball_space *space, double diameter, int32_t count,
                               double (*centers)[3], bool *apart) {
    struct packing p = {
        .space = space, .diameter = diameter, .aim = AIM * diameter, .count = count, .centers = centers};
    for (int axis = 0; axis < 3; axis++) {
        const bool used = axis < space->dimensions;
        p.length[axis] = used ? space->to[axis] - space->from[axis] : 1;
        p.buckets[axis] = used ? (int)fmin(fmax(floor(p.length[axis] / p.aim), 1), BUCKETS_MOST) : 1;
        p.width[axis] = p.length[axis] / p.buckets[axis];
    }
    p.first = malloc((size_t)p.buckets[0] * (size_t)p.buckets[1] * (size_t)p.buckets[2] * sizeof *p.first);
    p.next = malloc((size_t)(count + 1) * sizeof *p.next);
    const int error =
        p.first && p.next ? 0 : weir_fail(WEIR_FAILED, "no memory left for a bed of %d balls", (int)count);
    *apart = false;
    const int most = (int)fmin(SWEEPS_MOST, fmax(SWEEPS_LEAST, VISITS_MOST / (count + 1.0)));
    for (int sweep = 0; error == 0 && !*apart && sweep < most; sweep++) {
        fill_buckets(&p);
        *apart = all_apart(&p);
        for (int32_t ball = 0; !*apart && ball < count; ball++)
            for_pairs(&p, ball, visit_part);
    }
    free(p.first);
    free(p.next);
    return error;
}
