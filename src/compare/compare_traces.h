/* weir compare --trace: one short traced run under each policy, after the timed ones, as a child process. */
#ifndef WEIR_SRC_COMPARE_COMPARE_TRACES_H
#define WEIR_SRC_COMPARE_COMPARE_TRACES_H

#include "src/common/results_folder.h"
#include "src/compare/comparison.h"

/* Whether this program can record, and no earlier trace would be written over unasked; before minutes of work
 * end in that. folder: of the page. Errors: -WEIR_UNAVAILABLE, -WEIR_USAGE, with the mend. */
int weir_compare_traces_check(const struct weir_compare_options *options, const char *folder);

/* Whether a comparison with these options (struct weir_compare_options) makes a folder of this name. */
bool weir_compare_traces_writes(const void *options, const char *name);

/* Traces a case under a policy (by its place among the options') into a folder within `work`, and fills the
 * comparison's entry; said: file for the child's words. What goes wrong with the trace alone is kept in the
 * entry. Error: -WEIR_FAILED when memory is short. */
int weir_compare_trace(struct weir_comparison *comparison, int policy, const char *case_file,
                       const char *work, const char *said);

/* Moves the traces from `work` to beside the page. Error: -WEIR_FAILED. */
int weir_compare_traces_place(const struct weir_comparison *comparison, const char *work,
                              struct weir_results_folder *folder);

/* -WEIR_FAILED with what went wrong, where some policy has no trace. */
int weir_compare_traces_judge(const struct weir_comparison *comparison);

#endif
