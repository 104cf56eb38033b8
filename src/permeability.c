/* Each run is a process of its own, so that a run of this case along one axis is the same run by weir run. */
#include "src/permeability.h"

#include "graph/base/error.h"
#include "src/case/bare_case.h"
#include "src/case/outputs/output_names.h"
#include "src/case/outputs/permeable_case.h"
#include "src/case/speed.h"
#include "src/common/child.h"
#include "src/common/output_files.h"
#include "src/common/results_folder.h"
#include "src/permeability_options.h"
#include "src/report/described.h"
#include "src/report/json_numbers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const axes[3] = {"x", "y", "z"};

struct conductor {
    const struct weir_permeability_options *options;
    struct weir_case *c;
    char *path;                                       /* of the folder */
    struct weir_results_folder *folder;               /* the same, open */
    char *work;                                       /* folder of what is needed meanwhile */
    bool wanted[3];                                   /* axes */
    char name[sizeof((struct weir_output *)0)->name]; /* of the output that has it */
    bool has_output;                                  /* of the case's own */
    json_t *runs;
    double tensor[3][3]; /* [component][axis of the force], output units; NaN: not known */
};

static bool writes(const void *context, const char *name) {
    (void)context;
    return strcmp(name, "permeability.json") == 0 || (strlen(name) == 1 && strchr("xyz", name[0]));
}

static struct weir_results_use use_of(const struct conductor *conductor) {
    return (struct weir_results_use){.command = "permeability",
                                     .results = "the results of earlier runs",
                                     .force = conductor->options->force,
                                     .keep = true,
                                     .writes = writes};
}

/* ---- what the case has ----------------------------------------------------------------------------------
 */

/* The output that writes the permeability: the case's own, or one that runs get besides. */
static int find_output(struct conductor *conductor) {
    struct weir_case *c = conductor->c;
    const char *const name = weir_output_row(WEIR_OUTPUT_PERMEABILITY)->name;
    snprintf(conductor->name, sizeof conductor->name, "%s", name);
    for (int k = 0; k < c->output_count; k++)
        if (c->outputs[k].type == WEIR_OUTPUT_PERMEABILITY) {
            snprintf(conductor->name, sizeof conductor->name, "%s", c->outputs[k].name);
            conductor->has_output = true;
            return 0;
        }
    for (int k = 0; k < c->output_count; k++)
        if (strcmp(c->outputs[k].name, name) == 0)
            return weir_fail(
                WEIR_USAGE,
                "%s: output[%d].name: \"%s\" is what the permeability is called; give another name", c->file,
                k, name);
    return 0;
}

/* Which axes there are runs for: those that are periodic. */
static int choose_axes(struct conductor *conductor) {
    const struct weir_problem *p = &conductor->c->problem;
    struct weir_case along = *conductor->c;
    char text[WEIR_PERMEABLE_TEXT];
    bool any = false;
    for (int axis = 0; axis < weir_lattice_dimensions(p->lattice); axis++) {
        if (!p->periodic[axis])
            continue;
        memset(along.problem.force, 0, sizeof along.problem.force);
        along.problem.force[axis] = weir_speed(p->force);
        const char *const why = weir_permeable_case_refusal(&along, text);
        if (why)
            return weir_fail(WEIR_USAGE, "%s: permeability %s", conductor->c->file, why);
        conductor->wanted[axis] = any = true;
    }
    return any ? 0
               : weir_fail(
                     WEIR_USAGE,
                     "%s: domain.periodic: no axis is periodic, and a force drives a flow along such axes "
                     "only; make one of them periodic",
                     conductor->c->file);
}

/* ---- one run --------------------------------------------------------------------------------------------
 */

/* The magnitude of a force as the case file has it, in the file's units. */
static double magnitude(const json_t *force) {
    double square = 0;
    for (size_t axis = 0; axis < json_array_size(force); axis++) {
        const double component = json_number_value(json_array_get(force, axis));
        square += component * component;
    }
    return sqrt(square);
}

/* The case with its force along an axis. */
static int write_case(const struct conductor *conductor, int along, const char *path) {
    json_t *root = json_loads(conductor->c->text, 0, NULL), *force = json_array();
    if (!root || !force)
        return weir_fail(WEIR_FAILED, "out of memory");
    const double size = magnitude(json_object_get(root, "force"));
    for (int axis = 0; axis < weir_lattice_dimensions(conductor->c->problem.lattice); axis++)
        json_array_append_new(force, json_real(axis == along ? size : 0));
    json_object_set_new(root, "force", force);
    json_object_set_new(root, "name", json_string(conductor->c->name));
    json_object_del(root, "$schema");
    if (!json_object_get(root, "output"))
        json_object_set_new(root, "output", json_array());
    if (!conductor->has_output)
        json_array_append_new(json_object_get(root, "output"),
                              json_pack("{s:s, s:s}", "type", conductor->name, "name", conductor->name));
    const int error = weir_bare_case_write(root, path);
    json_decref(root);
    return error;
}

