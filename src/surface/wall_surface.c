#include "src/surface/wall_surface.h"

#include "graph/base/error.h"
#include "graph/base/parallel.h"
#include "graph/problem/geometry.h"
#include "graph/problem/region.h"
#include "src/surface/surface_boxes.h"
#include "src/surface/surface_net.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static int out_of_memory(void) {
    return weir_fail(WEIR_FAILED, "no memory left for the surface of bodies");
}

/* Triangles, and by what they are sorted. */
struct ordered {
    struct weir_triangles triangles;
    int64_t *order;
    int64_t room;
};

/* What a surface is made of, while it is made. */
struct making {
    const struct weir_problem *problem;
    const bool *wanted, *own;
    int64_t sparing_from;
    bool *near;   /* boxes that have to do with the net in one's own */
    bool *beside; /* boxes whose samples of meshes have to do with the net in these */
    struct weir_cell_walls *walls;
    struct ordered mesh, others; /* triangles of meshes: one's own, and others beside near boxes */
    struct ordered net;
    struct weir_surface_samples of_meshes; /* those of one's own first */
    int64_t of_own_meshes;
    bool sparing; /* memory of patches */
    struct weir_surface_samples of_net;
    struct weir_wall_surface *surface;
    struct piece {
        const struct ordered *triangles;
        const struct weir_surface_sample *samples;
        int64_t count;
    } * pieces;         /* [surface->count], what patches are made of */
    atomic_bool failed; /* in some thread: for want of memory */
};

static int append(struct ordered *list, const double corners[3][3], int64_t order) {
    if (list->triangles.count == list->room) {
        const int64_t room = 2 * list->room + 1024;
        double(*longer)[3][3] = realloc(list->triangles.corners, (size_t)room * sizeof *longer);
        if (longer)
            list->triangles.corners = longer;
        int64_t *orders = realloc(list->order, (size_t)room * sizeof *orders);
        if (orders)
            list->order = orders;
        if (!longer || !orders)
            return out_of_memory();
        list->room = room;
    }
    memcpy(list->triangles.corners[list->triangles.count], corners, sizeof *list->triangles.corners);
    list->order[list->triangles.count++] = order;
    return 0;
}

/* The cell of the domain that is nearest to a place. */
static void nearest_cell(const struct weir_problem *problem, const double place[3], int cell[3]) {
    for (int axis = 0; axis < 3; axis++)
        cell[axis] = (int)fmin(fmax(place[axis], 0), problem->cells[axis] - 1);
}

/* Whether the middle of a triangle is in one of one's own boxes. */
static bool is_own(const struct making *m, const double corners[3][3]) {
    double middle[3];
    int cell[3];
    for (int axis = 0; axis < 3; axis++)
        middle[axis] = (corners[0][axis] + corners[1][axis] + corners[2][axis]) / 3;
    nearest_cell(m->problem, middle, cell);
    return m->own[weir_surface_box_of(m->problem, cell)];
}

/* Whether the box around a triangle meets one of the boxes beside. */
static bool is_beside(const struct making *m, const double corners[3][3]) {
    enum { EDGE = WEIR_SURFACE_BOX_EDGE };
    double low[3], high[3];
    int first[3], last[3], cell[3];
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = fmin(fmin(corners[0][axis], corners[1][axis]), corners[2][axis]);
        high[axis] = fmax(fmax(corners[0][axis], corners[1][axis]), corners[2][axis]);
    }
    nearest_cell(m->problem, low, first);
    nearest_cell(m->problem, high, last);
    for (cell[2] = first[2] / EDGE * EDGE; cell[2] <= last[2]; cell[2] += EDGE)
        for (cell[1] = first[1] / EDGE * EDGE; cell[1] <= last[1]; cell[1] += EDGE)
            for (cell[0] = first[0] / EDGE * EDGE; cell[0] <= last[0]; cell[0] += EDGE)
                if (m->beside[weir_surface_box_of(m->problem, cell)])
                    return true;
    return false;
}

static int take_meshes(struct making *m) {
    int64_t order = 0;
    for (int k = 0; k < m->problem->shape_count; k++) {
        const struct weir_shape *shape = &m->problem->shapes[k];
        if (shape->type != WEIR_REGION || shape->face != 0 || shape->region->triangle_count == 0 ||
            !(weir_shape_is_hollow(shape) || m->wanted[shape->wall]))
            continue;
        for (int64_t number = 0; number < shape->region->triangle_count; number++, order++) {
            const double(*corners)[3] = shape->region->triangles[number];
            if (is_own(m, corners))
                WEIR_TRY(append(&m->mesh, corners, order));
            else if (is_beside(m, corners))
                WEIR_TRY(append(&m->others, corners, order));
        }
    }
    WEIR_TRY(weir_surface_samples_add(&m->of_meshes, &m->mesh.triangles, 0, m->problem, m->walls, m->wanted,
                                      NULL));
    m->of_own_meshes = m->of_meshes.count;
    WEIR_TRY(weir_surface_samples_add(&m->of_meshes, &m->others.triangles, m->mesh.triangles.count,
                                      m->problem, m->walls, m->wanted, m->beside));
    return weir_surface_samples_sort(&m->of_meshes, m->problem);
}

/* Whether a sample is so near to the middle of a face between cells that its triangle is the wall there: the
 * wall is half a cell away at most, the sample's part of the triangle less than one long. */
