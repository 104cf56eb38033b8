#include "src/run/options.h"

#include "graph/base/error.h"
#include "graph/base/nearest.h"
#include "src/common/command_line.h"
#include "src/common/number_list.h"
#include "src/common/version.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *argp_program_bug_address = NULL;

enum { RANKS_MAX = 1 << 20 };

enum {
    KEY_SET = 1,
    KEY_OUT,
    KEY_SUMMARY,
    KEY_STEPS,
    KEY_FORCE,
    KEY_POISON,
    KEY_RECORD,
    KEY_DISTURB,
    KEY_MACHINE,
    KEY_JSON,
    KEY_RANKS
};

static const char description[] =
    "Computes flows with the lattice Boltzmann method, on all processors of a machine at once.\n"
    "\n"
    "Commands:\n"
    "  run CASE     computes a case file's flow\n"
    "  check CASE   validates a case file and prints what follows from it\n"
    "  calibrate CASE\n"
    "               measures how fast the parts of this machine are, and keeps it\n"
    "  predict CASE predicts the time per step on a machine that --machine describes,\n"
    "               and where blocks would go there\n"
    "  info         prints devices, measured bandwidths, versions and thread bindings\n"
    "  bench kernels|graph|ranks\n"
    "               measures kernels against the machine's limits, or the task\n"
    "               graph against a bare loop (weir bench --help tells more)\n"
    "  compare CASE computes a case under several placement policies, and reports\n"
    "               speed, balance and traffic (weir compare --help tells more)\n"
    "  scale CASE   computes a case on several numbers of MPI ranks, and reports\n"
    "               speed-up and efficiency (weir scale --help tells more)\n"
    "  trace CASE   records some steps, and says where their time went (weir trace\n"
    "               --help tells more)\n"
    "\n"
    "Options:\v"
    "Exit status: 0 done; 1 the run failed; 2 wrong usage or case; 77 nothing here can run it.";

static const struct argp_option option_table[] = {
    {"set", KEY_SET, "PATH=VALUE", 0, "Set a key of the case, such as run.steps=100 (repeatable)", 0},
    {"steps", KEY_STEPS, "N", 0, "Short for --set run.steps=N", 0},
    {"out", KEY_OUT, "DIR", 0, "Write results to DIR (default: out/NAME)", 0},
    {"force", KEY_FORCE, NULL, 0, "Replace the results of an earlier run", 0},
    {"summary", KEY_SUMMARY, "FILE", 0, "Write the summary to FILE too (JSON)", 0},
    {"record", KEY_RECORD, "FILE", 0,
     "Write to FILE who took each step of each block, and when (HDF5; run only)", 0},
    {"disturb", KEY_DISTURB, "FROM:TO[:THREADS]", 0,
     "Keep cores busy with something else between these steps (run only)", 0},
    {"quiet", 'q', NULL, 0, "Print errors only", 0},
    {"machine", KEY_MACHINE, "FILE", 0, "predict: the machine (JSON); left out: this one", 0},
    {"ranks", KEY_RANKS, "N", 0, "check: how the domain would be divided among N ranks", 0},
    {"json", KEY_JSON, "FILE", 0, "predict: write all numbers to FILE too", 0},
    {"poison", KEY_POISON, NULL, 0, "Fill memory that no step may read with NaN first (a self-test)", 0},
    {"version", 'V', NULL, 0, "Print version and features", -1},
    {0},
};

static error_t add_set(struct weir_options *options, const char *text) {
    return weir_command_line_answer(weir_command_line_add(text, &options->sets, &options->set_count));
}

static error_t read_ranks(const char *text, struct weir_options *options) {
    long number;
    if (weir_number_read("ranks", text, RANKS_MAX, &number) != 0)
        return EINVAL;
    options->ranks = (int)number;
    return 0;
}

