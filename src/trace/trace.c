/* Conducts a trace: the run with its recorded window, the conversion, and what is made of it. */
#include "src/trace/trace.h"

#include "graph/base/error.h"
#include "graph/problem/model.h"
#include "graph/problem/solid_blocks.h"
#include "graph/ranks/gathered_record.h"
#include "graph/runtime/tracing.h"
#include "src/case/case_blocks.h"
#include "src/common/child.h"
#include "src/common/output_files.h"
#include "src/machine/bus_calibration.h"
#include "src/report/described.h"
#include "src/report/page.h"
#include "src/report/report_folder.h"
#include "src/report/summary.h"
#include "src/run/options.h"
#include "src/run/run.h"
#include "src/run/traced_run.h"
#include "src/trace/trace_analysis.h"
#include "src/trace/trace_files.h"
#include "src/trace/trace_json.h"
#include "src/trace/trace_options.h"
#include "src/trace/trace_read.h"
#include "src/trace/trace_table.h"
#include "src/trace/trace_tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What a window is where none is given: enough tasks to show what repeats, few enough to look at; and
 * two steps at least for each section of it (trace_sections.h). Warming up
 * fills caches and lets schedulers and homes settle. */
enum { WINDOW_TASKS = 2000, WINDOW_STEPS_LEAST = 10, WINDOW_STEPS_MOST = 100, WARM_UP_STEPS = 20 };

/* A task takes less than 4 KiB of recording (handles included), workers that look for work some more. */
enum { BUFFER_LEAST_MIB = 64, BUFFER_MOST_MIB = 4096, TASK_KIB = 4 };

struct conductor {
    const struct weir_trace_options *options;
    struct weir_world *world;
    const struct weir_host_share *share; /* what this rank got of its host */
    bool speaks;                         /* rank 0 */
    struct weir_case *c;
    struct weir_traced_run traced;
    struct weir_trace trace;
    char *folder, *starpu, *run, *tool;
    struct weir_results_folder *results, *recording; /* `folder` and `starpu`, open on rank 0 */
};

/* In the folder of the trace; what is below is named by lists there. */
static const char *const files[] = {"paje.trace",    "tasks.csv",   "transfers.csv", "dag.dot",
                                    "analysis.json", "report.html", "perfetto.json", "starpu",
                                    "run",           NULL};

/* What StarPU's tool may write beside the recordings. */
static const char *const tool_files[] = {"activity.data",   "comms.rec",
                                         "dag.dot",         "data.rec",
                                         "distrib.data",    "number_events.data",
                                         "paje.trace",      "papi.rec",
                                         "sched_tasks.rec", "starpu_fxt_tool.txt",
                                         "tasks.rec",       "trace.html",
                                         "trace.rec",       NULL};

static bool is_one_of(const void *names, const char *name) {
    const char *const *list = names;
    while (*list && strcmp(*list, name) != 0)
        list++;
    return *list;
}

static struct weir_results_use use_of(const struct conductor *conductor, const char *const *names) {
    return (struct weir_results_use){.command = "trace",
                                     .results = "an earlier trace",
                                     .force = conductor->options->force,
                                     .writes = is_one_of,
                                     .context = names};
}

static int choose_folder(struct conductor *conductor) {
    const char *out = conductor->options->out;
    if ((out ? asprintf(&conductor->folder, "%s", out)
             : asprintf(&conductor->folder, "out/%s_trace", conductor->c->name)) < 0) {
        conductor->folder = NULL;
        return weir_fail(WEIR_FAILED, "out of memory");
    }
    WEIR_TRY(weir_path_join(conductor->folder, "starpu", &conductor->starpu));
    WEIR_TRY(weir_path_join(conductor->folder, "run", &conductor->run));
    if (!conductor->speaks)
        return 0;
    const struct weir_results_use use = use_of(conductor, files);
    WEIR_TRY(weir_results_folder_check(conductor->folder, &use));
    WEIR_TRY(weir_results_folder_check_removal(conductor->folder, "starpu"));
    return weir_results_folder_check_removal(conductor->folder, "run");
}

