/* The curvature of a surface from how full the cells around one are: planes say where the surface is in them
 * (Lehmann, Gekle, Computation 10 (2022) 21), and a paraboloid is fitted to what each has in its cell
 * (Jibben, Carlson, Francois, Comput. Math. Appl. 78 (2019) 643). It needs the 26 cells around (in two
 * dimensions 8), and nothing of theirs but what they hold, so that no further values need to travel between
 * blocks. numerics.md (N85), (N86). */
#ifndef WEIR_KERNELS_CURVATURE_H
#define WEIR_KERNELS_CURVATURE_H

#include "codelets/kernels/variant.h"

/* Cells around one and itself, x fastest, then y, then z; coefficients of a paraboloid without a constant. */
enum {
    CELLS_AROUND = DIMENSIONS == 3 ? 27 : 9,
    MIDDLE_CELL = CELLS_AROUND / 2,
    PARABOLOID = DIMENSIONS == 3 ? 5 : 2
};

/* What is known of these cells. Bits are by number. */
struct cells_around {
    real fill[CELLS_AROUND]; /* of walls the cosine of the angle at which the surface meets them, in the
                                liquid */
    uint32_t walls;
    uint32_t crossed; /* they are at the surface */
};

/* Where the cell of a number lies from the middle. */
FUNCTION void place_around(int number, int c[3]) {
    c[0] = number % 3 - 1;
    c[1] = number / 3 % 3 - 1;
    c[2] = DIMENSIONS == 3 ? number / 9 - 1 : 0;
}

/* By how much the number of the next cell along an axis is greater. */
FUNCTION int stride_around(int axis) {
    return axis == 0 ? 1 : axis == 1 ? 3 : 9;
}

FUNCTION bool has_bit(uint32_t bits, int number) {
    return bits >> number & 1;
}

/* How full a wall would be if the liquid were mirrored by it: the mean of the cells that it has beside it
 * towards the middle; of a corner between walls, the middle. */
FUNCTION real fill_in_wall(const struct cells_around *a, int number) {
    real sum = 0;
    int c[3], count = 0;
    place_around(number, c);
    for (int axis = 0; axis < DIMENSIONS; axis++) {
        const int beside = number - c[axis] * stride_around(axis);
        if (c[axis] != 0 && !has_bit(a->walls, beside)) {
            sum += a->fill[beside];
            count++;
        }
    }
    return count > 0 ? sum / (real)count : a->fill[MIDDLE_CELL];
}

FUNCTION real dot_real(const real a[3], const real b[3]) {
    return fma_real(a[0], b[0], fma_real(a[1], b[1], a[2] * b[2]));
}

/* Scales a vector to length 1. false: it is too short to have a direction. */
FUNCTION bool normalise(real v[3]) {
    const real length = root_real(dot_real(v, v));
    if (!(length > (real)1e-4))
        return false;
    for (int axis = 0; axis < 3; axis++)
        v[axis] /= length;
    return true;
}

/* Out of the liquid, by differences over all cells around (Parker, Youngs; weights 4, 2, 1). */
FUNCTION bool normal_around(const struct cells_around *a, real normal[3]) {
    normal[0] = normal[1] = normal[2] = 0;
    for (int number = 0; number < CELLS_AROUND; number++) {
        int c[3];
        place_around(number, c);
        const int far = c[0] * c[0] + c[1] * c[1] + c[2] * c[2];
        const real fill = has_bit(a->walls, number) ? fill_in_wall(a, number) : a->fill[number];
        const real weighted = (real)(far < 2 ? 4 : far == 2 ? 2 : 1) * fill;
        for (int axis = 0; axis < DIMENSIONS; axis++)
            normal[axis] = add_signed(normal[axis], -c[axis], weighted);
    }
    return normalise(normal);
}

/* How far above the lowest corner, along m, a line cuts a square of side 1 below which this share of it lies,
 * at most 1/2. m: not negative, the smaller first, the greater not 0. */
FUNCTION real cut_of_square(real smaller, real greater, real share) {
    const real product = (real)2 * smaller * greater;
    return (real)2 * greater * share < smaller ? root_real(product * share)
                                               : fma_real(greater, share, (real)0.5 * smaller);
}

