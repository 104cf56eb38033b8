#include "src/output/output_probes.h"

#include "codelets/kernels/kernels.h"
#include "graph/base/error.h"
#include "src/case/outputs/point_cells.h"
#include "src/output/cell_values.h"
#include "src/output/formats/growing_file.h"
#include "src/output/quantity_columns.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Samples of a batch: enough that handing them over costs nothing beside taking them, as long as they fit. */
enum { BATCH_MOST = 1024, BATCH_BYTES = 16 << 20 };

/* What a sample has of one point: [density, velocity, scalar, eddy viscosity][cells around the point, x
 * fastest], each where there is one. */
struct around {
    double values[WEIR_OBSERVED_MAX][WEIR_SAMPLE_CELLS];
};

struct weir_output_probes {
    const struct weir_case *c;
    const struct weir_output *output;
    struct weir_growing_file *file;
    struct weir_point_cells *points; /* [output->point_count] */
    struct weir_box *boxes;          /* theirs */
    struct around *samples; /* [batch][output->point_count] of the batch begun; where there is a file */
    int batch;
    struct weir_cell_values *values; /* [output->point_count] of the sample being written; as `samples` */
};

/* Number of a cell, given by its place from the box's origin. */
static size_t cell_of(const struct weir_box *box, const int place[3]) {
    return (size_t)((place[2] * box->extent[1] + place[1]) * box->extent[0] + place[0]);
}

#define FOR_CELLS(box, place)                                               \
    for (int place[3] = {0, 0, 0}; place[2] < (box)->extent[2]; place[2]++) \
        for (place[1] = 0; place[1] < (box)->extent[1]; place[1]++)         \
            for (place[0] = 0; place[0] < (box)->extent[0]; place[0]++)

static int put(void *context, const struct weir_probe_values *part) {
    struct weir_output_probes *probes = context;
    const struct weir_box *box = &probes->boxes[part->probe];
    struct around *around =
        &probes->samples[(size_t)part->sample * (size_t)probes->output->point_count + (size_t)part->probe];
    const size_t cells = (size_t)weir_box_cells(&part->box);
    const int values = weir_problem_observed(&probes->c->problem);
    FOR_CELLS(&part->box, place) {
        const size_t from = cell_of(&part->box, place);
        int in_box[3];
        for (int axis = 0; axis < 3; axis++)
            in_box[axis] = place[axis] + part->box.origin[axis] - box->origin[axis];
        for (int k = 0; k < values; k++)
            around->values[k][cell_of(box, in_box)] = part->values[(size_t)k * cells + from];
    }
    return 0;
}

/* In the order of the cells, whatever blocks they came from: the same bits however the domain is cut. */
static struct weir_cell_values interpolate(const struct weir_problem *problem,
                                           const struct weir_point_cells *point,
                                           const struct around *around) {
    struct weir_cell_sum sum = {.weights = 0.0};
    const int last = weir_problem_observed(problem) - 1;
    FOR_CELLS(&point->box, place) {
        const size_t cell = cell_of(&point->box, place);
        const double(*values)[WEIR_SAMPLE_CELLS] = around->values;
        double weight = 1.0;
        for (int axis = 0; axis < 3; axis++)
            weight *= weir_point_weight(point, axis, place[axis]);
        weir_cell_sum_add(
            &sum, weight,
            &(struct weir_cell_values){.thermal = weir_problem_is_thermal(problem),
                                       .phases = problem->phases.present ? &problem->phases : NULL,
                                       .density = values[0][cell],
                                       .velocity = {values[1][cell], values[2][cell], values[3][cell]},
                                       .fifth = values[WEIR_MACROSCOPIC_MAX - 1][cell],
                                       .eddy_viscosity = values[last][cell]});
    }
    return weir_cell_sum_mean(&sum);
}

static void write_row(const struct weir_output_probes *probes, int64_t step, const struct around *sample) {
    FILE *stream = weir_growing_file_stream(probes->file);
    const struct weir_output *output = probes->output;
    fprintf(stream, "%" PRId64 ",%.10g", step, (double)step * probes->c->units.time);
    for (int k = 0; k < output->point_count; k++) {
        probes->values[k] = interpolate(&probes->c->problem, &probes->points[k], &sample[k]);
        weir_quantity_columns_values(stream, output->quantities, probes->c, &probes->values[k]);
    }
    for (int k = 0; k < output->difference_count; k++)
        weir_quantity_columns_differences(stream, output->quantities, probes->c,
                                          &probes->values[output->differences[k][0]],
                                          &probes->values[output->differences[k][1]]);
    fputc('\n', stream);
}

