#include "src/surface/surface_patch.h"

#include "graph/base/error.h"
#include "graph/problem/geometry.h"
#include "src/surface/key_table.h"
#include "src/surface/surface_fit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int out_of_memory(void) {
    return weir_fail(WEIR_FAILED, "no memory left for the surface of bodies");
}

/* What a patch is made of, while it is made. */
struct making {
    const struct weir_problem *problem;
    struct weir_cell_walls *walls;
    const struct weir_triangles *triangles; /* all, those too that no fluid touches */
    const int64_t *order;                   /* of these */
    bool sparing;
    struct weir_key_table cells;
    int64_t *latest; /* [latest_room], of each cell: where its latest weight is */
    int32_t latest_room;
    struct weir_surface_patch *patch;
    int64_t room, weight_count, weight_room, single_count, single_room;
};

/* Adds a triangle that fluid touches, as its first sample sees it. */
static void begin_triangle(struct making *m, const struct weir_surface_sample *sample) {
    struct weir_surface_patch *patch = m->patch;
    const double(*from)[3] = (const double(*)[3])m->triangles->corners[sample->triangle];
    double(*corners)[3] = patch->triangles.corners[patch->triangles.count];
    double cross = 0;
    memcpy(corners, from, sizeof *patch->triangles.corners);
    for (int axis = 0; axis < 3; axis++) {
        const int p = (axis + 1) % 3, q = (axis + 2) % 3;
        cross += sample->normal[axis] * ((from[1][p] - from[0][p]) * (from[2][q] - from[0][q]) -
                                         (from[1][q] - from[0][q]) * (from[2][p] - from[0][p]));
    }
    if (cross < 0) {
        memcpy(corners[1], from[2], sizeof corners[1]);
        memcpy(corners[2], from[1], sizeof corners[2]);
    }
    patch->walls[patch->triangles.count] = (uint8_t)sample->wall;
    patch->order[patch->triangles.count] = m->order[sample->triangle];
    memcpy(patch->normals[patch->triangles.count], sample->normal, sizeof sample->normal);
    patch->triangles.count++;
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

/* A list with room for so many items; NULL: there is no memory, and it stays. */
static void *with_room(void *list, size_t item, int64_t room) {
    return realloc(list, ((size_t)room + 1) * item);
}

/* The same with room for one more than `count`, of which there is *room. */
static void *grown(void *list, size_t item, int64_t count, int64_t *room) {
    if (list && count < *room)
        return list;
    void *longer = with_room(list, item, 2 * *room + 4096);
    *room = longer ? 2 * *room + 4096 : *room;
    return longer;
}

/* Adds a cell to the triangle's; *place: where it is among all. */
static int add_cell(struct making *m, int32_t number, int64_t *place) {
    struct weir_surface_patch *patch = m->patch;
    const int64_t count = patch->triangles.count;
    int32_t *beside = grown(patch->beside, sizeof *beside, patch->first[count], &m->room);
    if (!beside)
        return out_of_memory();
    patch->beside = beside;
    *place = patch->first[count]++;
    patch->beside[*place] = number;
    return 0;
}

/* Adds what a sample, which stands for this share of its triangle, has of a cell. */
static int add_weight(struct making *m, const struct weir_fit_cell *cell, double share) {
    struct weir_surface_patch *patch = m->patch;
    const int64_t triangle = patch->triangles.count - 1, begin = patch->first[triangle];
    const int32_t number = weir_key_table_add(&m->cells, cell->key);
    if (number < 0)
        return number;
    int64_t *latest = latest_of(m, number);
    if (!latest)
        return out_of_memory();
    if (*latest >= begin) {
        struct weir_surface_weight *weight = &patch->weights[patch->kept[triangle] + *latest - begin];
        weight->slope += share * cell->slope;
        weight->value += share * cell->value;
        return 0;
    }
    struct weir_surface_weight *weights =
        grown(patch->weights, sizeof *weights, m->weight_count, &m->weight_room);
    if (!weights)
        return out_of_memory();
    patch->weights = weights;
    patch->weights[m->weight_count++] =
        (struct weir_surface_weight){share * cell->slope, share * cell->value};
    return add_cell(m, number, latest);
}

/* Keeps the fit of a triangle's only sample. */
static int keep_fit(struct making *m, const struct weir_surface_sample *sample,
                    const struct weir_surface_fit *fit) {
    struct weir_surface_patch *patch = m->patch;
    struct weir_surface_single *singles =
        grown(patch->singles, sizeof *singles, m->single_count, &m->single_room);
    if (!singles)
        return out_of_memory();
    patch->singles = singles;
    struct weir_surface_single *single = &patch->singles[m->single_count];
    memcpy(single->place, sample->place, sizeof single->place);
    single->polynomial = fit->polynomial;
    patch->kept[patch->triangles.count - 1] = -1 - m->single_count++;
    for (int k = 0; k < fit->count; k++) {
        const int32_t number = weir_key_table_add(&m->cells, fit->cells[k].key);
        int64_t place;
        if (number < 0)
            return number;
        WEIR_TRY(add_cell(m, number, &place));
    }
    return 0;
}

/* single: the triangle has no other. */
static int add_sample(struct making *m, const struct weir_surface_sample *sample, double share, bool single) {
    const struct weir_wall *wall = &m->problem->walls[sample->wall];
    double *rim = m->patch->rim[m->patch->triangles.count - 1];
    struct weir_surface_fit fit;
    WEIR_TRY(weir_surface_fit(m->problem, m->walls, sample, &fit));
    if (single)
        WEIR_TRY(keep_fit(m, sample, &fit));
    for (int k = 0; k < fit.count; k++) {
        if (!single)
            WEIR_TRY(add_weight(m, &fit.cells[k], share));
        rim[3] += share * fit.cells[k].slope;
        for (int axis = 0; axis < 3; axis++)
            rim[axis] += share * fit.cells[k].slope *
                         (weir_geometry_distance(m->problem, axis, wall->center[axis], sample->place[axis]) +
                          fit.cells[k].way[axis]);
    }
    return 0;
}

/* Whether no cell is twice among those around a sample: the domain does not go on as another image of itself
 * there.
 */
static bool images_are_apart(const struct weir_problem *problem, const double place[3]) {
    const struct weir_box box = weir_surface_fit_box(place);
    for (int axis = 0; axis < 3; axis++)
        if (problem->periodic[axis] && problem->cells[axis] < box.extent[axis])
            return false;
    return true;
}

/* Goes through the samples triangle by triangle. */
static int weigh(struct making *m, const struct weir_surface_sample *samples, int64_t sample_count) {
    for (int64_t k = 0, end; k < sample_count; k = end) {
        double area = 0;
        for (end = k; end < sample_count && samples[end].triangle == samples[k].triangle; end++)
            area += samples[end].area;
        begin_triangle(m, &samples[k]);
        const int64_t count = m->patch->triangles.count;
        m->patch->first[count] = m->patch->first[count - 1];
        const bool single = m->sparing && end == k + 1 && samples[k].area / area == 1 &&
                            images_are_apart(m->problem, samples[k].place);
        m->patch->kept[count - 1] = m->weight_count;
        for (int64_t i = k; i < end; i++)
            WEIR_TRY(add_sample(m, &samples[i], samples[i].area / area, single));
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
    struct weir_surface_patch *patch = m->patch;
    const size_t count = (size_t)m->cells.count;
    struct keyed *sorted = malloc((count + 1) * sizeof *sorted);
    int32_t *place = malloc((count + 1) * sizeof *place);
    patch->cells = malloc((count + 1) * sizeof *patch->cells);
    patch->places = malloc((count + 1) * sizeof *patch->places);
    if (!sorted || !place || !patch->cells || !patch->places) {
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
        patch->cells[k] = rest;
        place[sorted[k].number] = k;
        for (int axis = 0; axis < 3; axis++) {
            const int cell = (int)(axis < 2 ? rest % m->problem->cells[axis] : rest);
            rest /= m->problem->cells[axis];
            patch->places[k][axis] = cell;
            low[axis] = cell < low[axis] ? cell : low[axis];
            high[axis] = cell + 1 > high[axis] ? cell + 1 : high[axis];
        }
    }
    patch->cell_count = m->cells.count;
    for (int axis = 0; axis < 3; axis++) {
        patch->region.origin[axis] = low[axis];
        patch->region.extent[axis] = high[axis] - low[axis];
    }
    for (int64_t k = 0; k < patch->first[patch->triangles.count]; k++)
        patch->beside[k] = place[patch->beside[k]];
    free(sorted);
    free(place);
    return 0;
}

static int allocate(struct weir_surface_patch *patch, int64_t most) {
    const size_t count = (size_t)most;
    patch->triangles.corners = malloc((count + 1) * sizeof *patch->triangles.corners);
    patch->walls = malloc(count + 1);
    patch->order = malloc((count + 1) * sizeof *patch->order);
    patch->normals = malloc((count + 1) * sizeof *patch->normals);
    patch->first = calloc(count + 1, sizeof *patch->first);
    patch->kept = malloc((count + 1) * sizeof *patch->kept);
    patch->rim = calloc(count + 1, sizeof *patch->rim);
    return patch->triangles.corners && patch->walls && patch->order && patch->normals && patch->first &&
                   patch->kept && patch->rim
               ? 0
               : out_of_memory();
}

static int64_t count_triangles(const struct weir_surface_sample *samples, int64_t count) {
    int64_t triangles = 0;
    for (int64_t k = 0; k < count; k++)
        triangles += k == 0 || samples[k].triangle != samples[k - 1].triangle;
    return triangles;
}

/* Cuts off what was too much of the lists. */
static int give_back(struct making *m) {
    struct weir_surface_patch *patch = m->patch;
    int32_t *beside = with_room(patch->beside, sizeof *beside, patch->first[patch->triangles.count]);
    patch->beside = beside ? beside : patch->beside;
    struct weir_surface_weight *weights = with_room(patch->weights, sizeof *weights, m->weight_count);
    patch->weights = weights ? weights : patch->weights;
    struct weir_surface_single *singles = with_room(patch->singles, sizeof *singles, m->single_count);
    patch->singles = singles ? singles : patch->singles;
    return beside && weights && singles ? 0 : out_of_memory();
}

int weir_surface_patch_create(const struct weir_problem *problem, struct weir_cell_walls *walls,
                              const struct weir_triangles *triangles, const int64_t *order,
                              const struct weir_surface_sample *samples, int64_t count, bool sparing,
                              struct weir_surface_patch **patch) {
    struct making m = {.problem = problem,
                       .walls = walls,
                       .triangles = triangles,
                       .order = order,
                       .sparing = sparing,
                       .patch = calloc(1, sizeof *m.patch)};
    if (m.patch)
        memcpy(m.patch->domain, problem->cells, sizeof m.patch->domain);
    int error = m.patch ? allocate(m.patch, count_triangles(samples, count)) : out_of_memory();
    if (error == 0)
        error = weigh(&m, samples, count);
    if (error == 0)
        error = sort_cells(&m);
    if (error == 0)
        error = give_back(&m);
    weir_key_table_free(&m.cells);
    free(m.latest);
    if (error < 0) {
        weir_surface_patch_destroy(m.patch);
        return error;
    }
    *patch = m.patch;
    return 0;
}

void weir_surface_patch_destroy(struct weir_surface_patch *patch) {
    if (!patch)
        return;
    weir_triangles_free(&patch->triangles);
    free(patch->walls);
    free(patch->order);
    free(patch->normals);
    free(patch->cells);
    free(patch->places);
    free(patch->kept);
    free(patch->singles);
    free(patch->first);
    free(patch->beside);
    free(patch->weights);
    free(patch->rim);
    free(patch);
}

/* From a sample to the centre of a cell around it, as the image that is there. */
static void way_to(const struct weir_surface_patch *patch, const struct weir_box *around,
                   const double place[3], const int cell[3], double way[3]) {
    for (int axis = 0; axis < 3; axis++) {
        int k = cell[axis] - around->origin[axis];
        if (k < 0)
            k += patch->domain[axis];
        else if (k >= around->extent[axis])
            k -= patch->domain[axis];
        way[axis] = around->origin[axis] + k + 0.5 - place[axis];
    }
}

const struct weir_surface_weight *weir_surface_patch_weights(const struct weir_surface_patch *patch,
                                                             int64_t number,
                                                             struct weir_surface_weight *found) {
    const int64_t begin = patch->first[number], kept = patch->kept[number];
    const int count = (int)(patch->first[number + 1] - begin);
    double ways[WEIR_FIT_CELLS][3];
    if (kept >= 0)
        return patch->weights + kept;
    const struct weir_surface_single *single = &patch->singles[-1 - kept];
    const struct weir_box around = weir_surface_fit_box(single->place);
    for (int k = 0; k < count; k++)
        way_to(patch, &around, single->place, patch->places[patch->beside[begin + k]], ways[k]);
    weir_surface_fit_weights(&single->polynomial, patch->normals[number], (const double(*)[3])ways, count,
                             found);
    return found;
}

void weir_surface_patch_values(const struct weir_surface_patch *patch, int64_t number,
                               const struct weir_surface_cell *seen, const struct weir_wall *wall,
                               struct weir_surface_values *values) {
    const double *normal = patch->normals[number], *rim = patch->rim[number], *turn = wall->rotation;
    double across = 0;
    *values = (struct weir_surface_values){.density = 0};
    struct weir_surface_weight found[WEIR_FIT_CELLS];
    const struct weir_surface_weight *weight = weir_surface_patch_weights(patch, number, found);
    for (int64_t k = patch->first[number]; k < patch->first[number + 1]; k++, weight++) {
        const struct weir_surface_cell *cell = &seen[patch->beside[k]];
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
