#include "src/output/output_surface.h"

#include "codelets/kernels/cells/precisions.h"
#include "graph/base/error.h"
#include "src/output/cell_values.h"
#include "src/output/formats/polydata.h"
#include "src/output/formats/vtk_collection.h"
#include "src/output/surface_exchange.h"
#include "src/output/surface_gathering.h"
#include "src/surface/surface_boxes.h"
#include "src/surface/surface_shares.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SUFFIX ".vtp"

struct weir_output_surface {
    const struct weir_case *c;
    const struct weir_output *output;
    const struct weir_agreeing *who;
    struct weir_writer *writer;
    struct weir_wall_surface *surface; /* this rank's share */
    struct weir_box region;            /* of all ranks' cells */
    struct weir_surface_exchange *exchange;
    double (*values)[WEIR_SURFACE_VALUES]; /* of this rank's triangles, patch by patch */
    struct weir_surface_gathering *gathering;
    /* where it is written */
    char *directory;
    struct weir_polydata *polydata;
    struct weir_vtk_collection *collection; /* the writer's thread has it */
    /* of the step begun */
    int64_t step;
    struct weir_wall walls[WEIR_WALLS_MAX]; /* as they move then */
};

static int out_of_memory(const struct weir_output_surface *surface) {
    return weir_fail(WEIR_FAILED, "no memory left for the output '%s'", surface->output->name);
}

static int begin(void *context, int64_t step) {
    struct weir_output_surface *surface = context;
    surface->step = step;
    weir_surface_exchange_begin(surface->exchange);
    return 0;
}

/* What is seen of a cell of an observation. */
struct view {
    const struct weir_observation *observation;
    struct weir_cell_values values;
};

static void look(void *context, const int cell[3], struct weir_surface_cell *seen) {
    struct view *view = context;
    const int *origin = view->observation->box.origin,
              place[3] = {cell[0] - origin[0], cell[1] - origin[1], cell[2] - origin[2]};
    weir_cell_values_turn(&view->values, view->observation, place, false);
    memcpy(seen->velocity, view->values.velocity, sizeof seen->velocity);
    seen->density = view->values.density;
    seen->pressure = weir_quantity_value(WEIR_PRESSURE, 0, &view->values);
}

static int put(void *context, const struct weir_observation *observation) {
    const struct weir_output_surface *surface = context;
    struct view view = {observation, weir_cell_values_begin(surface->c)};
    return weir_surface_exchange_put(surface->exchange, &observation->box, look, &view);
}

/* Job of the writer: a step's file. */
struct publication {
    const struct weir_output_surface *surface;
    int64_t step;
    double *stress, *magnitude, *pressure, *body; /* of each triangle */
};

static int publish(void *context) {
    const struct publication *p = context;
    const struct weir_output_surface *surface = p->surface;
    const struct weir_polydata_array arrays[] = {{"wall_shear_stress", 3, p->stress},
                                                 {"wall_shear_stress_magnitude", 1, p->magnitude},
                                                 {"pressure", 1, p->pressure},
                                                 {"body", 1, p->body}};
    struct weir_output_file *file;
    char *path;
    WEIR_TRY(weir_output_path(surface->directory, surface->output->name, p->step, SUFFIX, &path));
    const int error = weir_output_file_create(path, &file);
    free(path);
    WEIR_TRY(error);
    weir_polydata_write(surface->polydata, (double)p->step * surface->c->units.time, arrays,
                        sizeof arrays / sizeof *arrays, weir_output_file_stream(file));
    WEIR_TRY(weir_output_file_finish(file));
    return weir_vtk_collection_add(surface->collection, p->step);
}

static void release(void *context) {
    struct publication *p = context;
    free(p->stress);
    free(p->magnitude);
    free(p->pressure);
    free(p->body);
    free(p);
}

/* How walls move now. */
static int take_walls(struct weir_output_surface *surface) {
    const struct weir_problem *problem = &surface->c->problem;
    for (int number = 0; number < problem->wall_count; number++) {
        surface->walls[number] = problem->walls[number];
        if (problem->walls[number].in_time && surface->output->of_walls[number])
            WEIR_TRY(problem->body_values(problem->body_context, number, (double)surface->step,
                                          &surface->walls[number]));
    }
    return 0;
}

