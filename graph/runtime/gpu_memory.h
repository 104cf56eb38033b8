/* Memory of one GPU to measure its bandwidth with: copy within it, and in-place update of 19 streams. Exists
 * in builds with CUDA only. */
#ifndef WEIR_GRAPH_RUNTIME_GPU_MEMORY_H
#define WEIR_GRAPH_RUNTIME_GPU_MEMORY_H

#include "codelets/kernels/variants.h"

#if WEIR_WITH_CUDA

struct weir_gpu_memory;

/* Takes up to `bytes`, and at most half of what is free, on the calling thread's GPU; works on `stream` (a
 * cudaStream_t). -WEIR_FAILED with CUDA's reason. */
int weir_gpu_memory_create(unsigned long bytes, void *stream, struct weir_gpu_memory **memory);

/* NULL is allowed. */
void weir_gpu_memory_destroy(struct weir_gpu_memory *memory);

/* GB/s, read and written both counted, of one copy from one half to the other. */
int weir_gpu_memory_copy(struct weir_gpu_memory *memory, double *gigabytes_per_second);

/* The same of one update of 19 streams; wide: 16 bytes per thread and stream. */
int weir_gpu_memory_update(struct weir_gpu_memory *memory, enum weir_precision precision, int wide,
                           double *gigabytes_per_second);

#endif
#endif
