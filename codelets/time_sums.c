#include "codelets/time_sums.h"

#include "codelets/kernels/demand/launches.h"
#include "codelets/team.h"

enum { SUMS, VALUES }; /* of the tasks' results */

static void add_rows(void *argument, int begin, int end) {
    const struct weir_block_work *work = argument;
    work->kernels->cpu.add_to_time_sums(&work->view.block, work->fluid, work->parity, begin, end,
                                        weir_buffer(work->results, SUMS));
}

static void add_on_cpu(void *buffers[], void *argument) {
    struct weir_block_work work;
    if (weir_block_work_open(&work, buffers, argument, &weir_observe_flow))
        weir_team_divide(add_rows, &work, weir_block_rows(work.block));
}

/* What the threads of a team share. */
struct copying {
    struct weir_block_work work;
    bool back;
};

static void copy_rows(void *argument, int begin, int end) {
    const struct copying *copying = argument;
    const struct weir_block_work *work = &copying->work;
    work->kernels->cpu.copy_time_sums(&work->view.block, begin, end, copying->back,
                                      weir_buffer(work->results, SUMS), weir_buffer(work->results, VALUES));
}

static void copy_on_cpu(void *buffers[], void *argument, bool back) {
    struct copying copying = {.back = back};
    if (weir_block_work_open(&copying.work, buffers, argument, &weir_observe_flow))
        weir_team_divide(copy_rows, &copying, weir_block_rows(copying.work.block));
}

static void copy_out_on_cpu(void *buffers[], void *argument) {
    copy_on_cpu(buffers, argument, false);
}

static void copy_back_on_cpu(void *buffers[], void *argument) {
    copy_on_cpu(buffers, argument, true);
}

#if WEIR_WITH_CUDA
static void add_on_cuda(void *buffers[], void *argument) {
    struct weir_block_work work;
    if (weir_block_work_open(&work, buffers, argument, &weir_observe_flow))
        weir_block_check_cuda(work.block, "add_to_time_sums",
                              weir_launch_add_to_time_sums(work.kernels, &work.view.block, work.fluid,
                                                           work.parity, weir_buffer(work.results, SUMS),
                                                           starpu_cuda_get_local_stream()));
}

static void copy_on_cuda(void *buffers[], void *argument, bool back) {
    struct weir_block_work work;
    if (weir_block_work_open(&work, buffers, argument, &weir_observe_flow))
        weir_block_check_cuda(
            work.block, "copy_time_sums",
            weir_launch_copy_time_sums(work.kernels, &work.view.block, back, weir_buffer(work.results, SUMS),
                                       weir_buffer(work.results, VALUES), starpu_cuda_get_local_stream()));
}

static void copy_out_on_cuda(void *buffers[], void *argument) {
    copy_on_cuda(buffers, argument, false);
}

static void copy_back_on_cuda(void *buffers[], void *argument) {
    copy_on_cuda(buffers, argument, true);
}
#endif

void weir_add_to_time_sums_define(struct weir_task_kind *kind, const struct weir_kernels *kernels) {
    weir_block_kind_init(kind, "add_to_time_sums", kernels, add_on_cpu,
                         WEIR_ON_CUDA(kernels->cuda, add_on_cuda));
}

void weir_copy_time_sums_define(struct weir_task_kind *kind, const struct weir_kernels *kernels) {
    weir_block_kind_init(kind, "copy_time_sums", kernels, copy_out_on_cpu,
                         WEIR_ON_CUDA(kernels->cuda, copy_out_on_cuda));
}

void weir_restore_time_sums_define(struct weir_task_kind *kind, const struct weir_kernels *kernels) {
    weir_block_kind_init(kind, "restore_time_sums", kernels, copy_back_on_cpu,
                         WEIR_ON_CUDA(kernels->cuda, copy_back_on_cuda));
}

int weir_add_to_time_sums_submit(struct weir_task_kind *kind, struct weir_step_argument *argument,
                                 starpu_data_handle_t sums) {
    struct weir_buffers buffers;
    weir_block_buffers(argument->block, &weir_observe_flow, argument->parity, &buffers);
    weir_buffers_add(&buffers, sums, STARPU_RW);
    return weir_block_submit(kind, &buffers, argument);
}

int weir_copy_time_sums_submit(struct weir_task_kind *kind, struct weir_step_argument *argument,
                               starpu_data_handle_t sums, starpu_data_handle_t slot,
                               starpu_data_handle_t values) {
    struct weir_buffers buffers;
    weir_block_buffers(argument->block, &weir_observe_flow, argument->parity, &buffers);
    weir_buffers_add(&buffers, sums, STARPU_R);
    weir_buffers_add(&buffers, values, STARPU_W);
    weir_buffers_add(&buffers, slot, STARPU_W);
    return weir_block_submit(kind, &buffers, argument);
}

int weir_restore_time_sums_submit(struct weir_task_kind *kind, struct weir_step_argument *argument,
                                  starpu_data_handle_t sums, starpu_data_handle_t values) {
    struct weir_buffers buffers;
    weir_block_buffers(argument->block, &weir_observe_flow, argument->parity, &buffers);
    weir_buffers_add(&buffers, sums, STARPU_RW);
    weir_buffers_add(&buffers, values, STARPU_R);
    return weir_block_submit(kind, &buffers, argument);
}
