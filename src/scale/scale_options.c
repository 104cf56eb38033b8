#include "src/scale/scale_options.h"

#include "graph/base/error.h"
#include "src/common/command_line.h"
#include "src/common/number_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPEAT_DEFAULT = 5, RANKS_MAX = 1 << 20, CORES_MAX = 1 << 16 };

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

static int read_ranks(void *context, const char *text) {
    struct weir_scale_options *options = context;
    return weir_number_list_read("ranks", text, RANKS_MAX, WEIR_SCALING_POINTS_MAX, options->ranks,
                                 &options->rank_count);
}

static int read_cores(void *context, const char *text) {
    struct weir_scale_options *options = context;
    long number;
    options->all_cores = strcmp(text, "all") == 0;
    if (options->all_cores)
        return 0;
    WEIR_TRY(weir_number_read("cores", text, 1, CORES_MAX, &number));
    options->cores = (int)number;
    return 0;
}

static int read_launcher(void *context, const char *text) {
    struct weir_scale_options *options = context;
    if (!strstr(text, "{ranks}"))
        return weir_fail(
            WEIR_USAGE,
            "--launcher: \"%s\" does not say where the number of ranks goes; write {ranks} there, "
            "as in 'srun --ntasks={ranks}'",
            text);
    options->launcher = text;
    return 0;
}

static const struct weir_refused_key refused[] = {
    {"run.steps", "the steps of each run are given with --steps"}, {NULL, NULL}};

static const struct weir_option options_of_scale[] = {
    {.name = "strong",
     .help = "The same domain for all numbers of ranks",
     .type = WEIR_OPTION_FLAG,
     WEIR_OPTION_AT(struct weir_scale_options, strong)},
    {.name = "weak",
     .help = "As many cells per rank for all numbers of ranks",
     .type = WEIR_OPTION_FLAG,
     WEIR_OPTION_AT(struct weir_scale_options, weak)},
    {.name = "ranks",
     .argument = "LIST",
     .help = "Numbers of ranks, such as 1,2,4 (default: 1,2,4,... up to the cores)",
     .type = WEIR_OPTION_READ,
     .read = read_ranks},
    {.name = "cores",
     .argument = "N|all",
     .help = "Cores of each rank on this host (default: cores / most ranks); all: the ranks share all cores, "
             "however "
             "many ranks there are",
     .type = WEIR_OPTION_READ,
     .read = read_cores},
    {.name = "launcher",
     .argument = "COMMAND",
     .help = "Start ranks by COMMAND, in which {ranks} is their number (default: mpirun on this host)",
     .type = WEIR_OPTION_READ,
     .read = read_launcher},
    {.name = "oversubscribe",
     .help = "Allow more ranks than cores on this host: shows that it works, not how fast it is",
     .type = WEIR_OPTION_FLAG,
     WEIR_OPTION_AT(struct weir_scale_options, oversubscribe)},
    WEIR_OPTION_RUN_STEPS(struct weir_scale_options,
                          "Steps of each run (default: as many as take some seconds)"),
    WEIR_OPTION_REPEAT(struct weir_scale_options, "Runs of each number of ranks (default: 5)"),
    WEIR_OPTION_SET(struct weir_scale_options, "Set a key of the case (repeatable)"),
    WEIR_OPTION_OUT(struct weir_scale_options, "Write scale.html to DIR (default: out/NAME_scale)"),
    WEIR_OPTION_FORCE(struct weir_scale_options, "Replace an earlier report there"),
    WEIR_OPTION_JSON(struct weir_scale_options, "Write all numbers to FILE"),
    WEIR_OPTION_QUIET(struct weir_scale_options, "No progress on standard error"),
    {.name = NULL},
};

static int take_word(void *context, const char *word, int number) {
    struct weir_scale_options *options = context;
    (void)number;
    return weir_command_line_case(word, &options->case_file);
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
    static const struct weir_command command = {.name = "weir scale",
                                                .words = "CASE",
                                                .description = description,
                                                .options = options_of_scale,
                                                .refused = refused,
                                                .word = take_word};
    *options = (struct weir_scale_options){.repeat = REPEAT_DEFAULT};
    WEIR_TRY(weir_command_line_read(&command, argc, argv, options));
    return check(options);
}

void weir_scale_options_release(struct weir_scale_options *options) {
    free(options->sets);
}
