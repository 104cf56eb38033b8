/* The folder that a run's results go to. */
#ifndef WEIR_SRC_RESULTS_FOLDER_H
#define WEIR_SRC_RESULTS_FOLDER_H

#include "src/case.h"

/* Names the folder: `out`, or out/NAME. *directory is the caller's, to be freed. -WEIR_FAILED when memory is
 * short. */
int weir_results_folder_name(const struct weir_case *c, const char *out, char **directory);

/* Looks whether results may go there: an earlier run's are an error without `force` (-WEIR_USAGE). Nothing is
 * created. */
int weir_results_folder_check(const char *directory, bool force);

/* Creates the folder where it is missing, removes an earlier run's result files, and writes the case there.
 * -WEIR_FAILED with path and reason. */
int weir_results_folder_create(const char *directory, const struct weir_case *c);

/* Removes what was being written (*.part): nobody may write there any more. -WEIR_FAILED with path and
 * reason. */
int weir_results_folder_sweep(const char *directory);

#endif
