#include "src/bench/bench.h"

#include "codelets/kernels/demand/find.h"
#include "graph/base/error.h"
#include "graph/runtime/runtime.h"
#include "src/bench/bench_graph.h"
#include "src/bench/bench_kernels.h"
#include "src/bench/bench_layouts.h"
#include "src/bench/bench_ranks.h"
#include "src/bench/bench_report.h"

#include <stdio.h>

/* What was named must be there. */
static int check_devices(struct weir_bench_options *options, const struct weir_cores *cores) {
    const bool compiled = weir_kernels_with_cuda();
    const bool present = compiled && weir_runtime_gpus() > 0;
    if (options->cuda && options->device_named && !present)
        return weir_fail(WEIR_UNAVAILABLE, "--device cuda: %s",
                         compiled ? "CUDA finds no GPU on this machine" : "this build has no CUDA kernels");
    options->cuda = options->cuda && present;
    if (options->threads > weir_cores_count(cores))
        return weir_fail(WEIR_USAGE, "--threads: %d are more than the %d cores that this program may use",
                         options->threads, weir_cores_count(cores));
    return 0;
}

static int measure(struct weir_bench_options *options) {
    struct weir_cores *cores = NULL;
    struct weir_report *report = NULL;
    WEIR_TRY(weir_cores_create(&cores));
    int error = check_devices(options, cores);
    if (error == 0)
        error = weir_report_create(options, cores, &report);
    if (error == 0)
        error = options->what == WEIR_BENCH_KERNELS ? weir_bench_kernels(options, cores, report)
                : options->what == WEIR_BENCH_GRAPH ? weir_bench_graph(options, cores, report)
                : options->what == WEIR_BENCH_RANKS ? weir_bench_ranks(options, report)
                                                    : weir_bench_layouts(options, cores, report);
    if (report)
        weir_report_row(report);
    if (error == 0)
        error = weir_report_write(report);
    weir_report_destroy(report);
    weir_cores_destroy(cores);
    return error;
}

int weir_bench(int argc, char **argv) {
    struct weir_bench_options options;
    WEIR_TRY(weir_bench_options_read(argc, argv, &options));
    return measure(&options);
}
