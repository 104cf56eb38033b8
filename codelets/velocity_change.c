#include "codelets/velocity_change.h"

#include "codelets/kernels/demand/launches.h"
#include "codelets/team.h"

#include <pthread.h>

enum { PREVIOUS, CHANGE }; /* of the task's results */

struct observer {
    struct weir_block_work work;
    float *previous;
    pthread_mutex_t lock;
    struct weir_partial_change *change;
};

static void observe_rows(void *argument, int begin, int end) {
    struct observer *observer = argument;
    const struct weir_block_work *work = &observer->work;
    struct weir_partial_change part;
    work->kernels->cpu.velocity_change(&work->view.block, work->fluid, work->parity, begin, end,
                                       observer->previous, &part);
    pthread_mutex_lock(&observer->lock);
    if (part.largest_change > observer->change->largest_change)
        observer->change->largest_change = part.largest_change;
    if (part.largest_speed > observer->change->largest_speed)
        observer->change->largest_speed = part.largest_speed;
    pthread_mutex_unlock(&observer->lock);
}

static void on_cpu(void *buffers[], void *argument) {
    struct observer observer = {.lock = PTHREAD_MUTEX_INITIALIZER};
    if (!weir_block_work_open(&observer.work, buffers, argument, &weir_observe_flow))
        return;
    observer.previous = weir_buffer(observer.work.results, PREVIOUS);
    observer.change = weir_buffer(observer.work.results, CHANGE);
    *observer.change = (struct weir_partial_change){0, 0};
    weir_team_divide(observe_rows, &observer, weir_block_rows(observer.work.block));
}

#if WEIR_WITH_CUDA
static void on_cuda(void *buffers[], void *argument) {
    struct weir_block_work work;
    if (weir_block_work_open(&work, buffers, argument, &weir_observe_flow))
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
    weir_block_buffers(argument->block, &weir_observe_flow, argument->parity, &buffers);
    weir_buffers_add(&buffers, previous, STARPU_RW);
    weir_buffers_add(&buffers, change, STARPU_W);
    return weir_block_submit(kind, &buffers, argument);
}
