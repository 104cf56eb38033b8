/* weir bench ranks: what submitting steps costs one of many ranks. */
#ifndef WEIR_SRC_BENCH_BENCH_RANKS_H
#define WEIR_SRC_BENCH_BENCH_RANKS_H

#include "src/bench/bench_report.h"

/* Measures, prints a table, fills the report. -WEIR_FAILED when memory is short. */
int weir_bench_ranks(const struct weir_bench_options *options, struct weir_report *report);

#endif
