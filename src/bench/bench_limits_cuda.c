#include "src/bench/bench_limits_cuda.h"

#include "src/report/json_numbers.h"
#if WEIR_WITH_CUDA

#include "graph/base/clock.h"
#include "graph/base/error.h"
#include "graph/runtime/gpu_memory.h"
#include "graph/runtime/runtime.h"

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Per GPU; half of it is copied. */
static const unsigned long memory_bytes = 4ul << 30;

/* The same beside kernels and their blocks. */
static const unsigned long limit_bytes = 2ul << 30;

/* Per direction of a link. */
static const size_t link_bytes = (size_t)256 << 20;

static int check(cudaError_t error) {
    if (error == cudaSuccess)
        return 0;
    cudaGetLastError(); /* it is told here, and must not be found again later */
    return weir_fail(WEIR_FAILED, "measuring GPUs failed: %s; see nvidia-smi", cudaGetErrorString(error));
}

void weir_gpu_name(int device, char name[64]) {
    struct cudaDeviceProp properties;
    const bool known = cudaGetDeviceProperties(&properties, device) == cudaSuccess;
    snprintf(name, 64, "%.63s", known ? properties.name : "unknown");
}

bool weir_gpu_is_new(int device) {
    char name[64], other[64];
    weir_gpu_name(device, name);
    for (int k = 0; k < device; k++) {
        weir_gpu_name(k, other);
        if (strcmp(name, other) == 0)
            return false;
    }
    return true;
}

/* ---- the limit of kernels ---------------------------------------------------------------------------- */

static int sample_copy(void *context, double *rate) {
    return weir_gpu_memory_copy(context, rate);
}

int weir_gpu_limit_create(struct weir_gpu_limit *limit) {
    *limit = (struct weir_gpu_limit){.memory = NULL};
    WEIR_TRY(weir_gpu_memory_create(limit_bytes, NULL, &limit->memory));
    limit->contestant = (struct weir_contestant){.sample = sample_copy, .context = limit->memory};
    return 0;
}

void weir_gpu_limit_destroy(struct weir_gpu_limit *limit) {
    weir_gpu_memory_destroy(limit->memory);
}

/* ---- memory ------------------------------------------------------------------------------------------ */

struct gpu_limit {
    struct weir_gpu_memory *memory;
    int what; /* 0: copy, then updates: single, single wide, double, double wide */
    struct weir_contestant contestant;
};
enum { GPU_LIMITS = 5 };
static const char *const gpu_limit_names[GPU_LIMITS] = {
    "copy", "update_19_streams_single", "update_19_streams_single_wide", "update_19_streams_double",
    "update_19_streams_double_wide"};

static int sample_memory(void *context, double *rate) {
    const struct gpu_limit *limit = context;
    if (limit->what == 0)
        return weir_gpu_memory_copy(limit->memory, rate);
    return weir_gpu_memory_update(limit->memory, limit->what <= 2 ? WEIR_SINGLE : WEIR_DOUBLE,
                                  limit->what % 2 == 0, rate);
}

