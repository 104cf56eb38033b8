#include "src/trace/trace_options.h"

#include "graph/base/error.h"
#include "src/common/command_line.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char description[] =
    "Records some steps of a case, and says where their time went. Leaves in DIR:\n"
    "  report.html     pictures and numbers, opens in any browser\n"
    "  analysis.json   the numbers\n"
    "  paje.trace      opens in ViTE\n"
    "  tasks.csv, transfers.csv, dag.dot\n"
    "  starpu/         StarPU's own files, which other tools read\n"
    "  run/            results of the run\n"
    "Started by mpirun, it records all ranks.\n"
    "\n"
    "Options:\v"
    "docs/tracing.md explains each number.";

static const struct weir_refused_key refused[] = {
    {"run.steps", "how far the run goes follows from --from and --steps"}, {NULL, NULL}};

static int read_format(void *context, const char *text) {
    struct weir_trace_options *options = context;
    if (strcmp(text, "perfetto") != 0)
        return weir_fail(WEIR_USAGE, "--format: \"%s\" is not known; give perfetto", text);
    options->perfetto = true;
    return 0;
}

static const struct weir_option options_of_trace[] = {
    {.name = "from",
     .argument = "STEP",
     .help = "First step recorded (default: after some to warm up)",
     .type = WEIR_OPTION_STEPS,
     .least = 0,
     .most = WEIR_RUN_STEPS_MAX,
     WEIR_OPTION_AT(struct weir_trace_options, from)},
    WEIR_OPTION_RUN_STEPS(struct weir_trace_options,
                          "Steps recorded (default: as many as have about 2000 tasks)"),
    WEIR_OPTION_SET(struct weir_trace_options, "Set a key of the case (repeatable)"),
    WEIR_OPTION_OUT(struct weir_trace_options, "Folder for all files (default: out/NAME_trace)"),
    WEIR_OPTION_FORCE(struct weir_trace_options, "Replace an earlier trace there"),
    {.name = "format",
     .argument = "perfetto",
     .help = "Write perfetto.json too, for Chrome and ui.perfetto.dev",
     .type = WEIR_OPTION_READ,
     .read = read_format},
    WEIR_OPTION_QUIET(struct weir_trace_options, "No progress on standard error"),
    {.name = NULL},
};

static int take_word(void *context, const char *word, int number) {
    struct weir_trace_options *options = context;
    (void)number;
    return weir_command_line_case(word, &options->case_file);
}

int weir_trace_options_read(int argc, char **argv, struct weir_trace_options *options) {
    static const struct weir_command command = {.name = "weir trace",
                                                .words = "CASE",
                                                .description = description,
                                                .options = options_of_trace,
                                                .refused = refused,
                                                .word = take_word};
    *options = (struct weir_trace_options){.from = -1};
    WEIR_TRY(weir_command_line_read(&command, argc, argv, options));
    if (!options->case_file)
        return weir_fail(WEIR_USAGE, "no case; give a case file, such as weir trace configs/cavity3d.json");
    return 0;
}

void weir_trace_options_release(struct weir_trace_options *options) {
    free(options->sets);
}
