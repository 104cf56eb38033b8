#include "src/surface/surface_net.h"

#include "codelets/kernels/cells/flag_array.h"
#include "codelets/kernels/cells/layout.h"
#include "graph/base/error.h"
#include "graph/problem/geometry.h"
#include "graph/problem/links.h"
#include "src/surface/key_table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Where the net is: a fluid cell, and the side on which a solid one of the bodies is. */
struct face {
    int cell[3];
    int side; /* offsets.h: x-, x+, y-, ... */
};

/* A corner of cells that the net passes, and how far from it. */
struct vertex {
    double offset[3];
    bool held[3]; /* it stays where it is along this axis */
};

struct net {
    struct weir_cell_walls *walls;
    const struct weir_problem *problem;
    const bool *wanted;
    struct face *faces;
    int64_t face_count, face_room;
    struct weir_key_table corners; /* of the vertices */
    struct vertex *vertices;
};

static int out_of_memory(void) {
    return weir_fail(WEIR_FAILED, "no memory left for the surface of bodies");
}

/* The corners of a face, around it, so that its normal points out of the solid. */
static void corners_of(const struct face *face, int corners[4][3]) {
    static const int around[4][2] = {{0, 0}, {1, 0}, {1, 1}, {0, 1}};
    const int axis = face->side / 2, high = face->side % 2, p = (axis + 1) % 3, q = (axis + 2) % 3;
    for (int k = 0; k < 4; k++) {
        const int *place = around[high ? 3 - k : k];
        corners[k][axis] = face->cell[axis] + high;
        corners[k][p] = face->cell[p] + place[0];
        corners[k][q] = face->cell[q] + place[1];
    }
}

/* The same on both sides of a periodic seam. */
static int64_t corner_key(const struct weir_problem *problem, const int corner[3]) {
    int64_t key = 0;
    for (int axis = 2; axis >= 0; axis--) {
        const int n = problem->cells[axis],
                  place = problem->periodic[axis] && corner[axis] == n ? 0 : corner[axis];
        key = key * (n + 1) + place;
    }
    return key;
}

static int add_face(struct net *net, const struct face *face) {
    if (net->face_count == net->face_room) {
        const int64_t room = 2 * net->face_room + 1024;
        struct face *faces = realloc(net->faces, (size_t)room * sizeof *faces);
        if (!faces)
            return out_of_memory();
        net->faces = faces;
        net->face_room = room;
    }
    net->faces[net->face_count++] = *face;
    return 0;
}

static bool is_covered(const struct weir_net_cover *cover, const struct face *face) {
    double middle[3];
    if (!cover)
        return false;
    for (int axis = 0; axis < 3; axis++)
        middle[axis] = face->cell[axis] + 0.5;
    middle[face->side / 2] += face->side % 2 ? 0.5 : -0.5;
    return cover->covers(cover->context, middle);
}

/* The faces of a box of cells whose flags are known. */
static int add_faces(struct net *net, const struct weir_box *box, const uint8_t *flags,
                     const struct weir_net_cover *cover) {
    const struct weir_problem *problem = net->problem;
    const struct weir_flag_array array =
        weir_flag_array(weir_lattice_table((int)problem->lattice), box->extent);
    for (int z = 0; z < box->extent[2]; z++)
        for (int y = 0; y < box->extent[1]; y++)
            for (int x = 0; x < box->extent[0]; x++) {
                const uint8_t *flag = flags + weir_flag_place(&array, x, y, z);
                if (!weir_flag_is_fluid(*flag) || *flag == WEIR_FLUID)
                    continue;
                struct face face = {.cell = {box->origin[0] + x, box->origin[1] + y, box->origin[2] + z}};
                for (face.side = 0; face.side < 6; face.side++) {
                    int c[3] = {0};
                    c[face.side / 2] = face.side % 2 ? 1 : -1;
                    const uint8_t beside = flag[weir_flag_distance(&array, c)];
                    if (!weir_flag_is_fluid(beside) && net->wanted[beside] && !is_covered(cover, &face))
                        WEIR_TRY(add_face(net, &face));
                }
            }
    return 0;
}

static bool has_wanted(const struct net *net, const struct weir_box *box) {
    for (int k = 0; k < net->problem->shape_count; k++) {
        const struct weir_shape *shape = &net->problem->shapes[k];
        if (!weir_shape_is_hollow(shape) && net->wanted[shape->wall] && shape->face == 0 &&
            weir_geometry_touches(net->problem, shape, box))
            return true;
    }
    return false;
}

