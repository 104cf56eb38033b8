#include "codelets/digest.h"

#include "codelets/kernels/demand/launches.h"
#include "codelets/team.h"

struct observer {
    struct weir_block_work work;
    _Atomic uint64_t sum[2];
};

static void observe_rows(void *argument, int begin, int end) {
    struct observer *observer = argument;
    const struct weir_block_work *work = &observer->work;
    uint64_t part[2];
    work->kernels->cpu.digest(&work->view.block, work->fluid, work->parity, &work->block->place, begin, end,
                              part);
    observer->sum[0] += part[0];
    observer->sum[1] += part[1];
}

static void on_cpu(void *buffers[], void *argument) {
    struct observer observer = {.sum = {0, 0}};
    if (!weir_block_work_open(&observer.work, buffers, argument, &weir_observe_flow))
        return;
    weir_team_divide(observe_rows, &observer, weir_block_rows(observer.work.block));
    uint64_t *sum = weir_buffer(observer.work.results, 0);
    sum[0] = observer.sum[0];
    sum[1] = observer.sum[1];
}

#if WEIR_WITH_CUDA
static void on_cuda(void *buffers[], void *argument) {
    struct weir_block_work work;
    if (weir_block_work_open(&work, buffers, argument, &weir_observe_flow))
        weir_block_check_cuda(work.block, "digest",
                              weir_launch_digest(work.kernels, &work.view.block, work.fluid, work.parity,
                                                 &work.block->place, weir_buffer(work.results, 0),
                                                 starpu_cuda_get_local_stream()));
}
#endif

void weir_digest_define(struct weir_task_kind *kind, const struct weir_kernels *kernels) {
    weir_block_kind_init(kind, "digest", kernels, on_cpu, WEIR_ON_CUDA(kernels->cuda, on_cuda));
}

int weir_digest_submit(struct weir_task_kind *kind, struct weir_step_argument *argument,
                       starpu_data_handle_t sum) {
    struct weir_buffers buffers;
    weir_block_buffers(argument->block, &weir_observe_flow, argument->parity, &buffers);
    weir_buffers_add(&buffers, sum, STARPU_W);
    return weir_block_submit(kind, &buffers, argument);
}
