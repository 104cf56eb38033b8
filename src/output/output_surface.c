#include "src/output/output_surface.h"

#include "codelets/kernels/cells/precisions.h"
#include "graph/base/error.h"
#include "src/output/cell_values.h"
#include "src/output/polydata.h"
#include "src/output/vtk_collection.h"
#include "src/surface/wall_surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SUFFIX ".vtp"

struct weir_output_surface {
    const struct weir_case *c;
    const struct weir_output *output;
    const struct weir_agreeing *who;
    struct weir_writer *writer;
    struct weir_wall_surface *surface;
    /* where it is written */
    char *directory;
    struct weir_polydata *polydata;
    struct weir_vtk_collection *collection; /* the writer's thread has it */
    /* of the step begun */
    struct weir_surface_cell *seen; /* [surface->cell_count] */
    int64_t step;
};

static int out_of_memory(const struct weir_output_surface *surface) {
    return weir_fail(WEIR_FAILED, "no memory left for the output '%s'", surface->output->name);
}

static int begin(void *context, int64_t step) {
    struct weir_output_surface *surface = context;
    surface->step = step;
    memset(surface->seen, 0, (size_t)surface->surface->cell_count * sizeof *surface->seen);
    return 0;
}

/* The place in the list of the first cell whose number is not less. */
static int32_t find(const struct weir_wall_surface *surface, int64_t key) {
    int32_t low = 0, high = surface->cell_count;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (surface->cells[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static int put(void *context, const struct weir_observation *observation) {
    const struct weir_output_surface *surface = context;
    const struct weir_wall_surface *wall_surface = surface->surface;
    const struct weir_box *box = &observation->box;
    const int *n = surface->c->problem.cells;
    struct weir_cell_values values = weir_cell_values_begin(surface->c);
    for (int z = 0; z < box->extent[2]; z++)
        for (int y = 0; y < box->extent[1]; y++) {
            const int64_t row =
                ((int64_t)(z + box->origin[2]) * n[1] + y + box->origin[1]) * n[0] + box->origin[0];
            for (int32_t k = find(wall_surface, row);
                 k < wall_surface->cell_count && wall_surface->cells[k] < row + box->extent[0]; k++) {
                const int place[3] = {(int)(wall_surface->cells[k] - row), y, z};
                struct weir_surface_cell *cell = &surface->seen[k];
                weir_cell_values_turn(&values, observation, place, false);
                memcpy(cell->velocity, values.velocity, sizeof cell->velocity);
                cell->density = values.density;
                cell->pressure = weir_quantity_value(WEIR_PRESSURE, 0, &values);
            }
        }
    return 0;
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

static int fill(const struct weir_output_surface *surface, struct publication *p) {
    const struct weir_problem *problem = &surface->c->problem;
    const struct weir_wall_surface *wall_surface = surface->surface;
    const double stress = weir_quantity_scale(WEIR_WALL_SHEAR_STRESS, &surface->c->units),
                 pressure = weir_quantity_scale(WEIR_PRESSURE, &surface->c->units),
                 viscosity = weir_problem_viscosity(problem);
    for (int64_t k = 0; k < wall_surface->triangles.count; k++) {
        const int number = wall_surface->walls[k];
        struct weir_wall wall = problem->walls[number];
        struct weir_surface_values values;
        double square = 0;
        if (wall.in_time)
            WEIR_TRY(problem->body_values(problem->body_context, number, (double)surface->step, &wall));
        weir_wall_surface_values(wall_surface, k, surface->seen, &wall, &values);
        for (int axis = 0; axis < 3; axis++) {
            p->stress[3 * k + axis] = stress * values.density * viscosity * values.slope[axis];
            square += p->stress[3 * k + axis] * p->stress[3 * k + axis];
        }
        p->magnitude[k] = sqrt(square);
        p->pressure[k] = pressure * values.pressure;
        p->body[k] = number - WEIR_FIRST_BODY + 1;
    }
    return 0;
}

static int finish(void *context, bool sound) {
    struct weir_output_surface *surface = context;
    if (!sound)
        return 0;
    weir_agreeing_sum(surface->who, (double *)surface->seen,
                      (size_t)surface->surface->cell_count * sizeof *surface->seen / sizeof(double));
    if (!surface->directory)
        return 0;
    const size_t triangles = (size_t)surface->surface->triangles.count;
    struct publication *p = calloc(1, sizeof *p);
    if (!p)
        return out_of_memory(surface);
    *p = (struct publication){.surface = surface,
                              .step = surface->step,
                              .stress = malloc(3 * triangles * sizeof(double)),
                              .magnitude = malloc(triangles * sizeof(double)),
                              .pressure = malloc(triangles * sizeof(double)),
                              .body = malloc(triangles * sizeof(double))};
    const int error =
        p->stress && p->magnitude && p->pressure && p->body ? fill(surface, p) : out_of_memory(surface);
    if (error < 0) {
        release(p);
        return error;
    }
    return weir_writer_add(surface->writer, &(struct weir_job){.run = publish,
                                                               .release = release,
                                                               .context = p,
                                                               .bytes = 6 * triangles * sizeof(double)});
}

static int set_up(struct weir_output_surface *surface, const char *directory, int64_t first) {
    const struct weir_case *c = surface->c;
    WEIR_TRY(weir_wall_surface_create(&c->problem, surface->output->of_walls, &surface->surface));
    surface->seen = malloc((size_t)surface->surface->cell_count * sizeof *surface->seen + 1);
    if (!surface->seen)
        return out_of_memory(surface);
    if (!directory)
        return 0;
    surface->directory = strdup(directory);
    if (!surface->directory)
        return out_of_memory(surface);
    WEIR_TRY(weir_polydata_create(&surface->surface->triangles, c->units.length,
                                  weir_precision_row(c->problem.precision)->real_bytes == sizeof(float),
                                  &surface->polydata));
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
    weir_wall_surface_destroy(surface->surface);
    weir_polydata_destroy(surface->polydata);
    weir_vtk_collection_destroy(surface->collection);
    free(surface->directory);
    free(surface->seen);
    free(surface);
}

struct weir_sink weir_output_surface_sink(struct weir_output_surface *surface) {
    return (struct weir_sink){
        .context = surface,
        .region = surface->surface->region,
        .begin = begin,
        .put = put,
        .finish = finish,
        .everywhere = surface->who->ranks != MPI_COMM_NULL,
    };
}
