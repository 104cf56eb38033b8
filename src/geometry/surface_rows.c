#include "src/geometry/surface_rows.h"

#include "graph/base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How far beyond its edges a triangle is met, in shares of its sides: no way slips between two triangles that
 * share an edge. */
static const double EDGE = 1e-9;

struct weir_surface_rows {
    int cells[2];            /* rows along x and y */
    double (*corners)[3][3]; /* of all triangles */
    size_t *first;           /* [rows + 1] */
    int64_t *numbers;        /* of the triangles in each row */
};

/* Rows that lie between two places, as far as there are any. */
struct span {
    int begin[2], end[2];
};

static int row_at(const struct weir_surface_rows *rows, int axis, double place) {
    return (int)fmin(fmax(floor(place), 0), rows->cells[axis] - 1);
}

static struct span span_of(const struct weir_surface_rows *rows, int points, const double point[][3]) {
    struct span span;
    for (int axis = 0; axis < 2; axis++) {
        double low = point[0][axis], high = low;
        for (int k = 1; k < points; k++) {
            low = fmin(low, point[k][axis]);
            high = fmax(high, point[k][axis]);
        }
        span.begin[axis] = row_at(rows, axis, low);
        span.end[axis] = row_at(rows, axis, high) + 1;
    }
    return span;
}

/* Runs over the rows of a span. */
#define FOR_ROWS(rows, span, row)                                                         \
    for (int y = (span).begin[1]; y < (span).end[1]; y++)                                 \
        for (size_t row = (size_t)y * (size_t)(rows)->cells[0] + (size_t)(span).begin[0], \
                    end = row + (size_t)((span).end[0] - (span).begin[0]);                \
             row < end; row++)

static int sort(struct weir_surface_rows *rows, int64_t count) {
    const size_t all = (size_t)rows->cells[0] * (size_t)rows->cells[1];
    rows->first = calloc(all + 2, sizeof *rows->first);
    if (!rows->first)
        return -1;
    /* Where the next triangle of a row goes; when all are there, that is where the row ends. */
    size_t *const next = rows->first + 1;
    for (int64_t k = 0; k < count; k++) {
        const struct span span = span_of(rows, 3, rows->corners[k]);
        FOR_ROWS(rows, span, row) {
            next[row + 1]++;
        }
    }
    for (size_t row = 0; row < all; row++)
        next[row + 1] += next[row];
    rows->numbers = malloc((next[all] + 1) * sizeof *rows->numbers);
    if (!rows->numbers)
        return -1;
    for (int64_t k = 0; k < count; k++) {
        const struct span span = span_of(rows, 3, rows->corners[k]);
        FOR_ROWS(rows, span, row) {
            rows->numbers[next[row]++] = k;
        }
    }
    return 0;
}

int weir_surface_rows_create(const struct weir_triangles *triangles, const int cells[3],
                             struct weir_surface_rows **result) {
    const size_t bytes = (size_t)triangles->count * sizeof *triangles->corners;
    struct weir_surface_rows *rows = calloc(1, sizeof *rows);
    if (rows) {
        rows->cells[0] = cells[0];
        rows->cells[1] = cells[1];
        rows->corners = malloc(bytes + 1);
    }
    if (rows && rows->corners)
        memcpy(rows->corners, triangles->corners, bytes);
    if (!rows || !rows->corners || sort(rows, triangles->count) < 0) {
        weir_surface_rows_destroy(rows);
        return weir_fail(WEIR_FAILED, "no memory left for the distances to a mesh");
    }
    *result = rows;
    return 0;
}

void weir_surface_rows_destroy(struct weir_surface_rows *rows) {
    if (!rows)
        return;
    free(rows->corners);
    free(rows->first);
    free(rows->numbers);
    free(rows);
}

const double (*weir_surface_rows_triangles(const struct weir_surface_rows *rows))[3][3] {
    return (const double(*)[3][3])rows->corners;
}

static void cross(const double a[3], const double b[3], double product[3]) {
    for (int axis = 0; axis < 3; axis++) {
        const int p = (axis + 1) % 3, q = (axis + 2) % 3;
        product[axis] = a[p] * b[q] - a[q] * b[p];
    }
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

static bool is_share(double value) {
    return value >= -EDGE && value <= 1 + EDGE;
}

/* Where a way meets a triangle, as a share of the way; HUGE_VAL: nowhere, or it runs along it (Moeller,
 * Trumbore, J. Graphics Tools 2 (1997) 21). */
static double meet(const double corner[3][3], const double from[3], const double way[3]) {
    double side[2][3], start[3], across[3], turned[3];
    for (int axis = 0; axis < 3; axis++) {
        side[0][axis] = corner[1][axis] - corner[0][axis];
        side[1][axis] = corner[2][axis] - corner[0][axis];
        start[axis] = from[axis] - corner[0][axis];
    }
    cross(way, side[1], across);
    cross(start, side[0], turned);
    const double volume = dot(side[0], across);
    if (volume == 0)
        return HUGE_VAL;
    const double u = dot(start, across) / volume, v = dot(way, turned) / volume,
                 share = dot(side[1], turned) / volume;
    return is_share(u) && is_share(v) && is_share(u + v) && is_share(share) ? share : HUGE_VAL;
}

double weir_surface_rows_meet(const struct weir_surface_rows *rows, const double from[3],
                              const double to[3]) {
    const double ends[2][3] = {{from[0], from[1], from[2]}, {to[0], to[1], to[2]}},
                 way[3] = {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
    const struct span span = span_of(rows, 2, ends);
    double first = HUGE_VAL;
    FOR_ROWS(rows, span, row) {
        for (size_t k = rows->first[row]; k < rows->first[row + 1]; k++)
            first = fmin(first, meet(rows->corners[rows->numbers[k]], from, way));
    }
    return first == HUGE_VAL ? first : fmin(fmax(first, 0), 1);
}