static int read_summary(const char *folder, json_t **summary) {
    char *path;
    json_error_t where;
    WEIR_TRY(weir_output_path(folder, "summary", -1, ".json", &path));
    *summary = json_load_file(path, 0, &where);
    const int error =
        *summary ? 0 : weir_fail(WEIR_FAILED, "the run's summary '%s' cannot be read: %s", path, where.text);
    free(path);
    return error;
}

/* Takes the numbers of a run out of its summary. */
static int take(struct conductor *conductor, int axis, const json_t *summary) {
    json_t *found = json_object_get(json_object_get(summary, "permeability"), conductor->name);
    if (!found)
        return weir_fail(
            WEIR_FAILED,
            "the run with the force along %s found no permeability; the warnings in its summary.json "
            "say why",
            axes[axis]);
    json_t *run = json_pack("{s:s, s:O}", "axis", axes[axis], "permeability", found);
    static const char *const kept[] = {"steps", "stopped_by", "wall_seconds", "digest", "warnings"};
    for (size_t k = 0; k < sizeof kept / sizeof *kept; k++)
        json_object_set(run, kept[k], json_object_get(summary, kept[k]));
    json_array_append_new(conductor->runs, run);
    for (int component = 0; component < weir_lattice_dimensions(conductor->c->problem.lattice); component++) {
        const json_t *number = json_array_get(json_object_get(found, "column"), (size_t)component);
        conductor->tensor[component][axis] = json_is_number(number) ? json_number_value(number) : NAN;
    }
    if (!conductor->options->quiet)
        fprintf(stderr, "force along %s: %lld steps, imbalance %.1e\n", axes[axis],
                (long long)json_integer_value(json_object_get(summary, "steps")),
                json_number_value(json_object_get(found, "imbalance")));
    return 0;
}

static int run_along(struct conductor *conductor, int axis) {
    char *path = NULL, *out = NULL, *said = NULL, steps[32];
    json_t *summary = NULL;
    snprintf(steps, sizeof steps, "%lld",
             (long long)(conductor->options->steps > 0 ? conductor->options->steps : conductor->c->steps));
    int error = weir_results_folder_remove(conductor->folder, axes[axis]);
    if (error == 0)
        error = weir_results_folder_subfolder(conductor->folder, axes[axis], &out);
    if (error == 0)
        error = weir_output_path(conductor->work, axes[axis], -1, ".json", &path);
    if (error == 0)
        error = weir_output_path(conductor->work, "said", -1, ".txt", &said);
    if (error == 0)
        error = write_case(conductor, axis, path);
    const char *const words[] = {"run", path, "--quiet", "--steps", steps, "--out", out, NULL},
                      *const environment[] = {NULL};
    if (error == 0)
        error = weir_child_run(words, environment, said);
    if (error == 0)
        error = read_summary(out, &summary);
    if (error == 0)
        error = take(conductor, axis, summary);
    json_decref(summary);
    free(path);
    free(out);
    free(said);
    return error;
}

/* ---- what comes of them ---------------------------------------------------------------------------------
 */

/* How far the tensor is from a symmetric one, of its largest component: two runs found each of these alone.
 */
static double asymmetry(const struct conductor *conductor) {
    const double(*tensor)[3] = conductor->tensor;
    double difference = 0, largest = 0;
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++) {
            if (!isnan(tensor[a][b]))
                largest = fmax(largest, fabs(tensor[a][b]));
            if (!isnan(tensor[a][b] + tensor[b][a]))
                difference = fmax(difference, fabs(tensor[a][b] - tensor[b][a]));
        }
    return largest > 0 ? difference / largest : 0;
}

static int make_document(struct conductor *conductor, json_t **document) {
    const struct weir_case *c = conductor->c;
    json_t *rows = json_array();
    for (int a = 0; a < 3; a++) {
        json_t *row = json_array();
        for (int b = 0; b < 3; b++)
            json_array_append_new(row, weir_json_of_number(conductor->tensor[a][b]));
        json_array_append_new(rows, row);
    }
    const json_t *first = json_object_get(json_array_get(conductor->runs, 0), "permeability");
    *document = json_pack("{s:s, s:s, s:o, s:f, s:O, s:O}", "name", c->name, "unit",
                          c->units.si ? "m2" : "cells2", "tensor", rows, "asymmetry", asymmetry(conductor),
                          "porosity", json_object_get(first, "porosity"), "runs", conductor->runs);
    return *document ? weir_describe_machine(*document) : weir_fail(WEIR_FAILED, "out of memory");
}