static int choose_window(struct conductor *conductor, int *megabytes) {
    const struct weir_trace_options *options = conductor->options;
    struct weir_block_grid grid;
    bool *solid;
    WEIR_TRY(weir_case_blocks(conductor->c, false, &grid));
    WEIR_TRY(weir_solid_blocks_find(&conductor->c->problem, &grid, &solid));
    const int blocks = weir_block_grid_fluid_blocks(&grid);
    free(solid);
    int64_t steps = WINDOW_TASKS / blocks;
    steps = steps < WINDOW_STEPS_LEAST ? WINDOW_STEPS_LEAST : steps;
    steps = steps > WINDOW_STEPS_MOST ? WINDOW_STEPS_MOST : steps;
    steps = options->steps > 0 ? options->steps : steps;
    const double tasks = (double)steps * blocks, size = tasks * TASK_KIB / 1024;
    if (size > BUFFER_MOST_MIB)
        return weir_fail(
            WEIR_USAGE,
            "--steps: %lld steps of %d blocks are too much to record; give at most %d, or larger "
            "blocks",
            (long long)steps, blocks, BUFFER_MOST_MIB * (1024 / TASK_KIB) / blocks);
    *megabytes = size < BUFFER_LEAST_MIB ? BUFFER_LEAST_MIB : (int)size;
    conductor->traced = weir_traced_run_of(options->from >= 0 ? options->from : WARM_UP_STEPS + steps, steps,
                                           conductor->world);
    conductor->c->steps = conductor->traced.from + 2 * steps;
    /* The windows with and without recording are compared: each holds as many checks of the flow. Where they
     * are shorter than the time between two checks, none: one would weigh more than it does in a run. */
    if (conductor->c->check_every > steps)
        conductor->c->check_every = conductor->c->steps + 1;
    else if (steps % conductor->c->check_every != 0)
        conductor->c->check_every = steps;
    return 0;
}

/* What StarPU and its tool are going to write. */
static int list_recordings(const struct conductor *conductor) {
    char *path;
    for (int k = 0; tool_files[k]; k++) {
        WEIR_TRY(weir_results_folder_file(conductor->recording, tool_files[k], -1, "", &path));
        free(path);
    }
    for (int rank = 0; rank < weir_world_size(conductor->world); rank++) {
        char name[64];
        snprintf(name, sizeof name, "%s_%d", WEIR_TRACE_RECORDING, rank);
        WEIR_TRY(weir_results_folder_file(conductor->recording, name, -1, "", &path));
        free(path);
    }
    return 0;
}

static int prepare_folder(struct conductor *conductor) {
    const struct weir_results_use use = use_of(conductor, files), inner = use_of(conductor, tool_files);
    char *path;
    WEIR_TRY(weir_results_folder_open(conductor->folder, &use, &conductor->results));
    WEIR_TRY(weir_results_folder_subfolder(conductor->results, "run", &path));
    free(path);
    WEIR_TRY(weir_results_folder_subfolder(conductor->results, "starpu", &path));
    free(path);
    WEIR_TRY(weir_results_folder_open(conductor->starpu, &inner, &conductor->recording));
    return list_recordings(conductor);
}

/* Whether messages share cores with workers, on any rank, and what ranks lost to others. */
static int gather_cores(struct conductor *conductor) {
    const int size = weir_world_size(conductor->world);
    const char own = conductor->traced.shared_core ? 's' : 'o';
    char shared[WEIR_TRACED_RANKS_MAX];
    struct weir_core_span spans[WEIR_TRACED_RANKS_MAX];
    const char *hosts[WEIR_TRACED_RANKS_MAX];
    WEIR_TRY(weir_world_gather(conductor->world, &own, 1, conductor->speaks ? shared : NULL));
    WEIR_TRY(weir_world_gather(conductor->world, (const char *)&conductor->traced.cores, sizeof *spans,
                               conductor->speaks ? (char *)spans : NULL));
    if (!conductor->speaks)
        return 0;
    for (int rank = 0; rank < size; rank++) {
        conductor->trace.shared_cores = conductor->trace.shared_cores || shared[rank] == 's';
        hosts[rank] = weir_world_host(conductor->world, rank);
    }
    conductor->trace.cores = weir_core_spans_loss(spans, hosts, size);
    return 0;
}

/* The run. A failure of it is told as it is; that nothing was recorded is told where it did not fail. */
static int record(struct conductor *conductor) {
    const struct weir_options options = {.command = "run",
                                         .case_file = conductor->options->case_file,
                                         .out = conductor->run,
                                         .force = true,
                                         .quiet = true,
                                         .world = conductor->world,
                                         .share = *conductor->share,
                                         .traced = &conductor->traced};
    int megabytes = 0;
    WEIR_TRY(weir_world_agree(conductor->world, choose_window(conductor, &megabytes)));
    WEIR_TRY(weir_world_agree(conductor->world, conductor->speaks ? prepare_folder(conductor) : 0));
    WEIR_TRY(weir_tracing_prepare(conductor->starpu, megabytes));
    const bool tells = conductor->speaks && !conductor->options->quiet;
    if (tells)
        fprintf(stderr, "%s: recording steps %lld to %lld\n", conductor->c->name,
                (long long)conductor->traced.from,
                (long long)(conductor->traced.from + conductor->traced.steps - 1));
    if (tells)
        weir_bus_calibration_announce();
    WEIR_TRY(weir_run(conductor->c, &options));
    if (!conductor->traced.recorded)
        return weir_fail(WEIR_FAILED,
                         "the run ended before step %lld, the last of the window, and there is no trace; "
                         "record earlier steps with --from, or take out run.stop_when",
                         (long long)(conductor->traced.from + conductor->traced.steps - 1));
    WEIR_TRY(weir_run_record_gather(&conductor->traced.record, conductor->world));
    return gather_cores(conductor);
}