/* Box by box, so that little of the domain is in memory at once. */
static int find_faces(struct net *net, const struct weir_net_cover *cover) {
    enum { EDGE = 32 };
    const struct weir_problem *problem = net->problem;
    const int whole[3] = {EDGE, EDGE, EDGE}, *n = problem->cells;
    uint8_t *flags = malloc(weir_layout_ringed_cells(weir_lattice_table((int)problem->lattice), whole));
    int error = flags ? 0 : out_of_memory();
    struct weir_box box;
    for (box.origin[2] = 0; box.origin[2] < n[2] && error == 0; box.origin[2] += EDGE)
        for (box.origin[1] = 0; box.origin[1] < n[1] && error == 0; box.origin[1] += EDGE)
            for (box.origin[0] = 0; box.origin[0] < n[0] && error == 0; box.origin[0] += EDGE) {
                for (int axis = 0; axis < 3; axis++)
                    box.extent[axis] = n[axis] - box.origin[axis] < EDGE ? n[axis] - box.origin[axis] : EDGE;
                if (!has_wanted(net, &box))
                    continue;
                const int64_t fluid = weir_geometry_flags(problem, &box, flags);
                error = fluid < 0 ? (int)fluid : add_faces(net, &box, flags, cover);
            }
    free(flags);
    return error;
}

/* Where the line between the centres of two cells beside each other meets the wall, as the share of the way
 * from the fluid one; `along` is its direction's number. */
static double share_between(const struct weir_problem *problem, int wall, const int cell[3], int axis,
                            int sign) {
    const struct weir_lattice_table *lattice = weir_lattice_table((int)problem->lattice);
    const struct weir_shapes all = {problem, NULL, problem->shape_count};
    int direction = 1, wrapped[3];
    struct weir_wall_link link;
    for (int i = 1; i < lattice->populations; i++) {
        const int *c = lattice->velocity[i];
        if (c[axis] == sign && c[(axis + 1) % 3] == 0 && c[(axis + 2) % 3] == 0)
            direction = i;
    }
    weir_cell_wrap(problem, cell, wrapped);
    weir_wall_link(&all, wall, wrapped, direction, &link);
    return link.share;
}

/* Puts a vertex into the middle of where lines between the eight cells around its corner meet the wall. */
static int place_vertex(struct net *net, const int corner[3], struct vertex *vertex) {
    const struct weir_box around = {{corner[0] - 1, corner[1] - 1, corner[2] - 1}, {2, 2, 2}};
    double sum[3] = {0};
    int count = 0;
    bool interpolated = false;
    WEIR_TRY(weir_cell_walls_load(net->walls, &around));
    for (int axis = 0; axis < 3; axis++)
        for (int k = 0; k < 4; k++) {
            const int p = (axis + 1) % 3, q = (axis + 2) % 3;
            int low[3], high[3];
            low[axis] = corner[axis] - 1;
            low[p] = high[p] = corner[p] - k % 2;
            low[q] = high[q] = corner[q] - k / 2;
            high[axis] = corner[axis];
            const int before = weir_cell_walls_at(net->walls, low),
                      behind = weir_cell_walls_at(net->walls, high);
            if (before == WEIR_CELL_BEYOND || behind == WEIR_CELL_BEYOND || (before == 0) == (behind == 0))
                continue;
            const int wall = before > 0 ? before : behind, sign = before > 0 ? -1 : 1;
            const int *fluid = before > 0 ? high : low;
            const double share = share_between(net->problem, wall, fluid, axis, sign);
            interpolated = interpolated || net->problem->walls[wall].rule == WEIR_RULE_INTERPOLATED_WALL;
            sum[axis] += fluid[axis] + 0.5 + sign * share - corner[axis];
            sum[p] += low[p] + 0.5 - corner[p];
            sum[q] += low[q] + 0.5 - corner[q];
            count++;
        }
    for (int axis = 0; axis < 3; axis++) {
        const bool at_end =
            !net->problem->periodic[axis] && (corner[axis] == 0 || corner[axis] == net->problem->cells[axis]);
        vertex->offset[axis] = at_end || count == 0 ? 0 : sum[axis] / count;
        vertex->held[axis] = at_end || interpolated;
    }
    return 0;
}

