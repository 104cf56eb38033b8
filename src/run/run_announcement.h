/* What a run says of itself before its first step. */
#ifndef WEIR_SRC_RUN_RUN_ANNOUNCEMENT_H
#define WEIR_SRC_RUN_RUN_ANNOUNCEMENT_H

#include "graph/runtime/runtime.h"
#include "graph/simulation.h"
#include "src/case/case.h"

/* Prints to standard error what is computed, in which blocks, and by which policy. world: NULL for one rank.
 */
void weir_run_announce(const struct weir_case *c, const struct weir_runtime *runtime,
                       const struct weir_simulation *simulation, const struct weir_world *world);

#endif
