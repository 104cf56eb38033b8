#include "src/geometry/crossings.h"

#include "graph/base/error.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows are those of cells (u, v), u and v being the axes after `axis` in turn. */
struct weir_crossings {
    int axis, u, v;
    int cells[3];
    size_t *first;   /* of each row, and past the last */
    int32_t *passed; /* 2 * (first cell whose centre lies behind it) + (1: inwards) */
};

/* A triangle, its corners also in an order that does not depend on which of them the file names first. */
struct facet {
    const double (*corner)[3];
    const double *sorted[3];
    double normal[3]; /* of the sorted corners */
};

/* Order of corners by coordinates. */
static bool is_before(const double a[3], const double b[3]) {
    for (int axis = 0; axis < 3; axis++)
        if (a[axis] != b[axis])
            return a[axis] < b[axis];
    return false;
}

static void swap(const double **a, const double **b) {
    const double *kept = *a;
    *a = *b;
    *b = kept;
}

static struct facet facet_of(const double corner[3][3]) {
    struct facet facet = {.corner = corner, .sorted = {corner[0], corner[1], corner[2]}};
    const double **s = facet.sorted;
    if (is_before(s[1], s[0]))
        swap(&s[0], &s[1]);
    if (is_before(s[2], s[1]))
        swap(&s[1], &s[2]);
    if (is_before(s[1], s[0]))
        swap(&s[0], &s[1]);
    for (int axis = 0; axis < 3; axis++) {
        const int p = (axis + 1) % 3, q = (axis + 2) % 3;
        facet.normal[axis] =
            (s[1][p] - s[0][p]) * (s[2][q] - s[0][q]) - (s[1][q] - s[0][q]) * (s[2][p] - s[0][p]);
    }
    return facet;
}

/* Where an edge passes the height v = level, along u: the same number for all triangles that have the edge.
 */
static double edge_at(const struct weir_crossings *c, const double a[3], const double b[3], double level) {
    const double *low = is_before(a, b) ? a : b, *high = low == a ? b : a;
    return low[c->u] + (level - low[c->v]) * ((high[c->u] - low[c->u]) / (high[c->v] - low[c->v]));
}

/* The first cell of the row (level_u, level_v) whose centre lies behind the facet's plane, within its
 * corners. */
static int first_behind(const struct weir_crossings *c, const struct facet *facet, double level_u,
                        double level_v) {
    const double *origin = facet->sorted[0], *n = facet->normal;
    double low = origin[c->axis], high = low;
    for (int k = 1; k < 3; k++) {
        low = fmin(low, facet->sorted[k][c->axis]);
        high = fmax(high, facet->sorted[k][c->axis]);
    }
    const double steps = n[c->u] * (level_u - origin[c->u]) + n[c->v] * (level_v - origin[c->v]);
    double x = n[c->axis] != 0 ? origin[c->axis] - steps / n[c->axis] : low;
    x = fmin(fmax(x, low), high);
    return (int)fmin(fmax(ceil(x - 0.5), 0), c->cells[c->axis]);
}

/* The number of the first row whose centre is not below x. */
static int row_from(double x, int rows) {
    return (int)fmin(fmax(ceil(x - 0.5), 0), rows);
}

/* The rows at height v that pass the facet: between its edges that pass this height, one up and one down.
 * Counts them in first[row + 1], or, where `passed` is there, notes the crossings, the next of a row at
 * first[row]. */