typedef int write_file(const char *path, const struct weir_trace *trace);

static int write_to(const struct conductor *conductor, const char *name, write_file *write) {
    char *path;
    WEIR_TRY(weir_results_folder_file(conductor->results, name, -1, "", &path));
    const int error = write(path, &conductor->trace);
    free(path);
    return error;
}

static int write_paje(const struct conductor *conductor) {
    char *path = NULL, *original = NULL;
    int error = weir_results_folder_file(conductor->results, "paje.trace", -1, "", &path);
    if (error == 0)
        error = weir_path_join(conductor->starpu, "paje.trace", &original);
    if (error == 0)
        error = weir_trace_write_paje(path, original);
    free(path);
    free(original);
    return error;
}

static int convert(struct conductor *conductor) {
    weir_child_hold_signals();
    WEIR_TRY(weir_trace_tool_convert(conductor->tool, conductor->starpu, weir_world_size(conductor->world)));
    conductor->trace =
        (struct weir_trace){.machine = &conductor->traced.record,
                            .expectations = conductor->traced.expectations,
                            .expectation_count = conductor->traced.expectation_count,
                            .from = conductor->traced.from,
                            .steps = conductor->traced.steps,
                            .shared_cores = conductor->trace.shared_cores,
                            .cores = conductor->trace.cores,
                            .measured = conductor->traced.measured ? &conductor->traced.machine : NULL,
                            .limit_gbs = conductor->traced.limit_gbs,
                            .bytes_per_update = weir_bytes_per_update(&conductor->c->problem),
                            .surface = conductor->c->problem.surface.present};
    WEIR_TRY(weir_trace_read(conductor->starpu, &conductor->trace));
    WEIR_TRY(write_to(conductor, "tasks.csv", weir_trace_write_tasks));
    WEIR_TRY(write_to(conductor, "transfers.csv", weir_trace_write_transfers));
    WEIR_TRY(write_to(conductor, "dag.dot", weir_trace_write_graph));
    if (conductor->options->perfetto)
        WEIR_TRY(write_to(conductor, "perfetto.json", weir_trace_write_perfetto));
    return write_paje(conductor);
}

/* Numbers, page, table. */
static int explain(const struct conductor *conductor) {
    struct weir_trace_analysis analysis;
    json_t *document = NULL, *report = NULL;
    char *path = NULL, *page = NULL;
    int error = weir_trace_analyse(&conductor->trace, &analysis);
    if (error == 0)
        error =
            weir_trace_document(conductor->c, &conductor->traced, &conductor->trace, &analysis, &document);
    if (error == 0)
        error = weir_results_folder_file(conductor->results, "analysis", -1, ".json", &path);
    if (error == 0)
        error = weir_results_folder_file(conductor->results, "report", -1, ".html", &page);
    if (error == 0)
        error = weir_document_write(path, document);
    if (error == 0) {
        report = weir_trace_report(&conductor->trace, document);
        error = weir_page_write(page, WEIR_TRACE_PAGE, report);
    }
    if (error == 0)
        weir_trace_table(&conductor->traced, &conductor->trace, &analysis);
    json_decref(report);
    json_decref(document);
    free(path);
    free(page);
    weir_trace_analysis_release(&analysis);
    return error;
}

static int check(struct conductor *conductor) {
    WEIR_TRY(weir_tracing_check());
    if (weir_world_size(conductor->world) > WEIR_TRACED_RANKS_MAX)
        return weir_fail(WEIR_USAGE, "trace: at most %d ranks can be traced", WEIR_TRACED_RANKS_MAX);
    if (conductor->speaks)
        WEIR_TRY(weir_trace_tool_find(&conductor->tool));
    return choose_folder(conductor);
}

/* The recording is complete on disk once all ranks have come out of their runs. */
static int conduct(struct conductor *conductor) {
    WEIR_TRY(weir_world_agree(conductor->world, check(conductor)));
    WEIR_TRY(weir_world_agree(conductor->world, record(conductor)));
    if (!conductor->speaks)
        return 0;
    WEIR_TRY(convert(conductor));
    WEIR_TRY(explain(conductor));
    printf("report in %s/report.html\n", conductor->folder);
    return 0;
}

int weir_trace(const struct weir_trace_options *options, struct weir_world *world,
               const struct weir_host_share *share) {
    struct conductor conductor = {
        .options = options, .world = world, .share = share, .speaks = weir_world_speaks(world)};
    int error = weir_case_read_together(world, options->case_file, options->sets, options->set_count, NULL,
                                        &conductor.c);
    if (error == 0)
        error = conduct(&conductor);
    weir_trace_release(&conductor.trace);
    weir_run_record_release(&conductor.traced.record);
    free(conductor.traced.expectations);
    weir_results_folder_close(conductor.recording);
    weir_results_folder_close(conductor.results);
    free(conductor.folder);
    free(conductor.starpu);
    free(conductor.run);
    free(conductor.tool);
    weir_case_destroy(conductor.c);
    return error;
}
