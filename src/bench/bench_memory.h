/* Memory of what is measured, on the GPU or in main memory. */
#ifndef WEIR_BENCH_MEMORY_H
#define WEIR_BENCH_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* In main memory by whole pages, large ones where there are, as blocks of a run have it. NULL when memory is
 * short, which the caller tells. */
void *weir_bench_allocate(bool on_gpu, size_t bytes);

/* NULL is allowed. */
void weir_bench_release(bool on_gpu, void *memory);

#endif
