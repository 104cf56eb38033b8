#include "codelets/digest.h"

#include <stdlib.h>

static void on_cpu(void *buffers[], void *argument) {
    const struct weir_digest_argument *a = argument;
    const struct weir_block_context *context = a->block->context;
    if (weir_failed(context->failure))
        return;
    const struct weir_block_view view = weir_block_view_of(a->block, buffers, false);
    uint64_t part[2] = {0, 0};
    context->kernels->cpu.digest(&view, a->parity, &a->block->place, part);
    atomic_fetch_add(&a->sum[0], part[0]);
    atomic_fetch_add(&a->sum[1], part[1]);
}

void weir_digest_define(struct weir_task_kind *kind, const struct weir_kernels *kernels) {
    weir_task_kind_init(kind, "digest", kernels, on_cpu, NULL);
    kind->model.footprint = weir_block_footprint;
}

int weir_digest_submit(struct weir_task_kind *kind, struct weir_block *block, int parity, _Atomic uint64_t sum[2]) {
    struct weir_digest_argument *argument = malloc(sizeof *argument);
    *argument = (struct weir_digest_argument){.block = block, .parity = parity, .sum = sum};
    struct weir_buffers buffers;
    weir_block_buffers(block, parity, STARPU_R, &buffers);
    return weir_task_submit(kind, &buffers,
                            &(struct weir_task_options){.argument = argument, .owns_argument = true, .worker = -1});
}
