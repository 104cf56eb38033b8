/* A GPU that fails, for a program that is started with this library in LD_PRELOAD on a machine without one:
 * functions of CUDA's runtime, as far as StarPU and Weir call them in a run, on a device whose memory is main
 * memory, whose copies are made at once, and whose kernels do nothing. What is tried with it is therefore how
 * a run ends, not what it computes. In the environment:
 *
 *     WEIR_GPU_MEMORY  bytes that are to be had of the 1 GiB that the device says it has (all)
 *     WEIR_GPU_FAILS   KIND AT ERROR, none: never. From launch number AT of a kernel on, the first being 0,
 *                      calls get the error of this number:
 *                      "kernel 40 700": those after the launch, as when a kernel fails while it runs;
 *                      "later 40 700": those from the next that asks an event whether it has come, as when
 *                      it fails after all that was asked in the meantime;
 *                      "launch 40 46": the launch as well, as when the device is lost. */
#include <cuda_runtime_api.h>
#include <malloc.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 512, MEMORY = 1 << 30 };

static struct {
    size_t memory;
    atomic_size_t used;
    long at;
    bool launch_fails, fails_later;
    cudaError_t error;
    atomic_long launches;
    atomic_bool fails_at_event, failed;
} gpu = {.memory = MEMORY, .at = -1};

__attribute__((constructor)) static void begin(void) {
    const char *memory = getenv("WEIR_GPU_MEMORY"), *fails = getenv("WEIR_GPU_FAILS");
    char kind[16];
    int error;
    if (memory)
        gpu.memory = strtoull(memory, NULL, 10);
    if (!fails)
        return;
    if (sscanf(fails, "%15s %ld %d", kind, &gpu.at, &error) != 3) {
        fprintf(stderr, "failing_gpu: WEIR_GPU_FAILS is \"%s\"\n", fails);
        _Exit(99);
    }
    gpu.launch_fails = strcmp(kind, "launch") == 0;
    gpu.fails_later = strcmp(kind, "later") == 0;
    gpu.error = (cudaError_t)error;
}

/* What a call gets that finds the device well, or not. */
static cudaError_t state(void) {
    return gpu.failed ? gpu.error : cudaSuccess;
}

static cudaError_t copy(void *to, const void *from, size_t bytes) {
    if (!gpu.failed)
        memmove(to, from, bytes);
    return state();
}

static cudaError_t copy_rows(char *to, size_t to_pitch, const char *from, size_t from_pitch, size_t width,
                             size_t height) {
    for (size_t row = 0; row < height && !gpu.failed; row++)
        memmove(to + row * to_pitch, from + row * from_pitch, width);
    return state();
}

/* ---- the device ---------------------------------------------------------------------------------------- */

cudaError_t cudaGetDeviceCount(int *count) {
    *count = 1;
    return cudaSuccess;
}

cudaError_t cudaGetDevice(int *device) {
    *device = 0;
    return state();
}

cudaError_t cudaSetDevice(int device) {
    return device == 0 ? state() : cudaErrorInvalidDevice;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device) {
    (void)device;
    memset(properties, 0, sizeof *properties);
    snprintf(properties->name, sizeof properties->name, "a GPU that fails");
    properties->totalGlobalMem = MEMORY;
    properties->major = 9;
    properties->multiProcessorCount = 2;
    return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device) {
    (void)device;
    *value = attribute == cudaDevAttrComputeCapabilityMajor ? 9
             : attribute == cudaDevAttrMultiProcessorCount  ? 2
                                                            : 0;
    return state();
}

cudaError_t cudaDeviceCanAccessPeer(int *possible, int device, int peer) {
    (void)device, (void)peer;
    *possible = 0;
    return state();
}

cudaError_t cudaDeviceReset(void) {
    return state();
}

cudaError_t cudaDeviceSynchronize(void) {
    return state();
}

cudaError_t cudaGetLastError(void) {
    return state();
}

/* ---- memory -------------------------------------------------------------------------------------------- */

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes) {
    *free_bytes = gpu.memory - gpu.used;
    *total_bytes = MEMORY;
    return state();
}

