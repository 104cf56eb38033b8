#include "codelets/velocity_change.h"

#include "codelets/team.h"

#include <pthread.h>

struct look {
    const struct weir_step_argument *what;
    struct weir_block_view view;
    float *previous;
    pthread_mutex_t lock;
    struct weir_partial_change *change;
};

static void look_at_rows(void *argument, int begin, int end) {
    struct look *look = argument;
    const struct weir_block_context *context = look->what->block->context;
    struct weir_partial_change part;
    context->kernels->cpu.velocity_change(&look->view, &context->fluid, look->what->parity, begin, end,
                                          look->previous, &part);
    pthread_mutex_lock(&look->lock);
    if (part.largest_change > look->change->largest_change)
        look->change->largest_change = part.largest_change;
    if (part.largest_speed > look->change->largest_speed)
        look->change->largest_speed = part.largest_speed;
    pthread_mutex_unlock(&look->lock);
}

static void on_cpu(void *buffers[], void *argument) {
    const struct weir_step_argument *a = argument;
    if (weir_failed(a->block->context->failure))
        return;
    const int result = weir_block_first_result(a->block);
    struct look look = {.what = a,
                        .view = weir_block_view_of(a->block, buffers, false),
                        .previous = weir_buffer(buffers, result),
                        .lock = PTHREAD_MUTEX_INITIALIZER,
                        .change = weir_buffer(buffers, result + 1)};
    *look.change = (struct weir_partial_change){0, 0};
    weir_team_divide(look_at_rows, &look, weir_block_rows(a->block));
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