static int finish(void *context, const int64_t *steps, int samples, bool sound) {
    struct weir_output_probes *probes = context;
    if (!sound)
        return 0;
    for (int k = 0; k < samples; k++)
        write_row(probes, steps[k], &probes->samples[(size_t)k * (size_t)probes->output->point_count]);
    return weir_growing_file_flush(probes->file);
}

static int write_header(struct weir_output_probes *probes) {
    FILE *stream = weir_growing_file_stream(probes->file);
    fputs("step,time", stream);
    const struct weir_output *output = probes->output;
    char numbers[32];
    for (int k = 0; k < output->point_count; k++) {
        snprintf(numbers, sizeof numbers, "(%d)", k + 1);
        weir_quantity_columns_names(stream, output->quantities, numbers);
    }
    for (int k = 0; k < output->difference_count; k++) {
        snprintf(numbers, sizeof numbers, "(%d-%d)", output->differences[k][0] + 1,
                 output->differences[k][1] + 1);
        weir_quantity_columns_names(stream, output->quantities, numbers);
    }
    fputc('\n', stream);
    return weir_growing_file_flush(probes->file);
}

static int out_of_memory(const struct weir_output *output) {
    return weir_fail(WEIR_FAILED, "no memory left for the output '%s'", output->name);
}

/* What only who writes has. */
static int open_file(struct weir_output_probes *probes, const char *directory, int64_t first) {
    probes->samples =
        calloc((size_t)probes->batch * (size_t)probes->output->point_count, sizeof *probes->samples);
    probes->values = calloc((size_t)probes->output->point_count, sizeof *probes->values);
    if (!probes->samples || !probes->values)
        return out_of_memory(probes->output);
    WEIR_TRY(weir_growing_file_create(directory, probes->output->name, first, &probes->file));
    const int error = weir_growing_file_is_new(probes->file) ? write_header(probes) : 0;
    if (error < 0)
        weir_growing_file_remove(probes->file);
    return error;
}

static int set_up(struct weir_output_probes *probes, const char *directory, int64_t first) {
    const struct weir_output *output = probes->output;
    const size_t count = (size_t)output->point_count, fit = BATCH_BYTES / (count * sizeof(struct around));
    probes->batch = fit < 1 ? 1 : fit > BATCH_MOST ? BATCH_MOST : (int)fit;
    probes->points = calloc(count, sizeof *probes->points);
    probes->boxes = calloc(count, sizeof *probes->boxes);
    if (!probes->points || !probes->boxes)
        return out_of_memory(output);
    for (size_t k = 0; k < count; k++) {
        probes->points[k] = weir_point_cells(probes->c->problem.cells, output->points[k]);
        probes->boxes[k] = probes->points[k].box;
    }
    return directory ? open_file(probes, directory, first) : 0;
}

int weir_output_probes_create(const struct weir_case *c, const struct weir_output *output,
                              const char *directory, int64_t first, struct weir_output_probes **result) {
    struct weir_output_probes *probes = calloc(1, sizeof *probes);
    if (!probes)
        return out_of_memory(output);
    probes->c = c;
    probes->output = output;
    const int error = set_up(probes, directory, first);
    if (error < 0) {
        weir_output_probes_destroy(probes);
        return error;
    }
    *result = probes;
    return 0;
}

void weir_output_probes_destroy(struct weir_output_probes *probes) {
    if (!probes)
        return;
    weir_growing_file_destroy(probes->file);
    free(probes->points);
    free(probes->boxes);
    free(probes->samples);
    free(probes->values);
    free(probes);
}

struct weir_probe_sink weir_output_probes_sink(struct weir_output_probes *probes) {
    return (struct weir_probe_sink){.context = probes,
                                    .boxes = probes->boxes,
                                    .count = probes->output->point_count,
                                    .batch = probes->batch,
                                    .put = put,
                                    .finish = finish};
}
