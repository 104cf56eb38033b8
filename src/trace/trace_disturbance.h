/* Whether something else used the machine while a window was recorded: then no advice follows from it.
 * Arithmetic on arrays only; docs/tracing.md, "Disturbance". */
#ifndef WEIR_SRC_TRACE_TRACE_DISTURBANCE_H
#define WEIR_SRC_TRACE_TRACE_DISTURBANCE_H

#include "src/report/run_analysis.h"
#include "src/trace/trace_data.h"

struct weir_trace_disturbance {
    /* Steps of blocks on cores and teams that took far longer than the same block's steps of the same parity
     * usually do, while the block stayed where it was. */
    int64_t compared, slow;
    int worker;          /* that lost most to them, -1: none was compared */
    int64_t worker_slow; /* of its steps */
    double slow_seconds; /* that it lost */
    double slow_share;   /* the same of the window */
    double slow_factor;  /* how many times as long as usual its slow ones took, in the mean; NAN: there are
                            none */
    double lost; /* the part of the window that was lost to something else: what tasks show, or what /proc
                    does */
};

/* -WEIR_FAILED when memory is short. */
int weir_trace_disturbance_find(const struct weir_trace *trace, const struct weir_run_analysis *run,
                                struct weir_trace_disturbance *disturbance);

/* Whether it may have made the main loss, which is this fraction, or hides another. */
bool weir_trace_disturbed(const struct weir_trace_disturbance *disturbance, double main_loss);

#endif
