#include "src/output/output_flux.h"

#include "graph/base/error.h"
#include "src/case/outputs/point_cells.h"
#include "src/output/cell_values.h"
#include "src/output/formats/growing_file.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is integrated over the rectangle, in lattice units: as numbers of a cell, and as their sums. */
struct integrals {
    double area, volume, mass, scalar, pressure;
};

struct weir_output_flux {
    const struct weir_case *c;
    const struct weir_output *output;
    struct weir_growing_file *file; /* NULL: this rank writes nothing */
    int axis, across, up;           /* normal of the plane, and the others */
    struct weir_box region;         /* across the plane one or two cells */
    struct weir_point_cells layers; /* these */
    struct integrals *cells;        /* [up][across] of the step begun, both layers together */
    int64_t step;
};

static size_t cell_count(const struct weir_output_flux *flux) {
    return (size_t)flux->region.extent[flux->across] * (size_t)flux->region.extent[flux->up];
}

static int begin(void *context, int64_t step) {
    struct weir_output_flux *flux = context;
    flux->step = step;
    memset(flux->cells, 0, cell_count(flux) * sizeof *flux->cells);
    return 0;
}

/* How much of a cell the rectangle covers along an axis. */
static double covered(const struct weir_output *output, int axis, int cell) {
    return fmin(output->to[axis], cell + 1.0) - fmax(output->from[axis], cell);
}

/* Adds a fluid cell. Each place gets one cell of each layer, two at most, so that the order in which they
 * come does not matter. */
static void add_cell(struct weir_output_flux *flux, const int cell[3],
                     const struct weir_cell_values *values) {
    const struct weir_problem *problem = &flux->c->problem;
    const int axis = flux->axis, column = cell[flux->across] - flux->region.origin[flux->across],
              row = cell[flux->up] - flux->region.origin[flux->up];
    const double area = weir_point_weight(&flux->layers, axis, cell[axis] - flux->region.origin[axis]) *
                        covered(flux->output, flux->across, cell[flux->across]) *
                        covered(flux->output, flux->up, cell[flux->up]);
    const double volume = area * values->velocity[axis];
    struct integrals *sum = &flux->cells[row * flux->region.extent[flux->across] + column];
    sum->area += area;
    sum->volume += volume;
    sum->mass += volume * (problem->equilibrium == WEIR_INCOMPRESSIBLE ? weir_problem_inertia(problem)
                                                                       : values->density);
    sum->scalar += volume * values->fifth;
    sum->pressure += area * weir_quantity_value(WEIR_PRESSURE, 0, values);
}

static int put(void *context, const struct weir_observation *observation) {
    struct weir_output_flux *flux = context;
    const struct weir_box *box = &observation->box;
    struct weir_cell_values values = weir_cell_values_begin(flux->c);
    for (int z = 0; z < box->extent[2]; z++)
        for (int y = 0; y < box->extent[1]; y++)
            for (int x = 0; x < box->extent[0]; x++) {
                const int place[3] = {x, y, z},
                          cell[3] = {x + box->origin[0], y + box->origin[1], z + box->origin[2]};
                weir_cell_values_turn(&values, observation, place, false);
                if (!isnan(values.density))
                    add_cell(flux, cell, &values);
            }
    return 0;
}

/* In the order of the cells, whatever blocks they came from. */
static struct integrals sum_of(const struct weir_output_flux *flux) {
    struct integrals sum = {.area = 0};
    for (size_t k = 0; k < cell_count(flux); k++) {
        sum.area += flux->cells[k].area;
        sum.volume += flux->cells[k].volume;
        sum.mass += flux->cells[k].mass;
        sum.scalar += flux->cells[k].scalar;
        sum.pressure += flux->cells[k].pressure;
    }
    return sum;
}

static int finish(void *context, bool sound) {
    const struct weir_output_flux *flux = context;
    if (!sound)
        return 0;
    const struct weir_units *units = &flux->c->units;
    const struct integrals sum = sum_of(flux);
    const double area = units->length * units->length, volume = area * units->length;
    FILE *stream = weir_growing_file_stream(flux->file);
    fprintf(stream, "%" PRId64 ",%.10g,%.17g,%.17g,%.17g", flux->step, (double)flux->step * units->time,
            area * sum.area, volume / units->time * sum.volume,
            weir_units_mass(units) / units->time * sum.mass);
    if (flux->c->problem.scalar.present)
        fprintf(stream, ",%.17g", volume / units->time * sum.scalar);
    fprintf(stream, ",%.17g\n",
            sum.area > 0 ? weir_quantity_scale(WEIR_PRESSURE, units) * (sum.pressure / sum.area) : NAN);
    return weir_growing_file_flush(flux->file);
}

static int start_file(struct weir_output_flux *flux) {
    FILE *stream = weir_growing_file_stream(flux->file);
    fprintf(stream, "step,time,area,volume_flux,mass_flux,%spressure\n",
            flux->c->problem.scalar.present ? "scalar_flux," : "");
    const int error = weir_growing_file_flush(flux->file);
    if (error < 0)
        weir_growing_file_remove(flux->file);
    return error;
}

/* The layers of cells around the plane, as far as the rectangle touches their cells. */
static void choose_region(struct weir_output_flux *flux) {
    const struct weir_output *output = flux->output;
    flux->axis = output->axis;
    flux->across = flux->axis == 0 ? 1 : 0;
    flux->up = flux->axis == 2 ? 1 : 2;
    flux->layers = weir_point_cells(flux->c->problem.cells, output->from);
    flux->region = flux->layers.box;
    for (int k = 0; k < 2; k++) {
        const int axis = k == 0 ? flux->across : flux->up;
        flux->region.origin[axis] = (int)floor(output->from[axis]);
        flux->region.extent[axis] = (int)ceil(output->to[axis]) - flux->region.origin[axis];
    }
}

static int set_up(struct weir_output_flux *flux, const char *directory, int64_t first) {
    choose_region(flux);
    flux->cells = calloc(cell_count(flux), sizeof *flux->cells);
    if (!flux->cells)
        return weir_fail(WEIR_FAILED, "no memory left for the output '%s'", flux->output->name);
    if (!directory)
        return 0;
    WEIR_TRY(weir_growing_file_create(directory, flux->output->name, first, &flux->file));
    return weir_growing_file_is_new(flux->file) ? start_file(flux) : 0;
}

int weir_output_flux_create(const struct weir_case *c, const struct weir_output *output,
                            const char *directory, int64_t first, struct weir_output_flux **result) {
    struct weir_output_flux *flux = calloc(1, sizeof *flux);
    if (!flux)
        return weir_fail(WEIR_FAILED, "no memory left for the output '%s'", output->name);
    flux->c = c;
    flux->output = output;
    const int error = set_up(flux, directory, first);
    if (error < 0) {
        weir_output_flux_destroy(flux);
        return error;
    }
    *result = flux;
    return 0;
}

void weir_output_flux_destroy(struct weir_output_flux *flux) {
    if (!flux)
        return;
    weir_growing_file_destroy(flux->file);
    free(flux->cells);
    free(flux);
}

struct weir_sink weir_output_flux_sink(struct weir_output_flux *flux) {
    return (struct weir_sink){
        .context = flux,
        .region = flux->region,
        .begin = begin,
        .put = put,
        .finish = finish,
    };
}
