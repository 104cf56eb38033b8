/* What a case asks of the runtime. */
#ifndef WEIR_SRC_WORKERS_H
#define WEIR_SRC_WORKERS_H

#include "graph/runtime.h"
#include "src/case.h"

/* Policy and workers of a case, as options of the runtime; texts stay the case's. -WEIR_USAGE for an unknown
 * policy. */
int weir_workers_of_case(const struct weir_case *c, struct weir_runtime_options *options);

/* Whether StarPU has not measured this machine yet, and will now. */
bool weir_workers_first_run(void);

#endif
