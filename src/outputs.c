#include "src/outputs.h"

#include "graph/error.h"
#include "src/hdf5_access.h"
#include "src/output_fields.h"
#include "src/output_image.h"
#include "src/output_profile.h"
#include "src/output_series.h"

#include <stdlib.h>
#include <time.h>

/* One output with its writer; only the one of its type is not NULL. */
struct output {
    const struct weir_output *request;
    struct weir_output_fields *fields;
    struct weir_output_image *image;
    struct weir_output_profile *profile;
    struct weir_output_series *series;
    struct weir_watch *watch;
};

struct weir_outputs {
    struct weir_simulation *simulation;
    struct output *list;
    int count;
    bool writes; /* this rank does: others take part in what is observed */
};

static int create_fields(const struct weir_case *c, const struct weir_simulation *simulation,
                         const char *directory, struct output *output) {
    const struct weir_agreeing *who = weir_simulation_sink_ranks(simulation);
    WEIR_TRY(weir_output_fields_create(c, output->request, directory,
                                       weir_simulation_grid(simulation)->block_cells, &output->fields));
    if (who->ranks != MPI_COMM_NULL && weir_hdf5_is_parallel())
        weir_output_fields_share(output->fields, who);
    return 0;
}

static int create_sink(const struct weir_case *c, const struct weir_simulation *simulation,
                       const char *directory, struct output *output, struct weir_sink *sink) {
    switch (output->request->type) {
    case WEIR_OUTPUT_FIELDS:
        WEIR_TRY(create_fields(c, simulation, directory, output));
        *sink = weir_output_fields_sink(output->fields);
        return 0;
    case WEIR_OUTPUT_IMAGE:
        WEIR_TRY(weir_output_image_create(c, output->request, directory, &output->image));
        *sink = weir_output_image_sink(output->image);
        return 0;
    default:
        WEIR_TRY(weir_output_profile_create(c, output->request, directory, &output->profile));
        *sink = weir_output_profile_sink(output->profile);
        return 0;
    }
}

static int create_output(const struct weir_case *c, const struct weir_outputs *outputs, const char *directory,
                         struct output *output) {
    struct weir_sink sink;
    if (output->request->type == WEIR_OUTPUT_SERIES)
        return outputs->writes ? weir_output_series_create(c, output->request, directory, &output->series)
                               : 0;
    WEIR_TRY(create_sink(c, outputs->simulation, directory, output, &sink));
    return weir_simulation_watch(outputs->simulation, &sink, &output->watch);
}

int weir_outputs_create(const struct weir_case *c, struct weir_simulation *simulation, const char *directory,
                        bool writes, struct weir_outputs **result) {
    struct weir_outputs *outputs = calloc(1, sizeof *outputs);
    if (outputs)
        outputs->list = calloc((size_t)c->output_count + 1, sizeof *outputs->list);
    if (!outputs || !outputs->list) {
        free(outputs);
        return weir_fail(WEIR_FAILED, "out of memory while preparing output");
    }
    outputs->simulation = simulation;
    outputs->writes = writes;
    for (; outputs->count < c->output_count; outputs->count++) {
        struct output *output = &outputs->list[outputs->count];
        output->request = &c->outputs[outputs->count];
        const int error = create_output(c, outputs, directory, output);
        if (error != 0) {
            outputs->count++;
            weir_outputs_destroy(outputs);
            return error;
        }
    }
    *result = outputs;
    return 0;
}

void weir_outputs_destroy(struct weir_outputs *outputs) {
    if (!outputs)
        return;
    for (int k = 0; k < outputs->count; k++) {
        weir_simulation_unwatch(outputs->list[k].watch);
        weir_output_fields_destroy(outputs->list[k].fields);
        weir_output_image_destroy(outputs->list[k].image);
        weir_output_profile_destroy(outputs->list[k].profile);
        weir_output_series_destroy(outputs->list[k].series);
    }
    free(outputs->list);
    free(outputs);
}

void weir_outputs_abandon(struct weir_outputs *outputs) {
    enum { PATIENCE = 3 }; /* seconds: a sink writes a block in much less */
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE;
    for (int k = 0; k < outputs->count; k++)
        weir_simulation_abandon(outputs->list[k].watch, &until);
}

static bool is_series(const struct output *output) {
    return output->request->type == WEIR_OUTPUT_SERIES;
}

/* Series begin with the initial state; everything ends with the last. */
static bool is_due(const struct output *output, int64_t step, bool last) {
    const int64_t every = output->request->every;
    if (last)
        return true;
    return every > 0 && step % every == 0 && (step > 0 || is_series(output));
}

bool weir_outputs_want_totals(const struct weir_outputs *outputs, int64_t step, bool last) {
    for (int k = 0; k < outputs->count; k++)
        if (is_series(&outputs->list[k]) && is_due(&outputs->list[k], step, last))
            return true;
    return false;
}

int weir_outputs_totals(struct weir_outputs *outputs, const struct weir_totals *totals, bool last) {
    for (int k = 0; k < outputs->count; k++)
        if (outputs->list[k].series && is_due(&outputs->list[k], totals->step, last))
            WEIR_TRY(weir_output_series_append(outputs->list[k].series, totals));
    return 0;
}

int weir_outputs_observe(struct weir_outputs *outputs, bool last) {
    for (int k = 0; k < outputs->count; k++)
        if (outputs->list[k].watch &&
            is_due(&outputs->list[k], weir_simulation_submitted(outputs->simulation), last))
            WEIR_TRY(weir_simulation_observe(outputs->simulation, outputs->list[k].watch));
    return 0;
}