static error_t parse_one(int key, char *argument, struct argp_state *state) {
    struct weir_options *options = state->input;
    switch (key) {
    case KEY_SET:
        return add_set(options, argument);
    case KEY_STEPS: {
        if (options->steps_set)
            return weir_fail(WEIR_USAGE, "--steps %s: given twice; give it once", argument), EINVAL;
        return asprintf(&options->steps_set, "run.steps=%s", argument) < 0
                   ? ENOMEM
                   : add_set(options, options->steps_set);
    }
    case KEY_OUT:
        options->out = argument;
        return 0;
    case KEY_SUMMARY:
        options->summary = argument;
        return 0;
    case KEY_RECORD:
        options->record = argument;
        return 0;
    case KEY_DISTURB:
        options->disturbed = true;
        return weir_disturbance_parse(argument, &options->disturbance) == 0 ? 0 : EINVAL;
    case KEY_FORCE:
        options->force = true;
        return 0;
    case 'q':
        options->quiet = true;
        return 0;
    case KEY_MACHINE:
        options->machine = argument;
        return 0;
    case KEY_RANKS:
        return read_ranks(argument, options);
    case KEY_JSON:
        options->json = argument;
        return 0;
    case KEY_POISON:
        options->poison = true;
        return 0;
    case 'V':
        weir_version_print(stdout);
        exit(0);
    case ARGP_KEY_ARG:
        if (state->arg_num > 0)
            return weir_command_line_answer(weir_command_line_case(argument, &options->case_file));
        options->command = argument;
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

static int check_command(const struct weir_options *options) {
    static const char *const commands[] = {"run",   "check",   "calibrate", "predict", "info",
                                           "bench", "compare", "scale",     "trace",   NULL};
    if (!options->command)
        return weir_fail(WEIR_USAGE, "no command; give run, check, calibrate, predict, info, bench, "
                                     "compare, scale or trace (weir --help tells more)");
    bool known = false;
    for (int k = 0; commands[k]; k++)
        known = known || strcmp(commands[k], options->command) == 0;
    if (!known) {
        const char *near = weir_nearest(options->command, commands);
        return weir_fail(
            WEIR_USAGE, "\"%s\" is no command; %s%s%s", options->command, near ? "did you mean \"" : "",
            near ? near : "give run, check, calibrate, predict, info, bench, compare, scale or trace",
            near ? "\"?" : "");
    }
    if (strcmp(options->command, "bench") == 0)
        return weir_fail(
            WEIR_USAGE,
            "bench comes first: weir bench kernels, weir bench graph or weir bench ranks, then options");
    if (strcmp(options->command, "compare") == 0)
        return weir_fail(WEIR_USAGE, "compare comes first: weir compare CASE, then options");
    if (strcmp(options->command, "scale") == 0)
        return weir_fail(WEIR_USAGE, "scale comes first: weir scale --strong CASE, then options");
    if (strcmp(options->command, "trace") == 0)
        return weir_fail(WEIR_USAGE, "trace comes first: weir trace CASE, then options");
    if (strcmp(options->command, "info") == 0)
        return options->case_file
                   ? weir_fail(WEIR_USAGE, "\"%s\": weir info takes no case", options->case_file)
                   : 0;
    if ((options->machine || options->json) && strcmp(options->command, "predict") != 0)
        return weir_fail(WEIR_USAGE, "%s belongs to weir predict; leave it out",
                         options->machine ? "--machine" : "--json");
    if (!options->case_file)
        return weir_fail(WEIR_USAGE, "no case; give a case file, such as weir %s configs/cavity3d.json",
                         options->command);
    if (strcmp(options->command, "run") != 0 && (options->record || options->disturbed))
        return weir_fail(WEIR_USAGE, "%s is for weir run; weir %s runs nothing",
                         options->record ? "--record" : "--disturb", options->command);
    return 0;
}

int weir_options_read(int argc, char **argv, struct weir_options *options) {
    static const struct argp argp = {option_table, parse_one, "COMMAND [CASE]", description, NULL,
                                     NULL,         NULL};
    memset(options, 0, sizeof *options);
    WEIR_TRY(weir_command_line_read(&argp, NULL, argc, argv, options));
    return check_command(options);
}

void weir_options_release(struct weir_options *options) {
    free(options->sets);
    free(options->steps_set);
}