static int find_vertices(struct net *net) {
    for (int64_t k = 0; k < net->face_count; k++) {
        int corners[4][3];
        corners_of(&net->faces[k], corners);
        for (int i = 0; i < 4; i++)
            if (weir_key_table_add(&net->corners, corner_key(net->problem, corners[i])) < 0)
                return out_of_memory();
    }
    net->vertices = calloc((size_t)net->corners.count + 1, sizeof *net->vertices);
    if (!net->vertices)
        return out_of_memory();
    for (int32_t number = 0; number < net->corners.count; number++) {
        int64_t key = net->corners.keys[number];
        int corner[3];
        for (int axis = 0; axis < 3; axis++) {
            corner[axis] = (int)(key % (net->problem->cells[axis] + 1));
            key /= net->problem->cells[axis] + 1;
        }
        WEIR_TRY(place_vertex(net, corner, &net->vertices[number]));
    }
    return 0;
}

static int32_t number_of(const struct net *net, const int corner[3]) {
    return weir_key_table_find(&net->corners, corner_key(net->problem, corner));
}

/* Moves vertices by a share of the way to the mean of those beside them. ways: room for their sums. */
static void relax(struct net *net, double (*ways)[4], double share) {
    const double most = 0.5; /* cells */
    memset(ways, 0, (size_t)net->corners.count * sizeof *ways);
    for (int64_t k = 0; k < net->face_count; k++) {
        int corners[4][3];
        corners_of(&net->faces[k], corners);
        for (int i = 0; i < 4; i++) {
            const int *here = corners[i], *there = corners[(i + 1) % 4];
            const int32_t a = number_of(net, here), b = number_of(net, there);
            for (int axis = 0; axis < 3; axis++) {
                const double way =
                    there[axis] - here[axis] + net->vertices[b].offset[axis] - net->vertices[a].offset[axis];
                ways[a][axis] += way;
                ways[b][axis] -= way;
            }
            ways[a][3] += 1;
            ways[b][3] += 1;
        }
    }
    for (int32_t number = 0; number < net->corners.count; number++)
        for (int axis = 0; axis < 3; axis++) {
            double *offset = &net->vertices[number].offset[axis];
            if (!net->vertices[number].held[axis])
                *offset = fmin(fmax(*offset + share * ways[number][axis] / ways[number][3], -most), most);
        }
}

/* One pass of two makes bodies smaller, the other larger. */
static int smooth(struct net *net) {
    enum { PASSES = 10 };
    double(*ways)[4] = malloc(((size_t)net->corners.count + 1) * sizeof *ways);
    if (!ways)
        return out_of_memory();
    for (int pass = 0; pass < PASSES; pass++) {
        relax(net, ways, 0.5);
        relax(net, ways, -0.53);
    }
    free(ways);
    return 0;
}

static double square_between(const double a[3], const double b[3]) {
    double sum = 0;
    for (int axis = 0; axis < 3; axis++)
        sum += (a[axis] - b[axis]) * (a[axis] - b[axis]);
    return sum;
}

/* Cuts faces along their shorter diagonal. */
static int make_triangles(const struct net *net, struct weir_triangles *triangles) {
    static const int cuts[2][2][3] = {{{0, 1, 2}, {0, 2, 3}}, {{0, 1, 3}, {1, 2, 3}}};
    triangles->corners = malloc((2 * (size_t)net->face_count + 1) * sizeof *triangles->corners);
    triangles->count = 0;
    if (!triangles->corners)
        return out_of_memory();
    for (int64_t k = 0; k < net->face_count; k++) {
        int corners[4][3];
        double points[4][3];
        corners_of(&net->faces[k], corners);
        for (int i = 0; i < 4; i++)
            for (int axis = 0; axis < 3; axis++)
                points[i][axis] = corners[i][axis] + net->vertices[number_of(net, corners[i])].offset[axis];
        const int cut = square_between(points[0], points[2]) <= square_between(points[1], points[3]) ? 0 : 1;
        for (int half = 0; half < 2; half++) {
            for (int i = 0; i < 3; i++)
                memcpy(triangles->corners[triangles->count][i], points[cuts[cut][half][i]], sizeof points[0]);
            triangles->count++;
        }
    }
    return 0;
}

int weir_surface_net(struct weir_cell_walls *walls, const struct weir_problem *problem, const bool *wanted,
                     const struct weir_net_cover *cover, struct weir_triangles *triangles) {
    struct net net = {.walls = walls, .problem = problem, .wanted = wanted};
    int error = find_faces(&net, cover);
    if (error == 0)
        error = find_vertices(&net);
    if (error == 0)
        error = smooth(&net);
    if (error == 0)
        error = make_triangles(&net, triangles);
    free(net.faces);
    free(net.vertices);
    weir_key_table_free(&net.corners);
    return error;
}
