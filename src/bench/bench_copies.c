#include "src/bench/bench_copies.h"

#include "graph/base/error.h"
#include "src/bench/bench_memory.h"

#include <stdlib.h>
#include <string.h>
#if WEIR_WITH_CUDA
#include <cuda_runtime.h>
#endif

static size_t bytes_of(const struct weir_bench_copies *c) {
    return c->layout.numbers * c->number_bytes;
}

double weir_bench_copies_bytes(const struct weir_site_layout *layout, size_t number_bytes) {
    return 2 * (double)layout->numbers * (double)number_bytes;
}

/* A thread's share of every array. */
static void touch(void *context, int thread, int threads) {
    const struct weir_bench_copies *c = context;
    const size_t arrays = c->layout.together ? 1 : (size_t)c->layout.populations;
    const size_t bytes = bytes_of(c) / arrays, begin = bytes * (size_t)thread / (size_t)threads,
                 end = bytes * (size_t)(thread + 1) / (size_t)threads;
    for (int k = 0; k < 2; k++)
        for (size_t array = 0; array < arrays; array++)
            memset((char *)c->copy[k] + array * bytes + begin, 0, end - begin);
}

int weir_bench_copies_create(const struct weir_site_layout *layout, size_t number_bytes,
                             struct weir_bench_team *team, struct weir_bench_copies *c) {
    *c = (struct weir_bench_copies){.layout = *layout, .number_bytes = number_bytes, .on_gpu = team == NULL};
    for (int k = 0; k < 2; k++) {
        c->copy[k] = weir_bench_allocate(c->on_gpu, bytes_of(c));
        if (!c->copy[k])
            return weir_fail(WEIR_FAILED,
                             "out of %smemory for a domain of %d x %d x %d cells in another layout",
                             c->on_gpu ? "GPU " : "", layout->cells[0], layout->cells[1], layout->cells[2]);
    }
    if (team)
        weir_bench_team_run(team, weir_bench_team_threads(team), touch, c);
    return 0;
}

void weir_bench_copies_destroy(struct weir_bench_copies *c) {
    for (int k = 0; k < 2; k++)
        weir_bench_release(c->on_gpu, c->copy[k]);
    *c = (struct weir_bench_copies){.on_gpu = false};
}

/* ---- contents ---------------------------------------------------------------------------------------- */

/* copy[0] in main memory, with its contents; `close` takes it back. */
static int open_copy(const struct weir_bench_copies *c, void **host) {
    *host = c->copy[0];
#if WEIR_WITH_CUDA
    if (c->on_gpu) {
        *host = malloc(bytes_of(c));
        if (!*host)
            return weir_fail(WEIR_FAILED, "out of memory for what a GPU has");
        if (cudaMemcpy(*host, c->copy[0], bytes_of(c), cudaMemcpyDeviceToHost) != cudaSuccess) {
            free(*host);
            *host = NULL;
            return weir_fail(WEIR_FAILED, "copying from the GPU failed; see nvidia-smi");
        }
    }
#endif
    return 0;
}

static int close_copy(const struct weir_bench_copies *c, bool changed, void *host) {
    int error = 0;
#if WEIR_WITH_CUDA
    if (c->on_gpu) {
        if (changed && cudaMemcpy(c->copy[0], host, bytes_of(c), cudaMemcpyHostToDevice) != cudaSuccess)
            error = weir_fail(WEIR_FAILED, "copying to the GPU failed; see nvidia-smi");
        free(host);
    }
#endif
    (void)c, (void)changed, (void)host;
    return error;
}

int weir_bench_copies_put(struct weir_bench_copies *c, const void *natural) {
    void *host;
    WEIR_TRY(open_copy(c, &host));
    weir_site_layout_put(&c->layout, c->number_bytes, natural, host);
    weir_site_layout_fill_margin(&c->layout, c->number_bytes, host);
    return close_copy(c, true, host);
}

int weir_bench_copies_get(const struct weir_bench_copies *c, void *natural) {
    void *host;
    WEIR_TRY(open_copy(c, &host));
    weir_site_layout_get(&c->layout, c->number_bytes, host, natural);
    return close_copy(c, false, host);
}

int weir_bench_copies_fill_margin(struct weir_bench_copies *c) {
    void *host;
    WEIR_TRY(open_copy(c, &host));
    weir_site_layout_fill_margin(&c->layout, c->number_bytes, host);
    return close_copy(c, true, host);
}
