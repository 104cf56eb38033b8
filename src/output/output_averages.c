#include "src/output/output_averages.h"

#include "graph/base/error.h"
#include "src/case/outputs/quantity.h"
#include "src/output/output_fields.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* The sums of a cell. */
enum { DENSITY, VELOCITY, SCALAR = VELOCITY + 3, PRODUCTS, EDDIES = PRODUCTS + 6, SUMS_MOST };
_Static_assert((int)SUMS_MOST == (int)WEIR_SUMS_OF_AVERAGES, "a cell's sums");

struct weir_output_averages {
    const struct weir_case *c;
    const struct weir_output *output;
    struct weir_output_fields *fields; /* writes them */
    size_t count;                      /* of a cell's sums: the last is of eddies, in cases with some */
    double *sums;                      /* [count][cells of the domain]; NULL: of another rank */
    size_t cells;
    int64_t samples;
    int64_t since; /* samples of steps up to this one are in the sums from a checkpoint; -1: none are */
    int64_t step;  /* observed now */
    _Atomic int64_t last; /* -1: not known yet */
    _Atomic int64_t kept; /* step whose sums are handed to `taker`; -1: none */
    struct weir_averages_taker taker;
};

static double *sum_of(const struct weir_output_averages *averages, int sum) {
    return averages->sums + (size_t)sum * averages->cells;
}

/* The step of the run's end is observed even where it is no sample. */
static bool is_sample(const struct weir_output_averages *averages) {
    const struct weir_output *output = averages->output;
    return averages->step >= output->start && averages->step % output->every == 0 &&
           averages->step > averages->since;
}

static int begin(void *context, int64_t step) {
    struct weir_output_averages *averages = context;
    averages->step = step;
    averages->samples += is_sample(averages);
    return 0;
}

/* Adds cell number `from` of the box to the sums of cell number `to` of the domain. */
static void add(const struct weir_output_averages *averages, const struct weir_observation *observation,
                size_t from, size_t to) {
    const double u[3] = {observation->velocity[0][from], observation->velocity[1][from],
                         observation->velocity[2][from]};
    sum_of(averages, DENSITY)[to] += observation->density[from];
    if (observation->scalar)
        sum_of(averages, SCALAR)[to] += observation->scalar[from];
    if (observation->eddy_viscosity)
        sum_of(averages, EDDIES)[to] += observation->eddy_viscosity[from];
    for (int axis = 0; axis < 3; axis++)
        sum_of(averages, VELOCITY + axis)[to] += u[axis];
    for (int k = 0; k < 6; k++) {
        const int *axes = weir_tensor_axes[k];
        sum_of(averages, PRODUCTS + k)[to] += u[axes[0]] * u[axes[1]];
    }
}

static int put(void *context, const struct weir_observation *observation) {
    struct weir_output_averages *averages = context;
    const struct weir_box *box = &observation->box;
    const int *cells = averages->c->problem.cells;
    size_t from = 0;
    if (!is_sample(averages))
        return 0;
    for (int z = 0; z < box->extent[2]; z++)
        for (int y = 0; y < box->extent[1]; y++) {
            size_t to = ((size_t)(box->origin[2] + z) * (size_t)cells[1] + (size_t)(box->origin[1] + y)) *
                            (size_t)cells[0] +
                        (size_t)box->origin[0];
            for (int x = 0; x < box->extent[0]; x++)
                add(averages, observation, from++, to++);
        }
    return 0;
}

/* Sums become means, and means of products covariances. */
static void divide(const struct weir_output_averages *averages) {
    const double samples = (double)averages->samples;
    for (size_t k = 0; k < averages->count * averages->cells; k++)
        averages->sums[k] /= samples;
    for (int k = 0; k < 6; k++) {
        const double *one = sum_of(averages, VELOCITY + weir_tensor_axes[k][0]),
                     *other = sum_of(averages, VELOCITY + weir_tensor_axes[k][1]);
        double *product = sum_of(averages, PRODUCTS + k);
        for (size_t cell = 0; cell < averages->cells; cell++)
            product[cell] -= one[cell] * other[cell];
    }
}

