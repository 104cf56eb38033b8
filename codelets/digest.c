#include "codelets/digest.h"

static void on_cpu(void *buffers[], void *argument) {
    const struct weir_step_argument *a = argument;
    const struct weir_block_context *context = a->block->context;
    if (weir_failed(context->failure))
        return;
    const struct weir_block_view view = weir_block_view_of(a->block, buffers, false);
    context->kernels->cpu.digest(&view, a->parity, &a->block->place,
                                 weir_buffer(buffers, weir_block_first_result(a->block)));
}

#if WEIR_WITH_CUDA
static void on_cuda(void *buffers[], void *argument) {
    const struct weir_step_argument *a = argument;
    const struct weir_block_context *context = a->block->context;
    if (weir_failed(context->failure))
        return;
    const struct weir_block_view view = weir_block_view_of(a->block, buffers, false);
    weir_block_check_cuda(
        a->block, "digest",
        context->kernels->cuda.digest(&view, a->parity, &a->block->place,
                                      weir_buffer(buffers, weir_block_first_result(a->block)),
                                      starpu_cuda_get_local_stream()));
}
#endif

void weir_digest_define(struct weir_task_kind *kind, const struct weir_kernels *kernels) {
    weir_task_kind_init(kind, "digest", kernels, on_cpu, WEIR_ON_CUDA(kernels->cuda.digest, on_cuda));
    kind->model.footprint = weir_block_footprint;
}

int weir_digest_submit(struct weir_task_kind *kind, struct weir_step_argument *argument,
                       starpu_data_handle_t sum) {
    struct weir_buffers buffers;
    weir_block_buffers(argument->block, argument->parity, STARPU_R, &buffers);
    weir_buffers_add(&buffers, sum, STARPU_W);
    return weir_task_submit(
        kind, &buffers, &(struct weir_task_options){.argument = argument, .home = &argument->block->home});
}
