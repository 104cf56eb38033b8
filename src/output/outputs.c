#include "src/output/outputs.h"

#include "graph/base/error.h"
#include "src/case/outputs/output_names.h"
#include "src/common/hdf5_access.h"
#include "src/output/formats/packed_chunk.h"
#include "src/output/output_fields.h"
#include "src/output/output_flux.h"
#include "src/output/output_image.h"
#include "src/output/output_permeability.h"
#include "src/output/output_probes.h"
#include "src/output/output_profile.h"
#include "src/output/output_series.h"
#include "src/output/output_surface.h"
#include "src/output/writer.h"

#include <stdlib.h>
#include <time.h>

/* One output with its writer. */
struct output {
    const struct weir_output *request;
    void *writer; /* of its type: see `types`; NULL: this rank writes nothing */
    struct weir_watch *watch;
    struct weir_probes *probes;
    int64_t kept; /* step of which averages hand over their sums to a checkpoint; -1: none */
};

/* NULL: it is of another type, or not there yet. */
static struct weir_output_averages *averages_of(const struct output *output) {
    return output->request->type == WEIR_OUTPUT_AVERAGES ? output->writer : NULL;
}

struct weir_outputs {
    struct weir_simulation *simulation;
    struct weir_writer *writer;
    struct weir_results_folder *folder;
    struct output *list;
    int count;
    struct weir_checkpoint_file *origin; /* NULL: the run begins with step 0 */
    int64_t first;                       /* step of the run */
    bool writes;                         /* this rank does: others take part in what is observed */
    struct weir_averages_taker taker;    /* of the checkpoint under way */
};

static int announce(const struct weir_outputs *outputs, const char *name, int64_t step, const char *suffix) {
    char *path;
    if (!outputs->writes)
        return 0;
    WEIR_TRY(weir_results_folder_file(outputs->folder, name, step, suffix, &path));
    free(path);
    return 0;
}

/* Puts the files of an output at a step on the folder's list, before they are made. */
static int announce_files(const struct weir_outputs *outputs, const struct weir_output *output,
                          int64_t step) {
    const struct weir_output_suffixes files = weir_output_suffixes(output);
    if (files.whole)
        WEIR_TRY(announce(outputs, output->name, -1, files.whole));
    return files.of_step ? announce(outputs, output->name, step, files.of_step) : 0;
}

static int watch(const struct weir_outputs *outputs, struct output *output, struct weir_sink sink) {
    return weir_simulation_watch(outputs->simulation, &sink, &output->watch);
}

static int create_fields(const struct weir_case *c, const struct weir_outputs *outputs, const char *directory,
                         struct output *output) {
    const struct weir_agreeing *who = weir_simulation_sink_ranks(outputs->simulation);
    const bool shared = who->ranks != MPI_COMM_NULL && weir_hdf5_is_parallel();
    struct weir_output_fields *fields;
    if (shared && output->request->compressed)
        return weir_chunk_refuse_together(c, "output[].compressed");
    WEIR_TRY(weir_output_fields_create(c, output->request, directory,
                                       weir_simulation_grid(outputs->simulation)->block_cells,
                                       outputs->writer, &fields));
    if (shared)
        weir_output_fields_share(fields, who);
    output->writer = fields;
    if (outputs->first > 0)
        WEIR_TRY(weir_output_fields_continue(fields, outputs->first));
    return watch(outputs, output, weir_output_fields_sink(fields));
}

static void destroy_fields(void *writer) {
    weir_output_fields_destroy(writer);
}

static int create_image(const struct weir_case *c, const struct weir_outputs *outputs, const char *directory,
                        struct output *output) {
    struct weir_output_image *image;
    WEIR_TRY(weir_output_image_create(c, output->request, directory, outputs->writer, &image));
    output->writer = image;
    return watch(outputs, output, weir_output_image_sink(image));
}

static void destroy_image(void *writer) {
    weir_output_image_destroy(writer);
}

