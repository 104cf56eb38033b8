#include "src/surface/surface_samples.h"

#include "graph/base/error.h"
#include "graph/base/parallel.h"
#include "src/surface/surface_boxes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double LONGEST = 1.5; /* edge of a part of a triangle, in cells */
static const double NEAR = 1.8;    /* how far away cells are looked at */

static int out_of_memory(void) {
    return weir_fail(WEIR_FAILED, "no memory left for the surface of bodies");
}

static double dot(const double a[3], const double b[3]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/* The box of cells no more than `reach` away from the one around a place. */
static struct weir_box cells_around(const double place[3], int reach) {
    struct weir_box box;
    for (int axis = 0; axis < 3; axis++) {
        box.origin[axis] = (int)floor(place[axis]) - reach;
        box.extent[axis] = 2 * reach + 1;
    }
    return box;
}

#define FOR_CELLS(box, cell)                                                                            \
    for (int cell[3] = {0, 0, (box).origin[2]}; cell[2] < (box).origin[2] + (box).extent[2]; cell[2]++) \
        for (cell[1] = (box).origin[1]; cell[1] < (box).origin[1] + (box).extent[1]; cell[1]++)         \
            for (cell[0] = (box).origin[0]; cell[0] < (box).origin[0] + (box).extent[0]; cell[0]++)

/* From a place to a cell's centre. */
static void way_to(const double place[3], const int cell[3], double way[3]) {
    for (int axis = 0; axis < 3; axis++)
        way[axis] = cell[axis] + 0.5 - place[axis];
}

/* Turns the normal to the side that has more fluid, and less of solids. */
static void turn_to_fluid(const struct weir_cell_walls *walls, struct weir_surface_sample *sample) {
    const struct weir_box box = cells_around(sample->place, 2);
    double balance = 0, way[3];
    FOR_CELLS(box, cell) {
        const int wall = weir_cell_walls_at(walls, cell);
        way_to(sample->place, cell, way);
        if (wall != WEIR_CELL_BEYOND && dot(way, way) < NEAR * NEAR)
            balance += (wall == 0 ? 1 : -1) * dot(way, sample->normal);
    }
    for (int axis = 0; axis < 3 && balance < 0; axis++)
        sample->normal[axis] = -sample->normal[axis];
}

/* Finds which wall is behind: that of the nearest solid cell. False: there is none, or no fluid in front. */
static bool find_wall(const struct weir_cell_walls *walls, struct weir_surface_sample *sample) {
    const double aside = 1, rounding = 0.3; /* cells */
    const struct weir_box box = cells_around(sample->place, 2);
    double nearest = NEAR * NEAR, way[3];
    bool ahead = false;
    sample->wall = 0;
    FOR_CELLS(box, cell) {
        const int wall = weir_cell_walls_at(walls, cell);
        way_to(sample->place, cell, way);
        const double square = dot(way, way), along = dot(way, sample->normal);
        if (wall == 0 && square < NEAR * NEAR && along > 0 && square - along * along <= aside)
            ahead = true;
        if (wall > 0 && along <= rounding && square < nearest) {
            nearest = square;
            sample->wall = wall;
        }
    }
    return ahead && sample->wall > 0;
}

/* The normal times twice the area. */
static void cross_of(const double corners[3][3], double cross[3]) {
    for (int axis = 0; axis < 3; axis++) {
        const int p = (axis + 1) % 3, q = (axis + 2) % 3;
        cross[axis] = (corners[1][p] - corners[0][p]) * (corners[2][q] - corners[0][q]) -
                      (corners[1][q] - corners[0][q]) * (corners[2][p] - corners[0][p]);
    }
}

static double longest_edge(const double corners[3][3]) {
    double longest = 0;
    for (int i = 0; i < 3; i++) {
        double way[3];
        for (int axis = 0; axis < 3; axis++)
            way[axis] = corners[(i + 1) % 3][axis] - corners[i][axis];
        longest = fmax(longest, sqrt(dot(way, way)));
    }
    return longest;
}

/* The middle of part number k of those in row `row` of a triangle whose edges are cut into `parts`; every
 * second one stands on its head. */
static void middle_of_part(const double corners[3][3], int64_t parts, int64_t row, int64_t k,
                           double middle[3]) {
    const double third = k % 2 == 0 ? 1.0 / 3 : 2.0 / 3, a = ((double)(k / 2) + third) / (double)parts,
                 b = ((double)row + third) / (double)parts;
    for (int axis = 0; axis < 3; axis++)
        middle[axis] = corners[0][axis] + a * (corners[1][axis] - corners[0][axis]) +
                       b * (corners[2][axis] - corners[0][axis]);
}

static bool is_inside(const struct weir_problem *problem, const double place[3]) {
    for (int axis = 0; axis < 3; axis++)
        if (place[axis] < 0 || place[axis] > problem->cells[axis])
            return false;
    return true;
}

/* The cell that has a place of the domain; on its high side the last one. */
static void cell_of(const struct weir_problem *problem, const double place[3], int cell[3]) {
    for (int axis = 0; axis < 3; axis++) {
        const int last = problem->cells[axis] - 1, here = (int)floor(place[axis]);
        cell[axis] = here < last ? here : last;
    }
}

/* What threads share: each takes so many triangles at a time, whose samples are a list of their own. */
enum { AT_ONCE = 1024 };

struct sampling {
    const struct weir_triangles *triangles;
    int64_t before;
    const struct weir_problem *problem;
    struct weir_cell_walls *walls;
    const bool *wanted, *boxes;
    struct list {
        struct weir_surface_sample *samples;
        int64_t count, room;
        bool failed;
    } * lists;
};

static int add(struct list *list, const struct weir_surface_sample *sample) {
    if (list->count == list->room) {
        const int64_t room = 2 * list->room + AT_ONCE;
        struct weir_surface_sample *samples = realloc(list->samples, (size_t)room * sizeof *samples);
        if (!samples)
            return out_of_memory();
        list->samples = samples;
        list->room = room;
    }
    list->samples[list->count++] = *sample;
    return 0;
}

static int take_place(const struct sampling *s, struct weir_surface_sample *sample, struct list *list) {
    int cell[3];
    if (!is_inside(s->problem, sample->place))
        return 0;
    const struct weir_box box = cells_around(sample->place, 2);
    cell_of(s->problem, sample->place, cell);
    if (s->boxes && !s->boxes[weir_surface_box_of(s->problem, cell)])
        return 0;
    WEIR_TRY(weir_cell_walls_load(s->walls, &box));
    turn_to_fluid(s->walls, sample);
    return find_wall(s->walls, sample) && s->wanted[sample->wall] ? add(list, sample) : 0;
}

static int take_triangle(const struct sampling *s, int64_t number, struct list *list) {
    const double(*corners)[3] = (const double(*)[3])s->triangles->corners[number];
    const int64_t parts = (int64_t)fmax(ceil(longest_edge(corners) / LONGEST), 1);
    double cross[3];
    cross_of(corners, cross);
    const double length = sqrt(dot(cross, cross));
    if (!(length > 0))
        return 0;
    for (int64_t row = 0; row < parts; row++)
        for (int64_t k = 0; k < 2 * (parts - row) - 1; k++) {
            struct weir_surface_sample sample = {.area = length / 2 / (double)(parts * parts),
                                                 .triangle = s->before + number};
            middle_of_part(corners, parts, row, k, sample.place);
            for (int axis = 0; axis < 3; axis++)
                sample.normal[axis] = cross[axis] / length;
            WEIR_TRY(take_place(s, &sample, list));
        }
    return 0;
}

static void take_some(void *context, int k) {
    const struct sampling *s = context;
    const int64_t begin = (int64_t)k * AT_ONCE, end = begin + AT_ONCE;
    for (int64_t number = begin; number < end && number < s->triangles->count; number++)
        if (take_triangle(s, number, &s->lists[k]) < 0)
            s->lists[k].failed = true;
}

/* Puts the lists behind each other. */
static int join(struct weir_surface_samples *samples, const struct list *lists, int count) {
    int64_t all = samples->count;
    for (int k = 0; k < count; k++) {
        all += lists[k].count;
        if (lists[k].failed)
            return out_of_memory();
    }
    struct weir_surface_sample *longer = realloc(samples->list, ((size_t)all + 1) * sizeof *longer);
    if (!longer)
        return out_of_memory();
    samples->list = longer;
    for (int k = 0; k < count; k++) {
        if (lists[k].count > 0)
            memcpy(longer + samples->count, lists[k].samples, (size_t)lists[k].count * sizeof *longer);
        samples->count += lists[k].count;
    }
    return 0;
}

int weir_surface_samples_add(struct weir_surface_samples *samples, const struct weir_triangles *triangles,
                             int64_t before, const struct weir_problem *problem,
                             struct weir_cell_walls *walls, const bool *wanted, const bool *boxes) {
    const int count = (int)((triangles->count + AT_ONCE - 1) / AT_ONCE);
    struct sampling s = {
        triangles, before, problem, walls, wanted, boxes, calloc((size_t)count + 1, sizeof *s.lists)};
    if (!s.lists)
        return out_of_memory();
    weir_parallel(weir_parallel_cores(), count, take_some, &s);
    const int error = join(samples, s.lists, count);
    for (int k = 0; k < count; k++)
        free(s.lists[k].samples);
    free(s.lists);
    return error;
}

/* The key of the cell that has a sample. */
static int64_t key_of(const struct weir_problem *problem, const struct weir_surface_sample *sample) {
    int cell[3];
    cell_of(problem, sample->place, cell);
    return weir_cell_key(problem, cell);
}

int weir_surface_samples_sort(struct weir_surface_samples *samples, const struct weir_problem *problem) {
    samples->order = malloc(((size_t)samples->count + 1) * sizeof *samples->order);
    if (!samples->order)
        return out_of_memory();
    for (int64_t k = 0; k < samples->count; k++)
        WEIR_TRY(weir_key_table_add(&samples->cells, key_of(problem, &samples->list[k])));
    samples->first = calloc((size_t)samples->cells.count + 2, sizeof *samples->first);
    if (!samples->first)
        return out_of_memory();
    /* Where the next sample of a cell goes; when all are there, that is where the cell ends. */
    int64_t *const next = samples->first + 1;
    for (int64_t k = 0; k < samples->count; k++)
        next[weir_key_table_find(&samples->cells, key_of(problem, &samples->list[k])) + 1]++;
    for (int32_t number = 0; number < samples->cells.count; number++)
        next[number + 1] += next[number];
    for (int64_t k = 0; k < samples->count; k++)
        samples->order[next[weir_key_table_find(&samples->cells, key_of(problem, &samples->list[k]))]++] = k;
    return 0;
}

const int64_t *weir_surface_samples_in(const struct weir_surface_samples *samples,
                                       const struct weir_problem *problem, const int cell[3],
                                       int64_t *count) {
    const int32_t number = weir_key_table_find(&samples->cells, weir_cell_key(problem, cell));
    *count = number < 0 ? 0 : samples->first[number + 1] - samples->first[number];
    return number < 0 ? NULL : samples->order + samples->first[number];
}

void weir_surface_samples_free(struct weir_surface_samples *samples) {
    weir_key_table_free(&samples->cells);
    free(samples->list);
    free(samples->first);
    free(samples->order);
    *samples = (struct weir_surface_samples){.count = 0};
}
