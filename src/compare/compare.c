/* Conducts a comparison: which runs there are, in which order. Each is a process of its own, so that none
 * finds what another has left in memory. */
#include "src/compare/compare.h"

#include "graph/base/clock.h"
#include "graph/base/error.h"
#include "graph/specialisation.h"
#include "src/case/case_blocks.h"
#include "src/common/child.h"
#include "src/common/output_files.h"
#include "src/compare/compare_json.h"
#include "src/compare/compare_table.h"
#include "src/compare/compare_traces.h"
#include "src/compare/comparison.h"
#include "src/machine/bus_calibration.h"
#include "src/output/formats/record_file.h"
#include "src/report/described.h"
#include "src/report/page.h"
#include "src/report/report_folder.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Runs that do not count: StarPU's models want ten measurements of each kind of worker and size. */
enum { CALIBRATION_STEPS = 30, WARM_UP_STEPS = 30 };

/* A run lasts about this long where --steps is not given; a disturbed one has three parts to look at. */
static const double run_seconds = 4, disturbed_seconds = 9;
enum { STEPS_LEAST = 60, STEPS_MOST = 200000, RECORDED_TASKS_MOST = 4000000 };

struct conductor {
    const struct weir_compare_options *options;
    struct weir_case *c;
    struct weir_block_grid grid;
    struct weir_comparison *comparison;
    struct weir_report_use report;
    struct weir_report_folder folder;
    char *cases[WEIR_WORKLOAD_COUNT];    /* files */
    char *record, *summary, *out, *said; /* files */
    bool terminal;
    double start, timed_start;
    int runs_done, runs_all; /* timed */
};

/* ---- one run ------------------------------------------------------------------------------------------ */

enum purpose { CALIBRATE, WARM_UP, TIMED, TRACED };

static void show(const struct conductor *conductor, enum weir_workload workload, int policy,
                 enum purpose purpose, int repeat) {
    static const char *const words[] = {
        [CALIBRATE] = "calibration", [WARM_UP] = "warm-up", [TRACED] = "trace"};
    char what[64], left[64] = "";
    if (conductor->options->quiet)
        return;
    if (purpose == TIMED)
        snprintf(what, sizeof what, "repeat %d/%d", repeat + 1, conductor->options->repeat);
    else
        snprintf(what, sizeof what, "%s", words[purpose]);
    if (conductor->runs_done > 0 && purpose != TRACED) {
        const double each = (weir_seconds() - conductor->timed_start) / conductor->runs_done;
        const long seconds = lround(each * (conductor->runs_all - conductor->runs_done));
        snprintf(left, sizeof left, "  %ld:%02ld left", seconds / 60, seconds % 60);
    }
    fprintf(stderr, "%s%s  %s  %s  run %d/%d%s%s", conductor->terminal ? "\r\033[K" : "",
            weir_workload_names[workload], conductor->options->policies[policy], what, conductor->runs_done,
            conductor->runs_all, left, conductor->terminal ? "" : "\n");
    fflush(stderr);
}

static void end_line(const struct conductor *conductor) {
    if (conductor->terminal && !conductor->options->quiet)
        fputs("\r\033[K", stderr);
    fflush(stderr);
}

/* Wall time and digest as the run's summary says them. */
static int read_summary(const char *path, double *wall_seconds, char digest[33]) {
    json_error_t where;
    json_t *json = json_load_file(path, 0, &where);
    const char *text = json_string_value(json_object_get(json, "digest"));
    *wall_seconds = json_number_value(json_object_get(json, "wall_seconds"));
    int error = 0;
    if (!json || !text)
        error = weir_fail(WEIR_FAILED, "the run's summary '%s' cannot be read", path);
    else
        snprintf(digest, 33, "%s", text);
    json_decref(json);
    return error;
}

static int run_once(struct conductor *conductor, enum weir_workload workload, int policy,
                    enum purpose purpose, int64_t steps, int repeat, double *wall_seconds, char digest[33]) {
    const char *name = conductor->options->policies[policy];
    char policy_set[128], steps_text[32], disturb[64];
    snprintf(policy_set, sizeof policy_set, "placement.policy=%s", name);
    snprintf(steps_text, sizeof steps_text, "%lld", (long long)steps);
    snprintf(disturb, sizeof disturb, "%lld:%lld", (long long)(steps / 3), (long long)(2 * steps / 3));
    const char *words[20] = {"run",       conductor->cases[workload],
                             "--quiet",   "--force",
                             "--set",     policy_set,
                             "--steps",   steps_text,
                             "--out",     conductor->out,
                             "--summary", conductor->summary};
    int count = 12;
    if (purpose == TIMED) {
        words[count++] = "--record";
        words[count++] = conductor->record;
        if (workload == WEIR_DISTURBED) {
            words[count++] = "--disturb";
            words[count++] = disturb;
        }
    }
    words[count] = NULL;
    const char *const environment[] = {purpose == CALIBRATE ? "STARPU_CALIBRATE=1" : "STARPU_CALIBRATE=0",
                                       WEIR_SPECIALISE_NOTHING, NULL};
    show(conductor, workload, policy, purpose, repeat);
    const int error = weir_child_run(words, environment, conductor->said);
    if (error != 0 && !weir_child_interrupted()) {
        char text[1800];
        snprintf(text, sizeof text, "%s", weir_error_text());
        return weir_fail((enum weir_error_code) - error, "workload %s, policy %s: %s",
                         weir_workload_names[workload], name, text);
    }
    WEIR_TRY(error);
    return read_summary(conductor->summary, wall_seconds, digest);
}