FUNCTION real cube_above(real a) {
    return a > 0 ? a * a * a : (real)0;
}

FUNCTION real square_above(real a) {
    return a > 0 ? a * a : (real)0;
}

/* The same of a plane and a cube, m in the order of size and with the sum 1. Begins with m[0] taken for a
 * mean, which is below 0.05 exact enough, and goes on by Newton's method: what lies below a plane grows by
 * the more the higher it is, so that each step ends above the cut. */
FUNCTION real cut_of_cube(const real m[3], real share) {
    enum { STEPS = 8 };
    real cut = cut_of_square(m[1], m[2], share) + (real)0.5 * m[0];
    const real product = m[0] * m[1] * m[2], two = m[0] + m[1];
    if (DIMENSIONS == 2 || m[0] < (real)1e-3)
        return cut;
    for (int step = 0; step < STEPS; step++) {
        const real below = cube_above(cut) - cube_above(cut - m[0]) - cube_above(cut - m[1]) -
                           cube_above(cut - m[2]) + cube_above(cut - two);
        const real slope = square_above(cut) - square_above(cut - m[0]) - square_above(cut - m[1]) -
                           square_above(cut - m[2]) + square_above(cut - two);
        if (!(slope > 0))
            break;
        cut -= (below - (real)6 * product * share) / ((real)3 * slope);
    }
    return cut;
}

/* How far from a cell's middle along a normal (of length 1) its plane lies, below which this share of the
 * cell is. */
FUNCTION real plane_at(const real normal[3], real share) {
    real m[3], sum = 0;
    for (int axis = 0; axis < 3; axis++) {
        m[axis] = normal[axis] < 0 ? -normal[axis] : normal[axis];
        sum += m[axis];
    }
    for (int end = 2; end > 0; end--) /* in the order of size */
        for (int k = 0; k < end; k++)
            if (m[k] > m[k + 1]) {
                const real greater = m[k];
                m[k] = m[k + 1];
                m[k + 1] = greater;
            }
    for (int axis = 0; axis < 3; axis++)
        m[axis] /= sum;
    const real cut = cut_of_cube(m, share > (real)0.5 ? (real)1 - share : share);
    return sum * (share > (real)0.5 ? (real)0.5 - cut : cut - (real)0.5);
}

/* ---- the paraboloid ----------------------------------------------------------------------------------- */

/* Its frame: the normal, and what is across it (in two dimensions in the plane); and the equations of the
 * least squares for z = A x^2 + B y^2 + C x y + H x + I y, in two dimensions A x^2 + H x, up to a constant.
 */
struct paraboloid {
    real normal[3], across[DIMENSIONS - 1][3];
    real matrix[PARABOLOID][PARABOLOID], right[PARABOLOID];
    int patches;
};

/* The part of a plane across the normal that is in a cell: how high it is, how large, how much it counts, and
 * the means of the paraboloid's terms over it. */
struct patch {
    real height, size, weight, terms[PARABOLOID];
};

#define LEAST_PATCH ((real)1e-3)
#define LEAST_FILL ((real)0.002)

FUNCTION void begin_paraboloid(struct paraboloid *p) {
    const real *const n = p->normal;
#if DIMENSIONS == 2
    p->across[0][0] = -n[1];
    p->across[0][1] = n[0];
    p->across[0][2] = 0;
#else
    const real size[3] = {n[0] * n[0], n[1] * n[1], n[2] * n[2]};
    const int least = size[0] <= size[1] && size[0] <= size[2] ? 0 : size[1] <= size[2] ? 1 : 2;
    real *const u = p->across[0], *const v = p->across[1];
    u[least] = 0;
    u[(least + 1) % 3] = -n[(least + 2) % 3];
    u[(least + 2) % 3] = n[(least + 1) % 3];
    (void)normalise(u); /* two of three components: not short */
    for (int axis = 0; axis < 3; axis++)
        v[axis] = fma_real(n[(axis + 1) % 3], u[(axis + 2) % 3], -(n[(axis + 2) % 3] * u[(axis + 1) % 3]));
#endif
    p->patches = 0;
    for (int i = 0; i < PARABOLOID; i++) {
        p->right[i] = 0;
        for (int j = 0; j < PARABOLOID; j++)
            p->matrix[i][j] = i == j ? (real)1e-5 : (real)0; /* that no pivot is 0 */
    }
}