static int create_profile(const struct weir_case *c, const struct weir_outputs *outputs,
                          const char *directory, struct output *output) {
    struct weir_output_profile *profile;
    WEIR_TRY(weir_output_profile_create(c, output->request, directory, outputs->writer, &profile));
    output->writer = profile;
    return watch(outputs, output, weir_output_profile_sink(profile));
}

static void destroy_profile(void *writer) {
    weir_output_profile_destroy(writer);
}

static int create_series(const struct weir_case *c, const struct weir_outputs *outputs, const char *directory,
                         struct output *output) {
    if (!outputs->writes)
        return 0;
    struct weir_output_series *series;
    WEIR_TRY(announce_files(outputs, output->request, 0));
    WEIR_TRY(weir_output_series_continue(c, output->request, directory, outputs->first, &series));
    output->writer = series;
    return 0;
}

static int create_averages(const struct weir_case *c, const struct weir_outputs *outputs,
                           const char *directory, struct output *output) {
    struct weir_output_averages *averages;
    int number = 0;
    for (int k = 0; &c->outputs[k] < output->request; k++)
        number += c->outputs[k].type == WEIR_OUTPUT_AVERAGES;
    WEIR_TRY(weir_output_averages_create(c, output->request, number, outputs->simulation, directory,
                                         outputs->writer, &averages));
    output->writer = averages;
    if (outputs->origin &&
        weir_checkpoint_file_has_averages(outputs->origin, output->request, weir_case_sums_of_averages(c)))
        return weir_output_averages_continue(averages, outputs->origin);
    return 0;
}

static void destroy_averages(void *writer) {
    weir_output_averages_destroy(writer);
}

static void destroy_series(void *writer) {
    weir_output_series_destroy(writer);
}

/* On all ranks, of which one writes. */
static int create_probes(const struct weir_case *c, const struct weir_outputs *outputs, const char *directory,
                         struct output *output) {
    struct weir_output_probes *probes;
    WEIR_TRY(announce_files(outputs, output->request, 0));
    WEIR_TRY(weir_output_probes_create(c, output->request, outputs->writes ? directory : NULL, outputs->first,
                                       &probes));
    output->writer = probes;
    const struct weir_probe_sink sink = weir_output_probes_sink(probes);
    return weir_simulation_add_probes(outputs->simulation, &sink, &output->probes);
}

static void destroy_probes(void *writer) {
    weir_output_probes_destroy(writer);
}

/* On all ranks, of which one writes. */
static int create_flux(const struct weir_case *c, const struct weir_outputs *outputs, const char *directory,
                       struct output *output) {
    struct weir_output_flux *flux;
    WEIR_TRY(announce_files(outputs, output->request, 0));
    WEIR_TRY(weir_output_flux_create(c, output->request, outputs->writes ? directory : NULL, outputs->first,
                                     &flux));
    output->writer = flux;
    return watch(outputs, output, weir_output_flux_sink(flux));
}

static void destroy_flux(void *writer) {
    weir_output_flux_destroy(writer);
}

static int append_series(void *writer, const struct weir_totals *totals) {
    return weir_output_series_append(writer, totals);
}

static int create_permeability(const struct weir_case *c, const struct weir_outputs *outputs,
                               const char *directory, struct output *output) {
    if (!outputs->writes)
        return 0;
    struct weir_output_permeability *permeability;
    WEIR_TRY(announce_files(outputs, output->request, 0));
    WEIR_TRY(weir_output_permeability_create(c, output->request, directory, outputs->first,
                                             weir_simulation_fluid_cells(outputs->simulation),
                                             &permeability));
    output->writer = permeability;
    return 0;
}

static int append_permeability(void *writer, const struct weir_totals *totals) {
    return weir_output_permeability_append(writer, totals);
}

static void destroy_permeability(void *writer) {
    weir_output_permeability_destroy(writer);
}

/* On all ranks, each of which looks at its own blocks, and of which one writes. */
static int create_surface(const struct weir_case *c, const struct weir_outputs *outputs,
                          const char *directory, struct output *output) {
    struct weir_output_surface *surface;
    WEIR_TRY(weir_output_surface_create(c, output->request, outputs->writes ? directory : NULL,
                                        outputs->first, weir_simulation_sink_ranks(outputs->simulation),
                                        outputs->writer, &surface));
    output->writer = surface;
    return watch(outputs, output, weir_output_surface_sink(surface));
}