static void print_tensor(const struct conductor *conductor) {
    const struct weir_case *c = conductor->c;
    const int dimensions = weir_lattice_dimensions(c->problem.lattice);
    printf("%s: permeability in %s\n%14s", c->name, c->units.si ? "m2" : "cell widths squared",
           "force along");
    for (int axis = 0; axis < dimensions; axis++)
        printf("%14s", axes[axis]);
    printf("\n");
    for (int component = 0; component < dimensions; component++) {
        printf("%14s", axes[component]);
        for (int axis = 0; axis < dimensions; axis++)
            if (conductor->wanted[axis])
                printf("%14.5g", conductor->tensor[component][axis]);
            else
                printf("%14s", "-");
        printf("\n");
    }
    printf("asymmetry %.1e of the largest\n", asymmetry(conductor));
}

static void print_warnings(const struct conductor *conductor) {
    size_t k, j;
    const json_t *run, *text;
    json_array_foreach(conductor->runs, k, run) json_array_foreach(json_object_get(run, "warnings"), j, text)
        printf("warning: force along %s: %s\n", json_string_value(json_object_get(run, "axis")),
               json_string_value(text));
}

static int report(struct conductor *conductor) {
    json_t *document = NULL;
    char *path = NULL;
    int error = make_document(conductor, &document);
    if (error == 0)
        error = weir_results_folder_file(conductor->folder, "permeability", -1, ".json", &path);
    if (error == 0)
        error = weir_document_write(path, document);
    if (error == 0 && conductor->options->json)
        error = weir_document_write(conductor->options->json, document);
    if (error == 0) {
        print_tensor(conductor);
        print_warnings(conductor);
        printf("results in %s\n", conductor->path);
    }
    json_decref(document);
    free(path);
    return error;
}

/* ---- all of it ------------------------------------------------------------------------------------------
 */

static int open_folder(struct conductor *conductor) {
    const struct weir_results_use use = use_of(conductor);
    const char *const out = conductor->options->out;
    if ((out ? asprintf(&conductor->path, "%s", out)
             : asprintf(&conductor->path, "out/%s_permeability", conductor->c->name)) < 0) {
        conductor->path = NULL;
        return weir_fail(WEIR_FAILED, "out of memory");
    }
    WEIR_TRY(weir_results_folder_check(conductor->path, &use));
    for (int axis = 0; axis < 3; axis++)
        WEIR_TRY(weir_results_folder_check_removal(conductor->path, axes[axis]));
    if (conductor->options->json)
        WEIR_TRY(weir_output_file_try_anywhere(conductor->options->json));
    WEIR_TRY(weir_results_folder_open(conductor->path, &use, &conductor->folder));
    return weir_results_folder_temporary(conductor->folder, "cases", &conductor->work);
}

static int conduct(struct conductor *conductor) {
    WEIR_TRY(choose_axes(conductor));
    WEIR_TRY(find_output(conductor));
    WEIR_TRY(open_folder(conductor));
    for (int axis = 0; axis < 3; axis++)
        if (conductor->wanted[axis])
            WEIR_TRY(run_along(conductor, axis));
        else /* of an earlier one */
            WEIR_TRY(weir_results_folder_remove(conductor->folder, axes[axis]));
    return report(conductor);
}

int weir_permeability(int argc, char **argv) {
    struct weir_permeability_options options;
    struct conductor conductor = {.options = &options, .runs = json_array()};
    for (int k = 0; k < 9; k++)
        conductor.tensor[k / 3][k % 3] = NAN;
    weir_child_hold_signals();
    int error = weir_permeability_options_read(argc, argv, &options);
    if (error == 0)
        error = weir_case_read(options.case_file, options.sets, options.set_count, &conductor.c);
    if (error == 0)
        error = conduct(&conductor);
    if (conductor.work)
        weir_results_folder_remove_temporary(conductor.work);
    weir_results_folder_close(conductor.folder);
    weir_case_destroy(conductor.c);
    weir_permeability_options_release(&options);
    json_decref(conductor.runs);
    free(conductor.path);
    free(conductor.work);
    return error;
}
