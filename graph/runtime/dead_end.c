#include "graph/runtime/dead_end.h"

#include "graph/base/error.h"

#include <dlfcn.h>
#include <pthread.h>
#include <starpu.h>
#include <stdio.h>
#include <unistd.h>

/* One per process, as StarPU is. */
static struct {
    pthread_mutex_t lock;
    weir_dead_end *guard;
    void *context;
} end = {.lock = PTHREAD_MUTEX_INITIALIZER};

void weir_dead_end_guard(weir_dead_end *guard, void *context) {
    pthread_mutex_lock(&end.lock);
    end.guard = guard;
    end.context = context;
    pthread_mutex_unlock(&end.lock);
}

/* Does not let go of the lock. */
_Noreturn void weir_dead_end_reached(const char *text) {
    pthread_mutex_lock(&end.lock);
    if (end.guard)
        end.guard(end.context, text);
    fprintf(stderr, "weir: %s\n", text);
    _exit(WEIR_FAILED);
}

#if WEIR_WITH_CUDA
/* CUDA's own, which ours stands before. */
static struct {
    pthread_once_t once;
    cudaError_t (*event_query)(cudaEvent_t);
} driver = {.once = PTHREAD_ONCE_INIT};

static void find_driver(void) {
    *(void **)&driver.event_query = dlsym(RTLD_NEXT, "cudaEventQuery");
}

/* StarPU calls this by its name where a copy, a wait or anything else of CUDA's has failed, and its own
 * aborts the program; that of the program stands before it for the dynamic linker. An error of a kernel is
 * found by whoever waits for its stream next, so that this is where most failures of a GPU are seen. */
void starpu_cuda_report_error(const char *function, const char *file, int line, cudaError_t error) {
    const int worker = starpu_worker_get_id();
    char text[512], gpu[32] = "a GPU";
    (void)file;
    (void)line;
    if (worker >= 0 && starpu_worker_get_type(worker) == STARPU_CUDA_WORKER)
        snprintf(gpu, sizeof gpu, "GPU %d", starpu_worker_get_devid(worker));
    snprintf(
        text, sizeof text,
        "%s failed: %s (CUDA's error %d, found by %s); see nvidia-smi and what the system reports (dmesg), "
        "or run on the CPU with --set placement.workers=cpu",
        gpu, cudaGetErrorString(error), (int)error, function);
    weir_dead_end_reached(text);
}

/* And this is what StarPU asks whether a kernel has ended. It takes any other answer than yes and no for a
 * mistake of the program's (an assertion); most failures of a kernel are told here first, as GPUs tell of
 * them when they have happened, not when they are asked for what comes after. */
cudaError_t cudaEventQuery(cudaEvent_t event) {
    pthread_once(&driver.once, find_driver);
    const cudaError_t error = driver.event_query(event);
    if (error != cudaSuccess && error != cudaErrorNotReady)
        starpu_cuda_report_error("cudaEventQuery", __FILE__, __LINE__, error);
    return error;
}
#endif
