#include "src/output/output_averages.h"

#include "graph/base/error.h"
#include "graph/time_sums.h"
#include "src/case/outputs/quantity.h"
#include "src/output/output_fields.h"

#include <stdlib.h>
#include <string.h>

/* The sums of a cell in a checkpoint. Blocks keep them in the same order, without the scalar's where there is
 * none. */
enum { DENSITY, VELOCITY, SCALAR = VELOCITY + 3, PRODUCTS, EDDIES = PRODUCTS + 6, SUMS_MOST };
_Static_assert((int)SUMS_MOST == (int)WEIR_SUMS_OF_AVERAGES, "a cell's sums");

struct weir_output_averages {
    const struct weir_case *c;
    const struct weir_output *output;
    int number; /* of its sums */
    struct weir_simulation *simulation;
    struct weir_output_fields *fields; /* writes them */
    struct weir_watch *writing, *handing_over;
    int64_t samples;
    int64_t since; /* samples of steps up to this one are in the sums from a checkpoint; -1: none are */
    struct {       /* of what is handed over to a checkpoint */
        struct weir_averages_taker taker;
        int64_t samples;
        double *sums; /* [weir_case_sums_of_averages][cells of the domain]; NULL: none are under way */
    } copy;
};

/* What blocks keep as sum `sum` of a checkpoint; -1: they do not. */
static int kept_sum(const struct weir_problem *problem, int sum) {
    if (weir_problem_has_fifth(problem))
        return sum;
    return sum < SCALAR ? sum : sum == SCALAR ? -1 : sum - 1;
}

static size_t cells_of(const int extent[3]) {
    return (size_t)extent[0] * (size_t)extent[1] * (size_t)extent[2];
}

static int out_of_memory(const struct weir_output *output, size_t cells) {
    return weir_fail(WEIR_FAILED, "no memory left for the output '%s': sums of %zu cells", output->name,
                     cells);
}

/* ---- samples ------------------------------------------------------------------------------------------ */

int weir_output_averages_add(struct weir_output_averages *averages) {
    const int64_t step = weir_simulation_submitted(averages->simulation);
    const struct weir_output *output = averages->output;
    /* The step of the run's end is looked at even where it is no sample. */
    if (step < output->start || step % output->every != 0 || step <= averages->since)
        return 0;
    averages->samples++;
    return weir_simulation_add_to_time_sums(averages->simulation, averages->number);
}

bool weir_output_averages_begun(const struct weir_output_averages *averages) {
    return averages->samples > 0;
}

/* ---- writing ------------------------------------------------------------------------------------------ */

static int begin_file(void *context, int64_t step) {
    struct weir_output_averages *averages = context;
    const struct weir_sink sink = weir_output_fields_sink(averages->fields);
    return sink.begin(sink.context, step);
}

/* Sums of a box become means, and means of products covariances, in `values`. */
static void divide(const struct weir_output_averages *averages, const double *sums, size_t cells,
                   double *values) {
    const struct weir_problem *problem = &averages->c->problem;
    const double samples = (double)averages->samples;
    for (size_t k = 0; k < (size_t)weir_problem_time_sums(problem) * cells; k++)
        values[k] = sums[k] / samples;
    double *product = values + (size_t)kept_sum(problem, PRODUCTS) * cells;
    for (int k = 0; k < 6; k++, product += cells) {
        const double *one = values + (size_t)(VELOCITY + weir_tensor_axes[k][0]) * cells,
                     *other = values + (size_t)(VELOCITY + weir_tensor_axes[k][1]) * cells;
        for (size_t cell = 0; cell < cells; cell++)
            product[cell] -= one[cell] * other[cell];
    }
}

/* Hands the averages of a block on as if they were seen. */
static int put_averages(void *context, const struct weir_observation *sums) {
    struct weir_output_averages *averages = context;
    const struct weir_problem *problem = &averages->c->problem;
    const struct weir_sink sink = weir_output_fields_sink(averages->fields);
    const size_t cells = cells_of(sums->box.extent);
    double *values = malloc((size_t)weir_problem_time_sums(problem) * cells * sizeof *values);
    if (!values)
        return out_of_memory(averages->output, cells);
    divide(averages, sums->time_sums, cells, values);
    struct weir_observation means = {.box = sums->box, .density = values};
    for (int axis = 0; axis < 3; axis++)
        means.velocity[axis] = values + (size_t)(VELOCITY + axis) * cells;
    if (weir_problem_has_fifth(problem))
        means.fifth = values + SCALAR * cells;
    if (problem->turbulence.present)
        means.eddy_viscosity = values + (size_t)kept_sum(problem, EDDIES) * cells;
    for (int k = 0; k < 6; k++)
        means.covariance[k] = values + (size_t)kept_sum(problem, PRODUCTS + k) * cells;
    const int error = sink.put(sink.context, &means);
    free(values);
    return error;
}

static int finish_file(void *context, bool sound) {
    struct weir_output_averages *averages = context;
    const struct weir_sink sink = weir_output_fields_sink(averages->fields);
    return sink.finish(sink.context, sound);
}

int weir_output_averages_write(struct weir_output_averages *averages) {
    return weir_simulation_observe(averages->simulation, averages->writing);
}

/* ---- checkpoints -------------------------------------------------------------------------------------- */

static int begin_copy(void *context, int64_t step) {
    struct weir_output_averages *averages = context;
    const size_t cells = cells_of(averages->c->problem.cells);
    (void)step;
    averages->copy.sums =
        calloc((size_t)weir_case_sums_of_averages(averages->c) * cells, sizeof *averages->copy.sums);
    return averages->copy.sums ? 0 : out_of_memory(averages->output, cells);
}

