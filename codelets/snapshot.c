#include "codelets/snapshot.h"

#include "codelets/kernels/demand/launches.h"
#include "codelets/team.h"

/* Results of the task, behind the block's buffers. */
enum { SLOT, SNAPSHOT };

static uint64_t *digest_of(const struct weir_block_work *work) {
    return weir_buffer(work->results, SNAPSHOT);
}

static void *populations_of(const struct weir_block_work *work) {
    return (char *)weir_buffer(work->results, SNAPSHOT) + WEIR_SNAPSHOT_HEAD;
}

/* What the threads of a team share. */
struct copying {
    struct weir_block_work work;
    _Atomic uint64_t sum[2];
};

static void copy_rows(void *argument, int begin, int end) {
    struct copying *copying = argument;
    const struct weir_block_work *work = &copying->work;
    uint64_t part[2];
    work->kernels->cpu.snapshot(&work->view.block, work->parity, begin, end, populations_of(work));
    work->kernels->cpu.digest(&work->view.block, work->fluid, work->parity, &work->block->place, begin, end,
                              part);
    for (int s = 0; s < 2; s++)
        copying->sum[s] += part[s];
}

static void on_cpu(void *buffers[], void *argument) {
    struct copying copying = {.sum = {0, 0}};
    if (!weir_block_work_open(&copying.work, buffers, argument, &weir_observe_flow))
        return;
    weir_team_divide(copy_rows, &copying, weir_block_rows(copying.work.block));
    for (int s = 0; s < 2; s++)
        digest_of(&copying.work)[s] = copying.sum[s];
}

#if WEIR_WITH_CUDA
static void on_cuda(void *buffers[], void *argument) {
    struct weir_block_work work;
    if (!weir_block_work_open(&work, buffers, argument, &weir_observe_flow))
        return;
    int error = weir_launch_snapshot(work.kernels, &work.view.block, work.parity, populations_of(&work),
                                     starpu_cuda_get_local_stream());
    if (error == cudaSuccess)
        error = weir_launch_digest(work.kernels, &work.view.block, work.fluid, work.parity,
                                   &work.block->place, digest_of(&work), starpu_cuda_get_local_stream());
    weir_block_check_cuda(work.block, "snapshot", error);
}
#endif

void weir_snapshot_define(struct weir_task_kind *kind, const struct weir_kernels *kernels) {
    weir_block_kind_init(kind, "snapshot", kernels, on_cpu, WEIR_ON_CUDA(kernels->cuda, on_cuda));
}

int weir_snapshot_submit(struct weir_task_kind *kind, struct weir_step_argument *argument,
                         starpu_data_handle_t slot, starpu_data_handle_t snapshot) {
    struct weir_buffers buffers;
    weir_block_buffers(argument->block, &weir_observe_flow, argument->parity, &buffers);
    weir_buffers_add(&buffers, slot, STARPU_W);
    weir_buffers_add(&buffers, snapshot, STARPU_W);
    return weir_block_submit(kind, &buffers, argument);
}
