#include "src/surface/surface_net.h"

#include "codelets/kernels/cells/flag_array.h"
#include "codelets/kernels/cells/layout.h"
#include "graph/base/error.h"
#include "graph/base/parallel.h"
#include "graph/problem/geometry.h"
#include "graph/problem/links.h"
#include "src/surface/key_table.h"
#include "src/surface/surface_boxes.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Where the net is: a fluid cell, and the side on which a solid one of the bodies is. */
struct face {
    int cell[3];
    int side; /* offsets.h: x-, x+, y-, ... */
};

struct face_list {
    int64_t box;
    struct face *faces;
    int64_t count, room;
};

/* A corner of cells that the net passes, and how far from it. */
struct vertex {
    double offset[3];
    bool held[3]; /* it stays where it is along this axis */
};

/* An edge of a face as one of its two vertices sees it. */
struct edge {
    int32_t other;
    uint8_t axis;
    int8_t way;    /* from the first vertex to the second, along the axis: 1 or -1 */
    bool is_first; /* whether this vertex is the first */
};

struct net {
    struct weir_cell_walls *walls;
    const struct weir_problem *problem;
    const bool *wanted, *own;
    const struct weir_net_cover *cover;
    struct face_list *lists; /* [list_count], of each box that is near, in the order of the boxes */
    int list_count;
    int64_t face_count;
    struct weir_key_table corners; /* of the vertices */
    int32_t (*numbers)[4];         /* [face_count], of the vertices of each */
    struct vertex *vertices;
    int64_t *first; /* [vertices + 1] */
    struct edge *edges;
    double (*moved)[3]; /* [vertices], offsets after the pass that is made */
    double share;       /* of that pass */
    atomic_bool failed; /* in some thread: for want of memory */
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

static int add_face(struct face_list *list, const struct face *face) {
    if (list->count == list->room) {
        const int64_t room = 2 * list->room + 256;
        struct face *faces = realloc(list->faces, (size_t)room * sizeof *faces);
        if (!faces)
            return out_of_memory();
        list->faces = faces;
        list->room = room;
    }
    list->faces[list->count++] = *face;
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
static int add_faces(const struct net *net, const struct weir_box *box, const uint8_t *flags,
                     struct face_list *list) {
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
                    if (!weir_flag_is_fluid(beside) && net->wanted[beside] && !is_covered(net->cover, &face))
                        WEIR_TRY(add_face(list, &face));
                }
            }
    return 0;
}

static void take_box(void *context, int k) {
    struct net *net = context;
    struct face_list *list = &net->lists[k];
    const struct weir_box box = weir_surface_box(net->problem, list->box);
    if (!weir_surface_box_may_have(net->problem, net->wanted, &box))
        return;
    uint8_t *flags =
        malloc(weir_layout_ringed_cells(weir_lattice_table((int)net->problem->lattice), box.extent));
    if (!flags || weir_geometry_flags(net->problem, &box, flags) < 0 || add_faces(net, &box, flags, list) < 0)
        atomic_store(&net->failed, true);
    free(flags);
}