/* Cuts off, of the part from ... to of a line, what is not within half a cell along an axis, in which the
 * line begins at `at` and goes on by `along`. */
FUNCTION void clip(real at, real along, real *from, real *to) {
    if (along * along < (real)1e-12) {
        *to = at * at > (real)0.25 ? *from : *to;
        return;
    }
    const real low = ((real)-0.5 - at) / along, high = ((real)0.5 - at) / along;
    const real lower = low < high ? low : high, upper = low < high ? high : low;
    *from = *from > lower ? *from : lower;
    *to = *to < upper ? *to : upper;
}

#if DIMENSIONS == 2

/* Of a cell in the middle: in it a line. */
FUNCTION void cut_patch(const struct paraboloid *p, real distance, struct patch *patch) {
    const real *const u = p->across[0];
    real from = -1, to = 1;
    for (int axis = 0; axis < 2; axis++)
        clip(distance * p->normal[axis], u[axis], &from, &to);
    patch->size = to > from ? to - from : (real)0;
    patch->terms[0] = (real)(1.0 / 3.0) * fma_real(from, from, fma_real(from, to, to * to));
    patch->terms[1] = (real)0.5 * (from + to);
}

/* Moves it by a vector. */
FUNCTION void move_patch(const struct paraboloid *p, const real by[3], struct patch *patch) {
    const real x = dot_real(by, p->across[0]);
    patch->terms[0] += x * fma_real((real)2, patch->terms[1], x);
    patch->terms[1] += x;
    patch->height += dot_real(by, p->normal);
}

#else

/* Of a cell in the middle: a polygon, each side of which lies in one of the cell's. Integrals over it are
 * sums over its sides, whatever their order, gone along with the polygon to the left. */
FUNCTION void cut_patch(const struct paraboloid *p, real distance, struct patch *patch) {
    const real *const n = p->normal;
    real sum[PARABOLOID] = {0, 0, 0, 0, 0}, size = 0;
    for (int side = 0; side < 6; side++) {
        const int axis = side / 2, second = (axis + 1) % 3, third = (axis + 2) % 3;
        const real sign = side % 2 ? (real)1 : (real)-1,
                   length = root_real(fma_real(-n[axis], n[axis], (real)1));
        if (!(length > (real)1e-3)) /* the polygon lies along it */
            continue;
        real begin[3], along[3], from = -2, to = 2;
        const real out = fma_real(-sign * distance, n[axis], (real)0.5) / length;
        for (int k = 0; k < 3; k++)
            begin[k] = fma_real(distance, n[k],
                                out * (sign * ((k == axis ? (real)1 : (real)0) - n[axis] * n[k]) / length));
        along[axis] = 0;
        along[second] = sign * n[third] / length;
        along[third] = -sign * n[second] / length;
        clip(begin[second], along[second], &from, &to);
        clip(begin[third], along[third], &from, &to);
        if (!(to > from))
            continue;
        const real x = dot_real(begin, p->across[0]), y = dot_real(begin, p->across[1]);
        const real dx = dot_real(along, p->across[0]), dy = dot_real(along, p->across[1]);
        const real x1 = fma_real(from, dx, x), y1 = fma_real(from, dy, y), x2 = fma_real(to, dx, x),
                   y2 = fma_real(to, dy, y), cross = fma_real(x1, y2, -(x2 * y1));
        size += cross;
        sum[0] = fma_real(cross, fma_real(x1, x1, fma_real(x1, x2, x2 * x2)), sum[0]);
        sum[1] = fma_real(cross, fma_real(y1, y1, fma_real(y1, y2, y2 * y2)), sum[1]);
        sum[2] =
            fma_real(cross, fma_real(x1, fma_real((real)2, y1, y2), x2 * fma_real((real)2, y2, y1)), sum[2]);
        sum[3] = fma_real(cross, x1 + x2, sum[3]);
        sum[4] = fma_real(cross, y1 + y2, sum[4]);
    }
    patch->size = (real)0.5 * size;
    const real unit = patch->size > LEAST_PATCH ? (real)1 / patch->size : (real)0;
    patch->terms[0] = (real)(1.0 / 12.0) * unit * sum[0];
    patch->terms[1] = (real)(1.0 / 12.0) * unit * sum[1];
    patch->terms[2] = (real)(1.0 / 24.0) * unit * sum[2];
    patch->terms[3] = (real)(1.0 / 6.0) * unit * sum[3];
    patch->terms[4] = (real)(1.0 / 6.0) * unit * sum[4];
}

