/* The populations of a periodic domain in a memory layout (cells/site_layout.h), twice; in main memory or on
 * a GPU. */
#ifndef WEIR_SRC_BENCH_BENCH_COPIES_H
#define WEIR_SRC_BENCH_BENCH_COPIES_H

#include "codelets/kernels/cells/site_layout.h"
#include "src/bench/bench_team.h"

struct weir_bench_copies {
    struct weir_site_layout layout;
    size_t number_bytes; /* of a population */
    bool on_gpu;
    void *copy[2]; /* where the populations are, and where the next operation writes */
};

/* Bytes that both copies of a layout take. */
double weir_bench_copies_bytes(const struct weir_site_layout *layout, size_t number_bytes);

/* Allocates both. In main memory each thread of the team touches its share of the rows first; team NULL: they
 * are on the current GPU. -WEIR_FAILED when memory is short; to be destroyed in any case. */
int weir_bench_copies_create(const struct weir_site_layout *layout, size_t number_bytes,
                             struct weir_bench_team *team, struct weir_bench_copies *copies);
void weir_bench_copies_destroy(struct weir_bench_copies *copies);

/* Populations of copy[0] from natural arrangement in main memory (weir_site_layout_put), margins included,
 * and back. -WEIR_FAILED when the GPU fails or memory is short. */
int weir_bench_copies_put(struct weir_bench_copies *copies, const void *natural);
int weir_bench_copies_get(const struct weir_bench_copies *copies, void *natural);

/* Fills the margin of copy[0]; errors as above. */
int weir_bench_copies_fill_margin(struct weir_bench_copies *copies);

#endif
