#include "src/bench/bench_memory.h"

#include "graph/base/huge_pages.h"

#include <stdlib.h>
#if WEIR_WITH_CUDA
#include <cuda_runtime.h>
#endif

void *weir_bench_allocate(bool on_gpu, size_t bytes) {
    enum { PAGE = 4096 };
    void *memory = NULL;
#if WEIR_WITH_CUDA
    if (on_gpu) {
        if (cudaMalloc(&memory, bytes) == cudaSuccess)
            return memory;
        cudaGetLastError(); /* the caller tells it */
        return NULL;
    }
#endif
    (void)on_gpu;
    if (posix_memalign(&memory, PAGE, bytes) != 0)
        return NULL;
    weir_ask_huge_pages(memory, bytes);
    return memory;
}

void weir_bench_release(bool on_gpu, void *memory) {
#if WEIR_WITH_CUDA
    if (on_gpu) {
        cudaFree(memory);
        return;
    }
#endif
    (void)on_gpu;
    free(memory);
}