/* ---- the runs of a workload --------------------------------------------------------------------------- */

/* As many steps as take the time that a run is to take, in the mean over the policies. */
static int64_t choose_steps(const struct conductor *conductor, enum weir_workload workload,
                            double step_seconds) {
    const double seconds = workload == WEIR_DISTURBED ? disturbed_seconds : run_seconds;
    double steps = seconds / step_seconds;
    const double recorded = (double)RECORDED_TASKS_MOST / conductor->grid.total;
    steps = fmin(steps, fmin(STEPS_MOST, recorded));
    return steps < STEPS_LEAST ? STEPS_LEAST : (int64_t)steps;
}

/* Measures what policies need to know, and everything once that is slow the first time. */
static int prepare(struct conductor *conductor, enum weir_workload workload, int64_t *steps) {
    const struct weir_compare_options *options = conductor->options;
    double seconds, sum = 0;
    char digest[33];
    for (int policy = 0; policy < options->policy_count; policy++) {
        if (weir_policy_uses_models(options->policies[policy]))
            WEIR_TRY(
                run_once(conductor, workload, policy, CALIBRATE, CALIBRATION_STEPS, 0, &seconds, digest));
        WEIR_TRY(run_once(conductor, workload, policy, WARM_UP, WARM_UP_STEPS, 0, &seconds, digest));
        sum += seconds / WARM_UP_STEPS;
    }
    *steps =
        options->steps > 0 ? options->steps : choose_steps(conductor, workload, sum / options->policy_count);
    return 0;
}

static int time_once(struct conductor *conductor, enum weir_workload workload, int policy, int64_t steps,
                     int repeat) {
    struct weir_run_record record;
    double seconds;
    char digest[33];
    WEIR_TRY(run_once(conductor, workload, policy, TIMED, steps, repeat, &seconds, digest));
    WEIR_TRY(weir_record_file_read(conductor->record, &record));
    const int error = weir_comparison_add(conductor->comparison, workload, policy, &record, digest);
    weir_run_record_release(&record);
    conductor->runs_done++;
    return error;
}

/* Policies take turns, so that a machine that slows down slows all of them. */
static int compare_under(struct conductor *conductor, enum weir_workload workload) {
    int64_t steps;
    const double before = weir_seconds();
    WEIR_TRY(prepare(conductor, workload, &steps));
    if (conductor->runs_done == 0)
        conductor->timed_start = weir_seconds();
    else
        conductor->timed_start += weir_seconds() - before; /* so that time left counts timed runs only */
    for (int repeat = 0; repeat < conductor->options->repeat; repeat++)
        for (int policy = 0; policy < conductor->options->policy_count; policy++)
            WEIR_TRY(time_once(conductor, workload, policy, steps, repeat));
    return 0;
}

/* One more run of each policy, of the first workload that is compared. */
static int trace_all(const struct conductor *conductor) {
    struct weir_comparison *comparison = conductor->comparison;
    for (int policy = 0; comparison->traces && policy < conductor->options->policy_count; policy++) {
        show(conductor, comparison->traced, policy, TRACED, 0);
        WEIR_TRY(weir_compare_trace(comparison, policy, conductor->cases[comparison->traced],
                                    conductor->folder.work, conductor->said));
    }
    return 0;
}

/* ---- files and folders -------------------------------------------------------------------------------- */

static int create_files(struct conductor *conductor) {
    if (conductor->options->json)
        WEIR_TRY(weir_output_file_try_anywhere(conductor->options->json));
    WEIR_TRY(weir_report_folder_create(&conductor->folder));
    WEIR_TRY(weir_path_join(conductor->folder.work, "record.h5", &conductor->record));
    WEIR_TRY(weir_path_join(conductor->folder.work, "summary.json", &conductor->summary));
    WEIR_TRY(weir_path_join(conductor->folder.work, "out", &conductor->out));
    WEIR_TRY(weir_path_join(conductor->folder.work, "said.txt", &conductor->said));
    for (int w = 0; w < WEIR_WORKLOAD_COUNT; w++) {
        if (!conductor->options->workloads[w])
            continue;
        char name[64];
        snprintf(name, sizeof name, "%s.json", weir_workload_names[w]);
        WEIR_TRY(weir_path_join(conductor->folder.work, name, &conductor->cases[w]));
        WEIR_TRY(
            weir_workload_write(conductor->c, (enum weir_workload)w, &conductor->grid, conductor->cases[w]));
    }
    return 0;
}

