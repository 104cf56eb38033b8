#include "graph/runtime/stream_arrays.h"

#include "codelets/kernels/cells/layout.h"
#include "codelets/kernels/cells/precisions.h"
#include "graph/base/error.h"
#include "graph/base/huge_pages.h"
#include "graph/problem/problem_kernels.h"

#include <stdlib.h>

struct weir_stream_arrays {
    char *data;
    size_t stream_bytes;   /* a multiple of WEIR_STREAM_GRAIN */
    size_t distance_bytes; /* from one stream to the next */
    size_t one_bytes;      /* of all as one stream, a multiple of two grains */
    const struct weir_stream_kernels *kernels;
};

int weir_stream_arrays_create(size_t bytes, struct weir_stream_arrays **result) {
    struct weir_stream_arrays *arrays = calloc(1, sizeof *arrays);
    const size_t grains = bytes / WEIR_STREAMS / WEIR_STREAM_GRAIN;
    if (!arrays)
        return weir_fail(WEIR_FAILED, "out of memory while measuring the memory bandwidth");
    struct weir_kernel_news news;
    arrays->kernels = weir_stream_kernels_find(&news);
    if (!arrays->kernels) {
        free(arrays);
        return weir_fail_for_kernels(&news);
    }
    arrays->stream_bytes = (grains > 0 ? grains : 1) * WEIR_STREAM_GRAIN;
    arrays->distance_bytes = weir_layout_stride(arrays->stream_bytes, 1);
    const size_t total = WEIR_STREAMS * arrays->distance_bytes;
    arrays->one_bytes = total / (2 * WEIR_STREAM_GRAIN) * (2 * WEIR_STREAM_GRAIN);
    if (posix_memalign((void **)&arrays->data, WEIR_STREAM_GRAIN, total) != 0) {
        free(arrays);
        return weir_fail(WEIR_FAILED,
                         "out of memory while measuring the memory bandwidth: %.0f MiB per thread",
                         (double)total / (1 << 20));
    }
    weir_ask_huge_pages(arrays->data, total); /* as blocks of a run do */
    /* As floats and as doubles these are finite numbers, and stay so. */
    for (size_t k = 0; k < total / sizeof(float); k++)
        ((float *)(void *)arrays->data)[k] = 1;
    *result = arrays;
    return 0;
}

void weir_stream_arrays_destroy(struct weir_stream_arrays *arrays) {
    if (!arrays)
        return;
    free(arrays->data);
    free(arrays);
}

int weir_traffic_exists(const struct weir_traffic_kind *kind) {
    return kind->traffic != WEIR_TRAFFIC_COPY_NONTEMPORAL || WEIR_COPIES_NONTEMPORAL;
}

void weir_stream_arrays_pass(struct weir_stream_arrays *arrays, const struct weir_traffic_kind *kind,
                             int passes) {
    const struct weir_stream_kernels *const kernels = arrays->kernels;
    const size_t size = weir_precision_row(kind->precision)->real_bytes, half = arrays->one_bytes / 2;
    for (int pass = 0; pass < passes; pass++)
        switch (kind->traffic) {
        case WEIR_TRAFFIC_UPDATE:
            kernels->update[kind->precision][kind->turn](arrays->data, arrays->distance_bytes / size,
                                                         arrays->stream_bytes / size);
            break;
        case WEIR_TRAFFIC_UPDATE_ONE:
            kernels->update_one[kind->precision](arrays->data, 0, arrays->one_bytes / size);
            break;
        case WEIR_TRAFFIC_COPY:
            kernels->copy(arrays->data + half, arrays->data, half);
            break;
        case WEIR_TRAFFIC_COPY_NONTEMPORAL:
            kernels->copy_nontemporal(arrays->data + half, arrays->data, half);
            break;
        }
}

double weir_stream_arrays_bytes(const struct weir_stream_arrays *arrays,
                                const struct weir_traffic_kind *kind) {
    switch (kind->traffic) {
    case WEIR_TRAFFIC_UPDATE:
        return 2.0 * WEIR_STREAMS * (double)arrays->stream_bytes;
    case WEIR_TRAFFIC_UPDATE_ONE:
        return 2.0 * (double)arrays->one_bytes;
    default:
        return (double)arrays->one_bytes; /* half of it read, half of it written */
    }
}
