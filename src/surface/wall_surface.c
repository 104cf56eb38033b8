#include "src/surface/wall_surface.h"

#include "graph/base/error.h"
#include "graph/problem/geometry.h"
#include "graph/problem/region.h"
#include "src/surface/cell_walls.h"
#include "src/surface/surface_fit.h"
#include "src/surface/surface_net.h"
#include "src/surface/surface_samples.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int out_of_memory(void) {
    return weir_fail(WEIR_FAILED, "no memory left for the surface of bodies");
}

/* What a surface is made of, while it is made. */
struct making {
    const struct weir_problem *problem;
    const bool *wanted;
    struct weir_cell_walls *walls;
    struct weir_triangles triangles; /* all, those too that no fluid touches */
    struct weir_surface_samples samples;
    struct weir_key_table cells;
    int64_t *latest; /* [latest_room], of each cell: where its latest weight is */
    int32_t latest_room;
    struct weir_wall_surface *surface;
    int64_t weight_room;
};

static int append_triangles(struct weir_triangles *all, const double (*corners)[3][3], int64_t count) {
    double(*longer)[3][3] = realloc(all->corners, (size_t)(all->count + count + 1) * sizeof *longer);
    if (!longer)
        return out_of_memory();
    all->corners = longer;
    memcpy(longer + all->count, corners, (size_t)count * sizeof *longer);
    all->count += count;
    return 0;
}

static int take_meshes(struct making *m) {
    for (int k = 0; k < m->problem->shape_count; k++) {
        const struct weir_shape *shape = &m->problem->shapes[k];
        if (shape->type != WEIR_REGION || shape->face != 0 || shape->region->triangle_count == 0 ||
            !(weir_shape_is_hollow(shape) || m->wanted[shape->wall]))
            continue;
        WEIR_TRY(append_triangles(&m->triangles, shape->region->triangles, shape->region->triangle_count));
    }
    WEIR_TRY(weir_surface_samples_add(&m->samples, &m->triangles, 0, m->problem, m->walls, m->wanted));
    return weir_surface_samples_sort(&m->samples, m->problem);
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
        const int64_t *numbers = weir_surface_samples_in(&m->samples, m->problem, wrapped, &count);
        for (int64_t i = 0; i < count; i++) {
            double square = 0;
            for (int axis = 0; axis < 3; axis++) {
                const double way =
                    m->samples.list[numbers[i]].place[axis] + cell[axis] - wrapped[axis] - middle[axis];
                square += way * way;
            }
            if (square < near * near)
                return true;
        }
    }
    return false;
}

static int take_net(struct making *m) {
    const struct weir_net_cover cover = {.context = m, .covers = covers};
    struct weir_triangles net;
    WEIR_TRY(weir_surface_net(m->walls, m->problem, m->wanted, m->samples.count > 0 ? &cover : NULL, &net));
    const int64_t before = m->triangles.count;
    int error = append_triangles(&m->triangles, (const double(*)[3][3])net.corners, net.count);
    if (error == 0)
        error = weir_surface_samples_add(&m->samples, &net, before, m->problem, m->walls, m->wanted);
    weir_triangles_free(&net);
    return error;
}

/* Adds a triangle that fluid touches, as its first sample sees it. */
static void begin_triangle(struct making *m, const struct weir_surface_sample *sample) {
    struct weir_wall_surface *surface = m->surface;
    const double(*from)[3] = (const double(*)[3])m->triangles.corners[sample->triangle];
    double(*corners)[3] = surface->triangles.corners[surface->triangles.count];
    double cross = 0;
    memcpy(corners, from, sizeof *surface->triangles.corners);
    for (int axis = 0; axis < 3; axis++) {
        const int p = (axis + 1) % 3, q = (axis + 2) % 3;
        cross += sample->normal[axis] * ((from[1][p] - from[0][p]) * (from[2][q] - from[0][q]) -
                                         (from[1][q] - from[0][q]) * (from[2][p] - from[0][p]));
    }
    if (cross < 0) {
        memcpy(corners[1], from[2], sizeof corners[1]);
        memcpy(corners[2], from[1], sizeof corners[2]);
    }
    surface->walls[surface->triangles.count] = (uint8_t)sample->wall;
    memcpy(surface->normals[surface->triangles.count], sample->normal, sizeof sample->normal);
    surface->triangles.count++;
}

