#include "src/info.h"

#include "codelets/kernels/kernels.h"
#include "graph/bandwidth.h"
#include "graph/error.h"
#include "graph/runtime.h"
#include "src/version.h"

#include <stdio.h>

/* Bandwidth of the workers of one kind, which are started for it alone. */
static int print_kind(enum weir_worker_choice choice, bool has_cuda_kernels, const char *what) {
    struct weir_runtime *runtime;
    double limit = 0;
    WEIR_TRY(weir_runtime_create(&(struct weir_runtime_options){.policy = "static",
                                                                .workers = choice,
                                                                .has_cuda_kernels = has_cuda_kernels},
                                 &runtime));
    const int error = weir_bandwidth_measure(runtime, &limit);
    if (error == 0) {
        printf("%s: %.1f GB/s\n", what, limit);
        for (int k = 0; k < weir_runtime_worker_count(runtime); k++) {
            const struct weir_worker *worker = weir_runtime_worker(runtime, k);
            printf("  %-44s ", worker->name);
            if (worker->core >= 0)
                printf("on core %-4d", worker->core);
            else
                printf("not bound   ");
            if (worker->cores > 1)
                printf(" leads a team of %d cores\n", worker->cores);
            else
                printf(" %s\n", worker->steps ? "takes steps" : "serves output");
        }
        if (weir_runtime_main_core(runtime) >= 0)
            printf("  %-44s on core %-4d submits tasks\n", "main thread", weir_runtime_main_core(runtime));
    }
    weir_runtime_destroy(runtime);
    return error;
}

static void print_schedulers(void) {
    const char *names[WEIR_SCHEDULERS_MAX + 1];
    const int count = weir_policy_schedulers(names);
    printf("schedulers for placement.policy \"starpu:NAME\":");
    for (int k = 0; k < count; k++)
        printf("%s %s", k > 0 ? "," : "", names[k]);
    printf("\n");
}

int weir_info(void) {
    const bool has_cuda = weir_kernels_find(WEIR_D3Q19, WEIR_TRT, WEIR_SINGLE)->cuda.collide_stream != NULL;
    const int gpus = has_cuda ? weir_runtime_gpus() : 0;
    weir_version_print(stdout);
    print_schedulers();
    printf("cores: %d, GPUs: %d\n", weir_runtime_cores(), gpus);
    WEIR_TRY(print_kind(WEIR_WORKERS_CPU, has_cuda, "CPU workers, in-place update of 19 streams"));
    if (gpus > 0)
        WEIR_TRY(print_kind(WEIR_WORKERS_CUDA, has_cuda, "GPU workers, copy within device memory"));
    if (gpus > 0)
        WEIR_TRY(print_kind(WEIR_WORKERS_ALL, has_cuda, "GPU workers and teams of cores, both together"));
    return 0;
}
