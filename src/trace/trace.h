/* weir trace: some steps of a case, recorded and explained. */
#ifndef WEIR_SRC_TRACE_TRACE_H
#define WEIR_SRC_TRACE_TRACE_H

#include "graph/ranks/host_share.h"
#include "src/trace/trace_options.h"

/* All ranks run and record, rank 0 converts and explains. share: what this rank got of its host. Collective.
 * Errors as weir_fail says. */
int weir_trace(const struct weir_trace_options *options, struct weir_world *world,
               const struct weir_host_share *share);

#endif
