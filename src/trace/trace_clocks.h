/* The clocks of ranks, put right by the messages between them. */
#ifndef WEIR_SRC_TRACE_TRACE_CLOCKS_H
#define WEIR_SRC_TRACE_TRACE_CLOCKS_H

#include "src/trace/trace_data.h"

/* How far the clock of each rank is ahead of rank 0's, in the trace's unit of time: ahead[ranks]. Of two
 * ranks that send to each other, messages of both ways are taken to travel equally long, by their medians:
 * single ones are noted late where a thread had to wait for its core. Further ranks follow from these. Ranks
 * that no such messages lead to are taken to be right. -WEIR_FAILED when memory is short. */
int weir_trace_clocks(const struct weir_traced_transfer *transfers, int64_t count, int ranks, double *ahead);

#endif
