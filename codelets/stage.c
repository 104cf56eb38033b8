#include "codelets/stage.h"

#include "codelets/kernels/demand/routes.h"
#include "codelets/team.h"

struct argument {
    struct weir_step_argument step; /* first, as of all tasks on blocks */
    const struct weir_stage *stage;
};

/* A task's way through its steps: the view of the next one in `work`, that of the one after it beside it. */
struct advance {
    const struct weir_stage *stage;
    struct weir_block_work work;
    struct weir_stage_view after;
    int first_row; /* of those whose turn it is */
};

static void take_rows(void *argument, int begin, int end) {
    const struct advance *advance = argument;
    advance->stage->cpu(&advance->work.view, advance->work.parity, advance->first_row + begin,
                        advance->first_row + end);
}

/* One step of the block's rows, by the team. */
static void take_turns(struct advance *advance) {
    const struct weir_block_view *block = &advance->work.view.block;
    for (int number = 0; number < weir_turns(block); number++) {
        const struct weir_planes turn = weir_turn(block, advance->work.parity, number);
        advance->first_row = turn.begin * block->extent[1][1];
        weir_team_divide(take_rows, advance, (turn.end - turn.begin) * block->extent[1][1]);
    }
}

/* The face through which the block sends itself what arrives at it from this offset. */
static int own_face(const struct weir_block_channel *channel, int offset) {
    int face = 0;
    while (channel->outgoing[0][face] != channel->incoming[0][channel->incoming_index[offset]])
        face++;
    return face;
}

/* The view of the other parity, for a block that sends messages to none but itself: what one step wrote the
 * next one reads, and the other way round. */
static void turn_channel(const struct weir_block *block, int number, struct weir_stage_view *view,
                         struct weir_stage_view *other) {
    const struct weir_block_channel *channel = &block->channel[number];
    for (int offset = 0; offset < WEIR_NEIGHBOURS; offset++) {
        if (channel->incoming_index[offset] < 0)
            continue;
        const int face = own_face(channel, offset);
        weir_stage_incoming(other, number)[offset] = weir_stage_outgoing(view, number)[face];
        weir_stage_outgoing(other, number)[face] = (void *)weir_stage_incoming(view, number)[offset];
    }
}

static bool open_steps(struct advance *advance, void *buffers[], const struct argument *argument) {
    struct weir_block_work *work = &advance->work;
    advance->stage = argument->stage;
    if (!weir_block_work_open(work, buffers, argument, &argument->stage->access))
        return false;
    const struct weir_block_context *context = work->block->context;
    if (context->step_begins)
        context->step_begins(context->recorder, work->block, argument->stage);
    if (argument->step.steps > 1) {
        advance->after = work->view;
        for (int channel = 0; channel < context->channel_count; channel++)
            turn_channel(work->block, channel, &work->view, &advance->after);
    }
    return true;
}

static void go_on(struct advance *advance) {
    const struct weir_stage_view view = advance->work.view;
    advance->work.view = advance->after;
    advance->after = view;
    advance->work.parity = 1 - advance->work.parity;
}

/* Gives the steps of a list its routes, which the first task on a CPU makes: tasks that step a block follow
 * one after the other. */
static void take_routes(struct weir_block *block, struct advance *advance) {
    if (!block->routed)
        block->routes = weir_routes_create(advance->work.kernels, &advance->work.view.block);
    block->routed = true;
    advance->work.view.block.list.routes = advance->after.block.list.routes = block->routes;
}

static void on_cpu(void *buffers[], void *argument) {
    const struct argument *a = argument;
    struct advance advance;
    if (!open_steps(&advance, buffers, a))
        return;
    take_routes(a->step.block, &advance);
    for (int step = 0; step < a->step.steps; step++) {
        if (step > 0)
            go_on(&advance);
        take_turns(&advance);
    }
}

#if WEIR_WITH_CUDA
static void on_cuda(void *buffers[], void *argument) {
    const struct argument *a = argument;
    struct advance advance;
    int error = cudaSuccess;
    if (!open_steps(&advance, buffers, a))
        return;
    for (int step = 0; step < a->step.steps && error == cudaSuccess; step++) {
        if (step > 0)
            go_on(&advance);
        error = a->stage->cuda(&advance.work.view, advance.work.parity, starpu_cuda_get_local_stream());
    }
    weir_block_check_cuda(a->step.block, a->stage->name, error);
}
#endif

/* Models keep times of tasks of one step, and of so many, apart. */
static uint32_t footprint(struct starpu_task *task) {
    const int steps = ((const struct weir_step_argument *)task->cl_arg)->steps;
    const uint32_t block = weir_block_footprint(task);
    return steps == 1 ? block : starpu_hash_crc32c_be_n(&steps, sizeof steps, block);
}

void weir_stage_define(struct weir_task_kind *kind, const struct weir_stage *stage,
                       const struct weir_kernels *kernels) {
    weir_block_kind_init(kind, stage->name, kernels, stage->cpu ? on_cpu : NULL,
                         WEIR_ON_CUDA(stage->cuda && kernels->cuda, on_cuda));
    kind->model.footprint = footprint;
}

int weir_stage_submit(struct weir_task_kind *kind, const struct weir_stage *stage,
                      const struct weir_step_argument *step, void (*done)(void *), void *done_argument) {
    const struct weir_block *block = step->block;
    struct argument argument = {*step, stage};
    struct weir_buffers buffers;
    weir_block_buffers(block, &stage->access, step->parity, &buffers);
    /* The second step writes what the first one read. */
    for (int k = 0; k < buffers.count && step->steps > 1; k++)
        if (buffers.handle[k] != block->data[WEIR_GEOMETRY].handle && buffers.mode[k] == STARPU_R)
            buffers.mode[k] = STARPU_RW;
    weir_block_needs(block, &buffers);
    return weir_task_submit(kind, &buffers,
                            &(struct weir_task_options){.argument = &argument,
                                                        .argument_size = sizeof argument,
                                                        .home = &block->home,
                                                        .priority = block->context->priority,
                                                        .done = done,
                                                        .done_argument = done_argument});
}
