#include "codelets/velocity_change.h"

#include "codelets/kernels/demand/launches.h"
#include "codelets/team.h"

#include <pthread.h>

enum { PREVIOUS, CHANGE }; /* of the task's results */

struct look {
    struct weir_block_work work;
    float *previous;
    pthread_mutex_t lock;
    struct weir_partial_change *change;
};

static void look_at_rows(void *argument, int begin, int end) {
    struct look *look = argument;
    const struct weir_block_work *work = &look->work;
    struct weir_partial_change part;
    work->kernels->cpu.velocity_change(&work->view.block, work->fluid, work->parity, begin, end,
                                       look->previous, &part);
    pthread_mutex_lock(&look->lock);
    if (part.largest_change > look->change->largest_change)
        look->change->largest_change = part.largest_change;
    if (part.largest_speed > look->change->largest_speed)
        look->change->largest_speed = part.largest_speed;
    pthread_mutex_unlock(&look->lock);
}

static void on_cpu(void *buffers[], void *argument) {
    struct look look = {.lock = PTHREAD_MUTEX_INITIALIZER};
    if (!weir_block_work_open(&look.work, buffers, argument, &weir_look_at_flow))
        return;
    look.previous = weir_buffer(look.work.results, PREVIOUS);
    look.change = weir_buffer(look.work.results, CHANGE);
    *look.change = (struct weir_partial_change){0, 0};
    weir_team_divide(look_at_rows, &look, weir_block_rows(look.work.block));
}

#if WEIR_WITH_CUDA
static void on_cuda(void *buffers[], void *argument) {
    struct weir_block_work work;
    if (weir_block_work_open(&work, buffers, argument, &weir_look_at_flow))
        weir_block_check_cuda(work.block, "velocity_change",
                              weir_launch_velocity_change(work.kernels, &work.view.block, work.fluid,
                                                          work.parity, weir_buffer(work.results, PREVIOUS),
                                                          weir_buffer(work.results, CHANGE),
                                                          starpu_cuda_get_local_stream()));
}
#endif

void weir_velocity_change_define(struct weir_task_kind *kind, const struct weir_kernels *kernels) {
    weir_block_kind_init(kind, "velocity_change", kernels, on_cpu, WEIR_ON_CUDA(kernels->cuda, on_cuda));
}

int weir_velocity_change_submit(struct weir_task_kind *kind, struct weir_step_argument *argument,
                                starpu_data_handle_t previous, starpu_data_handle_t change) {
    struct weir_buffers buffers;
    weir_block_buffers(argument->block, &weir_look_at_flow, argument->parity, &buffers);
    weir_buffers_add(&buffers, previous, STARPU_RW);
    weir_buffers_add(&buffers, change, STARPU_W);
    return weir_block_submit(kind, &buffers, argument);
}
