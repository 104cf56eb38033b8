/* What the arithmetic of GPUs can do at most, which kernels that compute much are compared with. Without CUDA
 * there is nothing to measure. */
#ifndef WEIR_SRC_BENCH_BENCH_PEAK_CUDA_H
#define WEIR_SRC_BENCH_BENCH_PEAK_CUDA_H

#include "codelets/kernels/variants.h"
#include "src/bench/bench_report.h"
#include "src/bench/bench_rounds.h"

/* Measures every GPU; prints a table and adds it to the report as "gpu_peaks". */
int weir_bench_peaks_cuda(const struct weir_rounds *rounds, struct weir_report *report);

#if WEIR_WITH_CUDA

/* Multiply-adds on the current GPU, which they fill, as a contestant whose values are GFLOP/s. */
struct weir_gpu_peak {
    const struct weir_cuda_kernels *kernels;
    enum weir_precision precision; /* single or double */
    void *values;                  /* on the GPU */
    int blocks;                    /* thread blocks */
    int turns; /* per sample; 0: found by the first sample, so that it lasts long enough to be timed */
    struct weir_contestant contestant;
};

/* -WEIR_FAILED with CUDA's reason, -WEIR_UNAVAILABLE without kernels; to be destroyed in any case. */
int weir_gpu_peak_create(struct weir_gpu_peak *peak, enum weir_precision precision);
void weir_gpu_peak_destroy(struct weir_gpu_peak *peak);

#endif

#endif
