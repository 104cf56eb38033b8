#include "graph/bandwidth.h"

#include "graph/error.h"

#include <pthread.h>
#include <starpu.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>

enum { STREAMS = 19, REPEATS = 5 };

/* Per worker and stream: far beyond any cache in sum. */
static const size_t STREAM_FLOATS = (8u << 20) / sizeof(float);

struct measurement {
    pthread_barrier_t barrier;
    atomic_bool short_of_memory;
    _Atomic uint64_t bytes; /* moved by all workers in the timed repeats */
    double seconds;         /* written by one worker */
    double gpu_rate;        /* GB/s, sum over GPUs */
    pthread_mutex_t lock;
};

static double seconds_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void update_streams(float *data, size_t stride) {
    for (size_t k = 0; k < STREAM_FLOATS; k += 16)
        for (size_t s = 0; s < STREAMS; s++) {
            float *stream = data + s * stride + k;
            for (size_t j = 0; j < 16; j++)
                stream[j] = stream[j] * 0.5f + 1.0f;
        }
}

/* On each CPU worker at once. The best repeat of all together counts. */
static void measure_cpu(void *argument) {
    struct measurement *m = argument;
    const size_t stride = STREAM_FLOATS + 32; /* apart in the cache sets, as blocks' directions are */
    float *data = malloc(STREAMS * stride * sizeof *data);
    if (data)
        for (size_t k = 0; k < STREAMS * stride; k++)
            data[k] = 1;
    else
        atomic_store(&m->short_of_memory, true);
    for (int repeat = 0; repeat < REPEATS; repeat++) {
        pthread_barrier_wait(&m->barrier);
        const double start = seconds_now();
        if (data)
            update_streams(data, stride);
        pthread_barrier_wait(&m->barrier);
        const double seconds = seconds_now() - start;
        pthread_mutex_lock(&m->lock);
        if (m->seconds == 0 || seconds < m->seconds)
            m->seconds = seconds;
        pthread_mutex_unlock(&m->lock);
    }
    atomic_fetch_add(&m->bytes, 2 * STREAMS * STREAM_FLOATS * sizeof(float));
    free(data);
}

#if WEIR_WITH_CUDA
/* On one worker of each GPU. */
static void measure_cuda(void *argument) {
    struct measurement *m = argument;
    const cudaStream_t stream = starpu_cuda_get_local_stream();
    size_t free_bytes = 0, total_bytes = 0, bytes = (size_t)1 << 30;
    void *from = NULL, *to = NULL;
    cudaEvent_t begin, end;
    cudaMemGetInfo(&free_bytes, &total_bytes);
    if (bytes > free_bytes / 4)
        bytes = free_bytes / 4;
    if (cudaMalloc(&from, bytes) != cudaSuccess || cudaMalloc(&to, bytes) != cudaSuccess) {
        cudaFree(from);
        cudaGetLastError(); /* the failed allocation is dealt with here */
        atomic_store(&m->short_of_memory, true);
        return;
    }
    cudaEventCreate(&begin);
    cudaEventCreate(&end);
    float best = 0;
    for (int repeat = 0; repeat <= REPEATS; repeat++) {
        float milliseconds = 0;
        cudaEventRecord(begin, stream);
        cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream);
        cudaEventRecord(end, stream);
        cudaEventSynchronize(end);
        cudaEventElapsedTime(&milliseconds, begin, end);
        if (repeat > 0 && (best == 0 || milliseconds < best))
            best = milliseconds;
    }
    cudaEventDestroy(begin);
    cudaEventDestroy(end);
    cudaFree(from);
    cudaFree(to);
    pthread_mutex_lock(&m->lock);
    m->gpu_rate += 2.0 * (double)bytes / (1e6 * (double)best);
    pthread_mutex_unlock(&m->lock);
}
#endif

int weir_bandwidth_measure(const struct weir_runtime *runtime, double *gigabytes_per_second) {
    struct measurement m = {.lock = PTHREAD_MUTEX_INITIALIZER};
    unsigned cpus[STARPU_NMAXWORKERS], cpu_count = 0;
    for (int k = 0; k < weir_runtime_worker_count(runtime); k++) {
        const struct weir_worker *worker = weir_runtime_worker(runtime, k);
        if (worker->steps && !worker->cuda)
            cpus[cpu_count++] = (unsigned)worker->id;
    }
    if (cpu_count > 0) {
        pthread_barrier_init(&m.barrier, NULL, cpu_count);
        starpu_execute_on_specific_workers(measure_cpu, &m, cpu_count, cpus, "bandwidth");
        pthread_barrier_destroy(&m.barrier);
    }
#if WEIR_WITH_CUDA
    unsigned gpus[STARPU_NMAXWORKERS], gpu_count = 0;
    for (int k = 0; k < weir_runtime_worker_count(runtime); k++) {
        const struct weir_worker *worker = weir_runtime_worker(runtime, k);
        if (worker->steps && worker->cuda && worker->device == (int)gpu_count)
            gpus[gpu_count++] = (unsigned)worker->id;
    }
    if (gpu_count > 0)
        starpu_execute_on_specific_workers(measure_cuda, &m, gpu_count, gpus, "bandwidth");
#endif
    if (m.short_of_memory)
        return weir_fail(WEIR_FAILED, "out of memory while measuring the memory bandwidth");
    *gigabytes_per_second = m.gpu_rate + (m.seconds > 0 ? 1e-9 * (double)m.bytes / m.seconds : 0);
    return 0;
}
