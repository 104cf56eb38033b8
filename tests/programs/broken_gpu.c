/* A real GPU that is made to fail, for a program that is started with this library in LD_PRELOAD. In the
 * environment:
 *
 *     WEIR_GPU_MEMORY  bytes of the memory that is free when the program first asks for some that are left to
 *                      it (all): the rest is taken, as by another program
 *     WEIR_GPU_BREAKS  HOW AT, none: never. What Weir gives to launch number AT of a kernel, the first being
 *                      0, has for each address on the GPU:
 *                      "nowhere 40": one where nothing is;
 *                      "between 40": one that is no multiple of any number's size.
 *
 * So it is a kernel of the run that does what it may not, and the device and its driver that say so. What was
 * done is told by the file WEIR_GPU_LOG. failing_gpu.c is for machines without a GPU. */
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOWHERE = 64, PARAMETERS = 32, BYTES = 32768 }; /* of a kernel's: CUDA's limit */

static struct {
    bool short_of_memory;
    size_t left;
    pthread_once_t once;
    long at;
    bool between;
    atomic_long launches;
} gpu = {.once = PTHREAD_ONCE_INIT, .at = -1};

static void tell(const char *format, ...) {
    const char *path = getenv("WEIR_GPU_LOG");
    FILE *file = path ? fopen(path, "a") : NULL;
    if (!file)
        return;
    va_list arguments;
    va_start(arguments, format);
    vfprintf(file, format, arguments);
    va_end(arguments);
    fclose(file);
}

__attribute__((constructor)) static void begin(void) {
    const char *memory = getenv("WEIR_GPU_MEMORY"), *breaks = getenv("WEIR_GPU_BREAKS");
    char how[16];
    if (memory) {
        gpu.short_of_memory = true;
        gpu.left = strtoull(memory, NULL, 10);
    }
    if (!breaks)
        return;
    if (sscanf(breaks, "%15s %ld", how, &gpu.at) != 2 ||
        (strcmp(how, "nowhere") != 0 && strcmp(how, "between") != 0)) {
        fprintf(stderr, "broken_gpu: WEIR_GPU_BREAKS is \"%s\"\n", breaks);
        _Exit(99);
    }
    gpu.between = strcmp(how, "between") == 0;
}

/* ---- memory -------------------------------------------------------------------------------------------- */

typedef cudaError_t allocation(void **, size_t);

static void take_memory(void) {
    size_t free_bytes = 0, total_bytes = 0;
    void *taken = NULL;
    allocation *allocate = (allocation *)dlsym(RTLD_NEXT, "cudaMalloc");
    if (cudaMemGetInfo(&free_bytes, &total_bytes) != cudaSuccess || free_bytes <= gpu.left)
        return;
    const cudaError_t error = allocate(&taken, free_bytes - gpu.left);
    tell("takes %zu of %zu bytes that are free: %s\n", free_bytes - gpu.left, free_bytes,
         cudaGetErrorName(error));
}

cudaError_t cudaMalloc(void **memory, size_t bytes) {
    allocation *allocate = (allocation *)dlsym(RTLD_NEXT, "cudaMalloc");
    if (gpu.short_of_memory)
        pthread_once(&gpu.once, take_memory);
    return allocate(memory, bytes);
}

/* ---- kernels ------------------------------------------------------------------------------------------- */

typedef cudaError_t launch(const cudaLaunchConfig_t *, const void *, void **);

static bool on_the_gpu(uintptr_t address) {
    struct cudaPointerAttributes attributes;
    return address > NOWHERE && cudaPointerGetAttributes(&attributes, (const void *)address) == cudaSuccess &&
           attributes.type == cudaMemoryTypeDevice;
}

/* Each word of a parameter that is an address on the GPU. */
static int break_addresses(char *parameter, size_t size) {
    int count = 0;
    for (size_t at = 0; at + sizeof(uintptr_t) <= size; at += sizeof(uintptr_t)) {
        uintptr_t word;
        memcpy(&word, parameter + at, sizeof word);
        if (!on_the_gpu(word))
            continue;
        word = gpu.between ? word + 1 : NOWHERE;
        memcpy(parameter + at, &word, sizeof word);
        count++;
    }
    return count;
}

static cudaError_t break_launch(launch *real, const cudaLaunchConfig_t *configuration, const void *kernel,
                                void **arguments) {
    static char bytes[BYTES];
    void *broken[PARAMETERS];
    size_t used = 0, offset = 0, size = 0;
    int parameters = 0, addresses = 0;
    const char *name = "?";
    while (parameters < PARAMETERS &&
           cudaFuncGetParamInfo(kernel, (size_t)parameters, &offset, &size) == cudaSuccess &&
           used + size <= sizeof bytes) {
        broken[parameters] = memcpy(bytes + used, arguments[parameters], size);
        addresses += break_addresses(bytes + used, size);
        used += (size + 15) / 16 * 16;
        parameters++;
    }
    cudaGetLastError(); /* that there is no further parameter */
    cudaFuncGetName(&name, kernel);
    const cudaError_t error = real(configuration, kernel, parameters > 0 ? broken : arguments);
    tell("launch %ld: kernel %s, %d parameters, %d addresses broken: %s\n", gpu.at, name, parameters,
         addresses, cudaGetErrorName(error));
    return error;
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *configuration, const void *kernel,
                                void **arguments) {
    launch *real = (launch *)dlsym(RTLD_NEXT, "cudaLaunchKernelExC");
    if (atomic_fetch_add(&gpu.launches, 1) != gpu.at)
        return real(configuration, kernel, arguments);
    return break_launch(real, configuration, kernel, arguments);
}
