#include "graph/runtime/gpu_memory.h"

#if WEIR_WITH_CUDA

#include "codelets/kernels/cells/layout.h"
#include "codelets/kernels/cells/precisions.h"
#include "codelets/kernels/demand/launches.h"
#include "codelets/kernels/streams.h"
#include "graph/base/error.h"
#include "graph/problem/problem_kernels.h"

#include <starpu.h>
#include <stdlib.h>

struct weir_gpu_memory {
    char *data;
    size_t half;           /* bytes */
    size_t stream_bytes;   /* of each of the 19, a multiple of WEIR_STREAM_GRAIN */
    size_t distance_bytes; /* from one to the next */
    cudaStream_t stream;
    cudaEvent_t begin, end;
};

static int check(cudaError_t error) {
    if (error == cudaSuccess)
        return 0;
    return weir_fail(WEIR_FAILED, "measuring a GPU's memory bandwidth failed: %s; see nvidia-smi",
                     cudaGetErrorString(error));
}

int weir_gpu_memory_create(unsigned long bytes, void *stream, struct weir_gpu_memory **result) {
    struct weir_gpu_memory *memory = calloc(1, sizeof *memory);
    size_t free_bytes = 0, total_bytes = 0;
    if (!memory)
        return weir_fail(WEIR_FAILED, "out of memory while measuring the memory bandwidth");
    memory->stream = stream;
    cudaError_t error = cudaMemGetInfo(&free_bytes, &total_bytes);
    if (bytes > free_bytes / 2)
        bytes = free_bytes / 2;
    memory->stream_bytes = bytes / WEIR_STREAMS / WEIR_STREAM_GRAIN * WEIR_STREAM_GRAIN;
    memory->distance_bytes = weir_layout_stride(memory->stream_bytes, 1);
    const size_t total = WEIR_STREAMS * memory->distance_bytes;
    memory->half = total / (2 * WEIR_STREAM_GRAIN) * WEIR_STREAM_GRAIN;
    if (error == cudaSuccess)
        error = cudaMalloc((void **)&memory->data, total);
    if (error == cudaSuccess)
        error = cudaMemsetAsync(memory->data, 0, total, memory->stream);
    if (error == cudaSuccess)
        error = cudaEventCreate(&memory->begin);
    if (error == cudaSuccess)
        error = cudaEventCreate(&memory->end);
    if (error != cudaSuccess) {
        cudaGetLastError(); /* it is told here, and must not be found again later */
        weir_gpu_memory_destroy(memory);
        return check(error);
    }
    *result = memory;
    return 0;
}

void weir_gpu_memory_destroy(struct weir_gpu_memory *memory) {
    if (!memory)
        return;
    if (memory->begin)
        cudaEventDestroy(memory->begin);
    if (memory->end)
        cudaEventDestroy(memory->end);
    cudaFree(memory->data);
    free(memory);
}

/* Waits for what lies between begin and end, which moved `bytes`. */
static int rate(struct weir_gpu_memory *memory, cudaError_t error, double bytes, double *result) {
    float milliseconds = 0;
    if (error == cudaSuccess)
        error = cudaEventRecord(memory->end, memory->stream);
    if (error == cudaSuccess)
        error = cudaEventSynchronize(memory->end);
    if (error == cudaSuccess)
        error = cudaEventElapsedTime(&milliseconds, memory->begin, memory->end);
    WEIR_TRY(check(error));
    *result = bytes / (1e6 * (double)milliseconds);
    return 0;
}

int weir_gpu_memory_copy(struct weir_gpu_memory *memory, double *result) {
    cudaError_t error = cudaEventRecord(memory->begin, memory->stream);
    if (error == cudaSuccess)
        error = cudaMemcpyAsync(memory->data + memory->half, memory->data, memory->half,
                                cudaMemcpyDeviceToDevice, memory->stream);
    return rate(memory, error, 2.0 * (double)memory->half, result);
}

int weir_gpu_memory_update(struct weir_gpu_memory *memory, enum weir_precision precision, int wide,
                           double *result) {
    const size_t size = weir_precision_row(precision)->real_bytes;
    struct weir_kernel_news news;
    const struct weir_cuda_kernels *const kernels = weir_cuda_streams_find(&news);
    if (!kernels)
        return weir_fail_for_kernels(&news);
    cudaError_t error = cudaEventRecord(memory->begin, memory->stream);
    if (error == cudaSuccess)
        error = (cudaError_t)weir_launch_update_streams(kernels, precision, wide, memory->data,
                                                        memory->distance_bytes / size,
                                                        memory->stream_bytes / size, memory->stream);
    return rate(memory, error, 2.0 * WEIR_STREAMS * (double)memory->stream_bytes, result);
}

#endif
