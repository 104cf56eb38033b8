#include "src/geometry/triangles.h"

#include "graph/base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const int64_t TRIANGLES_MOST = 700000000; /* corners are numbered in 31 bits */

/* An edge from corner to corner, of which the lower number comes first in its key. */
struct edge {
    uint64_t key;
    int way; /* 1: as the key says, -1: against it */
};

static const double *corner(const struct weir_triangles *triangles, int64_t place) {
    return triangles->corners[place / 3][place % 3];
}

static uint64_t hash(const double point[3]) {
    uint64_t result = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double x = point[axis] + 0.0; /* -0 is 0 */
        uint64_t bits;
        memcpy(&bits, &x, sizeof bits);
        result = (result ^ bits) * 0x9e3779b97f4a7c15u;
        result ^= result >> 29;
    }
    return result;
}

int weir_triangles_number(const struct weir_triangles *triangles, int32_t *number) {
    const int64_t corners = 3 * triangles->count;
    uint64_t size = 64;
    if (triangles->count > TRIANGLES_MOST)
        return weir_fail(WEIR_USAGE,
                         "the mesh has %lld triangles, and at most %lld are read; make it coarser",
                         (long long)triangles->count, (long long)TRIANGLES_MOST);
    while (size < 2 * (uint64_t)corners)
        size *= 2;
    int32_t *table = malloc(size * sizeof *table);
    if (!table)
        return weir_fail(WEIR_FAILED, "no memory left for the corners of a mesh");
    memset(table, -1, size * sizeof *table);
    for (int64_t k = 0; k < corners; k++) {
        const double *point = corner(triangles, k);
        uint64_t slot = hash(point) & (size - 1);
        for (;; slot = (slot + 1) & (size - 1)) {
            const double *other = table[slot] >= 0 ? corner(triangles, table[slot]) : point;
            if (other[0] == point[0] && other[1] == point[1] && other[2] == point[2])
                break;
        }
        if (table[slot] < 0)
            table[slot] = (int32_t)k;
        number[k] = table[slot];
    }
    free(table);
    return 0;
}

static int compare(const void *a, const void *b) {
    const uint64_t one = ((const struct edge *)a)->key, other = ((const struct edge *)b)->key;
    return one < other ? -1 : one > other;
}

/* The edges of all triangles but for those that are points: list[3 * count]. Returns their number. */
static int64_t list_edges(const struct weir_triangles *triangles, const int32_t *number, struct edge *list) {
    int64_t count = 0;
    for (int64_t k = 0; k < triangles->count; k++)
        for (int side = 0; side < 3; side++) {
            const int32_t from = number[3 * k + side], to = number[3 * k + (side + 1) % 3];
            if (from != to)
                list[count++] = (struct edge){from < to ? (uint64_t)from << 32 | (uint64_t)to
                                                        : (uint64_t)to << 32 | (uint64_t)from,
                                              from < to ? 1 : -1};
        }
    return count;
}

static void judge_edges(const struct weir_triangles *triangles, const struct edge *list, int64_t count,
                        struct weir_triangle_edges *edges) {
    *edges = (struct weir_triangle_edges){.oriented = true};
    for (int64_t k = 0, end; k < count; k = end) {
        int64_t ways = 0;
        for (end = k; end < count && list[end].key == list[k].key; end++)
            ways += list[end].way;
        edges->edges++;
        edges->oriented = edges->oriented && ways == 0;
        if ((end - k) % 2 == 0)
            continue;
        if (edges->open++ == 0)
            for (int axis = 0; axis < 3; axis++)
                edges->place[axis] = 0.5 * (corner(triangles, (int64_t)(list[k].key >> 32))[axis] +
                                            corner(triangles, (int64_t)(list[k].key & 0xffffffff))[axis]);
    }
}

int weir_triangles_edges(const struct weir_triangles *triangles, struct weir_triangle_edges *edges) {
    const size_t corners = 3 * (size_t)triangles->count;
    int32_t *number = malloc((corners + 1) * sizeof *number);
    struct edge *list = malloc((corners + 1) * sizeof *list);
    int error = number && list ? weir_triangles_number(triangles, number)
                               : weir_fail(WEIR_FAILED, "no memory left for the edges of a mesh");
    if (error == 0) {
        const int64_t count = list_edges(triangles, number, list);
        qsort(list, (size_t)count, sizeof *list, compare);
        judge_edges(triangles, list, count, edges);
    }
    free(number);
    free(list);
    return error;
}

void weir_triangles_bounds(const struct weir_triangles *triangles, double low[3], double high[3]) {
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = HUGE_VAL;
        high[axis] = -HUGE_VAL;
    }
    for (int64_t k = 0; k < 3 * triangles->count; k++)
        for (int axis = 0; axis < 3; axis++) {
            low[axis] = fmin(low[axis], corner(triangles, k)[axis]);
            high[axis] = fmax(high[axis], corner(triangles, k)[axis]);
        }
}

void weir_triangles_free(struct weir_triangles *triangles) {
    free(triangles->corners);
    *triangles = (struct weir_triangles){.count = 0};
}
