#include "codelets/macroscopic.h"

#include "codelets/kernels/demand/launches.h"
struct argument {
    struct weir_step_argument look; /* first, as of all tasks on blocks */
    struct weir_local_box box;
};

static void on_cpu(void *buffers[], void *argument) {
    const struct argument *a = argument;
    struct weir_block_work work;
    if (weir_block_work_open(&work, buffers, argument, &weir_observe_flow))
        work.kernels->cpu.macroscopic(&work.view.block, work.fluid, work.parity, &a->box,
                                      weir_buffer(work.results, 0));
}

#if WEIR_WITH_CUDA
static void on_cuda(void *buffers[], void *argument) {
    const struct argument *a = argument;
    struct weir_block_work work;
    if (weir_block_work_open(&work, buffers, argument, &weir_observe_flow))
        weir_block_check_cuda(work.block, "macroscopic",
                              weir_launch_macroscopic(work.kernels, &work.view.block, work.fluid, work.parity,
                                                      &a->box, weir_buffer(work.results, 0),
                                                      starpu_cuda_get_local_stream()));
}
#endif

static uint32_t footprint(struct starpu_task *task) {
    const struct argument *a = task->cl_arg;
    return starpu_hash_crc32c_be_n(a->box.extent, sizeof a->box.extent, weir_block_footprint(task));
}

void weir_macroscopic_define(struct weir_task_kind *kind, const struct weir_kernels *kernels) {
    weir_task_kind_init(kind, "macroscopic", kernels, on_cpu, WEIR_ON_CUDA(kernels->cuda, on_cuda));
    kind->model.footprint = footprint;
}

int weir_macroscopic_submit(struct weir_task_kind *kind, struct weir_block *block, int parity,
                            const struct weir_local_box *box, starpu_data_handle_t values) {
    struct argument argument = {{block, parity, 1, false}, *box};
    struct weir_buffers buffers;
    weir_block_buffers(block, &weir_observe_flow, parity, &buffers);
    weir_buffers_add(&buffers, values, STARPU_W);
    weir_block_needs(block, &buffers);
    return weir_task_submit(kind, &buffers,
                            &(struct weir_task_options){.argument = &argument,
                                                        .argument_size = sizeof argument,
                                                        .home = &block->home});
}