/* Where the latest weight of a cell is, to be changed; NULL: there is no memory. */
static int64_t *latest_of(struct making *m, int32_t cell) {
    if (cell >= m->latest_room) {
        const int32_t room = 2 * cell + 1024;
        int64_t *latest = realloc(m->latest, (size_t)room * sizeof *latest);
        if (!latest)
            return NULL;
        memset(latest + m->latest_room, -1, (size_t)(room - m->latest_room) * sizeof *latest);
        m->latest = latest;
        m->latest_room = room;
    }
    return &m->latest[cell];
}

/* Adds what a sample, which stands for this share of its triangle, has of a cell. */
static int add_weight(struct making *m, const struct weir_fit_cell *cell, double share) {
    struct weir_wall_surface *surface = m->surface;
    const int64_t triangle = surface->triangles.count - 1;
    const int32_t number = weir_key_table_add(&m->cells, cell->key);
    if (number < 0)
        return number;
    int64_t *latest = latest_of(m, number);
    if (!latest)
        return out_of_memory();
    if (*latest >= surface->first[triangle]) {
        surface->weights[*latest].slope += share * cell->slope;
        surface->weights[*latest].value += share * cell->value;
        return 0;
    }
    if (surface->first[triangle + 1] == m->weight_room) {
        const int64_t room = 2 * m->weight_room + 4096;
        struct weir_surface_weight *weights = realloc(surface->weights, (size_t)room * sizeof *weights);
        if (!weights)
            return out_of_memory();
        surface->weights = weights;
        m->weight_room = room;
    }
    *latest = surface->first[triangle + 1]++;
    surface->weights[*latest] =
        (struct weir_surface_weight){number, share * cell->slope, share * cell->value};
    return 0;
}

static int add_sample(struct making *m, const struct weir_surface_sample *sample, double share) {
    const struct weir_wall *wall = &m->problem->walls[sample->wall];
    double *rim = m->surface->rim[m->surface->triangles.count - 1];
    struct weir_surface_fit fit;
    WEIR_TRY(weir_surface_fit(m->problem, m->walls, sample, &fit));
    for (int k = 0; k < fit.count; k++) {
        WEIR_TRY(add_weight(m, &fit.cells[k], share));
        rim[3] += share * fit.cells[k].slope;
        for (int axis = 0; axis < 3; axis++)
            rim[axis] += share * fit.cells[k].slope *
                         (weir_geometry_distance(m->problem, axis, wall->center[axis], sample->place[axis]) +
                          fit.cells[k].way[axis]);
    }
    return 0;
}

/* Goes through the samples triangle by triangle. */
static int weigh(struct making *m) {
    const struct weir_surface_samples *samples = &m->samples;
    for (int64_t k = 0, end; k < samples->count; k = end) {
        double area = 0;
        for (end = k; end < samples->count && samples->list[end].triangle == samples->list[k].triangle; end++)
            area += samples->list[end].area;
        begin_triangle(m, &samples->list[k]);
        const int64_t count = m->surface->triangles.count;
        m->surface->first[count] = m->surface->first[count - 1];
        for (int64_t i = k; i < end; i++)
            WEIR_TRY(add_sample(m, &samples->list[i], samples->list[i].area / area));
    }
    return 0;
}

struct keyed {
    int64_t key;
    int32_t number;
};

static int compare(const void *a, const void *b) {
    const int64_t one = ((const struct keyed *)a)->key, other = ((const struct keyed *)b)->key;
    return one < other ? -1 : one > other;
}

