/* The folder of a run's results: which one it is, whether a run may write there, and what lies in it from the
 * beginning. */
#ifndef WEIR_SRC_RUN_RUN_FOLDER_H
#define WEIR_SRC_RUN_RUN_FOLDER_H

#include "src/case/case.h"
#include "src/common/results_folder.h"
#include "src/run/options.h"

/* Finds its path, which is the caller's (free), and looks whether results may go there. Creates nothing.
 * Errors: -WEIR_USAGE with what to do, -WEIR_FAILED. */
int weir_run_folder_choose(const struct weir_case *c, const struct weir_options *options, char **path);

/* Opens it, on every rank; rank 0 writes the case into it. *folder is the caller's. Errors: -WEIR_FAILED. */
int weir_run_folder_open(const struct weir_case *c, const struct weir_options *options, const char *path,
                         struct weir_results_folder **folder);

#endif
