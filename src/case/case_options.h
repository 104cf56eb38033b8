/* What a case asks of the runtime and of the simulation, as their options. */
#ifndef WEIR_SRC_CASE_CASE_OPTIONS_H
#define WEIR_SRC_CASE_CASE_OPTIONS_H

#include "graph/runtime/runtime.h"
#include "graph/simulation.h"
#include "src/case/case.h"

/* Policy and workers of a case, as options of the runtime; texts stay the case's. -WEIR_USAGE for an unknown
 * policy. */
int weir_case_runtime_options(const struct weir_case *c, struct weir_runtime_options *options);

/* Block size and shares of memory of a case, as options of the simulation. */
struct weir_simulation_options weir_case_simulation_options(const struct weir_case *c);

#endif
