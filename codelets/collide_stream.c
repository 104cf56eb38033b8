#include "codelets/collide_stream.h"

#include "codelets/team.h"

static void take_rows(void *argument, int begin, int end) {
    const struct weir_block_work *work = argument;
    work->kernels->cpu.collide_stream(&work->view, work->fluid, work->parity, begin, end);
}

static bool open_step(struct weir_block_work *work, void *buffers[], const void *argument) {
    if (!weir_block_work_open(work, buffers, argument, true))
        return false;
    const struct weir_block_context *context = work->block->context;
    if (context->step_begins)
        context->step_begins(context->recorder, work->block->number);
    return true;
}

static void on_cpu(void *buffers[], void *argument) {
    struct weir_block_work work;
    if (open_step(&work, buffers, argument))
        weir_team_divide(take_rows, &work, weir_block_rows(work.block));
}

#if WEIR_WITH_CUDA
static void on_cuda(void *buffers[], void *argument) {
    struct weir_block_work work;
    if (open_step(&work, buffers, argument))
        weir_block_check_cuda(work.block, "collide_stream",
                              work.kernels->cuda.collide_stream(&work.view, work.fluid, work.parity,
                                                                starpu_cuda_get_local_stream()));
}
#endif

void weir_collide_stream_define(struct weir_task_kind *kind, const struct weir_kernels *kernels) {
    weir_block_kind_init(kind, "collide_stream", kernels, on_cpu,
                         WEIR_ON_CUDA(kernels->cuda.collide_stream, on_cuda));
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
