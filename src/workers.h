/* What a case asks of the runtime and of the simulation. */
#ifndef WEIR_SRC_WORKERS_H
#define WEIR_SRC_WORKERS_H

#include "graph/runtime.h"
#include "graph/simulation.h"
#include "src/case.h"

/* Policy and workers of a case, as options of the runtime; texts stay the case's. -WEIR_USAGE for an unknown
 * policy. */
int weir_workers_of_case(const struct weir_case *c, struct weir_runtime_options *options);

/* Block size and memory of a case, as options of the simulation. */
struct weir_simulation_options weir_simulation_options_of_case(const struct weir_case *c);

/* Whether StarPU has not measured this machine yet, and will now. */
bool weir_workers_first_run(void);

#endif