static int put_copy(void *context, const struct weir_observation *sums) {
    const struct weir_output_averages *averages = context;
    const struct weir_box *box = &sums->box;
    const int *cells = averages->c->problem.cells;
    const size_t row = (size_t)box->extent[0];
    for (int sum = 0; sum < weir_case_sums_of_averages(averages->c); sum++) {
        const int kept = kept_sum(&averages->c->problem, sum);
        const double *from = sums->time_sums + (size_t)kept * cells_of(box->extent);
        double *const to = averages->copy.sums + (size_t)sum * cells_of(cells);
        for (int z = box->origin[2]; kept >= 0 && z < box->origin[2] + box->extent[2]; z++)
            for (int y = box->origin[1]; y < box->origin[1] + box->extent[1]; y++, from += row)
                memcpy(to + ((size_t)z * (size_t)cells[1] + (size_t)y) * (size_t)cells[0] +
                           (size_t)box->origin[0],
                       from, row * sizeof *from);
    }
    return 0;
}

static int finish_copy(void *context, bool sound) {
    struct weir_output_averages *averages = context;
    struct weir_averages_state state = {.name = averages->output->name,
                                        .samples = averages->copy.samples,
                                        .count = weir_case_sums_of_averages(averages->c),
                                        .sums = averages->copy.sums};
    averages->copy.sums = NULL;
    memcpy(state.cells, averages->c->problem.cells, sizeof state.cells);
    if (sound)
        return averages->copy.taker.take(averages->copy.taker.context, &state);
    free(state.sums);
    return 0;
}

int weir_output_averages_hand_over(struct weir_output_averages *averages,
                                   const struct weir_averages_taker *taker) {
    averages->copy.taker = *taker;
    averages->copy.samples = averages->samples;
    return weir_simulation_observe(averages->simulation, averages->handing_over);
}

struct source {
    const struct weir_output_averages *averages;
    struct weir_checkpoint_file *checkpoint;
};

static int read_sums(void *context, const struct weir_box *box, double *values) {
    const struct source *source = context;
    const struct weir_case *c = source->averages->c;
    for (int sum = 0; sum < weir_case_sums_of_averages(c); sum++) {
        const int kept = kept_sum(&c->problem, sum);
        if (kept >= 0)
            WEIR_TRY(weir_checkpoint_file_sum(source->checkpoint, source->averages->output->name, sum, box,
                                              values + (size_t)kept * cells_of(box->extent)));
    }
    return 0;
}

int weir_output_averages_continue(struct weir_output_averages *averages,
                                  struct weir_checkpoint_file *checkpoint) {
    struct source source = {averages, checkpoint};
    averages->since = weir_checkpoint_file_step(checkpoint);
    WEIR_TRY(weir_checkpoint_file_samples(checkpoint, averages->output->name, &averages->samples));
    return weir_simulation_restore_time_sums(
        averages->simulation, averages->number,
        &(struct weir_time_sums_source){.read = read_sums, .context = &source});
}

/* ---- as a whole --------------------------------------------------------------------------------------- */

/* Blocks whose sums are copied at once: as many as have WEIR_AVERAGES_BUFFER bytes of them. */
static int blocks_at_once(const struct weir_problem *problem, const struct weir_block_grid *grid) {
    const double bytes = (double)weir_problem_time_sums(problem) * sizeof(double) *
                         (double)cells_of(grid->block_cells),
                 most = WEIR_AVERAGES_BUFFER / bytes;
    return most < 1 ? 1 : most < grid->total ? (int)most : grid->total;
}

static int watch(struct weir_output_averages *averages) {
    const struct weir_problem *problem = &averages->c->problem;
    const int *cells = problem->cells;
    struct weir_sink sink = {
        .context = averages,
        .region = {.extent = {cells[0], cells[1], cells[2]}},
        .time_sums = 1 + averages->number,
        .at_once = blocks_at_once(problem, weir_simulation_grid(averages->simulation)),
        .begin = begin_file,
        .put = put_averages,
        .finish = finish_file,
    };
    WEIR_TRY(weir_simulation_watch(averages->simulation, &sink, &averages->writing));
    sink.begin = begin_copy;
    sink.put = put_copy;
    sink.finish = finish_copy;
    return weir_simulation_watch(averages->simulation, &sink, &averages->handing_over);
}

int weir_output_averages_create(const struct weir_case *c, const struct weir_output *output, int number,
                                struct weir_simulation *simulation, const char *directory,
                                struct weir_writer *writer, struct weir_output_averages **result) {
    struct weir_output_averages *averages = calloc(1, sizeof *averages);
    if (!averages)
        return out_of_memory(output, 0);
    averages->c = c;
    averages->output = output;
    averages->number = number;
    averages->simulation = simulation;
    averages->since = -1;
    int error = weir_output_fields_create(c, output, directory, weir_simulation_grid(simulation)->block_cells,
                                          writer, &averages->fields);
    if (error == 0)
        error = watch(averages);
    if (error < 0) {
        weir_output_averages_unwatch(averages);
        weir_output_averages_destroy(averages);
        return error;
    }
    *result = averages;
    return 0;
}

void weir_output_averages_abandon(struct weir_output_averages *averages, const struct timespec *until) {
    weir_simulation_abandon(averages->writing, until);
    weir_simulation_abandon(averages->handing_over, until);
}

void weir_output_averages_unwatch(struct weir_output_averages *averages) {
    weir_simulation_unwatch(averages->writing);
    weir_simulation_unwatch(averages->handing_over);
    averages->writing = averages->handing_over = NULL;
}

void weir_output_averages_destroy(struct weir_output_averages *averages) {
    if (!averages)
        return;
    weir_output_fields_destroy(averages->fields);
    free(averages->copy.sums);
    free(averages);
}
