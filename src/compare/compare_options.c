#include "src/compare/compare_options.h"

#include "graph/base/error.h"
#include "graph/base/nearest.h"
#include "graph/runtime/runtime.h"
#include "src/common/command_line.h"
#include "src/common/number_list.h"
#include "src/report/run_analysis.h"

#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    KEY_POLICIES = 1,
    KEY_STEPS,
    KEY_REPEAT,
    KEY_WORKLOADS,
    KEY_JSON,
    KEY_OUT,
    KEY_FORCE,
    KEY_SET,
    KEY_TRACE
};
enum { REPEAT_DEFAULT = 5, REPEAT_MAX = 1000, STEPS_MAX = 100000000 };

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
    "\n"
    "Options:\v"
    "docs/compare.md explains each number.";

static const struct argp_option option_table[] = {
    {"policies", KEY_POLICIES, "LIST", 0,
     "Policies, separated by commas (default: balanced,static,model,starpu:dmdas,starpu:lws, as far as "
     "there)",
     0},
    {"workloads", KEY_WORKLOADS, "LIST", 0, "uniform, skewed, disturbed (default: all)", 0},
    {"steps", KEY_STEPS, "N", 0, "Steps of each run (default: as many as take some seconds)", 0},
    {"repeat", KEY_REPEAT, "R", 0, "Runs of each policy and workload (default: 5)", 0},
    {"set", KEY_SET, "PATH=VALUE", 0, "Set a key of the case (repeatable)", 0},
    {"out", KEY_OUT, "DIR", 0, "Write compare.html to DIR (default: out/NAME_compare)", 0},
    {"force", KEY_FORCE, NULL, 0, "Replace an earlier comparison there", 0},
    {"json", KEY_JSON, "FILE", 0, "Write all numbers to FILE", 0},
    {"trace", KEY_TRACE, NULL, 0, "Trace one more run of each policy, to DIR/trace-POLICY", 0},
    {"quiet", 'q', NULL, 0, "No progress on standard error", 0},
    {0},
};

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

static int read_policies(struct weir_compare_options *options, const char *list) {
    char *copy = strdup(list), *rest = copy;
    int error = copy ? 0 : weir_fail(WEIR_FAILED, "out of memory");
    if (options->policy_count > 0)
        error = weir_fail(WEIR_USAGE, "--policies: given twice; give one list");
    for (char *word; error == 0 && (word = strsep(&rest, ","));)
        error = add_policy(options, word);
    free(copy);
    return error;
}

static int read_workloads(struct weir_compare_options *options, const char *list) {
    char *copy = strdup(list), *rest = copy;
    int error = copy ? 0 : weir_fail(WEIR_FAILED, "out of memory");
    memset(options->workloads, 0, sizeof options->workloads);
    for (char *word; error == 0 && (word = strsep(&rest, ","));) {
        int found = -1;
        for (int k = 0; k < WEIR_WORKLOAD_COUNT; k++)
            if (strcmp(word, weir_workload_names[k]) == 0)
                found = k;
        if (found >= 0)
            options->workloads[found] = true;
        else {
            const char *near = weir_nearest(word, weir_workload_names);
            error = weir_fail(WEIR_USAGE, "--workloads: \"%s\" is not known; %s%s%s", word,
                              near ? "did you mean \"" : "",
                              near ? near : "give uniform, skewed or disturbed", near ? "\"?" : "");
        }
    }
    free(copy);
    return error;
}

static int add_set(struct weir_compare_options *options, const char *text) {
    if (strncmp(text, "placement.policy=", strlen("placement.policy=")) == 0)
        return weir_fail(WEIR_USAGE, "--set %s: policies to compare are given with --policies", text);
    if (strncmp(text, "run.steps=", strlen("run.steps=")) == 0)
        return weir_fail(WEIR_USAGE, "--set %s: the steps of each run are given with --steps", text);
    return weir_command_line_add(text, &options->sets, &options->set_count);
}

static int take(struct weir_compare_options *options, int key, char *argument) {
    long number;
    switch (key) {
    case KEY_POLICIES:
        return read_policies(options, argument);
    case KEY_WORKLOADS:
        return read_workloads(options, argument);
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
    case KEY_TRACE:
        options->trace = true;
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

int weir_compare_options_read(int argc, char **argv, struct weir_compare_options *options) {
    static const struct argp argp = {option_table, parse_one, "CASE", description, NULL, NULL, NULL};
    *options = (struct weir_compare_options){.repeat = REPEAT_DEFAULT};
    for (int k = 0; k < WEIR_WORKLOAD_COUNT; k++)
        options->workloads[k] = true;
    WEIR_TRY(weir_command_line_read(&argp, "weir compare", argc, argv, options));
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