cudaError_t cudaMalloc(void **memory, size_t bytes) {
    if (gpu.failed)
        return state();
    const size_t rounded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
    *memory = rounded <= gpu.memory - gpu.used ? aligned_alloc(ALIGNMENT, rounded) : NULL;
    if (!*memory)
        return cudaErrorMemoryAllocation;
    gpu.used += malloc_usable_size(*memory);
    return cudaSuccess;
}

cudaError_t cudaFree(void *memory) {
    if (memory)
        gpu.used -= malloc_usable_size(memory);
    free(memory);
    return state();
}

cudaError_t cudaHostAlloc(void **memory, size_t bytes, unsigned flags) {
    (void)flags;
    *memory = aligned_alloc(ALIGNMENT, (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT);
    return *memory ? state() : cudaErrorMemoryAllocation;
}

cudaError_t cudaFreeHost(void *memory) {
    free(memory);
    return state();
}

cudaError_t cudaHostRegister(void *memory, size_t bytes, unsigned flags) {
    (void)memory, (void)bytes, (void)flags;
    return state();
}

cudaError_t cudaHostUnregister(void *memory) {
    (void)memory;
    return state();
}

cudaError_t cudaMemset(void *memory, int value, size_t bytes) {
    if (!gpu.failed)
        memset(memory, value, bytes);
    return state();
}

cudaError_t cudaMemsetAsync(void *memory, int value, size_t bytes, cudaStream_t stream) {
    (void)stream;
    return cudaMemset(memory, value, bytes);
}

cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
    (void)kind;
    return copy(to, from, bytes);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream) {
    (void)kind, (void)stream;
    return copy(to, from, bytes);
}

cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                         size_t height, enum cudaMemcpyKind kind) {
    (void)kind;
    return copy_rows(to, to_pitch, from, from_pitch, width, height);
}

cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width,
                              size_t height, enum cudaMemcpyKind kind, cudaStream_t stream) {
    (void)kind, (void)stream;
    return copy_rows(to, to_pitch, from, from_pitch, width, height);
}

/* ---- streams and events: all is done at once ------------------------------------------------------------
 */

static cudaError_t make(void **thing) {
    *thing = malloc(1);
    return *thing ? state() : cudaErrorMemoryAllocation;
}

static cudaError_t destroy(void *thing) {
    free(thing);
    return state();
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags) {
    (void)flags;
    return make((void **)stream);
}

cudaError_t cudaStreamDestroy(cudaStream_t stream) {
    return destroy(stream);
}

cudaError_t cudaStreamQuery(cudaStream_t stream) {
    (void)stream;
    return state();
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
    (void)stream;
    return state();
}

cudaError_t cudaEventCreate(cudaEvent_t *event) {
    return make((void **)event);
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags) {
    (void)flags;
    return make((void **)event);
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
    return destroy(event);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
    (void)event, (void)stream;
    return state();
}

cudaError_t cudaEventQuery(cudaEvent_t event) {
    (void)event;
    if (gpu.fails_at_event)
        gpu.failed = true;
    return state();
}

cudaError_t cudaEventSynchronize(cudaEvent_t event) {
    (void)event;
    return state();
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t begun, cudaEvent_t ended) {
    (void)begun, (void)ended;
    *milliseconds = 1;
    return state();
}

/* ---- kernels ------------------------------------------------------------------------------------------- */

cudaError_t cudaLibraryLoadData(cudaLibrary_t *library, const void *code, enum cudaJitOption *jit_options,
                                void **jit_values, unsigned jit_count, enum cudaLibraryOption *options,
                                void **values, unsigned count) {
    (void)code, (void)jit_options, (void)jit_values, (void)jit_count, (void)options, (void)values,
        (void)count;
    return make((void **)library);
}

cudaError_t cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name) {
    (void)name;
    *kernel = (cudaKernel_t)library;
    return state();
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *configuration, const void *kernel,
                                void **arguments) {
    (void)configuration, (void)kernel, (void)arguments;
    if (gpu.failed)
        return state();
    if (atomic_fetch_add(&gpu.launches, 1) != gpu.at)
        return cudaSuccess;
    if (gpu.fails_later) {
        gpu.fails_at_event = true;
        return cudaSuccess;
    }
    gpu.failed = true;
    return gpu.launch_fails ? gpu.error : cudaSuccess;
}
