/* What the arithmetic of cores can do at most, which kernels that compute much are compared with. */
#ifndef WEIR_SRC_BENCH_BENCH_PEAK_CPU_H
#define WEIR_SRC_BENCH_BENCH_PEAK_CPU_H

#include "codelets/kernels/multiply_adds.h"
#include "src/bench/bench_report.h"
#include "src/bench/bench_rounds.h"
#include "src/bench/bench_team.h"

/* Multiply-adds by the first threads of a team at once, as a contestant whose values are GFLOP/s. */
struct weir_peak {
    struct weir_bench_team *team;
    int threads;
    weir_multiply_adds_cpu *multiply_adds;
    long rounds; /* per sample; 0: found by the first sample, so that it lasts long enough to be timed */
    double operations; /* of a thread, in the last sample */
    struct weir_contestant contestant;
};

/* `team` must outlive it. precision: single or double. -WEIR_FAILED or -WEIR_UNAVAILABLE without kernels. */
int weir_peak_init(struct weir_peak *peak, struct weir_bench_team *team, int threads,
                   enum weir_precision precision);

/* Measures one thread, and all of the team; prints a table and adds it to the report as "cpu_peaks". */
int weir_bench_peaks_cpu(struct weir_bench_team *team, const struct weir_rounds *rounds,
                         struct weir_report *report);

#endif