static void clean_up(struct conductor *conductor) {
    weir_report_folder_release(&conductor->folder);
    for (int w = 0; w < WEIR_WORKLOAD_COUNT; w++)
        free(conductor->cases[w]);
    free(conductor->record);
    free(conductor->summary);
    free(conductor->out);
    free(conductor->said);
}

/* ---- all of it ---------------------------------------------------------------------------------------- */

static int check_blocks(const struct conductor *conductor) {
    if (conductor->options->workloads[WEIR_VESSELS] && conductor->grid.total < 2)
        return weir_fail(WEIR_USAGE,
                         "--workloads: vessels are to make blocks that differ, and the domain is one block; "
                         "give smaller blocks.cells, such as [16, 16, 16]");
    if (conductor->options->workloads[WEIR_DAM_BREAK] && conductor->grid.total < 2)
        return weir_fail(
            WEIR_USAGE,
            "--workloads: dam_break lets liquid run from block to block, and the domain is one block; "
            "give smaller blocks.cells, such as [16, 32, 64]");
    if (conductor->options->workloads[WEIR_SKEWED] && conductor->grid.total < 2)
        return weir_fail(WEIR_USAGE,
                         "--workloads: skewed fills half of the blocks, and the domain is one block; "
                         "give smaller blocks.cells, or --workloads uniform,disturbed");
    return 0;
}

static int report(struct conductor *conductor) {
    json_t *document = NULL;
    if (weir_child_interrupted())
        return weir_fail(WEIR_FAILED, "interrupted; nothing was written");
    WEIR_TRY(weir_comparison_finish(conductor->comparison));
    WEIR_TRY(weir_compare_document(conductor->comparison, weir_seconds() - conductor->start, &document));
    int error =
        weir_compare_traces_place(conductor->comparison, conductor->folder.work, conductor->folder.results);
    if (error == 0)
        error = weir_report_folder_begin_page(&conductor->folder);
    if (error == 0)
        error = weir_page_write(conductor->folder.page, WEIR_COMPARE_PAGE, document);
    if (error == 0 && conductor->options->json)
        error = weir_document_write(conductor->options->json, document);
    json_decref(document);
    WEIR_TRY(error);
    weir_compare_table(conductor->comparison);
    printf("page in %s\n", conductor->folder.page);
    return weir_compare_traces_judge(conductor->comparison);
}

static int conduct(struct conductor *conductor) {
    const struct weir_compare_options *options = conductor->options;
    conductor->start = weir_seconds();
    conductor->terminal = isatty(STDERR_FILENO);
    conductor->report = (struct weir_report_use){.command = "compare",
                                                 .results = "the report of an earlier comparison",
                                                 .force = options->force,
                                                 .writes = weir_compare_traces_writes,
                                                 .context = options};
    WEIR_TRY(
        weir_report_folder_choose(options->out, conductor->c->name, &conductor->report, &conductor->folder));
    if (options->trace)
        WEIR_TRY(weir_compare_traces_check(options, conductor->folder.path));
    /* The blocks that all runs have: the case's, or such as can be placed. */
    WEIR_TRY(weir_case_blocks(conductor->c, true, &conductor->grid));
    WEIR_TRY(check_blocks(conductor));
    WEIR_TRY(weir_comparison_create(options, conductor->c, &conductor->comparison));
    memcpy(conductor->comparison->block_cells, conductor->grid.block_cells,
           sizeof conductor->grid.block_cells);
    conductor->comparison->blocks = conductor->grid.total;
    WEIR_TRY(create_files(conductor));
    for (int w = 0; w < WEIR_WORKLOAD_COUNT; w++)
        conductor->runs_all += options->workloads[w] ? options->policy_count * options->repeat : 0;
    if (!options->quiet)
        weir_bus_calibration_announce();
    int error = 0;
    for (int w = 0; error == 0 && w < WEIR_WORKLOAD_COUNT; w++)
        if (options->workloads[w])
            error = compare_under(conductor, (enum weir_workload)w);
    if (error == 0)
        error = trace_all(conductor);
    end_line(conductor);
    return error == 0 ? report(conductor) : error;
}

int weir_compare(int argc, char **argv) {
    struct weir_compare_options options;
    struct conductor conductor = {.options = &options};
    weir_child_hold_signals();
    int error = weir_compare_options_read(argc, argv, &options);
    if (error == 0)
        error = weir_case_read(options.case_file, options.sets, options.set_count, &conductor.c);
    if (error == 0)
        error = conduct(&conductor);
    clean_up(&conductor);
    weir_comparison_destroy(conductor.comparison);
    weir_case_destroy(conductor.c);
    weir_compare_options_release(&options);
    return error;
}
