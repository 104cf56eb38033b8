#include "src/run/options.h"

#include "graph/base/error.h"
#include "graph/base/nearest.h"
#include "src/common/command_line.h"
#include "src/common/version.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *argp_program_bug_address = NULL;

enum { RANKS_MAX = 1 << 20 };

static const char description[] =
    "Computes flows with the lattice Boltzmann method, on all processors of a machine at once.\n"
    "\n"
    "Commands:\n"
    "  run CASE     computes a case file's flow\n"
    "  resume DIR   goes on with a run from the newest whole checkpoint in its folder\n"
    "  check CASE   validates a case file and prints what follows from it\n"
    "  calibrate CASE\n"
    "               measures how fast the parts of this machine are, and keeps it\n"
    "  predict CASE predicts the time per step on a machine that --machine describes,\n"
    "               and where blocks would go there\n"
    "  info         prints devices, measured bandwidths, versions and thread bindings\n"
    "  info FILE.h5 prints what a checkpoint holds, and whether it is whole\n"
    "  bench kernels|graph|ranks\n"
    "               measures kernels against the machine's limits, or the task\n"
    "               graph against a bare loop (weir bench --help tells more)\n"
    "  compare CASE computes a case under several placement policies, and reports\n"
    "               speed, balance and traffic (weir compare --help tells more)\n"
    "  permeability CASE\n"
    "               computes a case with its force along each periodic axis, and puts\n"
    "               the tensor together (weir permeability --help tells more)\n"
    "  scale CASE   computes a case on several numbers of MPI ranks, and reports\n"
    "               speed-up and efficiency (weir scale --help tells more)\n"
    "  show DIR     makes a page of what a run has written: images, curves, spectra,\n"
    "               summary (weir show --help tells more)\n"
    "  trace CASE   records some steps, and says where their time went (weir trace\n"
    "               --help tells more)\n"
    "  kernels list|build|clear\n"
    "               shows, compiles ahead of time, or forgets kernels (weir kernels\n"
    "               --help tells more)\n"
    "\n"
    "Options:\v"
    "Exit status: 0 done; 1 the run failed; 2 wrong usage or case; 77 nothing here can run it.";

static int read_steps(void *context, const char *text) {
    struct weir_options *options = context;
    if (options->steps_set)
        return weir_fail(WEIR_USAGE, "--steps %s: given twice; give it once", text);
    if (asprintf(&options->steps_set, "run.steps=%s", text) < 0)
        return weir_fail(WEIR_FAILED, "out of memory");
    return weir_command_line_add(options->steps_set, &options->sets, &options->set_count);
}

static int read_disturb(void *context, const char *text) {
    struct weir_options *options = context;
    options->disturbed = true;
    return weir_disturbance_parse(text, &options->disturbance);
}

static int print_version(void *context, const char *text) {
    (void)context, (void)text;
    weir_version_print(stdout);
    exit(0);
}

static const struct weir_option options_of_run[] = {
    WEIR_OPTION_SET(struct weir_options, "Set a key of the case, such as run.steps=100 (repeatable)"),
    {.name = "steps",
     .argument = "N",
     .help = "Short for --set run.steps=N",
     .type = WEIR_OPTION_READ,
     .read = read_steps},
    WEIR_OPTION_OUT(struct weir_options, "Write results to DIR (default: out/NAME)"),
    WEIR_OPTION_FORCE(struct weir_options, "Replace the results of an earlier run"),
    {.name = "summary",
     .argument = "FILE",
     .help = "Write the summary to FILE too (JSON)",
     .type = WEIR_OPTION_TEXT,
     WEIR_OPTION_AT(struct weir_options, summary)},
    {.name = "resume",
     .argument = "FILE",
     .help = "Go on from this checkpoint (run and resume)",
     .type = WEIR_OPTION_TEXT,
     WEIR_OPTION_AT(struct weir_options, resume)},
    {.name = "record",
     .argument = "FILE",
     .help = "Write to FILE who took each step of each block, and when (HDF5; run only)",
     .type = WEIR_OPTION_TEXT,
     WEIR_OPTION_AT(struct weir_options, record)},
    {.name = "disturb",
     .argument = "FROM:TO[:THREADS]",
     .help = "Keep cores busy with something else between these steps (run only)",
     .type = WEIR_OPTION_READ,
     .read = read_disturb},
    WEIR_OPTION_QUIET(struct weir_options, "Print errors only"),
    {.name = "machine",
     .argument = "FILE",
     .help = "predict: the machine (JSON); left out: this one",
     .type = WEIR_OPTION_TEXT,
     WEIR_OPTION_AT(struct weir_options, machine)},
    {.name = "ranks",
     .argument = "N",
     .help = "check: how the domain would be divided among N ranks",
     .type = WEIR_OPTION_NUMBER,
     .least = 1,
     .most = RANKS_MAX,
     WEIR_OPTION_AT(struct weir_options, ranks)},
    {.name = "draw",
     .argument = "DIR",
     .help = "check: draw cuts through the solids into DIR (PNG)",
     .type = WEIR_OPTION_TEXT,
     WEIR_OPTION_AT(struct weir_options, draw)},
    WEIR_OPTION_JSON(struct weir_options, "predict: write all numbers to FILE too"),
    {.name = "poison",
     .help = "Fill memory that no step may read with NaN first (a self-test)",
     .type = WEIR_OPTION_FLAG,
     WEIR_OPTION_AT(struct weir_options, poison)},
    {.name = "version",
     .letter = 'V',
     .first = true,
     .help = "Print version and features",
     .type = WEIR_OPTION_READ,
     .read = print_version},
    {.name = NULL},
};

