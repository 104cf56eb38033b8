#include "src/geometry/mesh_region.h"

#include "graph/base/error.h"
#include "src/geometry/crossings.h"
#include "src/geometry/surface_rows.h"

#include <math.h>
#include <stdlib.h>

struct mesh_region {
    struct weir_region region;
    bool oriented;
    int axes; /* that are looked along: 1, or 3 where they vote */
    struct weir_crossings *crossings[3];
    struct weir_surface_rows *surface;
};

/* Cosine and sine, exact for quarters of a turn. */
static void turn_of(double degrees, double *cosine, double *sine) {
    const double quarters = degrees / 90;
    static const int sines[4] = {0, 1, 0, -1};
    if (quarters == floor(quarters) && fabs(quarters) < 1e6) {
        const int place = (((int)quarters % 4) + 4) % 4;
        *sine = sines[place];
        *cosine = sines[(place + 1) % 4];
        return;
    }
    *cosine = cos(degrees * (M_PI / 180));
    *sine = sin(degrees * (M_PI / 180));
}

static void turn(struct weir_triangles *triangles, int axis, double degrees) {
    const int p = (axis + 1) % 3, q = (axis + 2) % 3;
    double cosine, sine;
    if (degrees == 0)
        return;
    turn_of(degrees, &cosine, &sine);
    for (int64_t k = 0; k < triangles->count; k++)
        for (int corner = 0; corner < 3; corner++) {
            double *x = triangles->corners[k][corner];
            const double along = cosine * x[p] - sine * x[q];
            x[q] = sine * x[p] + cosine * x[q];
            x[p] = along;
        }
}

static void scale_and_move(struct weir_triangles *triangles, double scale, const double move[3]) {
    for (int64_t k = 0; k < triangles->count; k++)
        for (int corner = 0; corner < 3; corner++)
            for (int axis = 0; axis < 3; axis++) {
                double *x = &triangles->corners[k][corner][axis];
                *x = *x * scale + move[axis];
            }
}

static int fit(struct weir_triangles *triangles, const struct weir_mesh_placement *placement) {
    double low[3], high[3], move[3], scale = HUGE_VAL;
    weir_triangles_bounds(triangles, low, high);
    for (int axis = 0; axis < 3; axis++)
        if (high[axis] > low[axis])
            scale =
                fmin(scale, (placement->fit_to[axis] - placement->fit_from[axis]) / (high[axis] - low[axis]));
    if (!isfinite(scale))
        return weir_fail(WEIR_USAGE, "all corners of the mesh are at one place; give one of a surface");
    for (int axis = 0; axis < 3; axis++)
        move[axis] = 0.5 * (placement->fit_from[axis] + placement->fit_to[axis]) -
                     0.5 * scale * (low[axis] + high[axis]);
    scale_and_move(triangles, scale, move);
    return 0;
}

int weir_mesh_place(struct weir_triangles *triangles, const struct weir_mesh_placement *placement) {
    for (int axis = 0; axis < 3; axis++)
        turn(triangles, axis, placement->degrees[axis]);
    if (placement->fit)
        return fit(triangles, placement);
    scale_and_move(triangles, placement->scale, placement->move);
    return 0;
}

static bool contains(const struct weir_region *region, const double point[3]) {
    const struct mesh_region *mesh = (const struct mesh_region *)region;
    const int cell[3] = {(int)point[0], (int)point[1], (int)point[2]};
    int votes = 0;
    for (int axis = 0; axis < 3; axis++)
        if (point[axis] < region->low[axis] || point[axis] > region->high[axis])
            return false;
    for (int axis = 0; axis < mesh->axes; axis++) {
        const int winding = weir_crossings_winding(mesh->crossings[axis], cell);
        votes += mesh->oriented ? winding != 0 : winding % 2 != 0;
    }
    return 2 * votes > mesh->axes;
}

static bool is_between(const struct weir_region *region, int axis, double x) {
    return x >= region->low[axis] && x <= region->high[axis];
}