/* What there is at this rank's triangles. */
static void find_values(const struct weir_output_surface *surface) {
    const double stress = weir_quantity_scale(WEIR_WALL_SHEAR_STRESS, &surface->c->units),
                 pressure = weir_quantity_scale(WEIR_PRESSURE, &surface->c->units),
                 viscosity = weir_problem_viscosity(&surface->c->problem);
    double *next = surface->values[0];
    for (int p = 0; p < surface->surface->count; p++) {
        const struct weir_surface_patch *patch = surface->surface->patches[p];
        const struct weir_surface_cell *seen = weir_surface_exchange_seen(surface->exchange, p);
        for (int64_t k = 0; k < patch->triangles.count; k++, next += WEIR_SURFACE_VALUES) {
            struct weir_surface_values values;
            weir_surface_patch_values(patch, k, seen, &surface->walls[patch->walls[k]], &values);
            for (int axis = 0; axis < 3; axis++)
                next[axis] = stress * values.density * viscosity * values.slope[axis];
            next[3] = pressure * values.pressure;
        }
    }
}

/* Arrays of a file, from what there is at all triangles. */
static void fill(const struct weir_output_surface *surface, const double (*all)[WEIR_SURFACE_VALUES],
                 struct publication *p) {
    for (int64_t k = 0; k < surface->gathering->count; k++) {
        double square = 0;
        for (int axis = 0; axis < 3; axis++) {
            p->stress[3 * k + axis] = all[k][axis];
            square += all[k][axis] * all[k][axis];
        }
        p->magnitude[k] = sqrt(square);
        p->pressure[k] = all[k][3];
        p->body[k] = surface->gathering->walls[k] - WEIR_FIRST_BODY + 1;
    }
}

static int hand_over(const struct weir_output_surface *surface, const double (*all)[WEIR_SURFACE_VALUES]) {
    const size_t triangles = (size_t)surface->gathering->count;
    struct publication *p = calloc(1, sizeof *p);
    if (!p)
        return out_of_memory(surface);
    *p = (struct publication){.surface = surface,
                              .step = surface->step,
                              .stress = malloc(3 * triangles * sizeof(double)),
                              .magnitude = malloc(triangles * sizeof(double)),
                              .pressure = malloc(triangles * sizeof(double)),
                              .body = malloc(triangles * sizeof(double))};
    if (!p->stress || !p->magnitude || !p->pressure || !p->body) {
        release(p);
        return out_of_memory(surface);
    }
    fill(surface, all, p);
    return weir_writer_add(surface->writer, &(struct weir_job){.run = publish,
                                                               .release = release,
                                                               .context = p,
                                                               .bytes = 6 * triangles * sizeof(double)});
}

static int finish(void *context, bool sound) {
    struct weir_output_surface *surface = context;
    double(*all)[WEIR_SURFACE_VALUES] = NULL;
    if (!sound)
        return 0;
    WEIR_TRY(weir_surface_exchange_finish(surface->exchange));
    WEIR_TRY(take_walls(surface));
    find_values(surface);
    WEIR_TRY(
        weir_surface_gather(surface->gathering, (const double(*)[WEIR_SURFACE_VALUES])surface->values, &all));
    const int error = surface->directory ? hand_over(surface, (const double(*)[WEIR_SURFACE_VALUES])all) : 0;
    free(all);
    return error;
}

