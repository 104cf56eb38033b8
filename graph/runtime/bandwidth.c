#include "graph/runtime/bandwidth.h"

#include "codelets/team.h"
#include "graph/base/clock.h"
#include "graph/base/error.h"
#include "graph/base/spin_barrier.h"
#include "graph/problem/problem_kernels.h"
#include "graph/runtime/gpu_memory.h"
#include "graph/runtime/stream_arrays.h"

#include <math.h>
#include <pthread.h>
#include <starpu.h>
#include <stdatomic.h>
#include <stdio.h>

enum { REPEATS = 3 };

/* Per CPU worker: far beyond any cache in sum. */
static const size_t ARRAYS_BYTES = (size_t)WEIR_STREAMS * (8u << 20);

struct measurement {
    struct weir_spin_barrier barrier;
    pthread_mutex_t lock;
    bool failed;
    char failure[256];
    double cpu_rate;  /* GB/s of all CPU workers at once, the best repeat */
    double gpu_rate;  /* GB/s, sum over GPUs */
    double cpu_bytes; /* moved by all CPU workers in one pass */
};

/* Errors have no way out of a worker but this. */
static void keep_failure(struct measurement *m) {
    pthread_mutex_lock(&m->lock);
    m->failed = true;
    snprintf(m->failure, sizeof m->failure, "%s", weir_error_text());
    pthread_mutex_unlock(&m->lock);
}

/* On each CPU core at once. The best way through the streams counts, and its best repeat of all together.
 */
static void measure_core(void *argument) {
    struct measurement *m = argument;
    struct weir_traffic_kind kind = {.traffic = WEIR_TRAFFIC_UPDATE, .precision = WEIR_SINGLE};
    struct weir_stream_arrays *arrays = NULL;
    if (weir_stream_arrays_create(ARRAYS_BYTES, &arrays) < 0)
        keep_failure(m);
    pthread_mutex_lock(&m->lock);
    m->cpu_bytes += arrays ? weir_stream_arrays_bytes(arrays, &kind) : 0;
    pthread_mutex_unlock(&m->lock);
    for (int k = 0; k < WEIR_TURN_COUNT * REPEATS; k++) {
        kind.turn = (enum weir_stream_turn)(k % WEIR_TURN_COUNT);
        weir_spin_barrier_wait(&m->barrier);
        const double start = weir_seconds();
        if (arrays)
            weir_stream_arrays_pass(arrays, &kind, 1);
        weir_spin_barrier_wait(&m->barrier);
        const double rate = 1e-9 * m->cpu_bytes / (weir_seconds() - start);
        pthread_mutex_lock(&m->lock);
        if (rate > m->cpu_rate)
            m->cpu_rate = rate;
        pthread_mutex_unlock(&m->lock);
    }
    weir_stream_arrays_destroy(arrays);
}

/* On each CPU worker at once. */
static void measure_cpu(void *argument) {
    weir_team_all(measure_core, argument);
}

#if WEIR_WITH_CUDA
/* Per GPU, of which half is copied. */
static const unsigned long GPU_BYTES = 2ul << 30;

/* On one worker of each GPU; the best repeat after one to warm up counts. */
static void measure_cuda(void *argument) {
    struct measurement *m = argument;
    struct weir_gpu_memory *memory = NULL;
    double best = 0, rate = 0;
    int error = weir_gpu_memory_create(GPU_BYTES, starpu_cuda_get_local_stream(), &memory);
    for (int repeat = 0; repeat <= REPEATS && error == 0; repeat++) {
        error = weir_gpu_memory_copy(memory, &rate);
        if (repeat > 0 && rate > best)
            best = rate;
    }
    weir_gpu_memory_destroy(memory);
    if (error != 0)
        keep_failure(m);
    pthread_mutex_lock(&m->lock);
    m->gpu_rate += best;
    pthread_mutex_unlock(&m->lock);
}
#endif

int weir_bandwidth_measure(const struct weir_runtime *runtime, double *gigabytes_per_second) {
    struct measurement m = {.lock = PTHREAD_MUTEX_INITIALIZER};
    unsigned cpus[STARPU_NMAXWORKERS], cpu_count = 0;
    int cores = 0;
    for (int k = 0; k < weir_runtime_worker_count(runtime); k++) {
        const struct weir_worker *worker = weir_runtime_worker(runtime, k);
        if (!worker->steps || worker->cuda)
            continue;
        cpus[cpu_count++] = (unsigned)worker->id;
        cores += worker->cores;
    }
    *gigabytes_per_second = NAN;
    struct weir_kernel_news news;
    if (cpu_count > 0 && !weir_stream_kernels_find(&news))
        return news.code == WEIR_UNAVAILABLE ? 0 : weir_fail_for_kernels(&news);
    if (cpu_count > 0) {
        weir_spin_barrier_init(&m.barrier, cores);
        starpu_execute_on_specific_workers(measure_cpu, &m, cpu_count, cpus, "bandwidth");
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
    if (m.failed)
        return weir_fail(WEIR_FAILED, "%s", m.failure);
    *gigabytes_per_second = m.gpu_rate + m.cpu_rate;
    return 0;
}
