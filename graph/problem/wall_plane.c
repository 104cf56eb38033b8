#include "graph/problem/wall_plane.h"

#include "codelets/kernels/cells/flag_array.h"
#include "graph/base/error.h"
#include "graph/problem/geometry.h"
#include "graph/problem/links.h"

#include <math.h>
#include <stdlib.h>

struct weir_wall_planes {
    const struct weir_problem *problem;
    const struct weir_lattice_table *lattice;
    struct weir_box box;
    struct weir_shapes near;
    struct weir_flag_array array;
    uint8_t *flags;
    bool holds[WEIR_WALLS_MAX]; /* fluid neither slips along it nor passes it */
};

int weir_wall_planes_create(const struct weir_problem *problem, const struct weir_box *box,
                            struct weir_wall_planes **result) {
    const struct weir_lattice_table *lattice = weir_lattice_table((int)problem->lattice);
    struct weir_wall_planes *planes = calloc(1, sizeof *planes);
    uint8_t *flags = malloc(weir_layout_ringed_cells(lattice, box->extent));
    if (!planes || !flags || weir_geometry_shapes_near(problem, box, &planes->near) < 0) {
        free(flags);
        free(planes);
        return weir_fail(WEIR_FAILED, "out of memory while looking for walls");
    }
    planes->problem = problem;
    planes->lattice = lattice;
    planes->box = *box;
    planes->array = weir_flag_array(lattice, box->extent);
    planes->flags = flags;
    for (int wall = 1; wall < problem->wall_count; wall++)
        planes->holds[wall] =
            !weir_wall_is_open(&problem->walls[wall]) && !weir_rules[problem->walls[wall].rule].mirrors;
    const int64_t fluid = weir_geometry_flags(problem, box, flags);
    if (fluid < 0) {
        weir_wall_planes_destroy(planes);
        return (int)fluid;
    }
    *result = planes;
    return 0;
}

void weir_wall_planes_destroy(struct weir_wall_planes *planes) {
    if (!planes)
        return;
    free(planes->near.list);
    free(planes->flags);
    free(planes);
}

/* Which wall the cell c away from one of the box meets, by its place counted from the box's corner; 0: none
 * that holds. */
static int wall_at(const struct weir_wall_planes *planes, const int place[3], const int c[3]) {
    const struct weir_problem *problem = planes->problem;
    int there[3], cell[3], wall;
    bool known = true;
    for (int axis = 0; axis < 3; axis++) {
        const int ring = planes->array.ring[axis], n = problem->cells[axis];
        there[axis] = place[axis] + c[axis];
        known = known && there[axis] >= -ring && there[axis] < planes->box.extent[axis] + ring;
        cell[axis] = planes->box.origin[axis] + there[axis];
        if (problem->periodic[axis])
            cell[axis] = (cell[axis] + n) % n;
    }
    if (known) {
        const uint8_t flag = planes->flags[weir_flag_place(&planes->array, there[0], there[1], there[2])];
        wall = weir_flag_is_fluid(flag) ? 0 : flag;
    } else {
        wall = weir_geometry_wall(problem, cell);
    }
    return planes->holds[wall] ? wall : 0;
}

/* Sums over points where links meet walls: of their weights times p p^T and p, p as seen from the cell. */
struct point_sums {
    double square[3][3], sum[3];
};

static void add_point(const double point[3], double weight, struct point_sums *sums) {
    for (int a = 0; a < 3; a++) {
        sums->sum[a] += weight * point[a];
        for (int b = 0; b < 3; b++)
            sums->square[a][b] += weight * point[a] * point[b];
    }
}

/* Adds the points of the links of the fluid cell that is `aside` away from the one at `place`. */
static void add_cell(const struct weir_wall_planes *planes, const int place[3], const int aside[3],
                     double weight, struct point_sums *sums) {
    const struct weir_problem *problem = planes->problem;
    const struct weir_shapes all = {problem, NULL, problem->shape_count};
    bool inside = true;
    int here[3], cell[3];
    for (int axis = 0; axis < 3; axis++) {
        const int n = problem->cells[axis];
        here[axis] = place[axis] + aside[axis];
        inside = inside && here[axis] >= 0 && here[axis] < planes->box.extent[axis];
        cell[axis] =
            (planes->box.origin[axis] + here[axis] + n) % n; /* beyond the domain only across seams */
    }
    for (int i = 1; i < planes->lattice->populations; i++) {
        const int *c = planes->lattice->velocity[i], wall = wall_at(planes, here, c);
        struct weir_wall_link link;
        double point[3];
        if (wall == 0)
            continue;
        weir_wall_link(inside ? &planes->near : &all, wall, cell, i, &link);
        for (int axis = 0; axis < 3; axis++)
            point[axis] = aside[axis] + link.share * c[axis];
        add_point(point, weight * planes->lattice->weight[i], sums);
    }
}