static void destroy_surface(void *writer) {
    weir_output_surface_destroy(writer);
}

/* Who writes each type of output. */
static const struct {
    int (*create)(const struct weir_case *c, const struct weir_outputs *outputs, const char *directory,
                  struct output *output);
    void (*destroy)(void *writer);
    bool from_start;                                               /* the initial state is seen as well */
    int (*append)(void *writer, const struct weir_totals *totals); /* NULL: it is not made of totals */
} types[WEIR_OUTPUT_TYPE_COUNT] = {
    [WEIR_OUTPUT_FIELDS] = {create_fields, destroy_fields, false, NULL},
    [WEIR_OUTPUT_IMAGE] = {create_image, destroy_image, false, NULL},
    [WEIR_OUTPUT_PROFILE] = {create_profile, destroy_profile, false, NULL},
    [WEIR_OUTPUT_SERIES] = {create_series, destroy_series, true, append_series},
    [WEIR_OUTPUT_PROBES] = {create_probes, destroy_probes, true, NULL},
    [WEIR_OUTPUT_FLUX] = {create_flux, destroy_flux, true, NULL},
    [WEIR_OUTPUT_AVERAGES] = {create_averages, destroy_averages, true, NULL},
    [WEIR_OUTPUT_PERMEABILITY] = {create_permeability, destroy_permeability, true, append_permeability},
    [WEIR_OUTPUT_SURFACE] = {create_surface, destroy_surface, false, NULL},
};

/* Called by the writer's thread. */
static void fail(void *context, const char *text) {
    weir_simulation_fail(context, text);
}

static int create_list(const struct weir_case *c, struct weir_outputs *outputs) {
    outputs->list = calloc((size_t)c->output_count + 1, sizeof *outputs->list);
    if (!outputs->list)
        return weir_fail(WEIR_FAILED, "out of memory while preparing output");
    for (; outputs->count < c->output_count; outputs->count++)
        outputs->list[outputs->count] = (struct output){.request = &c->outputs[outputs->count], .kept = -1};
    for (int k = 0; k < outputs->count; k++) {
        struct output *output = &outputs->list[k];
        WEIR_TRY(types[output->request->type].create(c, outputs, weir_results_folder_path(outputs->folder),
                                                     output));
    }
    return 0;
}

int weir_outputs_create(const struct weir_case *c, struct weir_simulation *simulation,
                        struct weir_results_folder *folder, bool writes, struct weir_checkpoint_file *origin,
                        struct weir_outputs **result) {
    struct weir_outputs *outputs = calloc(1, sizeof *outputs);
    if (!outputs)
        return weir_fail(WEIR_FAILED, "out of memory while preparing output");
    outputs->simulation = simulation;
    outputs->folder = folder;
    outputs->writes = writes;
    outputs->origin = origin;
    outputs->first = origin ? weir_checkpoint_file_step(origin) : 0;
    int error = weir_writer_create(fail, simulation, &outputs->writer);
    if (error == 0)
        error = create_list(c, outputs);
    if (error < 0) {
        weir_outputs_destroy(outputs);
        return error;
    }
    *result = outputs;
    return 0;
}

struct weir_writer *weir_outputs_writer(struct weir_outputs *outputs) {
    return outputs->writer;
}

void weir_outputs_destroy(struct weir_outputs *outputs) {
    if (!outputs)
        return;
    for (int k = 0; k < outputs->count; k++) {
        weir_simulation_unwatch(outputs->list[k].watch);
        weir_probes_destroy(outputs->list[k].probes);
        if (averages_of(&outputs->list[k]))
            weir_output_averages_unwatch(averages_of(&outputs->list[k]));
    }
    weir_writer_destroy(outputs->writer);
    for (int k = 0; k < outputs->count; k++)
        types[outputs->list[k].request->type].destroy(outputs->list[k].writer);
    free(outputs->list);
    free(outputs);
}

