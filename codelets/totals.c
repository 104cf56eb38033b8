#include "codelets/totals.h"

#include "codelets/kernels/speed_limit.h"

static void on_cpu(void *buffers[], void *argument) {
    const struct weir_step_argument *a = argument;
    const struct weir_block_context *context = a->block->context;
    if (weir_failed(context->failure))
        return;
    const struct weir_block_view view = weir_block_view_of(a->block, buffers, false);
    context->kernels->cpu.totals(&view, &context->fluid, a->parity, WEIR_SPEED_LIMIT,
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
        a->block, "totals",
        context->kernels->cuda.totals(&view, &context->fluid, a->parity, WEIR_SPEED_LIMIT,
                                      weir_buffer(buffers, weir_block_first_result(a->block)),
                                      starpu_cuda_get_local_stream()));
}
#endif

void weir_totals_define(struct weir_task_kind *kind, const struct weir_kernels *kernels) {
    weir_task_kind_init(kind, "totals", kernels, on_cpu, WEIR_ON_CUDA(kernels->cuda.totals, on_cuda));
    kind->model.footprint = weir_block_footprint;
}

int weir_totals_submit(struct weir_task_kind *kind, struct weir_step_argument *argument,
                       starpu_data_handle_t totals) {
    struct weir_buffers buffers;
    weir_block_buffers(argument->block, argument->parity, STARPU_R, &buffers);
    weir_buffers_add(&buffers, totals, STARPU_W);
    return weir_task_submit(
        kind, &buffers, &(struct weir_task_options){.argument = argument, .home = &argument->block->home});
}