/* Distance to the wall along the normal by the cell's own link that is the most along it, whose point is the
 * nearest to the normal's: surfaces bend. And the surface's velocity there. False: no link meets a wall, or
 * none on that side. */
static bool find_distance(const struct weir_wall_planes *planes, const int place[3],
                          struct weir_wall_plane *plane) {
    const int *origin = planes->box.origin,
              cell[3] = {origin[0] + place[0], origin[1] + place[1], origin[2] + place[2]};
    double best = 0;
    for (int i = 1; i < planes->lattice->populations; i++) {
        const int *c = planes->lattice->velocity[i], wall = wall_at(planes, place, c);
        double along = 0, square = 0;
        struct weir_wall_link link;
        for (int axis = 0; axis < 3; axis++) {
            along -= c[axis] * plane->normal[axis];
            square += c[axis] * c[axis];
        }
        if (wall == 0 || along / sqrt(square) <= best)
            continue;
        best = along / sqrt(square);
        weir_wall_link(&planes->near, wall, cell, i, &link);
        plane->distance = link.share * along;
        for (int axis = 0; axis < 3; axis++) {
            plane->velocity[axis] = link.velocity[axis];
            plane->rotation[axis] = planes->problem->walls[wall].rotation[axis];
        }
    }
    return best > 0.5; /* within 60 degrees */
}

/* Solves square x = -sum, for a symmetric matrix that may be singular along axes without links: there x is 0.
 */
static void solve(const struct point_sums *sums, double x[3]) {
    const double ridge = 1e-9 * (sums->square[0][0] + sums->square[1][1] + sums->square[2][2]);
    double lower[3][3], y[3];
    for (int a = 0; a < 3; a++)
        for (int b = 0; b <= a; b++) {
            double rest = sums->square[a][b] + (a == b ? ridge : 0);
            for (int k = 0; k < b; k++)
                rest -= lower[a][k] * lower[b][k];
            lower[a][b] = a == b ? sqrt(fmax(rest, ridge)) : rest / lower[b][b];
        }
    for (int a = 0; a < 3; a++) {
        y[a] = -sums->sum[a];
        for (int k = 0; k < a; k++)
            y[a] -= lower[a][k] * y[k];
        y[a] /= lower[a][a];
    }
    for (int a = 2; a >= 0; a--) {
        x[a] = y[a];
        for (int k = a + 1; k < 3; k++)
            x[a] -= lower[k][a] * x[k];
        x[a] /= lower[a][a];
    }
}

/* See weir_wall_plane.aside: a difference along an axis stands half a cell towards the neighbour that it has,
 * where it has one only, and the derivative along the normal takes it times the square of the normal's
 * component. */
static double aside_of(const struct weir_wall_planes *planes, const uint8_t *flag, const double normal[3]) {
    double aside = 0;
    for (int axis = 0; axis < 3; axis++) {
        int c[3] = {0};
        c[axis] = 1;
        const ptrdiff_t step = weir_flag_distance(&planes->array, c);
        if (planes->array.ring[axis] == 0)
            continue;
        const int towards = weir_flag_is_fluid(flag[step]) - weir_flag_is_fluid(flag[-step]);
        aside += 0.5 * towards * normal[axis] * normal[axis] * normal[axis];
    }
    return aside;
}

bool weir_wall_plane(const struct weir_wall_planes *planes, const int place[3],
                     struct weir_wall_plane *plane) {
    static const int here[3] = {0};
    const uint8_t *flag = planes->flags + weir_flag_place(&planes->array, place[0], place[1], place[2]);
    struct point_sums sums = {0};
    double inverse[3], length = 0;
    if (!weir_flag_is_fluid(*flag) || *flag == WEIR_FLUID)
        return false;
    add_cell(planes, place, here, planes->lattice->weight[0], &sums);
    for (int i = 1; i < planes->lattice->populations; i++) {
        const int *c = planes->lattice->velocity[i];
        if (weir_flag_is_fluid(flag[weir_flag_distance(&planes->array, c)]))
            add_cell(planes, place, c, planes->lattice->weight[i], &sums);
    }
    solve(&sums, inverse); /* the normal over the distance */
    for (int axis = 0; axis < 3; axis++)
        length += inverse[axis] * inverse[axis];
    length = sqrt(length);
    if (!(length > 0.1)) /* ten cells away, where links are at most two long: opposite sides cancel */
        return false;
    for (int axis = 0; axis < 3; axis++)
        plane->normal[axis] = inverse[axis] / length;
    if (!find_distance(planes, place, plane))
        return false;
    plane->aside = aside_of(planes, flag, plane->normal);
    return true;
}