int weir_outputs_finish(struct weir_outputs *outputs) {
    return weir_writer_wait(outputs->writer);
}

void weir_outputs_abandon(struct weir_outputs *outputs) {
    enum { PATIENCE = 3 }; /* seconds: a sink writes a block in much less */
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE;
    for (int k = 0; k < outputs->count; k++) {
        weir_simulation_abandon(outputs->list[k].watch, &until);
        weir_probes_abandon(outputs->list[k].probes, &until);
        if (averages_of(&outputs->list[k]))
            weir_output_averages_abandon(averages_of(&outputs->list[k]), &until);
    }
    weir_writer_abandon(outputs->writer, &until);
}

/* Everything ends with the last state. */
static bool is_due(const struct output *output, int64_t step, bool last) {
    const int64_t every = output->request->every;
    if (last)
        return true;
    return every > 0 && step % every == 0 && (step > 0 || types[output->request->type].from_start);
}

int64_t weir_outputs_next(const struct weir_outputs *outputs, int64_t step) {
    int64_t next = INT64_MAX;
    for (int k = 0; k < outputs->count; k++) {
        const int64_t every = outputs->list[k].request->every;
        if (every > 0 && (step / every + 1) * every < next)
            next = (step / every + 1) * every;
    }
    return next;
}

bool weir_outputs_want_totals(const struct weir_outputs *outputs, int64_t step, bool last) {
    for (int k = 0; k < outputs->count; k++)
        if (types[outputs->list[k].request->type].append && is_due(&outputs->list[k], step, last))
            return true;
    return false;
}

int weir_outputs_totals(struct weir_outputs *outputs, const struct weir_totals *totals, bool last) {
    for (int k = 0; k < outputs->count; k++) {
        const struct output *output = &outputs->list[k];
        if (types[output->request->type].append && output->writer && is_due(output, totals->step, last))
            WEIR_TRY(types[output->request->type].append(output->writer, totals));
    }
    return 0;
}

static int sample(const struct weir_outputs *outputs, const struct output *output, bool last) {
    WEIR_TRY(weir_simulation_sample(outputs->simulation, output->probes));
    return last ? weir_simulation_hand_over(outputs->simulation, output->probes) : 0;
}

/* What is written at this step, or with the last one. */
static int observe(const struct weir_outputs *outputs, const struct output *output, int64_t step) {
    WEIR_TRY(announce_files(outputs, output->request, step));
    return weir_simulation_observe(outputs->simulation, output->watch);
}

static int average(const struct weir_outputs *outputs, const struct output *output, int64_t step, bool last) {
    struct weir_output_averages *averages = averages_of(output);
    WEIR_TRY(weir_output_averages_add(averages));
    if (output->kept == step)
        WEIR_TRY(weir_output_averages_hand_over(averages, &outputs->taker));
    if (!last || !weir_output_averages_begun(averages))
        return 0;
    WEIR_TRY(announce_files(outputs, output->request, step));
    return weir_output_averages_write(averages);
}

int weir_outputs_keep_averages(struct weir_outputs *outputs, const struct weir_averages_taker *taker) {
    const int64_t step = weir_simulation_submitted(outputs->simulation);
    int count = 0;
    outputs->taker = *taker;
    for (int k = 0; k < outputs->count; k++) {
        struct output *output = &outputs->list[k];
        if (output->request->type != WEIR_OUTPUT_AVERAGES || step < output->request->start)
            continue;
        output->kept = step;
        count++;
    }
    return outputs->writes ? count : 0;
}

int weir_outputs_observe(struct weir_outputs *outputs, bool last) {
    const int64_t step = weir_simulation_submitted(outputs->simulation);
    for (int k = 0; k < outputs->count; k++) {
        const struct output *output = &outputs->list[k];
        if (!is_due(output, step, last) && output->kept != step)
            continue;
        if (output->probes)
            WEIR_TRY(sample(outputs, output, last));
        if (output->watch)
            WEIR_TRY(observe(outputs, output, step));
        if (averages_of(output))
            WEIR_TRY(average(outputs, output, step, last));
    }
    return 0;
}
