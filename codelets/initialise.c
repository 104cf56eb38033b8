#include "codelets/initialise.h"

#include "codelets/kernels/demand/launches.h"
#include "codelets/team.h"

#include <string.h>

struct argument {
    struct weir_block *block;        /* first, as of all tasks on blocks */
    struct weir_initial_state state; /* whose pointers are taken from the task's buffer */
    bool has_values, restores;
};

/* The messages are those that the step before the first would have given, and the first one takes, with those
 * of the other parity. */
static const struct weir_access initial = {
    .fills = 1u << WEIR_FLOW, .reads = 1u << WEIR_GEOMETRY, .gives = 1, .gives_last = 1};

struct initial_buffers {
    struct weir_stage_view view;
    struct weir_first_messages messages;
    struct weir_initial_state state;
};

static void open_buffers(void *buffers[], const struct argument *a, struct initial_buffers *b) {
    int next = weir_block_view_open(a->block, &initial, buffers, &b->view);
    memset(&b->messages, 0, sizeof b->messages);
    b->state = a->state;
    const int given = 1 - a->state.parity;
    for (int face = 0; face < WEIR_FACES; face++)
        if (b->view.block.outgoing[face]) {
            b->messages.message[given][face] = b->view.block.outgoing[face];
            b->messages.bytes[face] = STARPU_VECTOR_GET_NX(buffers[next]);
            b->messages.message[1 - given][face] = weir_buffer(buffers, next++);
        }
    if (a->restores)
        b->state.populations = weir_buffer(buffers, next);
    else if (a->has_values)
        b->state.values = weir_buffer(buffers, next);
}

/* What the threads of a team share. */
struct setting_up {
    const struct weir_block *block;
    struct initial_buffers buffers;
};

static void clear_rows(void *argument, int begin, int end) {
    const struct setting_up *s = argument;
    weir_block_kernels(s->block)->cpu.clear(&s->buffers.view.block, s->buffers.state.poison,
                                            &s->buffers.messages, begin, end);
}

static void initialise_rows(void *argument, int begin, int end) {
    const struct setting_up *s = argument;
    weir_block_kernels(s->block)->cpu.initialise(&s->buffers.view.block, &s->block->context->fluid,
                                                 &s->buffers.state, begin, end);
}

static void on_cpu(void *buffers[], void *argument) {
    const struct argument *a = argument;
    if (weir_failed(a->block->context->failure))
        return;
    struct setting_up s = {.block = a->block};
    open_buffers(buffers, a, &s.buffers);
    weir_team_divide(clear_rows, &s, weir_block_rows(a->block));
    weir_team_divide(initialise_rows, &s, weir_block_rows(a->block));
}

#if WEIR_WITH_CUDA
static void on_cuda(void *buffers[], void *argument) {
    const struct argument *a = argument;
    const struct weir_block_context *context = a->block->context;
    if (weir_failed(context->failure))
        return;
    struct initial_buffers b;
    open_buffers(buffers, a, &b);
    weir_block_check_cuda(a->block, "initialise",
                          weir_launch_initialise(weir_block_kernels(a->block), &b.view.block, &context->fluid,
                                                 &b.state, &b.messages, starpu_cuda_get_local_stream()));
}
#endif

void weir_initialise_define(struct weir_task_kind *kind, const struct weir_kernels *kernels) {
    weir_block_kind_init(kind, "initialise", kernels, on_cpu, WEIR_ON_CUDA(kernels->cuda, on_cuda));
}

int weir_initialise_submit(struct weir_task_kind *kind, struct weir_block *block,
                           const struct weir_initial_state *state, starpu_data_handle_t values) {
    struct argument argument = {.block = block,
                                .state = *state,
                                .has_values = values != NULL,
                                .restores = state->populations != NULL};
    struct weir_buffers buffers;
    weir_block_buffers(block, &initial, 1 - state->parity, &buffers);
    if (values)
        weir_buffers_add(&buffers, values, STARPU_R);
    weir_block_needs(block, &buffers);
    return weir_task_submit(kind, &buffers,
                            &(struct weir_task_options){.argument = &argument,
                                                        .argument_size = sizeof argument,
                                                        .home = &block->home});
}
