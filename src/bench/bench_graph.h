/* weir bench graph: the same blocks advanced by a bare loop of the kernels, and by the task graph. */
#ifndef WEIR_SRC_BENCH_BENCH_GRAPH_H
#define WEIR_SRC_BENCH_BENCH_GRAPH_H

#include "src/bench/bench_report.h"

/* Measures, prints a table, fills the report. -WEIR_FAILED when memory is short, or when the graph and the
 * loop do not come to the same state. */
int weir_bench_graph(const struct weir_bench_options *options, const struct weir_cores *cores,
                     struct weir_report *report);

#endif