static void scan_height(struct weir_crossings *c, const struct facet *facet, int v) {
    double upwards = 0, downwards = 0;
    const double level = v + 0.5;
    for (int side = 0; side < 3; side++) {
        const double *from = facet->corner[side], *to = facet->corner[(side + 1) % 3];
        if ((from[c->v] > level) == (to[c->v] > level))
            continue;
        *(to[c->v] > level ? &upwards : &downwards) = edge_at(c, from, to, level);
    }
    const bool inwards = upwards > downwards;
    const int end = row_from(fmax(upwards, downwards), c->cells[c->u]);
    for (int u = row_from(fmin(upwards, downwards), c->cells[c->u]); u < end; u++) {
        const size_t row = (size_t)v * (size_t)c->cells[c->u] + (size_t)u;
        if (c->passed)
            c->passed[c->first[row]++] = 2 * first_behind(c, facet, u + 0.5, level) + inwards;
        else
            c->first[row + 1]++;
    }
}

static void scan(struct weir_crossings *c, const struct weir_triangles *triangles) {
    for (int64_t k = 0; k < triangles->count; k++) {
        const double(*corner)[3] = triangles->corners[k];
        const double low = fmin(fmin(corner[0][c->v], corner[1][c->v]), corner[2][c->v]),
                     high = fmax(fmax(corner[0][c->v], corner[1][c->v]), corner[2][c->v]);
        const int begin = row_from(low, c->cells[c->v]), end = row_from(high, c->cells[c->v]);
        if (begin == end)
            continue;
        const struct facet facet = facet_of(corner);
        for (int v = begin; v < end; v++)
            scan_height(c, &facet, v);
    }
}

static int compare(const void *a, const void *b) {
    const int32_t one = *(const int32_t *)a, other = *(const int32_t *)b;
    return one < other ? -1 : one > other;
}

static int fill(struct weir_crossings *c, const struct weir_triangles *triangles, size_t rows) {
    scan(c, triangles);
    for (size_t row = 0; row < rows; row++)
        c->first[row + 1] += c->first[row];
    c->passed = malloc((c->first[rows] + 1) * sizeof *c->passed);
    if (!c->passed)
        return weir_fail(WEIR_FAILED, "no memory left for a mesh");
    scan(c, triangles); /* each row's first ends where the next begins */
    memmove(c->first + 1, c->first, rows * sizeof *c->first);
    c->first[0] = 0;
    for (size_t row = 0; row < rows; row++)
        qsort(c->passed + c->first[row], c->first[row + 1] - c->first[row], sizeof *c->passed, compare);
    return 0;
}

int weir_crossings_create(const struct weir_triangles *triangles, int axis, const int cells[3],
                          struct weir_crossings **crossings) {
    struct weir_crossings *c = malloc(sizeof *c);
    if (!c)
        return weir_fail(WEIR_FAILED, "no memory left for a mesh");
    *c = (struct weir_crossings){.axis = axis, .u = (axis + 1) % 3, .v = (axis + 2) % 3};
    memcpy(c->cells, cells, sizeof c->cells);
    const size_t rows = (size_t)cells[c->u] * (size_t)cells[c->v];
    c->first = calloc(rows + 1, sizeof *c->first);
    const int error =
        c->first ? fill(c, triangles, rows) : weir_fail(WEIR_FAILED, "no memory left for a mesh");
    if (error < 0) {
        weir_crossings_destroy(c);
        return error;
    }
    *crossings = c;
    return 0;
}

void weir_crossings_destroy(struct weir_crossings *c) {
    if (!c)
        return;
    free(c->first);
    free(c->passed);
    free(c);
}

void weir_crossings_windings(const struct weir_crossings *c, const int cell[3], int step, int count,
                             int *windings) {
    const size_t row = (size_t)cell[c->v] * (size_t)c->cells[c->u] + (size_t)cell[c->u];
    size_t k = c->first[row];
    for (int i = 0, winding = 0; i < count; i++) {
        for (; k < c->first[row + 1] && c->passed[k] / 2 <= cell[c->axis] + i * step; k++)
            winding += c->passed[k] % 2 ? 1 : -1;
        windings[i] = winding;
    }
}

int weir_crossings_winding(const struct weir_crossings *c, const int cell[3]) {
    int winding;
    weir_crossings_windings(c, cell, 1, 1, &winding);
    return winding;
}
