#include "src/trace/trace_options.h"

#include "graph/base/error.h"
#include "src/common/command_line.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KEY_FROM = 1, KEY_STEPS, KEY_OUT, KEY_FORCE, KEY_SET, KEY_FORMAT };
enum { STEPS_MAX = 100000000 };

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

static const struct argp_option option_table[] = {
    {"from", KEY_FROM, "STEP", 0, "First step recorded (default: after some to warm up)", 0},
    {"steps", KEY_STEPS, "N", 0, "Steps recorded (default: as many as have about 2000 tasks)", 0},
    {"set", KEY_SET, "PATH=VALUE", 0, "Set a key of the case (repeatable)", 0},
    {"out", KEY_OUT, "DIR", 0, "Folder for all files (default: out/NAME_trace)", 0},
    {"force", KEY_FORCE, NULL, 0, "Replace an earlier trace there", 0},
    {"format", KEY_FORMAT, "perfetto", 0, "Write perfetto.json too, for Chrome and ui.perfetto.dev", 0},
    {"quiet", 'q', NULL, 0, "No progress on standard error", 0},
    {0},
};

static int read_number(const char *option, const char *text, long least, int64_t *number) {
    char *end;
    const long value = strtol(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || value < least || value > STEPS_MAX)
        return weir_fail(WEIR_USAGE, "--%s: \"%s\" is no number from %ld to %d", option, text, least,
                         STEPS_MAX);
    *number = value;
    return 0;
}

static int add_set(struct weir_trace_options *options, const char *text) {
    if (strncmp(text, "run.steps=", strlen("run.steps=")) == 0)
        return weir_fail(WEIR_USAGE, "--set %s: how far the run goes follows from --from and --steps", text);
    return weir_command_line_add(text, &options->sets, &options->set_count);
}

static int take(struct weir_trace_options *options, int key, char *argument) {
    switch (key) {
    case KEY_FROM:
        return read_number("from", argument, 0, &options->from);
    case KEY_STEPS:
        return read_number("steps", argument, 1, &options->steps);
    case KEY_SET:
        return add_set(options, argument);
    case KEY_OUT:
        options->out = argument;
        return 0;
    case KEY_FORCE:
        options->force = true;
        return 0;
    case KEY_FORMAT:
        if (strcmp(argument, "perfetto") != 0)
            return weir_fail(WEIR_USAGE, "--format: \"%s\" is not known; give perfetto", argument);
        options->perfetto = true;
        return 0;
    case 'q':
        options->quiet = true;
        return 0;
    case ARGP_KEY_ARG:
        return weir_command_line_case(argument, &options->case_file);
    default:
        return 1;
    }
}

static error_t parse_one(int key, char *argument, struct argp_state *state) {
    return weir_command_line_answer(take(state->input, key, argument));
}

int weir_trace_options_read(int argc, char **argv, struct weir_trace_options *options) {
    static const struct argp argp = {option_table, parse_one, "CASE", description, NULL, NULL, NULL};
    *options = (struct weir_trace_options){.from = -1};
    WEIR_TRY(weir_command_line_read(&argp, "weir trace", argc, argv, options));
    if (!options->case_file)
        return weir_fail(WEIR_USAGE, "no case; give a case file, such as weir trace configs/cavity3d.json");
    return 0;
}

void weir_trace_options_release(struct weir_trace_options *options) {
    free(options->sets);
}
