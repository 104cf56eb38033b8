/* The folder that a run's results go to. */
#ifndef WEIR_SRC_RESULTS_FOLDER_H
#define WEIR_SRC_RESULTS_FOLDER_H

#include "src/case.h"

/* Chooses the folder: `out`, or out/NAME. An earlier run there is an error without `force` (-WEIR_USAGE).
 * Nothing is created. *directory is the caller's, to be freed. */
int weir_results_folder_choose(const struct weir_case *c, const char *out, bool force, char **directory);

/* Creates the folder where it is missing, removes an earlier run's result files, and writes the case there.
 * -WEIR_FAILED with path and reason. */
int weir_results_folder_create(const char *directory, const struct weir_case *c);

#endif
