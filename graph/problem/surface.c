#include "graph/problem/surface.h"

#include "graph/problem/region.h"

#include <math.h>
#include <stdlib.h>

/* No cell is nearer to a surface than this; what is behind the cell's centre by rounding counts so. */
static const double SHARE_LEAST = 1e-6;

/* A link as one of the points start + t c, t from 0 to 1, seen from a body's centre. */
struct ray {
    double start[3];
    const int *c;
};

/* From the image of the centre that is nearest to the link's end. */
static struct ray ray_from(const struct weir_problem *problem, const double center[3], const int cell[3],
                           const int c[3]) {
    struct ray ray = {.c = c};
    for (int axis = 0; axis < 3; axis++)
        ray.start[axis] = weir_geometry_distance(problem, axis, center[axis], cell[axis] + 0.5) - c[axis];
    return ray;
}

/* Where a ray enters a ball, or a round bar along an axis (3: a ball): the smaller root of |start + t c|^2 =
 * radius^2 in the other axes. -HUGE_VAL where it runs along the bar. */
static double enter_round(const struct ray *ray, int along, double radius) {
    double cc = 0, cs = 0, ss = 0;
    for (int axis = 0; axis < 3; axis++)
        if (axis != along) {
            cc += ray->c[axis] * ray->c[axis];
            cs += ray->c[axis] * ray->start[axis];
            ss += ray->start[axis] * ray->start[axis];
        }
    if (cc == 0)
        return -HUGE_VAL;
    return (-cs - sqrt(fmax(cs * cs - cc * (ss - radius * radius), 0))) / cc;
}

/* Where it enters what lies between -half and half along an axis; -HUGE_VAL where it is there all the time.
 */
static double enter_slab(const struct ray *ray, int axis, double half) {
    return ray->c[axis] == 0 ? -HUGE_VAL : (-half - ray->c[axis] * ray->start[axis]) / abs(ray->c[axis]);
}

static double share_of_box(const struct weir_shape *shape, const int cell[3], const int c[3]) {
    double share = -HUGE_VAL;
    struct ray ray = {.c = c};
    for (int axis = 0; axis < 3; axis++) {
        ray.start[axis] = cell[axis] + 0.5 - c[axis] - 0.5 * (shape->box.from[axis] + shape->box.to[axis]);
        share = fmax(share, enter_slab(&ray, axis, 0.5 * (shape->box.to[axis] - shape->box.from[axis])));
    }
    return share;
}

/* A point of the domain, wrapped where it is beyond a periodic seam. */
static void point_at(const struct weir_problem *problem, const int cell[3], const int c[3], double share,
                     double point[3]) {
    for (int axis = 0; axis < 3; axis++) {
        const double length = problem->cells[axis];
        point[axis] = cell[axis] + 0.5 + (share - 1) * c[axis];
        if (problem->periodic[axis])
            point[axis] -= length * floor(point[axis] / length);
    }
}

/* Whether a link lies in the domain, from its first cell to its last. */
static bool is_within(const struct weir_problem *problem, const int cell[3], const int c[3]) {
    for (int axis = 0; axis < 3; axis++)
        if (cell[axis] - c[axis] < 0 || cell[axis] - c[axis] >= problem->cells[axis])
            return false;
    return true;
}

/* Points of a link that a region is asked about: by a part of it that is near, where that is found. */
struct link_points {
    const struct weir_problem *problem;
    const struct weir_region *region;
    const int *cell, *c;
    bool within; /* the domain: no point is to be wrapped */
    bool narrowed;
    struct weir_region_part part;
};

static void begin_link(const struct weir_problem *problem, const struct weir_region *region,
                       const int cell[3], const int c[3], struct link_points *link) {
    double middle[3], square = 0;
    link->problem = problem;
    link->region = region;
    link->cell = cell;
    link->c = c;
    link->within = is_within(problem, cell, c);
    for (int axis = 0; axis < 3; axis++) {
        middle[axis] = cell[axis] + 0.5 - 0.5 * c[axis];
        square += 0.25 * c[axis] * c[axis];
    }
    link->narrowed =
        link->within && region->find_part && region->find_part(region, middle, sqrt(square), &link->part);
}

