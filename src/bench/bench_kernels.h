/* weir bench kernels: every kernel variant on every kind of worker, against what its memory and arithmetic
 * can do. */
#ifndef WEIR_SRC_BENCH_BENCH_KERNELS_H
#define WEIR_SRC_BENCH_BENCH_KERNELS_H

#include "src/bench/bench_report.h"

/* Measures limits and kernels, prints tables, fills the report. -WEIR_UNAVAILABLE when a device that was
 * named is not there, -WEIR_FAILED when memory is short. */
int weir_bench_kernels(const struct weir_bench_options *options, const struct weir_cores *cores,
                       struct weir_report *report);

#endif