/* Box by box, so that little of the domain is in memory at once. */
static int find_faces(struct net *net, const bool *near) {
    const int64_t boxes = weir_surface_box_count(net->problem);
    net->lists = calloc((size_t)boxes + 1, sizeof *net->lists);
    if (!net->lists)
        return out_of_memory();
    for (int64_t box = 0; box < boxes; box++)
        if (near[box])
            net->lists[net->list_count++].box = box;
    weir_parallel(weir_parallel_cores(), net->list_count, take_box, net);
    for (int k = 0; k < net->list_count; k++)
        net->face_count += net->lists[k].count;
    return net->failed ? out_of_memory() : 0;
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
static int place_vertex(const struct net *net, const int corner[3], struct vertex *vertex) {
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

/* Vertices are shared among threads so many at a time. */
enum { AT_ONCE = 4096 };

static void take_vertices(struct net *net, void (*work)(void *context, int k)) {
    weir_parallel(weir_parallel_cores(), (net->corners.count + AT_ONCE - 1) / AT_ONCE, work, net);
}

static int32_t end_of_vertices(const struct net *net, int k) {
    return net->corners.count - k * AT_ONCE < AT_ONCE ? net->corners.count : (k + 1) * AT_ONCE;
}

static void place_some(void *context, int k) {
    struct net *net = context;
    for (int32_t number = k * AT_ONCE; number < end_of_vertices(net, k); number++) {
        int64_t key = net->corners.keys[number];
        int corner[3];
        for (int axis = 0; axis < 3; axis++) {
            corner[axis] = (int)(key % (net->problem->cells[axis] + 1));
            key /= net->problem->cells[axis] + 1;
        }
        if (place_vertex(net, corner, &net->vertices[number]) < 0)
            atomic_store(&net->failed, true);
    }
}

static int find_vertices(struct net *net) {
    int64_t face = 0;
    net->numbers = malloc(((size_t)net->face_count + 1) * sizeof *net->numbers);
    if (!net->numbers)
        return out_of_memory();
    for (int list = 0; list < net->list_count; list++)
        for (int64_t k = 0; k < net->lists[list].count; k++, face++) {
            int corners[4][3];
            corners_of(&net->lists[list].faces[k], corners);
            for (int i = 0; i < 4; i++) {
                net->numbers[face][i] =
                    weir_key_table_add(&net->corners, corner_key(net->problem, corners[i]));
                if (net->numbers[face][i] < 0)
                    return net->numbers[face][i];
            }
        }
    net->vertices = calloc((size_t)net->corners.count + 1, sizeof *net->vertices);
    if (!net->vertices)
        return out_of_memory();
    take_vertices(net, place_some);
    return net->failed ? out_of_memory() : 0;
}

/* Sorts the edges of all faces by vertices, those of each in the order of the faces: sums over them are the
 * same for any part of the net that has all of them. */
static int find_edges(struct net *net) {
    const int32_t count = net->corners.count;
    int64_t face = 0;
    net->first = calloc((size_t)count + 2, sizeof *net->first);
    net->edges = malloc(8 * ((size_t)net->face_count + 1) * sizeof *net->edges);
    if (!net->first || !net->edges)
        return out_of_memory();
    /* Where the next edge of a vertex goes; when all are there, that is where the vertex ends. */
    int64_t *const next = net->first + 1;
    for (int64_t k = 0; k < net->face_count; k++)
        for (int i = 0; i < 4; i++)
            next[net->numbers[k][i] + 1] += 2;
    for (int32_t number = 0; number < count; number++)
        next[number + 1] += next[number];
    for (int list = 0; list < net->list_count; list++)
        for (int64_t k = 0; k < net->lists[list].count; k++, face++) {
            int corners[4][3];
            corners_of(&net->lists[list].faces[k], corners);
            for (int i = 0; i < 4; i++) {
                const int *here = corners[i], *there = corners[(i + 1) % 4];
                const int32_t a = net->numbers[face][i], b = net->numbers[face][(i + 1) % 4];
                struct edge edge = {.other = b, .is_first = true};
                while (here[edge.axis] == there[edge.axis])
                    edge.axis++;
                edge.way = (int8_t)(there[edge.axis] - here[edge.axis]);
                net->edges[next[a]++] = edge;
                edge.other = a;
                edge.is_first = false;
                net->edges[next[b]++] = edge;
            }
        }
    return 0;
}

/* Moves vertices by a share of the way to the mean of those beside them. */
static void relax_some(void *context, int k) {
    const double most = 0.5; /* cells */
    struct net *net = context;
    for (int32_t number = k * AT_ONCE; number < end_of_vertices(net, k); number++) {
        const struct vertex *vertex = &net->vertices[number];
        double sum[3] = {0};
        for (int64_t e = net->first[number]; e < net->first[number + 1]; e++) {
            const struct edge *edge = &net->edges[e];
            const struct vertex *other = &net->vertices[edge->other];
            for (int axis = 0; axis < 3; axis++) {
                const double *from = edge->is_first ? vertex->offset : other->offset,
                             *to = edge->is_first ? other->offset : vertex->offset,
                             way = (edge->axis == axis ? edge->way : 0) + to[axis] - from[axis];
                sum[axis] += edge->is_first ? way : -way;
            }
        }
        const double count = (double)(net->first[number + 1] - net->first[number]);
        for (int axis = 0; axis < 3; axis++) {
            const double moved = vertex->offset[axis] + net->share * sum[axis] / count;
            net->moved[number][axis] =
                vertex->held[axis] ? vertex->offset[axis] : fmin(fmax(moved, -most), most);
        }
    }
}

static void move_some(void *context, int k) {
    struct net *net = context;
    for (int32_t number = k * AT_ONCE; number < end_of_vertices(net, k); number++)
        memcpy(net->vertices[number].offset, net->moved[number], sizeof net->moved[number]);
}

/* One pass of two makes bodies smaller, the other larger. WEIR_NET_REACH is for so many. */
static int smooth(struct net *net) {
    enum { PASSES = 10 };
    WEIR_TRY(find_edges(net));
    net->moved = malloc(((size_t)net->corners.count + 1) * sizeof *net->moved);
    if (!net->moved)
        return out_of_memory();
    for (int pass = 0; pass < 2 * PASSES; pass++) {
        net->share = pass % 2 == 0 ? 0.5 : -0.53;
        take_vertices(net, relax_some);
        take_vertices(net, move_some);
    }
    return 0;
}

static double square_between(const double a[3], const double b[3]) {
    double sum = 0;
    for (int axis = 0; axis < 3; axis++)
        sum += (a[axis] - b[axis]) * (a[axis] - b[axis]);
    return sum;
}

/* Cuts a face along its shorter diagonal. */
static void cut_face(const struct net *net, const struct face *face, const int32_t numbers[4],
                     double triangles[2][3][3]) {
    static const int cuts[2][2][3] = {{{0, 1, 2}, {0, 2, 3}}, {{0, 1, 3}, {1, 2, 3}}};
    int corners[4][3];
    double points[4][3];
    corners_of(face, corners);
    for (int i = 0; i < 4; i++)
        for (int axis = 0; axis < 3; axis++)
            points[i][axis] = corners[i][axis] + net->vertices[numbers[i]].offset[axis];
    const int cut = square_between(points[0], points[2]) <= square_between(points[1], points[3]) ? 0 : 1;
    for (int half = 0; half < 2; half++)
        for (int i = 0; i < 3; i++)
            memcpy(triangles[half][i], points[cuts[cut][half][i]], sizeof points[0]);
}

/* Those of the faces in boxes of one's own. */
static int make_triangles(const struct net *net, struct weir_triangles *triangles, int64_t **boxes) {
    int64_t count = 0, face = 0;
    for (int list = 0; list < net->list_count; list++)
        count += net->own[net->lists[list].box] ? 2 * net->lists[list].count : 0;
    triangles->corners = malloc(((size_t)count + 1) * sizeof *triangles->corners);
    *boxes = malloc(((size_t)count + 1) * sizeof **boxes);
    if (!triangles->corners || !*boxes)
        return out_of_memory();
    for (int list = 0; list < net->list_count; list++) {
        const struct face_list *of_box = &net->lists[list];
        for (int64_t k = 0; net->own[of_box->box] && k < of_box->count; k++) {
            cut_face(net, &of_box->faces[k], net->numbers[face + k], &triangles->corners[triangles->count]);
            for (int half = 0; half < 2; half++)
                (*boxes)[triangles->count++] = of_box->box;
        }
        face += of_box->count;
    }
    return 0;
}

int weir_surface_net(struct weir_cell_walls *walls, const struct weir_problem *problem, const bool *wanted,
                     const struct weir_net_cover *cover, const bool *own, const bool *near,
                     struct weir_triangles *triangles, int64_t **boxes) {
    struct net net = {.walls = walls, .problem = problem, .wanted = wanted, .own = own, .cover = cover};
    *triangles = (struct weir_triangles){.count = 0};
    *boxes = NULL;
    int error = find_faces(&net, near);
    if (error == 0)
        error = find_vertices(&net);
    if (error == 0)
        error = smooth(&net);
    if (error == 0)
        error = make_triangles(&net, triangles, boxes);
    for (int k = 0; k < net.list_count; k++)
        free(net.lists[k].faces);
    free(net.lists);
    free(net.numbers);
    free(net.vertices);
    free(net.first);
    free(net.edges);
    free(net.moved);
    weir_key_table_free(&net.corners);
    return error;
}