static bool is_inside(const struct link_points *link, double share) {
    double point[3];
    if (link->within)
        for (int axis = 0; axis < 3; axis++)
            point[axis] = link->cell[axis] + 0.5 + (share - 1) * link->c[axis];
    else
        point_at(link->problem, link->cell, link->c, share, point);
    return link->narrowed ? link->region->part_contains(link->region, &link->part, point)
                          : link->region->contains(link->region, point);
}

/* By halving the part of the link in which the surface is, from inside outwards: of several surfaces one. */
static double share_by_halving(const struct weir_problem *problem, const struct weir_region *region,
                               const int cell[3], const int c[3]) {
    double low = 0, high = 1;
    struct link_points link;
    begin_link(problem, region, cell, c, &link);
    for (int k = 0; k < 40; k++) {
        const double middle = 0.5 * (low + high);
        if (is_inside(&link, middle))
            high = middle;
        else
            low = middle;
    }
    return 0.5 * (low + high);
}

static double share_of_region(const struct weir_problem *problem, const struct weir_region *region,
                              const int cell[3], const int c[3]) {
    if (!region->share_outside)
        return share_by_halving(problem, region, cell, c);
    double outside[3], inside[3];
    for (int axis = 0; axis < 3; axis++) {
        inside[axis] = cell[axis] + 0.5;
        outside[axis] = inside[axis] - c[axis];
    }
    return region->share_outside(region, outside, inside);
}

/* Of a shape in which the link ends. */
static double share_of(const struct weir_problem *problem, const struct weir_shape *shape, const int cell[3],
                       const int c[3]) {
    struct ray ray;
    switch (shape->type) {
    case WEIR_SPHERE:
        ray = ray_from(problem, shape->sphere.center, cell, c);
        return enter_round(&ray, 3, shape->sphere.radius);
    case WEIR_BOX:
        return share_of_box(shape, cell, c);
    case WEIR_CYLINDER:
        ray = ray_from(problem, shape->cylinder.center, cell, c);
        return fmax(enter_round(&ray, shape->cylinder.axis, shape->cylinder.radius),
                    enter_slab(&ray, shape->cylinder.axis, 0.5 * shape->cylinder.length));
    case WEIR_REGION:
        return share_of_region(problem, shape->region, cell, c);
    }
    return 1;
}

static bool covers(const struct weir_problem *problem, const struct weir_shape *shape,
                   const struct weir_box *cell) {
    return weir_geometry_touches(problem, shape, cell) && weir_geometry_covers(problem, shape, cell);
}

/* Where a link that ends in near[solid] leaves the fluid: it meets the solid, or comes out of a hollow in it.
 * start: the cell that it begins in. */
static double share_of_solid(const struct weir_shapes *near, int solid, const struct weir_box *start,
                             const int cell[3], const int c[3]) {
    const struct weir_problem *problem = near->problem;
    const struct weir_shape *shape = weir_shapes_item(near, solid);
    const int back[3] = {-c[0], -c[1], -c[2]};
    bool hollow = false;
    double share = 0;
    for (int k = solid + 1; k < near->count; k++) {
        const struct weir_shape *other = weir_shapes_item(near, k);
        if (!weir_shape_is_hollow(other) || !covers(problem, other, start))
            continue;
        share = fmax(share, 1 - share_of(problem, other, start->origin, back));
        hollow = true;
    }
    return hollow && covers(problem, shape, start) ? share : fmax(share, share_of(problem, shape, cell, c));
}

double weir_surface_share(const struct weir_shapes *near, int wall, const int cell[3], const int c[3]) {
    const struct weir_problem *problem = near->problem;
    const struct weir_box end = {.origin = {cell[0], cell[1], cell[2]}, .extent = {1, 1, 1}};
    struct weir_box start = end;
    double share = 1;
    for (int axis = 0; axis < 3; axis++) {
        start.origin[axis] -= c[axis];
        if (problem->periodic[axis])
            start.origin[axis] = (start.origin[axis] + problem->cells[axis]) % problem->cells[axis];
    }
    for (int k = 0; k < near->count; k++) {
        const struct weir_shape *shape = weir_shapes_item(near, k);
        if (shape->wall == wall && covers(problem, shape, &end))
            share = fmin(share, share_of_solid(near, k, &start, cell, c));
    }
    return fmin(fmax(share, SHARE_LEAST), 1);
}