/* The box around the cells of all ranks; collective. */
static void find_region(struct weir_output_surface *surface) {
    int ends[6] = {INT_MAX, INT_MAX, INT_MAX, 0, 0, 0}; /* the high ones are negative: least is most */
    for (int p = 0; p < surface->surface->count; p++) {
        const struct weir_box *region = &surface->surface->patches[p]->region;
        for (int axis = 0; axis < 3; axis++) {
            const int low = region->origin[axis], high = -(low + region->extent[axis]);
            ends[axis] = low < ends[axis] ? low : ends[axis];
            ends[3 + axis] = high < ends[3 + axis] ? high : ends[3 + axis];
        }
    }
    if (surface->who->ranks != MPI_COMM_NULL) {
        weir_agreeing_enter(surface->who);
        MPI_Allreduce(MPI_IN_PLACE, ends, 6, MPI_INT, MPI_MIN, surface->who->ranks);
        weir_agreeing_leave(surface->who);
    }
    for (int axis = 0; axis < 3; axis++) {
        surface->region.origin[axis] = ends[axis];
        surface->region.extent[axis] = -ends[3 + axis] - ends[axis];
    }
}

/* Collective, as the ones it calls: finds this rank's share of the surface. */
static int make_share(struct weir_output_surface *surface) {
    const struct weir_problem *problem = &surface->c->problem;
    const bool *wanted = surface->output->of_walls;
    bool *own = calloc((size_t)weir_surface_box_count(problem), sizeof *own);
    int error = weir_agreement(surface->who, own ? 0 : out_of_memory(surface), false);
    if (error == 0)
        error = weir_surface_shares_find(problem, wanted, surface->who, own);
    if (error == 0)
        error = weir_agreement(
            surface->who,
            weir_wall_surface_create(problem, wanted, own, WEIR_SURFACE_SPARING_FROM, &surface->surface),
            false);
    free(own);
    return error;
}

static int set_up(struct weir_output_surface *surface, const char *directory, int64_t first) {
    const struct weir_case *c = surface->c;
    WEIR_TRY(make_share(surface));
    WEIR_TRY(weir_surface_exchange_create(&c->problem, surface->surface, surface->who, &surface->exchange));
    WEIR_TRY(weir_surface_gathering_create(surface->surface, surface->who, &surface->gathering));
    if (surface->gathering->count == 0)
        return weir_fail(WEIR_USAGE, "fluid touches none of these bodies");
    find_region(surface);
    surface->values = malloc(((size_t)surface->surface->triangles + 1) * sizeof *surface->values);
    if (!surface->values)
        return out_of_memory(surface);
    if (!directory)
        return 0;
    surface->directory = strdup(directory);
    if (!surface->directory)
        return out_of_memory(surface);
    WEIR_TRY(weir_polydata_create(&surface->gathering->triangles, c->units.length,
                                  weir_precision_row(c->problem.precision)->real_bytes == sizeof(float),
                                  &surface->polydata));
    weir_triangles_free(&surface->gathering->triangles);
    return weir_vtk_collection_create(directory, surface->output->name, SUFFIX, c->units.time, first,
                                      &surface->collection);
}

int weir_output_surface_create(const struct weir_case *c, const struct weir_output *output,
                               const char *directory, int64_t first, const struct weir_agreeing *who,
                               struct weir_writer *writer, struct weir_output_surface **result) {
    struct weir_output_surface *surface = calloc(1, sizeof *surface);
    if (!surface)
        return weir_fail(WEIR_FAILED, "no memory left for the output '%s'", output->name);
    *surface = (struct weir_output_surface){.c = c, .output = output, .who = who, .writer = writer};
    const int error = set_up(surface, directory, first);
    if (error < 0) {
        weir_output_surface_destroy(surface);
        return error;
    }
    *result = surface;
    return 0;
}

void weir_output_surface_destroy(struct weir_output_surface *surface) {
    if (!surface)
        return;
    weir_surface_exchange_destroy(surface->exchange);
    weir_surface_gathering_destroy(surface->gathering);
    weir_wall_surface_destroy(surface->surface);
    weir_polydata_destroy(surface->polydata);
    weir_vtk_collection_destroy(surface->collection);
    free(surface->directory);
    free(surface->values);
    free(surface);
}

struct weir_sink weir_output_surface_sink(struct weir_output_surface *surface) {
    return (struct weir_sink){
        .context = surface,
        .region = surface->region,
        .begin = begin,
        .put = put,
        .finish = finish,
        .everywhere = surface->who->ranks != MPI_COMM_NULL,
    };
}