static int measure_memory(int device, const struct weir_rounds *rounds, struct weir_report *report) {
    struct gpu_limit *limits = calloc(GPU_LIMITS, sizeof *limits);
    struct weir_contestant *contestants[GPU_LIMITS];
    struct weir_spread spreads[GPU_LIMITS];
    struct weir_gpu_memory *memory = NULL;
    char name[64];
    if (!limits)
        return weir_fail(WEIR_FAILED, "out of memory while measuring GPUs");
    weir_gpu_name(device, name);
    weir_report_progress(report, "measuring the memory of GPU %d", device);
    int error = check(cudaSetDevice(device));
    if (error == 0)
        error = weir_gpu_memory_create(memory_bytes, NULL, &memory);
    for (int k = 0; k < GPU_LIMITS; k++) {
        limits[k] = (struct gpu_limit){.memory = memory, .what = k};
        limits[k].contestant = (struct weir_contestant){.sample = sample_memory, .context = &limits[k]};
        contestants[k] = &limits[k].contestant;
    }
    const int done = error == 0 ? weir_rounds_run(rounds, contestants, GPU_LIMITS) : error;
    json_t *row = json_pack("{s:i, s:s}", "device", device, "name", name);
    error = done < 0 ? done : 0;
    for (int k = 0; k < GPU_LIMITS && error == 0; k++) {
        error = weir_spread_of(limits[k].contestant.values, done, &spreads[k]);
        json_object_set_new(row, gpu_limit_names[k], weir_json_of_spread(&spreads[k]));
    }
    json_array_append_new(json_object_get(weir_report_document(report), "gpu_limits"), row);
    if (error == 0) {
        weir_report_row(report);
        printf("%3d  %9.1f %3.0f %%", device, spreads[0].median, weir_spread_percent(&spreads[0]));
        for (int k = 1; k < GPU_LIMITS; k += 2) {
            const struct weir_spread *best = &spreads[spreads[k + 1].median > spreads[k].median ? k + 1 : k];
            printf(" %16.1f %3.0f %%", best->median, weir_spread_percent(best));
        }
        printf("  %s\n", name);
        fflush(stdout);
    }
    weir_gpu_memory_destroy(memory);
    free(limits);
    return error;
}

/* ---- links ------------------------------------------------------------------------------------------- */

enum { HOST = -1 };

/* One direction of a link: where from, where to, and the memory and stream for it. */
struct way {
    int from, to;
    void *source, *target;
    cudaStream_t stream;
};

/* Each GPU works for the link on the side of the one that has it; HOST has none. */
static int device_of(const struct way *way) {
    return way->from == HOST ? way->to : way->from;
}

static cudaError_t allocate_on(int device, void **memory) {
    if (device == HOST)
        return cudaMallocHost(memory, link_bytes);
    const cudaError_t error = cudaSetDevice(device);
    return error == cudaSuccess ? cudaMalloc(memory, link_bytes) : error;
}

static void free_on(int device, void *memory) {
    if (!memory)
        return;
    if (device == HOST) {
        cudaFreeHost(memory);
        return;
    }
    cudaSetDevice(device);
    cudaFree(memory);
}

static int way_open(struct way *way, int from, int to) {
    *way = (struct way){.from = from, .to = to};
    cudaError_t error = allocate_on(from, &way->source);
    if (error == cudaSuccess)
        error = allocate_on(to, &way->target);
    if (error == cudaSuccess)
        error = cudaSetDevice(device_of(way));
    if (error == cudaSuccess)
        error = cudaStreamCreateWithFlags(&way->stream, cudaStreamNonBlocking);
    return check(error);
}

static void way_close(struct way *way) {
    if (way->stream)
        cudaStreamDestroy(way->stream);
    free_on(way->from, way->source);
    free_on(way->to, way->target);
}

static cudaError_t way_send(struct way *way) {
    cudaError_t error = cudaSetDevice(device_of(way));
    if (error != cudaSuccess)
        return error;
    if (way->from == HOST || way->to == HOST)
        return cudaMemcpyAsync(way->target, way->source, link_bytes, cudaMemcpyDefault, way->stream);
    return cudaMemcpyPeerAsync(way->target, way->to, way->source, way->from, link_bytes, way->stream);
}

/* Traffic over a link: there, back, or both at once. */
struct link_traffic {
    struct way *ways; /* [2] */
    bool used[2];
    struct weir_contestant contestant;
};

static int sample_link(void *context, double *rate) {
    const struct link_traffic *traffic = context;
    cudaError_t error = cudaSuccess;
    double bytes = 0;
    const double start = weir_seconds();
    for (int k = 0; k < 2 && error == cudaSuccess; k++)
        if (traffic->used[k]) {
            error = way_send(&traffic->ways[k]);
            bytes += (double)link_bytes;
        }
    for (int k = 0; k < 2 && error == cudaSuccess; k++)
        if (traffic->used[k])
            error = cudaStreamSynchronize(traffic->ways[k].stream);
    WEIR_TRY(check(error));
    *rate = 1e-9 * bytes / (weir_seconds() - start);
    return 0;
}