FUNCTION void move_patch(const struct paraboloid *p, const real by[3], struct patch *patch) {
    const real x = dot_real(by, p->across[0]), y = dot_real(by, p->across[1]);
    real *const t = patch->terms;
    t[0] += x * fma_real((real)2, t[3], x);
    t[1] += y * fma_real((real)2, t[4], y);
    t[2] += fma_real(x, t[4], fma_real(y, t[3], x * y));
    t[3] += x;
    t[4] += y;
    patch->height += dot_real(by, p->normal);
}

#endif

/* Where its middle is along an axis. */
FUNCTION real place_of_patch(const struct paraboloid *p, const struct patch *patch, int axis) {
    real place = patch->height * p->normal[axis];
    for (int k = 0; k < DIMENSIONS - 1; k++)
        place = fma_real(patch->terms[PARABOLOID - DIMENSIONS + 1 + k], p->across[k][axis], place);
    return place;
}

/* The patch in the cell of a number. Cells at the surface that are full or empty have none of a plane that is
 * not along an axis: they count as if a little were missing, or left. Else wide flat crests come to rest,
 * where cells become empty together. */
FUNCTION struct patch patch_in_cell(const struct cells_around *a, const struct paraboloid *p, int number) {
    struct patch patch;
    int c[3];
    place_around(number, c);
    const real own = a->fill[number], most = (real)1 - LEAST_FILL;
    const real fill = own < LEAST_FILL ? LEAST_FILL : own > most ? most : own;
    patch.height = plane_at(p->normal, fill);
    cut_patch(p, patch.height, &patch);
    patch.weight = patch.size * fill * ((real)1 - fill);
    const real way[3] = {(real)c[0], (real)c[1], (real)c[2]};
    move_patch(p, way, &patch);
    return patch;
}

/* That the mean height over this patch be that of it, if it is so over another. */
FUNCTION void fit_patch(struct paraboloid *p, const struct patch *patch, const struct patch *other) {
    real row[PARABOLOID];
    const real height = patch->height - other->height;
    if (!(patch->size > LEAST_PATCH))
        return;
    for (int i = 0; i < PARABOLOID; i++) {
        row[i] = patch->terms[i] - other->terms[i];
        const real weighted = patch->weight * row[i];
        p->right[i] = fma_real(weighted, height, p->right[i]);
        for (int j = 0; j <= i; j++)
            p->matrix[i][j] = fma_real(weighted, row[j], p->matrix[i][j]);
    }
    p->patches++;
}

/* Its coefficients in p->right, by Cholesky's factors without roots: matrix = L D L^T. */
FUNCTION void solve_paraboloid(struct paraboloid *p) {
    for (int j = 0; j < PARABOLOID; j++)
        for (int i = j; i < PARABOLOID; i++) {
            real entry = p->matrix[i][j];
            for (int k = 0; k < j; k++)
                entry = fma_real(-(p->matrix[i][k] * p->matrix[k][k]), p->matrix[j][k], entry);
            p->matrix[i][j] = i == j ? entry : entry / p->matrix[j][j];
        }
    for (int i = 0; i < PARABOLOID; i++)
        for (int k = 0; k < i; k++)
            p->right[i] = fma_real(-p->matrix[i][k], p->right[k], p->right[i]);
    for (int i = PARABOLOID - 1; i >= 0; i--) {
        p->right[i] /= p->matrix[i][i];
        for (int k = i + 1; k < PARABOLOID; k++)
            p->right[i] = fma_real(-p->matrix[k][i], p->right[k], p->right[i]);
    }
}

