/* The command line of weir compare. */
#ifndef WEIR_SRC_COMPARE_COMPARE_OPTIONS_H
#define WEIR_SRC_COMPARE_COMPARE_OPTIONS_H

#include "src/compare/compare_workloads.h"

#include <stdbool.h>
#include <stdint.h>

enum { WEIR_POLICIES_MAX = 32 };

struct weir_compare_options {
    const char *case_file;
    const char **sets; /* values of --set, in order */
    int set_count;
    char *policies[WEIR_POLICIES_MAX]; /* [policy_count], different ones that this program has */
    int policy_count;
    bool workloads[WEIR_WORKLOAD_COUNT]; /* which are wanted; at least one is */
    int64_t steps;                       /* of each run, 0: chosen */
    int repeat;                          /* runs of each policy and workload */
    const char *json;                    /* file, NULL: none */
    const char *out;                     /* folder, NULL: out/NAME_compare */
    bool trace;                          /* one traced run under each policy as well */
    bool force, quiet;
};

/* Reads the words after "weir": argv[0] is "compare". Exits with 0 for --help. Returns 0 or -WEIR_USAGE; the
 * options are to be released in any case. */
int weir_compare_options_read(int argc, char **argv, struct weir_compare_options *options);

void weir_compare_options_release(struct weir_compare_options *options);

/* Whether a policy decides by measured times of tasks, which have to be measured before timings count. */
bool weir_policy_uses_models(const char *policy);

#endif
