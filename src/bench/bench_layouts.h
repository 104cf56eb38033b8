/* weir bench layouts: propagation and collision, apart and in one pass, in memory layouts that runs do not
 * use, against what they use. */
#ifndef WEIR_SRC_BENCH_BENCH_LAYOUTS_H
#define WEIR_SRC_BENCH_BENCH_LAYOUTS_H

#include "src/bench/bench_report.h"

/* Measures all cores, and the first GPU of each kind; prints a table and adds it to the report as "layouts".
 * That all layouts come to the same bits as the kernels of runs is checked before they are measured.
 * -WEIR_USAGE when rows cannot be divided into clusters, -WEIR_FAILED when memory is short, a GPU fails, or a
 * layout comes to other populations. */
int weir_bench_layouts(const struct weir_bench_options *options, const struct weir_cores *cores,
                       struct weir_report *report);

#endif