/* The sum of its principal curvatures where x = y = 0, above 0 where the liquid bulges. */
FUNCTION real curvature_of_paraboloid(const struct paraboloid *p) {
    const real *const c = p->right;
#if DIMENSIONS == 2
    const real stretch = fma_real(c[1], c[1], (real)1), twice = c[0];
#else
    const real along = fma_real(c[3], c[3], (real)1), aside = fma_real(c[4], c[4], (real)1);
    const real stretch = fma_real(c[4], c[4], along);
    const real twice = fma_real(c[0], aside, fma_real(c[1], along, -(c[2] * (c[3] * c[4]))));
#endif
    return (real)-2 * twice / (stretch * root_real(stretch));
}

/* The way along the surface from one cell before a wall, which lies towards `side` along an axis, to where it
 * would be one cell further along this axis: it goes straight on at the angle of contact, of which this is
 * the cosine. false: it lies along the wall, or nearly. */
FUNCTION bool way_into_wall(real cosine, const real normal[3], int axis, int side, real way[3]) {
    const real into = side > 0 ? normal[axis] : -normal[axis];
    const real flat = root_real(fma_real(-into, into, (real)1));
    const real sine = root_real(fma_real(-cosine, cosine, (real)1));
    const real leans =
        fma_real(sine, flat, -(cosine * into)); /* cosine of the angle between the two normals */
    for (int k = 0; k < 3; k++)
        way[k] = (cosine * normal[k] + (k == axis ? (real)side * leans : (real)0)) / (sine * flat);
    return flat > (real)0.1 && leans > (real)0.1;
}

/* Fits the paraboloid to the surface as planes across p->normal find it in these cells. false: they are too
 * few.
 */
FUNCTION bool fit_paraboloid(const struct cells_around *a, struct paraboloid *p) {
    begin_paraboloid(p);
    const struct patch middle = patch_in_cell(a, p, MIDDLE_CELL);
    for (int number = 0; number < CELLS_AROUND; number++) {
        int c[3];
        place_around(number, c);
        if (has_bit(a->crossed, number) && number != MIDDLE_CELL) {
            const struct patch patch = patch_in_cell(a, p, number);
            fit_patch(p, &patch, &middle);
        }
        for (int axis = 0; axis < DIMENSIONS && has_bit(a->walls, number); axis++) {
            const int before = number - c[axis] * stride_around(axis);
            real way[3];
            if (c[axis] == 0 || !(before == MIDDLE_CELL || has_bit(a->crossed, before)) ||
                !way_into_wall(a->fill[number], p->normal, axis, c[axis], way))
                continue;
            struct patch patch = patch_in_cell(a, p, before);
            const real twice = (real)1 - (real)2 * place_of_patch(p, &patch, axis) * (real)c[axis];
            for (int k = 0; k < 3; k++)
                way[k] *= twice;       /* as far behind the wall as it is before it */
            if (before == MIDDLE_CELL) /* the slope there, which counts the same whatever the cell holds */
                patch.weight = (real)1 / fma_real(twice, twice, (real)1e-4);
            move_patch(p, way, &patch);
            fit_patch(p, &patch, &middle);
        }
    }
    if (p->patches < PARABOLOID)
        return false;
    solve_paraboloid(p);
    return true;
}

/* Turns the normal to that of the paraboloid. */
FUNCTION bool turn_normal(struct paraboloid *p) {
    for (int axis = 0; axis < 3; axis++)
        for (int k = 0; k < DIMENSIONS - 1; k++)
            p->normal[axis] =
                fma_real(-p->right[PARABOLOID - DIMENSIONS + 1 + k], p->across[k][axis], p->normal[axis]);
    return normalise(p->normal);
}

/* The curvature in the middle: the sum of the two, in two dimensions 1 / radius; above 0 where the liquid
 * bulges, 0 where too little is known. Between -1 and 1: smaller drops are none. */
FUNCTION real curvature_around(const struct cells_around *a) {
    struct paraboloid p;
    if (!normal_around(a, p.normal) || !fit_paraboloid(a, &p) || !turn_normal(&p) || !fit_paraboloid(a, &p))
        return 0;
    const real curvature = curvature_of_paraboloid(&p);
    return curvature > 1 ? (real)1 : curvature < -1 ? (real)-1 : curvature;
}

#endif
