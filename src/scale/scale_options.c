#include "src/scale/scale_options.h"

#include "graph/base/error.h"
#include "src/common/command_line.h"
#include "src/common/number_list.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEY_WEAK = 1,
    KEY_STRONG,
    KEY_RANKS,
    KEY_CORES,
    KEY_LAUNCHER,
    KEY_OVERSUBSCRIBE,
    KEY_STEPS,
    KEY_REPEAT,
    KEY_JSON,
    KEY_OUT,
    KEY_FORCE,
    KEY_SET
};
enum {
    REPEAT_DEFAULT = 5,
    REPEAT_MAX = 1000,
    STEPS_MAX = 100000000,
    RANKS_MAX = 1 << 20,
    CORES_MAX = 1 << 16
};

static const char description[] =
    "Runs the same case on several numbers of ranks, in turns, and reports speed,\n"
    "speed-up, efficiency, what was sent and what was not hidden: as a table, as\n"
    "JSON, and as a page DIR/scale.html that opens in any browser.\n"
    "\n"
    "  --strong     the same domain for all numbers of ranks\n"
    "  --weak       the case's domain is that of one rank; N ranks get N of it,\n"
    "               side by side\n"
    "\n"
    "Options:\v"
    "docs/cluster.md explains each number, and how to do this on a cluster.";

static const struct argp_option option_table[] = {
    {"strong", KEY_STRONG, NULL, 0, "The same domain for all numbers of ranks", 0},
    {"weak", KEY_WEAK, NULL, 0, "As many cells per rank for all numbers of ranks", 0},
    {"ranks", KEY_RANKS, "LIST", 0, "Numbers of ranks, such as 1,2,4 (default: 1,2,4,... up to the cores)",
     0},
    {"cores", KEY_CORES, "N|all", 0,
     "Cores of each rank on this host (default: cores / most ranks); all: the ranks share all cores, however "
     "many ranks there are",
     0},
    {"launcher", KEY_LAUNCHER, "COMMAND", 0,
     "Start ranks by COMMAND, in which {ranks} is their number (default: mpirun on this host)", 0},
    {"oversubscribe", KEY_OVERSUBSCRIBE, NULL, 0,
     "Allow more ranks than cores on this host: shows that it works, not how fast it is", 0},
    {"steps", KEY_STEPS, "N", 0, "Steps of each run (default: as many as take some seconds)", 0},
    {"repeat", KEY_REPEAT, "R", 0, "Runs of each number of ranks (default: 5)", 0},
    {"set", KEY_SET, "PATH=VALUE", 0, "Set a key of the case (repeatable)", 0},
    {"out", KEY_OUT, "DIR", 0, "Write scale.html to DIR (default: out/NAME_scale)", 0},
    {"force", KEY_FORCE, NULL, 0, "Replace an earlier report there", 0},
    {"json", KEY_JSON, "FILE", 0, "Write all numbers to FILE", 0},
    {"quiet", 'q', NULL, 0, "No progress on standard error", 0},
    {0},
};

static int read_cores(struct weir_scale_options *options, const char *text) {
    long number;
    options->all_cores = strcmp(text, "all") == 0;
    if (options->all_cores)
        return 0;
    WEIR_TRY(weir_number_read("cores", text, CORES_MAX, &number));
    options->cores = (int)number;
    return 0;
}

static int read_launcher(struct weir_scale_options *options, const char *text) {
    if (!strstr(text, "{ranks}"))
        return weir_fail(
            WEIR_USAGE,
            "--launcher: \"%s\" does not say where the number of ranks goes; write {ranks} there, "
            "as in 'srun --ntasks={ranks}'",
            text);
    options->launcher = text;
    return 0;
}

static int add_set(struct weir_scale_options *options, const char *text) {
    if (strncmp(text, "run.steps=", strlen("run.steps=")) == 0)
        return weir_fail(WEIR_USAGE, "--set %s: the steps of each run are given with --steps", text);
    return weir_command_line_add(text, &options->sets, &options->set_count);
}

static int take(struct weir_scale_options *options, int key, char *argument) {
    long number;
    switch (key) {
    case KEY_WEAK:
        options->weak = true;
        return 0;
    case KEY_STRONG:
        options->strong = true;
        return 0;
    case KEY_RANKS:
        return weir_number_list_read("ranks", argument, RANKS_MAX, WEIR_SCALING_POINTS_MAX, options->ranks,
                                     &options->rank_count);
    case KEY_CORES:
        return read_cores(options, argument);
    case KEY_LAUNCHER:
        return read_launcher(options, argument);
    case KEY_OVERSUBSCRIBE:
        options->oversubscribe = true;
        return 0;
    case KEY_STEPS:
        WEIR_TRY(weir_number_read("steps", argument, STEPS_MAX, &number));
        options->steps = number;
        return 0;
    case KEY_REPEAT:
        WEIR_TRY(weir_number_read("repeat", argument, REPEAT_MAX, &number));
        options->repeat = (int)number;
        return 0;
    case KEY_SET:
        return add_set(options, argument);
    case KEY_OUT:
        options->out = argument;
        return 0;
    case KEY_FORCE:
        options->force = true;
        return 0;
    case KEY_JSON:
        options->json = argument;
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

static int check(const struct weir_scale_options *options) {
    if (!options->case_file)
        return weir_fail(WEIR_USAGE,
                         "no case; give a case file, such as weir scale --strong configs/cavity3d.json");
    if (options->weak == options->strong)
        return weir_fail(WEIR_USAGE,
                         "%s; give --strong (the same domain for all numbers of ranks) or --weak (as "
                         "many cells per rank)",
                         options->weak ? "--weak and --strong exclude each other"
                                       : "weak or strong scaling?");
    if (options->launcher && (options->cores || options->all_cores || options->oversubscribe))
        return weir_fail(
            WEIR_USAGE,
            "--launcher: %s is for mpirun on this host; let the launcher give ranks their cores, as "
            "in 'srun --ntasks={ranks} --cpus-per-task=8'",
            options->oversubscribe ? "--oversubscribe" : "--cores");
    return 0;
}

int weir_scale_options_read(int argc, char **argv, struct weir_scale_options *options) {
    static const struct argp argp = {option_table, parse_one, "CASE", description, NULL, NULL, NULL};
    *options = (struct weir_scale_options){.repeat = REPEAT_DEFAULT};
    WEIR_TRY(weir_command_line_read(&argp, "weir scale", argc, argv, options));
    return check(options);
}

void weir_scale_options_release(struct weir_scale_options *options) {
    free(options->sets);
}
