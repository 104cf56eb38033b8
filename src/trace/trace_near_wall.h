/* What fluid cells beside walls cost in a trace: how much longer than others they take. Arithmetic on arrays
 * only; docs/tracing.md, "Cells beside walls". */
#ifndef WEIR_SRC_TRACE_TRACE_NEAR_WALL_H
#define WEIR_SRC_TRACE_TRACE_NEAR_WALL_H

#include "src/trace/trace_data.h"

#include <stdbool.h>

struct weir_trace_near_wall {
    double share; /* of the fluid cells; NAN without fluid */
    /* By a fit to the steps of blocks on cores and teams; where blocks are too few or too much alike for one,
     * by what this machine was measured to need without walls. NAN where there is neither, or the difference
     * is within the noise; and with a free surface, whose cost would be taken for that of walls. */
    double factor;  /* seconds of a cell beside a wall / of another fluid cell */
    double seconds; /* of all homes together, that cells beside walls took longer than others */
    double error;   /* root mean square of the fit's relative errors; NAN: there was none */
    bool measured;  /* it is against the machine's measurement */
};

/* -WEIR_FAILED when memory is short. */
int weir_trace_near_wall_find(const struct weir_trace *trace, struct weir_trace_near_wall *near_wall);

#endif
