#include "codelets/collide_stream.h"

#include "codelets/team.h"

struct step {
    const struct weir_block_context *context;
    struct weir_block_view view;
    int parity;
};

static void take_rows(void *argument, int begin, int end) {
    const struct step *step = argument;
    step->context->kernels->cpu.collide_stream(&step->view, &step->context->fluid, step->parity, begin, end);
}

static void tell_begin(const struct weir_block *block) {
    if (block->context->step_begins)
        block->context->step_begins(block->context->recorder, block->number);
}

static void on_cpu(void *buffers[], void *argument) {
    const struct weir_step_argument *a = argument;
    if (weir_failed(a->block->context->failure))
        return;
    tell_begin(a->block);
    struct step step = {a->block->context, weir_block_view_of(a->block, buffers, true), a->parity};
    weir_team_divide(take_rows, &step, weir_block_rows(a->block));
}

#if WEIR_WITH_CUDA
static void on_cuda(void *buffers[], void *argument) {
    const struct weir_step_argument *a = argument;
    const struct weir_block_context *context = a->block->context;
    if (weir_failed(context->failure))
        return;
    tell_begin(a->block);
    const struct weir_block_view view = weir_block_view_of(a->block, buffers, true);
    weir_block_check_cuda(a->block, "collide_stream",
                          context->kernels->cuda.collide_stream(&view, &context->fluid, a->parity,
                                                                starpu_cuda_get_local_stream()));
}
#endif

void weir_collide_stream_define(struct weir_task_kind *kind, const struct weir_kernels *kernels) {
    weir_task_kind_init(kind, "collide_stream", kernels, on_cpu,
                        WEIR_ON_CUDA(kernels->cuda.collide_stream, on_cuda));
    kind->model.footprint = weir_block_footprint;
}

int weir_collide_stream_submit(struct weir_task_kind *kind, struct weir_step_argument *argument,
                               void (*done)(void *), void *done_argument) {
    const struct weir_block *block = argument->block;
    struct weir_buffers buffers;
    weir_block_buffers(block, argument->parity, STARPU_RW, &buffers);
    for (int face = 0; face < 6; face++)
        if (block->outgoing[argument->parity][face])
            weir_buffers_add(&buffers, block->outgoing[argument->parity][face], STARPU_W);
    return weir_task_submit(
        kind, &buffers,
        &(struct weir_task_options){
            .argument = argument, .home = &block->home, .done = done, .done_argument = done_argument});
}
