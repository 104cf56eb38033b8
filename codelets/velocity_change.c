#include "codelets/velocity_change.h"

static void on_cpu(void *buffers[], void *argument) {
    const struct weir_step_argument *a = argument;
    const struct weir_block_context *context = a->block->context;
    if (weir_failed(context->failure))
        return;
    const struct weir_block_view view = weir_block_view_of(a->block, buffers, false);
    const int result = weir_block_first_result(a->block);
    context->kernels->cpu.velocity_change(&view, &context->fluid, a->parity, weir_buffer(buffers, result),
                                          weir_buffer(buffers, result + 1));
}

#if WEIR_WITH_CUDA
static void on_cuda(void *buffers[], void *argument) {
    const struct weir_step_argument *a = argument;
    const struct weir_block_context *context = a->block->context;
    if (weir_failed(context->failure))
        return;
    const struct weir_block_view view = weir_block_view_of(a->block, buffers, false);
    const int result = weir_block_first_result(a->block);
    weir_block_check_cuda(a->block, "velocity_change",
                          context->kernels->cuda.velocity_change(
                              &view, &context->fluid, a->parity, weir_buffer(buffers, result),
                              weir_buffer(buffers, result + 1), starpu_cuda_get_local_stream()));
}
#endif

void weir_velocity_change_define(struct weir_task_kind *kind, const struct weir_kernels *kernels) {
    weir_task_kind_init(kind, "velocity_change", kernels, on_cpu,
                        WEIR_ON_CUDA(kernels->cuda.velocity_change, on_cuda));
    kind->model.footprint = weir_block_footprint;
}

int weir_velocity_change_submit(struct weir_task_kind *kind, struct weir_step_argument *argument,
                                starpu_data_handle_t previous, starpu_data_handle_t change) {
    struct weir_buffers buffers;
    weir_block_buffers(argument->block, argument->parity, STARPU_R, &buffers);
    weir_buffers_add(&buffers, previous, STARPU_RW);
    weir_buffers_add(&buffers, change, STARPU_W);
    return weir_task_submit(
        kind, &buffers, &(struct weir_task_options){.argument = argument, .home = &argument->block->home});
}
