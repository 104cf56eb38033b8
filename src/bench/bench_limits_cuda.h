/* What the memory of GPUs and the links between them can do. Without CUDA there is nothing to measure. */
#ifndef WEIR_SRC_BENCH_BENCH_LIMITS_CUDA_H
#define WEIR_SRC_BENCH_BENCH_LIMITS_CUDA_H

#include "src/bench/bench_report.h"
#include "src/bench/bench_rounds.h"

#include <stdbool.h>

/* Measures, for every GPU, copy within its memory and in-place update of 19 streams; then every link in both
 * directions, one after the other and at once: main memory (pinned) and each GPU, and each pair of GPUs.
 * Prints tables and adds them to the report as "gpu_limits" and "links". */
int weir_bench_limits_cuda(const struct weir_rounds *rounds, struct weir_report *report);

/* Name of a GPU, such as "NVIDIA H100 80GB HBM3". */
void weir_gpu_name(int device, char name[64]);

#if WEIR_WITH_CUDA

/* Copy within the memory of the current GPU, as a contestant whose values are GB/s. */
struct weir_gpu_limit {
    struct weir_gpu_memory *memory;
    struct weir_contestant contestant;
};

/* -WEIR_FAILED when memory is short; to be destroyed in any case. */
int weir_gpu_limit_create(struct weir_gpu_limit *limit);
void weir_gpu_limit_destroy(struct weir_gpu_limit *limit);

/* Whether no GPU before this one has its name: the first of each kind stands for all. */
bool weir_gpu_is_new(int device);

#endif

#endif