static int measure_link(int a, int b, const struct weir_rounds *rounds, struct weir_report *report) {
    struct way ways[2] = {{0}};
    struct link_traffic *traffic = calloc(3, sizeof *traffic);
    struct weir_contestant *contestants[3];
    struct weir_spread spreads[3];
    char name[32], other[32];
    if (!traffic)
        return weir_fail(WEIR_FAILED, "out of memory while measuring GPUs");
    if (a == HOST)
        snprintf(name, sizeof name, "memory");
    else
        snprintf(name, sizeof name, "GPU %d", a);
    snprintf(other, sizeof other, "GPU %d", b);
    weir_report_progress(report, "measuring the link between %s and %s", name, other);
    int error = way_open(&ways[0], a, b);
    if (error == 0)
        error = way_open(&ways[1], b, a);
    for (int k = 0; k < 3; k++) {
        traffic[k] = (struct link_traffic){.ways = ways, .used = {k != 1, k != 0}};
        traffic[k].contestant = (struct weir_contestant){.sample = sample_link, .context = &traffic[k]};
        contestants[k] = &traffic[k].contestant;
    }
    const int done = error == 0 ? weir_rounds_run(rounds, contestants, 3) : error;
    error = done < 0 ? done : 0;
    for (int k = 0; k < 3 && error == 0; k++)
        error = weir_spread_of(traffic[k].contestant.values, done, &spreads[k]);
    if (error == 0) {
        json_array_append_new(json_object_get(weir_report_document(report), "links"),
                              json_pack("{s:s, s:s, s:o, s:o, s:o}", "from", name, "to", other, "there",
                                        weir_json_of_spread(&spreads[0]), "back",
                                        weir_json_of_spread(&spreads[1]), "both_at_once",
                                        weir_json_of_spread(&spreads[2])));
        weir_report_row(report);
        printf("%-7s %-7s %9.1f %3.0f %% %9.1f %3.0f %% %12.1f %3.0f %%\n", name, other, spreads[0].median,
               weir_spread_percent(&spreads[0]), spreads[1].median, weir_spread_percent(&spreads[1]),
               spreads[2].median, weir_spread_percent(&spreads[2]));
        fflush(stdout);
    }
    way_close(&ways[0]);
    way_close(&ways[1]);
    free(traffic);
    return error;
}

/* Lets two GPUs copy directly where the machine allows it, as StarPU does; else copies go by main memory, and
 * that is what is measured then. */
static void enable_peers(int gpus) {
    for (int a = 0; a < gpus; a++)
        for (int b = 0; b < gpus; b++) {
            int possible = 0;
            if (a == b || cudaDeviceCanAccessPeer(&possible, a, b) != cudaSuccess || !possible)
                continue;
            cudaSetDevice(a);
            cudaDeviceEnablePeerAccess(b, 0);
            cudaGetLastError(); /* already enabled, say */
        }
}

int weir_bench_limits_cuda(const struct weir_rounds *rounds, struct weir_report *report) {
    const int gpus = weir_runtime_gpus();
    json_object_set_new(weir_report_document(report), "gpu_limits", json_array());
    json_object_set_new(weir_report_document(report), "links", json_array());
    if (gpus == 0)
        return 0;
    puts("Limits of the GPUs' memory in GB/s, bytes read and written both counted (medians; %: distance of "
         "the "
         "quartiles).\n"
         "GPU       copy         update 19 single       update 19 double");
    for (int device = 0; device < gpus; device++)
        WEIR_TRY(measure_memory(device, rounds, report));
    puts("\nLinks in GB/s, bytes counted once.\n"
         "from    to          there          back          both at once");
    for (int device = 0; device < gpus; device++)
        WEIR_TRY(measure_link(HOST, device, rounds, report));
    enable_peers(gpus);
    for (int a = 0; a < gpus; a++)
        for (int b = a + 1; b < gpus; b++)
            WEIR_TRY(measure_link(a, b, rounds, report));
    putchar('\n');
    return 0;
}

#else

int weir_bench_limits_cuda(const struct weir_rounds *rounds, struct weir_report *report) {
    (void)rounds, (void)report;
    return 0;
}

void weir_gpu_name(int device, char name[64]) {
    (void)device;
    name[0] = '\0';
}

#endif
