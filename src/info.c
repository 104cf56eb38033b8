#include "src/info.h"

#include "codelets/kernels/demand/find.h"
#include "graph/base/error.h"
#include "graph/runtime/bandwidth.h"
#include "graph/runtime/cores.h"
#include "graph/runtime/runtime.h"
#include "src/common/version.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE_SIZE = 1024, LIST_SIZE = 160 };

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
        if (isfinite(limit))
            printf("%s: %.1f GB/s\n", what, limit);
        else
            printf("%s: not measured, there is no compiler\n", what);
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

/* Numbers of the cores that this process may use, as "0-3,8". */
static int list_cores(char list[LIST_SIZE]) {
    struct weir_cores *cores;
    WEIR_TRY(weir_cores_create(&cores));
    list[0] = '\0';
    for (int k = 0, first = 0; k < weir_cores_count(cores); k++) {
        const int unit = weir_cores_unit(cores, k);
        const bool ends = k + 1 == weir_cores_count(cores) || weir_cores_unit(cores, k + 1) != unit + 1;
        if (!ends)
            continue;
        const size_t used = strlen(list);
        const int from = weir_cores_unit(cores, first);
        if (from == unit)
            snprintf(list + used, LIST_SIZE - used, "%s%d", used > 0 ? "," : "", unit);
        else
            snprintf(list + used, LIST_SIZE - used, "%s%d-%d", used > 0 ? "," : "", from, unit);
        first = k + 1;
    }
    weir_cores_destroy(cores);
    return 0;
}

static void name_core(int core, char name[16]) {
    if (core >= 0)
        snprintf(name, 16, "core %d", core);
    else
        snprintf(name, 16, "not bound");
}

/* What a run would have on this rank. */
static int describe_rank(struct weir_world *world, const struct weir_host_share *share, bool has_cuda,
                         char line[LINE_SIZE]) {
    struct weir_runtime *runtime;
    char cores[LIST_SIZE] = "", groups[WEIR_WORKER_GROUPS_TEXT], main_core[16], message_core[16];
    const int error = list_cores(cores); /* before the main thread is bound */
    WEIR_TRY(weir_world_agree(world, error));
    WEIR_TRY(weir_runtime_create(
        &(struct weir_runtime_options){
            .policy = "", .workers = WEIR_WORKERS_AUTO, .has_cuda_kernels = has_cuda, .world = world},
        &runtime));
    weir_worker_groups_describe(weir_runtime_worker_groups(runtime), groups);
    name_core(weir_runtime_main_core(runtime), main_core);
    name_core(weir_runtime_message_core(runtime), message_core);
    snprintf(line, LINE_SIZE, "%4d  %-16s  %-12s  %-11s  %-11s  %s%s%s", weir_world_rank(world),
             weir_world_host(world, weir_world_rank(world)), cores, main_core, message_core, groups,
             share->gpus > 0 ? ":" : "", share->gpu_names);
    weir_runtime_destroy(runtime);
    return 0;
}

static int print_ranks(struct weir_world *world, const struct weir_host_share *share, bool has_cuda) {
    const int size = weir_world_size(world);
    char line[LINE_SIZE];
    char *lines = weir_world_speaks(world) ? malloc((size_t)size * LINE_SIZE) : NULL;
    int error = weir_world_speaks(world) && !lines
                    ? weir_fail(WEIR_FAILED, "out of memory while gathering %d ranks", size)
                    : 0;
    error = weir_world_agree(world, error);
    if (error == 0)
        error = describe_rank(world, share, has_cuda, line);
    if (error == 0)
        error = weir_world_gather(world, line, LINE_SIZE, lines);
    if (error == 0 && lines) {
        printf("rank  host              cores         main thread  messages     steps are taken by\n");
        for (int rank = 0; rank < size; rank++)
            printf("%s\n", lines + (size_t)rank * LINE_SIZE);
    }
    free(lines);
    return error;
}

int weir_info(struct weir_world *world, const struct weir_host_share *share) {
    const bool has_cuda = weir_kernels_with_cuda();
    const int gpus = has_cuda ? weir_runtime_gpus() : 0;
    weir_version_print(stdout);
    print_schedulers();
    if (weir_world_size(world) > 1)
        return print_ranks(world, share, has_cuda);
    printf("cores: %d, GPUs: %d\n", weir_runtime_cores(), gpus);
    WEIR_TRY(print_kind(WEIR_WORKERS_CPU, has_cuda, "CPU workers, in-place update of 19 streams"));
    if (gpus > 0)
        WEIR_TRY(print_kind(WEIR_WORKERS_CUDA, has_cuda, "GPU workers, copy within device memory"));
    if (gpus > 0)
        WEIR_TRY(print_kind(WEIR_WORKERS_ALL, has_cuda, "GPU workers and teams of cores, both together"));
    return 0;
}
