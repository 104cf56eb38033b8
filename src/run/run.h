/* weir run: computes a case. */
#ifndef WEIR_SRC_RUN_RUN_H
#define WEIR_SRC_RUN_RUN_H

#include "src/case/case.h"
#include "src/run/options.h"

/* Runs the case with the results in a folder of their own. Errors as weir_fail says; what was written until
 * then stays. */
int weir_run(const struct weir_case *c, const struct weir_options *options);

#endif
