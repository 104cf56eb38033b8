#include "codelets/macroscopic.h"

#include <stdlib.h>

static void on_cpu(void *buffers[], void *argument) {
    const struct weir_macroscopic_argument *a = argument;
    const struct weir_block_context *context = a->block->context;
    if (weir_failed(context->failure))
        return;
    const struct weir_block_view view = weir_block_view_of(a->block, buffers, false);
    context->kernels->cpu.macroscopic(&view, &context->fluid, a->parity, &a->box,
                                      weir_buffer(buffers, weir_block_first_result(a->block)));
}

#if WEIR_WITH_CUDA
static void on_cuda(void *buffers[], void *argument) {
    const struct weir_macroscopic_argument *a = argument;
    const struct weir_block_context *context = a->block->context;
    if (weir_failed(context->failure))
        return;
    const struct weir_block_view view = weir_block_view_of(a->block, buffers, false);
    weir_block_check_cuda(
        a->block, "macroscopic",
        context->kernels->cuda.macroscopic(&view, &context->fluid, a->parity, &a->box,
                                           weir_buffer(buffers, weir_block_first_result(a->block)),
                                           starpu_cuda_get_local_stream()));
}
#endif

static uint32_t footprint(struct starpu_task *task) {
    const struct weir_macroscopic_argument *a = task->cl_arg;
    return starpu_hash_crc32c_be_n(a->box.extent, sizeof a->box.extent, weir_block_footprint(task));
}

void weir_macroscopic_define(struct weir_task_kind *kind, const struct weir_kernels *kernels) {
    weir_task_kind_init(kind, "macroscopic", kernels, on_cpu,
                        WEIR_ON_CUDA(kernels->cuda.macroscopic, on_cuda));
    kind->model.footprint = footprint;
}

int weir_macroscopic_submit(struct weir_task_kind *kind, struct weir_block *block, int parity,
                            const struct weir_local_box *box, starpu_data_handle_t values) {
    struct weir_macroscopic_argument *argument = malloc(sizeof *argument);
    *argument = (struct weir_macroscopic_argument){.block = block, .parity = parity, .box = *box};
    struct weir_buffers buffers;
    weir_block_buffers(block, parity, STARPU_R, &buffers);
    weir_buffers_add(&buffers, values, STARPU_W);
    return weir_task_submit(
        kind, &buffers,
        &(struct weir_task_options){.argument = argument, .owns_argument = true, .home = &block->home});
}
