#include "codelets/totals.h"

#include "codelets/kernels/demand/launches.h"
#include "codelets/kernels/lattice/speed_limit.h"
#include "codelets/team.h"

#include <pthread.h>

struct observer {
    struct weir_block_work work;
    pthread_mutex_t lock;
    struct weir_partial_totals *totals;
};

static void observe_rows(void *argument, int begin, int end) {
    struct observer *observer = argument;
    const struct weir_block_work *work = &observer->work;
    struct weir_partial_totals part;
    work->kernels->cpu.totals(&work->view.block, work->fluid, work->parity, WEIR_SPEED_LIMIT, begin, end,
                              &part);
    pthread_mutex_lock(&observer->lock);
    weir_partial_totals_add(observer->totals, &part);
    pthread_mutex_unlock(&observer->lock);
}

static void on_cpu(void *buffers[], void *argument) {
    struct observer observer = {.lock = PTHREAD_MUTEX_INITIALIZER};
    if (!weir_block_work_open(&observer.work, buffers, argument, &weir_observe_flow))
        return;
    observer.totals = weir_buffer(observer.work.results, 0);
    *observer.totals = (struct weir_partial_totals){.diverged_cell = UINT64_MAX};
    weir_team_divide(observe_rows, &observer, weir_block_rows(observer.work.block));
}

#if WEIR_WITH_CUDA
static void on_cuda(void *buffers[], void *argument) {
    struct weir_block_work work;
    if (weir_block_work_open(&work, buffers, argument, &weir_observe_flow))
        weir_block_check_cuda(work.block, "totals",
                              weir_launch_totals(work.kernels, &work.view.block, work.fluid, work.parity,
                                                 WEIR_SPEED_LIMIT, weir_buffer(work.results, 0),
                                                 starpu_cuda_get_local_stream()));
}
#endif

void weir_totals_define(struct weir_task_kind *kind, const struct weir_kernels *kernels) {
    weir_block_kind_init(kind, "totals", kernels, on_cpu, WEIR_ON_CUDA(kernels->cuda, on_cuda));
}

int weir_totals_submit(struct weir_task_kind *kind, struct weir_step_argument *argument,
                       starpu_data_handle_t totals) {
    struct weir_buffers buffers;
    weir_block_buffers(argument->block, &weir_observe_flow, argument->parity, &buffers);
    weir_buffers_add(&buffers, totals, STARPU_W);
    return weir_block_submit(kind, &buffers, argument);
}
