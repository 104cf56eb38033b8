#include "codelets/initialise.h"

#include "codelets/kernels/demand/launches.h"
#include "codelets/team.h"

struct argument {
    struct weir_block *block;        /* first, as of all tasks on blocks */
    struct weir_initial_state state; /* state.values is taken from the task's buffer */
    bool has_values;
};

/* Buffers: populations, geometry, the messages that the first step reads, those of the other parity, values.
 */
struct initial_buffers {
    struct weir_block_view view;
    struct weir_first_messages messages;
    struct weir_initial_state state;
};

static struct initial_buffers open_buffers(void *buffers[], const struct argument *a) {
    const struct weir_block *block = a->block;
    struct initial_buffers b = {.view = block->view, .state = a->state};
    weir_layout_open(&block->layout, weir_buffer(buffers, 0), weir_buffer(buffers, 1), &b.view);
    for (int face = 0; face < WEIR_FACES; face++)
        if (block->outgoing_index[face] >= 0) {
            const int first = 2 + block->outgoing_index[face], second = first + block->outgoing_count;
            b.view.outgoing[face] = b.messages.message[1][face] = weir_buffer(buffers, first);
            b.messages.message[0][face] = weir_buffer(buffers, second);
            b.messages.bytes[face] = STARPU_VECTOR_GET_NX(buffers[first]);
        }
    if (a->has_values)
        b.state.values = weir_buffer(buffers, 2 + 2 * block->outgoing_count);
    return b;
}

/* What the threads of a team share. */
struct setting_up {
    const struct weir_block_context *context;
    struct initial_buffers buffers;
};

static void clear_rows(void *argument, int begin, int end) {
    const struct setting_up *s = argument;
    s->context->kernels->cpu.clear(&s->buffers.view, s->buffers.state.poison, &s->buffers.messages, begin,
                                   end);
}

static void initialise_rows(void *argument, int begin, int end) {
    const struct setting_up *s = argument;
    s->context->kernels->cpu.initialise(&s->buffers.view, &s->context->fluid, &s->buffers.state, begin, end);
}

static void on_cpu(void *buffers[], void *argument) {
    const struct argument *a = argument;
    if (weir_failed(a->block->context->failure))
        return;
    struct setting_up s = {a->block->context, open_buffers(buffers, a)};
    weir_team_divide(clear_rows, &s, weir_block_rows(a->block));
    weir_team_divide(initialise_rows, &s, weir_block_rows(a->block));
}

#if WEIR_WITH_CUDA
static void on_cuda(void *buffers[], void *argument) {
    const struct argument *a = argument;
    const struct weir_block_context *context = a->block->context;
    if (weir_failed(context->failure))
        return;
    const struct initial_buffers b = open_buffers(buffers, a);
    weir_block_check_cuda(a->block, "initialise",
                          weir_launch_initialise(context->kernels, &b.view, &context->fluid, &b.state,
                                                 &b.messages, starpu_cuda_get_local_stream()));
}
#endif

void weir_initialise_define(struct weir_task_kind *kind, const struct weir_kernels *kernels) {
    weir_block_kind_init(kind, "initialise", kernels, on_cpu, WEIR_ON_CUDA(kernels->cuda, on_cuda));
}

int weir_initialise_submit(struct weir_task_kind *kind, struct weir_block *block,
                           const struct weir_initial_state *state, starpu_data_handle_t values) {
    struct argument argument = {.block = block, .state = *state, .has_values = values != NULL};
    struct weir_buffers buffers = {.count = 0};
    weir_buffers_add(&buffers, block->populations, STARPU_W);
    weir_buffers_add(&buffers, block->geometry, STARPU_R);
    for (int parity = 1; parity >= 0; parity--)
        for (int face = 0; face < WEIR_FACES; face++)
            if (block->outgoing[parity][face])
                weir_buffers_add(&buffers, block->outgoing[parity][face], STARPU_W);
    if (values)
        weir_buffers_add(&buffers, values, STARPU_R);
    return weir_task_submit(kind, &buffers,
                            &(struct weir_task_options){.argument = &argument,
                                                        .argument_size = sizeof argument,
                                                        .home = &block->home});
}