static bool covers(const void *context, const double middle[3]) {
    enum { REACH = 2 };
    const double near = 1.2; /* cells */
    const struct making *m = context;
    for (int k = 0; k < (2 * REACH + 1) * (2 * REACH + 1) * (2 * REACH + 1); k++) {
        int cell[3], wrapped[3];
        int64_t count;
        for (int axis = 0, rest = k; axis < 3; axis++, rest /= 2 * REACH + 1)
            cell[axis] = (int)floor(middle[axis]) + rest % (2 * REACH + 1) - REACH;
        if (!weir_cell_wrap(m->problem, cell, wrapped))
            continue;
        const int64_t *numbers = weir_surface_samples_in(&m->of_meshes, m->problem, wrapped, &count);
        for (int64_t i = 0; i < count; i++) {
            double square = 0;
            for (int axis = 0; axis < 3; axis++) {
                const double way =
                    m->of_meshes.list[numbers[i]].place[axis] + cell[axis] - wrapped[axis] - middle[axis];
                square += way * way;
            }
            if (square < near * near)
                return true;
        }
    }
    return false;
}

/* The net is behind all triangles of meshes, and its boxes in their order. */
static int take_net(struct making *m) {
    const int64_t behind = INT64_MAX / 2;
    const struct weir_net_cover cover = {.context = m, .covers = covers};
    WEIR_TRY(weir_surface_net(m->walls, m->problem, m->wanted, m->of_meshes.count > 0 ? &cover : NULL, m->own,
                              m->near, &m->net.triangles, &m->net.order));
    for (int64_t k = 0; k < m->net.triangles.count; k++)
        m->net.order[k] += behind;
    return weir_surface_samples_add(&m->of_net, &m->net.triangles, 0, m->problem, m->walls, m->wanted, NULL);
}

/* Cuts a list of samples between triangles. */
static void cut_list(struct making *m, const struct ordered *triangles,
                     const struct weir_surface_sample *samples, int64_t count) {
    enum { SAMPLES = 4096 }; /* of a piece, about */
    for (int64_t k = 0, end; k < count; k = end) {
        end = k + SAMPLES < count ? k + SAMPLES : count;
        while (end < count && samples[end].triangle == samples[end - 1].triangle)
            end++;
        if (m->pieces)
            m->pieces[m->surface->count] = (struct piece){triangles, samples + k, end - k};
        m->surface->count++;
    }
}

static void cut_lists(struct making *m) {
    m->surface->count = 0;
    cut_list(m, &m->mesh, m->of_meshes.list, m->of_own_meshes);
    cut_list(m, &m->net, m->of_net.list, m->of_net.count);
}

static void make_patch(void *context, int k) {
    struct making *m = context;
    const struct piece *piece = &m->pieces[k];
    if (weir_surface_patch_create(m->problem, m->walls, &piece->triangles->triangles, piece->triangles->order,
                                  piece->samples, piece->count, m->sparing, &m->surface->patches[k]) < 0)
        atomic_store(&m->failed, true);
}

static int make_patches(struct making *m) {
    struct weir_wall_surface *surface = m->surface;
    cut_lists(m);
    m->pieces = calloc((size_t)surface->count + 1, sizeof *m->pieces);
    surface->patches = calloc((size_t)surface->count + 1, sizeof(struct weir_surface_patch *));
    if (!m->pieces || !surface->patches)
        return out_of_memory();
    cut_lists(m);
    m->sparing = m->of_own_meshes + m->of_net.count >= m->sparing_from;
    weir_parallel(weir_parallel_cores(), surface->count, make_patch, m);
    if (m->failed)
        return out_of_memory();
    for (int k = 0; k < surface->count; k++)
        surface->triangles += surface->patches[k]->triangles.count;
    return 0;
}

static int make(struct making *m) {
    enum { COVERED = 3 }; /* cells between a face and what covers it, at most */
    const size_t boxes = (size_t)weir_surface_box_count(m->problem);
    m->near = calloc(boxes, sizeof *m->near);
    m->beside = calloc(boxes, sizeof *m->beside);
    if (!m->near || !m->beside)
        return out_of_memory();
    weir_surface_boxes_near(m->problem, m->own, WEIR_NET_REACH, m->near);
    weir_surface_boxes_near(m->problem, m->near, COVERED, m->beside);
    WEIR_TRY(weir_cell_walls_create(m->problem, &m->walls));
    WEIR_TRY(take_meshes(m));
    WEIR_TRY(take_net(m));
    return make_patches(m);
}

static void free_ordered(struct ordered *list) {
    weir_triangles_free(&list->triangles);
    free(list->order);
}

int weir_wall_surface_create(const struct weir_problem *problem, const bool *wanted, const bool *own,
                             int64_t sparing_from, struct weir_wall_surface **surface) {
    struct making m = {.problem = problem,
                       .wanted = wanted,
                       .own = own,
                       .sparing_from = sparing_from,
                       .surface = calloc(1, sizeof *m.surface)};
    const int error = m.surface ? make(&m) : out_of_memory();
    weir_cell_walls_destroy(m.walls);
    free(m.near);
    free(m.beside);
    free_ordered(&m.mesh);
    free_ordered(&m.others);
    free_ordered(&m.net);
    weir_surface_samples_free(&m.of_meshes);
    weir_surface_samples_free(&m.of_net);
    free(m.pieces);
    if (error < 0) {
        weir_wall_surface_destroy(m.surface);
        return error;
    }
    *surface = m.surface;
    return 0;
}

void weir_wall_surface_destroy(struct weir_wall_surface *surface) {
    if (!surface)
        return;
    for (int k = 0; surface->patches && k < surface->count; k++)
        weir_surface_patch_destroy(surface->patches[k]);
    free(surface->patches);
    free(surface);
}