/* Hands the averages on as an observation of the whole domain. */
static int write_averages(const struct weir_output_averages *averages) {
    const struct weir_sink sink = weir_output_fields_sink(averages->fields);
    struct weir_observation observation = {.box = sink.region, .density = sum_of(averages, DENSITY)};
    divide(averages);
    for (int axis = 0; axis < 3; axis++)
        observation.velocity[axis] = sum_of(averages, VELOCITY + axis);
    if (averages->c->problem.scalar.present)
        observation.scalar = sum_of(averages, SCALAR);
    if (averages->c->problem.turbulence.present)
        observation.eddy_viscosity = sum_of(averages, EDDIES);
    for (int k = 0; k < 6; k++)
        observation.covariance[k] = sum_of(averages, PRODUCTS + k);
    WEIR_TRY(sink.begin(sink.context, averages->step));
    const int error = sink.put(sink.context, &observation);
    return error < 0 ? error : sink.finish(sink.context, true);
}

static int out_of_memory(const struct weir_case *c, const struct weir_output *output) {
    return weir_fail(
        WEIR_FAILED,
        "no memory left for the output '%s': averages take %zu bytes for each cell of the domain",
        output->name, (size_t)weir_case_sums_of_averages(c) * sizeof(double));
}

/* A copy, because more samples may come before it is written. */
static int hand_over(const struct weir_output_averages *averages) {
    struct weir_averages_state state = {
        .name = averages->output->name, .samples = averages->samples, .count = (int)averages->count};
    const size_t bytes = averages->count * averages->cells * sizeof *state.sums;
    if (!(state.sums = malloc(bytes)))
        return out_of_memory(averages->c, averages->output);
    memcpy(state.sums, averages->sums, bytes);
    memcpy(state.cells, averages->c->problem.cells, sizeof state.cells);
    return averages->taker.take(averages->taker.context, &state);
}

static int finish(void *context, bool sound) {
    const struct weir_output_averages *averages = context;
    if (sound && averages->step == averages->kept)
        WEIR_TRY(hand_over(averages));
    return sound && averages->step == averages->last && averages->samples > 0 ? write_averages(averages) : 0;
}

int weir_output_averages_create(const struct weir_case *c, const struct weir_output *output,
                                const char *directory, const int block_cells[3], bool accumulates,
                                struct weir_writer *writer, struct weir_output_averages **result) {
    struct weir_output_averages *averages = calloc(1, sizeof *averages);
    if (!averages)
        return out_of_memory(c, output);
    averages->c = c;
    averages->count = (size_t)weir_case_sums_of_averages(c);
    averages->output = output;
    averages->since = averages->last = averages->kept = -1;
    averages->cells = (size_t)c->problem.cells[0] * (size_t)c->problem.cells[1] * (size_t)c->problem.cells[2];
    int error = weir_output_fields_create(c, output, directory, block_cells, writer, &averages->fields);
    if (error == 0 && accumulates &&
        !(averages->sums = calloc(averages->count * averages->cells, sizeof(double))))
        error = out_of_memory(c, output);
    if (error < 0) {
        weir_output_averages_destroy(averages);
        return error;
    }
    *result = averages;
    return 0;
}

void weir_output_averages_destroy(struct weir_output_averages *averages) {
    if (!averages)
        return;
    weir_output_fields_destroy(averages->fields);
    free(averages->sums);
    free(averages);
}

void weir_output_averages_end(struct weir_output_averages *averages, int64_t step) {
    averages->last = step;
}

void weir_output_averages_keep(struct weir_output_averages *averages, int64_t step,
                               const struct weir_averages_taker *taker) {
    averages->taker = *taker;
    averages->kept = step;
}

int weir_output_averages_continue(struct weir_output_averages *averages,
                                  struct weir_checkpoint_file *checkpoint) {
    struct weir_averages_state state = {
        .name = averages->output->name, .count = (int)averages->count, .sums = averages->sums};
    averages->since = weir_checkpoint_file_step(checkpoint);
    if (!averages->sums)
        return 0;
    memcpy(state.cells, averages->c->problem.cells, sizeof state.cells);
    WEIR_TRY(weir_checkpoint_file_averages(checkpoint, &state));
    averages->samples = state.samples;
    return 0;
}

struct weir_sink weir_output_averages_sink(struct weir_output_averages *averages) {
    const int *cells = averages->c->problem.cells;
    return (struct weir_sink){.context = averages,
                              .region = {.extent = {cells[0], cells[1], cells[2]}},
                              .begin = begin,
                              .put = put,
                              .finish = finish};
}
