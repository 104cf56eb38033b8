#include "src/bench/bench_peak_cuda.h"

#include "src/report/json_numbers.h"
#if WEIR_WITH_CUDA

#include "codelets/kernels/cells/precisions.h"
#include "codelets/kernels/cuda/shapes.h"
#include "codelets/kernels/demand/launches.h"
#include "graph/base/clock.h"
#include "graph/base/error.h"
#include "graph/problem/problem_kernels.h"
#include "graph/runtime/runtime.h"
#include "src/bench/bench_limits_cuda.h"

#include <cuda_runtime.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* A sample lasts at least this long: far more than a launch. */
static const double sample_seconds = 0.02;

static int check(cudaError_t error) {
    if (error == cudaSuccess)
        return 0;
    cudaGetLastError(); /* it is told here, and must not be found again later */
    return weir_fail(WEIR_FAILED, "measuring the arithmetic of GPUs failed: %s; see nvidia-smi",
                     cudaGetErrorString(error));
}

static double threads_of(const struct weir_gpu_peak *peak) {
    return (double)peak->blocks * WEIR_CHAINS_THREADS;
}

/* Values as they are at first: the same in every sample, so that they lose no digits. All bytes alike make
 * 0.75 as a float and 0.0005 as a double. */
enum { BYTE = 0x3f };

static cudaError_t fill(const struct weir_gpu_peak *peak) {
    const size_t bytes =
        (size_t)threads_of(peak) * WEIR_CHAINS * weir_precision_row(peak->precision)->real_bytes;
    return cudaMemset(peak->values, BYTE, bytes);
}

static int take(struct weir_gpu_peak *peak, double *seconds) {
    cudaError_t error = fill(peak);
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize();
    const double start = weir_seconds();
    if (error == cudaSuccess)
        error = (cudaError_t)weir_launch_multiply_adds(peak->kernels, peak->precision, peak->blocks,
                                                       peak->values, peak->turns, NULL);
    if (error == cudaSuccess)
        error = cudaDeviceSynchronize();
    *seconds = weir_seconds() - start;
    return check(error);
}

static int sample(void *context, double *gigaflops) {
    struct weir_gpu_peak *peak = context;
    const bool first = peak->turns == 0;
    double seconds;
    for (peak->turns = first ? 10 : peak->turns;;) {
        WEIR_TRY(take(peak, &seconds));
        if (!first || seconds >= sample_seconds || peak->turns > 1 << 20)
            break;
        peak->turns *= 1 + (int)fmin(sample_seconds / fmax(seconds, 1e-6), 1000);
    }
    *gigaflops = 1e-9 * 2 * threads_of(peak) * WEIR_CHAINS * WEIR_ROUNDS_OF_TURN * peak->turns / seconds;
    return 0;
}

static int count_blocks(struct weir_gpu_peak *peak) {
    int device = 0, multiprocessors = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
    peak->blocks = multiprocessors * WEIR_CHAINS_BLOCKS;
    return check(error);
}

int weir_gpu_peak_create(struct weir_gpu_peak *peak, enum weir_precision precision) {
    struct weir_kernel_news news;
    *peak = (struct weir_gpu_peak){.precision = precision};
    peak->contestant = (struct weir_contestant){.sample = sample, .context = peak};
    peak->kernels = weir_cuda_arithmetic_find(&news);
    if (!peak->kernels)
        return weir_fail_for_kernels(&news);
    WEIR_TRY(count_blocks(peak));
    return check(cudaMalloc(&peak->values, (size_t)threads_of(peak) * WEIR_CHAINS *
                                               weir_precision_row(precision)->real_bytes));
}

void weir_gpu_peak_destroy(struct weir_gpu_peak *peak) {
    cudaFree(peak->values);
}

static int measure(int device, const struct weir_rounds *rounds, struct weir_report *report) {
    struct weir_gpu_peak peaks[WEIR_STREAM_PRECISIONS] = {{0}};
    struct weir_contestant *contestants[WEIR_STREAM_PRECISIONS];
    struct weir_spread spreads[WEIR_STREAM_PRECISIONS];
    char name[64];
    weir_gpu_name(device, name);
    weir_report_progress(report, "measuring the arithmetic of GPU %d", device);
    int error = check(cudaSetDevice(device));
    for (int precision = 0; precision < WEIR_STREAM_PRECISIONS && error == 0; precision++) {
        error = weir_gpu_peak_create(&peaks[precision], (enum weir_precision)precision);
        contestants[precision] = &peaks[precision].contestant;
    }
    const int done = error == 0 ? weir_rounds_run(rounds, contestants, WEIR_STREAM_PRECISIONS) : error;
    error = done < 0 ? done : 0;
    for (int precision = 0; precision < WEIR_STREAM_PRECISIONS && error == 0; precision++)
        error = weir_spread_of(peaks[precision].contestant.values, done, &spreads[precision]);
    if (error == 0) {
        json_array_append_new(json_object_get(weir_report_document(report), "gpu_peaks"),
                              json_pack("{s:i, s:s, s:o, s:o}", "device", device, "name", name, "single",
                                        weir_json_of_spread(&spreads[WEIR_SINGLE]), "double",
                                        weir_json_of_spread(&spreads[WEIR_DOUBLE])));
        weir_report_row(report);
        printf("%3d  %10.0f %3.0f %% %10.0f %3.0f %%  %s\n", device, spreads[WEIR_SINGLE].median,
               weir_spread_percent(&spreads[WEIR_SINGLE]), spreads[WEIR_DOUBLE].median,
               weir_spread_percent(&spreads[WEIR_DOUBLE]), name);
        fflush(stdout);
    }
    for (int precision = 0; precision < WEIR_STREAM_PRECISIONS; precision++)
        weir_gpu_peak_destroy(&peaks[precision]);
    return error;
}

int weir_bench_peaks_cuda(const struct weir_rounds *rounds, struct weir_report *report) {
    const int gpus = weir_runtime_gpus();
    json_object_set_new(weir_report_document(report), "gpu_peaks", json_array());
    if (gpus == 0)
        return 0;
    puts("Peak of the GPUs' arithmetic in GFLOP/s: multiply-adds, each two operations, in chains that do not "
         "wait for each\n"
         "other (medians; %: distance of the quartiles).\n"
         "GPU      single           double");
    for (int device = 0; device < gpus; device++)
        WEIR_TRY(measure(device, rounds, report));
    putchar('\n');
    return 0;
}

#else

int weir_bench_peaks_cuda(const struct weir_rounds *rounds, struct weir_report *report) {
    (void)rounds, (void)report;
    return 0;
}

#endif
