#include "codelets/collide_stream.h"

#include "codelets/kernels/demand/launches.h"
#include "codelets/team.h"

/* A task's way through its steps: the view of the next one in `work`, that of the one after it beside it. */
struct advance {
    struct weir_block_work work;
    struct weir_block_view after;
};

static void take_rows(void *argument, int begin, int end) {
    const struct weir_block_work *work = argument;
    work->kernels->cpu.collide_stream(&work->view, work->fluid, work->parity, begin, end);
}

/* The face through which the block sends itself what arrives at it from this offset. */
static int own_face(const struct weir_block *block, int offset) {
    int face = 0;
    while (block->outgoing[0][face] != block->incoming[0][block->incoming_index[offset]])
        face++;
    return face;
}

/* The view of the other parity, for a block that sends messages to none but itself: what one step wrote the
 * next one reads, and the other way round. */
static struct weir_block_view other_view(const struct weir_block *block, const struct weir_block_view *view) {
    struct weir_block_view other = *view;
    for (int offset = 0; offset < WEIR_NEIGHBOURS; offset++) {
        if (block->incoming_index[offset] < 0)
            continue;
        const int face = own_face(block, offset);
        other.incoming[offset] = view->outgoing[face];
        other.outgoing[face] = (void *)view->incoming[offset];
    }
    return other;
}

static bool open_steps(struct advance *advance, void *buffers[], const void *argument, int *steps) {
    struct weir_block_work *work = &advance->work;
    if (!weir_block_work_open(work, buffers, argument, true))
        return false;
    const struct weir_block_context *context = work->block->context;
    if (context->step_begins)
        context->step_begins(context->recorder, work->block->number);
    *steps = ((const struct weir_step_argument *)argument)->steps;
    if (*steps > 1)
        advance->after = other_view(work->block, &work->view);
    return true;
}

static void go_on(struct advance *advance) {
    const struct weir_block_view view = advance->work.view;
    advance->work.view = advance->after;
    advance->after = view;
    advance->work.parity = 1 - advance->work.parity;
}

static void on_cpu(void *buffers[], void *argument) {
    struct advance advance;
    int steps;
    if (!open_steps(&advance, buffers, argument, &steps))
        return;
    for (int step = 0; step < steps; step++) {
        if (step > 0)
            go_on(&advance);
        weir_team_divide(take_rows, &advance.work, weir_block_rows(advance.work.block));
    }
}

#if WEIR_WITH_CUDA
static void on_cuda(void *buffers[], void *argument) {
    struct advance advance;
    int steps, error = cudaSuccess;
    if (!open_steps(&advance, buffers, argument, &steps))
        return;
    const struct weir_block_work *work = &advance.work;
    for (int step = 0; step < steps && error == cudaSuccess; step++) {
        if (step > 0)
            go_on(&advance);
        error = weir_launch_collide_stream(work->kernels, &work->view, work->fluid, work->parity,
                                           starpu_cuda_get_local_stream());
    }
    weir_block_check_cuda(work->block, "collide_stream", error);
}
#endif

/* Models keep times of tasks of one step, and of so many, apart. */
static uint32_t footprint(struct starpu_task *task) {
    const int steps = ((const struct weir_step_argument *)task->cl_arg)->steps;
    const uint32_t block = weir_block_footprint(task);
    return steps == 1 ? block : starpu_hash_crc32c_be_n(&steps, sizeof steps, block);
}

void weir_collide_stream_define(struct weir_task_kind *kind, const struct weir_kernels *kernels) {
    weir_block_kind_init(kind, "collide_stream", kernels, on_cpu, WEIR_ON_CUDA(kernels->cuda, on_cuda));
    kind->model.footprint = footprint;
}

int weir_collide_stream_submit(struct weir_task_kind *kind, struct weir_step_argument *argument,
                               void (*done)(void *), void *done_argument) {
    const struct weir_block *block = argument->block;
    struct weir_buffers buffers;
    weir_block_buffers(block, argument->parity, STARPU_RW, &buffers);
    /* The second step writes what the first one read. */
    for (int k = 2; k < buffers.count && argument->steps > 1; k++)
        buffers.mode[k] = STARPU_RW;
    for (int face = 0; face < 6; face++)
        if (block->outgoing[argument->parity][face])
            weir_buffers_add(&buffers, block->outgoing[argument->parity][face], STARPU_W);
    return weir_task_submit(kind, &buffers,
                            &(struct weir_task_options){.argument = argument,
                                                        .argument_size = sizeof *argument,
                                                        .home = &block->home,
                                                        .done = done,
                                                        .done_argument = done_argument});
}
