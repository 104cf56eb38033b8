#include "src/compare/compare_traces.h"

#include "graph/base/error.h"
#include "graph/runtime/tracing.h"
#include "graph/specialisation.h"
#include "src/common/child.h"
#include "src/common/output_files.h"
#include "src/trace/trace_tool.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail_memory(void) {
    return weir_fail(WEIR_FAILED, "out of memory for the traces of the comparison");
}

/* Name of a policy's folder, the caller's to free; NULL: no memory. Colons make an address of it where a page
 * links to it. */
static char *folder_of(const char *policy) {
    char *name;
    if (asprintf(&name, "trace-%s", policy) < 0)
        return NULL;
    for (char *at = name; *at; at++)
        *at = *at == ':' ? '-' : *at;
    return name;
}

int weir_compare_traces_check(const struct weir_compare_options *options, const char *folder) {
    char *tool;
    WEIR_TRY(weir_tracing_check());
    WEIR_TRY(weir_trace_tool_find(&tool));
    free(tool);
    for (int policy = 0; policy < options->policy_count; policy++) {
        char *name = folder_of(options->policies[policy]);
        if (!name)
            return fail_memory();
        const int error = weir_results_folder_check_removal(folder, name);
        free(name);
        WEIR_TRY(error);
    }
    return 0;
}

bool weir_compare_traces_writes(const void *context, const char *name) {
    const struct weir_compare_options *options = context;
    bool written = false;
    for (int policy = 0; options->trace && policy < options->policy_count; policy++) {
        char *folder = folder_of(options->policies[policy]);
        written = written || (folder && strcmp(folder, name) == 0);
        free(folder);
    }
    return written;
}

/* What the comparison shows of a trace; the rest is in the trace's own report. */
static int read_analysis(const char *folder, struct weir_compared_trace *trace) {
    char *path;
    json_error_t where;
    if (asprintf(&path, "%s/analysis.json", folder) < 0)
        return fail_memory();
    json_t *json = json_load_file(path, 0, &where);
    const json_t *time = json_object_get(json, "time"), *window = json_object_get(json, "window"),
                 *transfers = json_object_get(json, "transfers"),
                 *hidden = json_object_get(transfers, "hidden");
    const char *sentence = json_string_value(json_object_get(json, "sentence"));
    const double all = json_number_value(json_object_get(window, "seconds")) *
                       json_number_value(json_object_get(time, "homes"));
    int error = 0;
    if (!sentence || !(all > 0))
        error = weir_fail(WEIR_FAILED, "the analysis '%s' cannot be read", path);
    else {
        trace->sentence = strdup(sentence);
        trace->from = json_integer_value(json_object_get(window, "from"));
        trace->steps = json_integer_value(json_object_get(window, "steps"));
        trace->step_seconds = json_number_value(json_object_get(window, "step_seconds"));
        for (int k = 0; k < WEIR_ACTIVITY_COUNT; k++)
            trace->part[k] = json_number_value(json_object_get(time, weir_activity_names[k])) / all;
        trace->hidden = json_is_number(hidden) ? json_number_value(hidden) : NAN;
        trace->moved = json_number_value(json_object_get(transfers, "moved"));
        error = trace->sentence ? 0 : fail_memory();
    }
    json_decref(json);
    free(path);
    return error;
}

int weir_compare_trace(struct weir_comparison *comparison, int policy, const char *case_file,
                       const char *work, const char *said) {
    struct weir_compared_trace *trace = &comparison->traces[policy];
    char *out = NULL, *set = NULL;
    trace->folder = folder_of(comparison->options->policies[policy]);
    if (!trace->folder || asprintf(&out, "%s/%s", work, trace->folder) < 0 ||
        asprintf(&set, "placement.policy=%s", comparison->options->policies[policy]) < 0) {
        free(out);
        return fail_memory();
    }
    const char *const words[] = {"trace", case_file, "--quiet", "--set", set, "--out", out, NULL};
    const char *const environment[] = {WEIR_SPECIALISE_NOTHING, NULL};
    int error = weir_child_run(words, environment, said);
    if (error == 0)
        error = read_analysis(out, trace);
    if (error != 0 && !weir_child_interrupted()) {
        trace->failure = strdup(weir_error_text());
        error = trace->failure ? 0 : fail_memory();
    }
    free(set);
    free(out);
    return error;
}

/* Replaces an earlier trace, also by none where there is no newer one. */
static int place(const struct weir_compared_trace *trace, const char *work,
                 struct weir_results_folder *folder) {
    char *from = NULL, *to = NULL;
    WEIR_TRY(weir_results_folder_remove(folder, trace->folder));
    if (trace->failure)
        return 0;
    WEIR_TRY(weir_results_folder_subfolder(folder, trace->folder, &to));
    int error = asprintf(&from, "%s/%s", work, trace->folder) < 0 ? (from = NULL, fail_memory()) : 0;
    if (error == 0 && rename(from, to) != 0)
        error = weir_output_error("write", to, errno);
    free(from);
    free(to);
    return error;
}

int weir_compare_traces_place(const struct weir_comparison *comparison, const char *work,
                              struct weir_results_folder *folder) {
    for (int policy = 0; comparison->traces && policy < comparison->options->policy_count; policy++)
        WEIR_TRY(place(&comparison->traces[policy], work, folder));
    return 0;
}

int weir_compare_traces_judge(const struct weir_comparison *comparison) {
    for (int policy = 0; comparison->traces && policy < comparison->options->policy_count; policy++)
        if (comparison->traces[policy].failure)
            return weir_fail(WEIR_FAILED, "all runs were timed, but policy %s has no trace: %s",
                             comparison->options->policies[policy], comparison->traces[policy].failure);
    return 0;
}