/* Where one axis decides, whose rows are passed once. */
static void contains_row(const struct mesh_region *mesh, const double first[3], int step, int count,
                         bool *inside) {
    enum { AT_ONCE = 64 };
    const struct weir_region *region = &mesh->region;
    const bool between = is_between(region, 1, first[1]) && is_between(region, 2, first[2]);
    int windings[AT_ONCE];
    for (int done = 0; done < count; done += AT_ONCE) {
        const int some = count - done < AT_ONCE ? count - done : AT_ONCE;
        const int cell[3] = {(int)first[0] + done * step, (int)first[1], (int)first[2]};
        if (between)
            weir_crossings_windings(mesh->crossings[0], cell, step, some, windings);
        for (int k = 0; k < some; k++)
            inside[done + k] = between && is_between(region, 0, first[0] + (double)(done + k) * step) &&
                               (mesh->oriented ? windings[k] != 0 : windings[k] % 2 != 0);
    }
}

static void contains_box(const struct weir_region *region, const double first[3], int step,
                         const int count[3], bool *inside) {
    const struct mesh_region *mesh = (const struct mesh_region *)region;
    for (int z = 0; z < count[2]; z++)
        for (int y = 0; y < count[1]; y++, inside += count[0]) {
            double point[3] = {first[0], first[1] + (double)y * step, first[2] + (double)z * step};
            if (mesh->axes == 1)
                contains_row(mesh, point, step, count[0], inside);
            for (int x = 0; x < count[0] && mesh->axes > 1; x++) {
                point[0] = first[0] + (double)x * step;
                inside[x] = contains(region, point);
            }
        }
}

/* Half-way where the surface is not met: through a hole, or where rounding has the cell on its other side. */
static double share_outside(const struct weir_region *region, const double outside[3],
                            const double inside[3]) {
    const struct mesh_region *mesh = (const struct mesh_region *)region;
    const double share = weir_surface_rows_meet(mesh->surface, outside, inside);
    return share <= 1 ? share : 0.5;
}

static void destroy(struct weir_region *region) {
    struct mesh_region *mesh = (struct mesh_region *)region;
    for (int axis = 0; axis < 3; axis++)
        weir_crossings_destroy(mesh->crossings[axis]);
    weir_surface_rows_destroy(mesh->surface);
    free(mesh);
}

int weir_mesh_region_create(const struct weir_triangles *triangles, const int cells[3], bool vote,
                            struct weir_region **region) {
    struct weir_triangle_edges edges;
    WEIR_TRY(weir_triangles_edges(triangles, &edges));
    if (edges.open > 0 && !vote)
        return weir_fail(
            WEIR_USAGE,
            "the surface does not close: of %lld edges %lld are open, one of them at (%.5g, %.5g, %.5g) "
            "cells; close it in a "
            "program for meshes, or give \"holes\": \"vote\", by which two of three directions decide",
            (long long)edges.edges, (long long)edges.open, edges.place[0], edges.place[1], edges.place[2]);
    struct mesh_region *mesh = calloc(1, sizeof *mesh);
    if (!mesh)
        return weir_fail(WEIR_FAILED, "no memory left for a mesh");
    mesh->region = (struct weir_region){.contains = contains,
                                        .contains_box = contains_box,
                                        .share_outside = share_outside,
                                        .destroy = destroy};
    mesh->oriented = edges.oriented;
    mesh->axes = edges.open > 0 ? 3 : 1;
    weir_triangles_bounds(triangles, mesh->region.low, mesh->region.high);
    int error = weir_surface_rows_create(triangles, cells, &mesh->surface);
    for (int axis = 0; axis < mesh->axes && error == 0; axis++)
        error = weir_crossings_create(triangles, axis, cells, &mesh->crossings[axis]);
    if (error == 0) {
        mesh->region.triangles = weir_surface_rows_triangles(mesh->surface);
        mesh->region.triangle_count = triangles->count;
    }
    if (error < 0) {
        destroy(&mesh->region);
        return error;
    }
    *region = &mesh->region;
    return 0;
}