static int take_word(void *context, const char *word, int number) {
    struct weir_options *options = context;
    if (number > 0)
        return weir_command_line_case(word, &options->case_file);
    options->command = word;
    return 0;
}

/* Commands with options of their own. */
static const struct {
    const char *command, *words;
} own_words[] = {
    {"bench", "bench kernels, weir bench graph or weir bench ranks"},
    {"compare", "compare CASE"},
    {"scale", "scale --strong CASE"},
    {"show", "show out/NAME"},
    {"trace", "trace CASE"},
    {"kernels", "kernels list, build CASE or clear"},
};

/* The folder takes the case's place, and its own. */
static int check_resume(struct weir_options *options) {
    if (!options->case_file)
        return weir_fail(WEIR_USAGE, "no folder; give that of a run, such as weir resume out/cavity3d");
    if (options->out)
        return weir_fail(WEIR_USAGE,
                         "--out: weir resume goes on in the run's own folder; leave it out, or give "
                         "weir run CASE --resume FILE --out DIR");
    options->out = options->case_file;
    options->resumes = true;
    if (asprintf(&options->resumed_case, "%s/case.json", options->out) < 0)
        return weir_fail(WEIR_FAILED, "out of memory");
    options->case_file = options->resumed_case;
    return 0;
}

static int check_command(struct weir_options *options) {
    static const char *const commands[] = {"run",   "resume",  "check",   "calibrate", "predict",
                                           "info",  "bench",   "compare", "scale",     "show",
                                           "trace", "kernels", NULL};
    if (!options->command)
        return weir_fail(WEIR_USAGE, "no command; give run, resume, check, calibrate, predict, info, bench, "
                                     "compare, scale, show, trace or kernels (weir --help tells more)");
    bool known = false;
    for (int k = 0; commands[k]; k++)
        known = known || strcmp(commands[k], options->command) == 0;
    if (!known) {
        const char *near = weir_nearest(options->command, commands);
        return weir_fail(WEIR_USAGE, "\"%s\" is no command; %s%s%s", options->command,
                         near ? "did you mean \"" : "",
                         near ? near
                              : "give run, resume, check, calibrate, predict, info, bench, compare, scale, "
                                "show, trace or kernels",
                         near ? "\"?" : "");
    }
    for (size_t k = 0; k < sizeof own_words / sizeof *own_words; k++)
        if (strcmp(options->command, own_words[k].command) == 0)
            return weir_fail(WEIR_USAGE, "%s comes first: weir %s, then options", options->command,
                             own_words[k].words);
    if (strcmp(options->command, "info") == 0)
        return 0;
    if ((options->machine || options->json) && strcmp(options->command, "predict") != 0)
        return weir_fail(WEIR_USAGE, "%s belongs to weir predict; leave it out",
                         options->machine ? "--machine" : "--json");
    if (options->draw && strcmp(options->command, "check") != 0)
        return weir_fail(WEIR_USAGE, "--draw belongs to weir check; leave it out");
    if (strcmp(options->command, "resume") == 0)
        return check_resume(options);
    if (options->resume && strcmp(options->command, "run") != 0)
        return weir_fail(WEIR_USAGE, "--resume belongs to weir run and weir resume; leave it out");
    if (!options->case_file)
        return weir_fail(WEIR_USAGE, "no case; give a case file, such as weir %s configs/cavity3d.json",
                         options->command);
    if (strcmp(options->command, "run") != 0 && (options->record || options->disturbed))
        return weir_fail(WEIR_USAGE, "%s is for weir run; weir %s runs nothing",
                         options->record ? "--record" : "--disturb", options->command);
    return 0;
}

int weir_options_read(int argc, char **argv, struct weir_options *options) {
    static const struct weir_command command = {
        .words = "COMMAND [CASE]", .description = description, .options = options_of_run, .word = take_word};
    memset(options, 0, sizeof *options);
    WEIR_TRY(weir_command_line_read(&command, argc, argv, options));
    return check_command(options);
}

void weir_options_release(struct weir_options *options) {
    free(options->sets);
    free(options->steps_set);
    free(options->resumed_case);
}