/* Numbers the cells in the order of their places, and finds the box around them. */
static int sort_cells(struct making *m) {
    struct weir_wall_surface *surface = m->surface;
    const size_t count = (size_t)m->cells.count;
    struct keyed *sorted = malloc((count + 1) * sizeof *sorted);
    int32_t *place = malloc((count + 1) * sizeof *place);
    surface->cells = malloc((count + 1) * sizeof *surface->cells);
    if (!sorted || !place || !surface->cells) {
        free(sorted);
        free(place);
        return out_of_memory();
    }
    for (int32_t number = 0; number < m->cells.count; number++)
        sorted[number] = (struct keyed){m->cells.keys[number], number};
    qsort(sorted, count, sizeof *sorted, compare);
    int low[3] = {m->problem->cells[0], m->problem->cells[1], m->problem->cells[2]}, high[3] = {0};
    for (int32_t k = 0; k < m->cells.count; k++) {
        int64_t rest = sorted[k].key;
        surface->cells[k] = rest;
        place[sorted[k].number] = k;
        for (int axis = 0; axis < 3; axis++) {
            const int cell = (int)(axis < 2 ? rest % m->problem->cells[axis] : rest);
            rest /= m->problem->cells[axis];
            low[axis] = cell < low[axis] ? cell : low[axis];
            high[axis] = cell + 1 > high[axis] ? cell + 1 : high[axis];
        }
    }
    surface->cell_count = m->cells.count;
    for (int axis = 0; axis < 3; axis++) {
        surface->region.origin[axis] = low[axis];
        surface->region.extent[axis] = high[axis] - low[axis];
    }
    for (int64_t k = 0; k < surface->first[surface->triangles.count]; k++)
        surface->weights[k].cell = place[surface->weights[k].cell];
    free(sorted);
    free(place);
    return 0;
}

static int allocate(struct weir_wall_surface *surface, int64_t most) {
    const size_t count = (size_t)most;
    surface->triangles.corners = malloc((count + 1) * sizeof *surface->triangles.corners);
    surface->walls = malloc(count + 1);
    surface->normals = malloc((count + 1) * sizeof *surface->normals);
    surface->first = calloc(count + 1, sizeof *surface->first);
    surface->rim = calloc(count + 1, sizeof *surface->rim);
    return surface->triangles.corners && surface->walls && surface->normals && surface->first && surface->rim
               ? 0
               : out_of_memory();
}

static int make(struct making *m) {
    WEIR_TRY(weir_cell_walls_create(m->problem, &m->walls));
    WEIR_TRY(take_meshes(m));
    WEIR_TRY(take_net(m));
    if (m->samples.count == 0)
        return weir_fail(WEIR_USAGE, "fluid touches none of these bodies");
    WEIR_TRY(allocate(m->surface, m->triangles.count));
    WEIR_TRY(weigh(m));
    return sort_cells(m);
}

int weir_wall_surface_create(const struct weir_problem *problem, const bool *wanted,
                             struct weir_wall_surface **surface) {
    struct making m = {.problem = problem, .wanted = wanted, .surface = calloc(1, sizeof *m.surface)};
    const int error = m.surface ? make(&m) : out_of_memory();
    weir_cell_walls_destroy(m.walls);
    weir_triangles_free(&m.triangles);
    weir_surface_samples_free(&m.samples);
    weir_key_table_free(&m.cells);
    free(m.latest);
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
    weir_triangles_free(&surface->triangles);
    free(surface->walls);
    free(surface->normals);
    free(surface->cells);
    free(surface->first);
    free(surface->weights);
    free(surface->rim);
    free(surface);
}

void weir_wall_surface_values(const struct weir_wall_surface *surface, int64_t number,
                              const struct weir_surface_cell *seen, const struct weir_wall *wall,
                              struct weir_surface_values *values) {
    const double *normal = surface->normals[number], *rim = surface->rim[number], *turn = wall->rotation;
    double across = 0;
    *values = (struct weir_surface_values){.density = 0};
    for (int64_t k = surface->first[number]; k < surface->first[number + 1]; k++) {
        const struct weir_surface_weight *weight = &surface->weights[k];
        const struct weir_surface_cell *cell = &seen[weight->cell];
        for (int axis = 0; axis < 3; axis++)
            values->slope[axis] += weight->slope * cell->velocity[axis];
        values->density += weight->value * cell->density;
        values->pressure += weight->value * cell->pressure;
    }
    for (int axis = 0; axis < 3; axis++) {
        const int p = (axis + 1) % 3, q = (axis + 2) % 3;
        values->slope[axis] -= rim[3] * wall->velocity[axis] + turn[p] * rim[q] - turn[q] * rim[p];
        across += normal[axis] * values->slope[axis];
    }
    for (int axis = 0; axis < 3; axis++)
        values->slope[axis] -= across * normal[axis];
}
