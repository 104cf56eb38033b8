#include "src/compare/compare_options.h"

#include "graph/base/error.h"
#include "graph/runtime/runtime.h"
#include "src/common/command_line.h"
#include "src/report/run_analysis.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { REPEAT_DEFAULT = 5 };

/* Compared when none are named, as far as this program has them. */
static const char *const usual_policies[] = {"balanced",     "static",     "model",
                                             "starpu:dmdas", "starpu:lws", NULL};

static const char description[] =
    "Runs the same case under each placement policy, in turns, and reports speed,\n"
    "balance, what was moved and what was lost: as a table, as JSON, and as a page\n"
    "DIR/compare.html that opens in any browser.\n"
    "\n"
    "Workloads:\n"
    "  uniform      the case as it is\n"
    "  skewed       half of the blocks are filled with plates, at least 80 % solid\n"
    "  disturbed    something else keeps cores busy in the middle third of the run\n"
    "  vessels      a tree of vessels in place of all solids: blocks differ by tens,\n"
    "               and many are left out (not by default)\n"
    "  dam_break    a column of liquid falls: work moves from block to block (not by\n"
    "               default)\n"
    "\n"
    "Options:\v"
    "docs/compare.md explains each number.";

bool weir_policy_uses_models(const char *policy) {
    const bool starpu = strncmp(policy, "starpu:", 7) == 0;
    return starpu && (strstr(policy + 7, "dm") || strstr(policy + 7, "heft"));
}

static int add_policy(struct weir_compare_options *options, const char *name) {
    if (name[0] == '\0')
        return weir_fail(WEIR_USAGE, "--policies: an empty name; give names separated by commas, such as "
                                     "static,starpu:dmdas");
    WEIR_TRY(weir_policy_check(name));
    for (int k = 0; k < options->policy_count; k++)
        if (strcmp(options->policies[k], name) == 0)
            return weir_fail(WEIR_USAGE, "--policies: \"%s\" is there twice; name each policy once", name);
    if (options->policy_count == WEIR_POLICIES_MAX)
        return weir_fail(WEIR_USAGE, "--policies: at most %d at a time", WEIR_POLICIES_MAX);
    char *copy = strdup(name);
    if (!copy)
        return weir_fail(WEIR_FAILED, "out of memory");
    options->policies[options->policy_count++] = copy;
    return 0;
}

static int take_policy(void *context, const char *word) {
    return add_policy(context, word);
}

static int read_policies(void *context, const char *list) {
    const struct weir_compare_options *options = context;
    if (options->policy_count > 0)
        return weir_fail(WEIR_USAGE, "--policies: given twice; give one list");
    return weir_command_line_split(list, take_policy, context);
}

static int read_workloads(void *context, const char *list) {
    struct weir_compare_options *options = context;
    return weir_command_line_names("workloads", list, weir_workload_names, options->workloads);
}

static const struct weir_refused_key refused[] = {
    {"placement.policy", "policies to compare are given with --policies"},
    {"run.steps", "the steps of each run are given with --steps"},
    {NULL, NULL},
};

static const struct weir_option options_of_compare[] = {
    {.name = "policies",
     .argument = "LIST",
     .help =
         "Policies, separated by commas (default: balanced,static,model,starpu:dmdas,starpu:lws, as far as "
         "there)",
     .type = WEIR_OPTION_READ,
     .read = read_policies},
    {.name = "workloads",
     .argument = "LIST",
     .help = "uniform, skewed, disturbed, vessels, dam_break (default: the first three)",
     .type = WEIR_OPTION_READ,
     .read = read_workloads},
    WEIR_OPTION_RUN_STEPS(struct weir_compare_options,
                          "Steps of each run (default: as many as take some seconds)"),
    WEIR_OPTION_REPEAT(struct weir_compare_options, "Runs of each policy and workload (default: 5)"),
    WEIR_OPTION_SET(struct weir_compare_options, "Set a key of the case (repeatable)"),
    WEIR_OPTION_OUT(struct weir_compare_options, "Write compare.html to DIR (default: out/NAME_compare)"),
    WEIR_OPTION_FORCE(struct weir_compare_options, "Replace an earlier comparison there"),
    WEIR_OPTION_JSON(struct weir_compare_options, "Write all numbers to FILE"),
    {.name = "trace",
     .help = "Trace one more run of each policy, to DIR/trace-POLICY",
     .type = WEIR_OPTION_FLAG,
     WEIR_OPTION_AT(struct weir_compare_options, trace)},
    WEIR_OPTION_QUIET(struct weir_compare_options, "No progress on standard error"),
    {.name = NULL},
};

static int take_word(void *context, const char *word, int number) {
    struct weir_compare_options *options = context;
    (void)number;
    return weir_command_line_case(word, &options->case_file);
}

int weir_compare_options_read(int argc, char **argv, struct weir_compare_options *options) {
    static const struct weir_command command = {.name = "weir compare",
                                                .words = "CASE",
                                                .description = description,
                                                .options = options_of_compare,
                                                .refused = refused,
                                                .word = take_word};
    *options = (struct weir_compare_options){.repeat = REPEAT_DEFAULT};
    for (int k = 0; k < WEIR_WORKLOAD_COUNT; k++)
        options->workloads[k] = k < WEIR_VESSELS;
    WEIR_TRY(weir_command_line_read(&command, argc, argv, options));
    if (!options->case_file)
        return weir_fail(WEIR_USAGE, "no case; give a case file, such as weir compare configs/cavity3d.json");
    const int least = 3 * WEIR_RECOVERY_STEPS_LEAST;
    if (options->workloads[WEIR_DISTURBED] && options->steps > 0 && options->steps < least)
        return weir_fail(
            WEIR_USAGE,
            "--steps: %lld are too few for the workload disturbed, whose thirds are looked at one "
            "by one; give at least %d, or --workloads uniform,skewed",
            (long long)options->steps, least);
    const bool named = options->policy_count > 0;
    for (int k = 0; !named && usual_policies[k]; k++)
        if (weir_policy_check(usual_policies[k]) == 0)
            WEIR_TRY(add_policy(options, usual_policies[k]));
    return 0;
}

void weir_compare_options_release(struct weir_compare_options *options) {
    for (int k = 0; k < options->policy_count; k++)
        free(options->policies[k]);
    free(options->sets);
}
