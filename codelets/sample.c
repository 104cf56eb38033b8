#include "codelets/sample.h"

#include "codelets/kernels/demand/launches.h"

enum { BOXES, VALUES }; /* of the task's buffers after those of the block */

struct argument {
    struct weir_step_argument look; /* first, as of all tasks on blocks */
    struct weir_sample sample;
};

/* Where the sample begins. */
static char *values_of(const struct weir_block_work *work, const struct weir_sample *sample) {
    return (char *)weir_buffer(work->results, VALUES) +
           (size_t)sample->number * (size_t)sample->count * sample->slot_bytes;
}

static void on_cpu(void *buffers[], void *argument) {
    const struct argument *a = argument;
    struct weir_block_work work;
    if (!weir_block_work_open(&work, buffers, argument, &weir_observe_flow))
        return;
    const struct weir_local_box *boxes = weir_buffer(work.results, BOXES);
    char *values = values_of(&work, &a->sample);
    for (int k = 0; k < a->sample.count; k++, values += a->sample.slot_bytes)
        work.kernels->cpu.macroscopic(&work.view.block, work.fluid, work.parity, &boxes[k], values);
}

#if WEIR_WITH_CUDA
static void on_cuda(void *buffers[], void *argument) {
    const struct argument *a = argument;
    struct weir_block_work work;
    if (weir_block_work_open(&work, buffers, argument, &weir_observe_flow))
        weir_block_check_cuda(work.block, "sample",
                              weir_launch_sample(work.kernels, &work.view.block, work.fluid, work.parity,
                                                 weir_buffer(work.results, BOXES), a->sample.count,
                                                 values_of(&work, &a->sample),
                                                 starpu_cuda_get_local_stream()));
}
#endif

static uint32_t footprint(struct starpu_task *task) {
    const struct argument *a = task->cl_arg;
    return starpu_hash_crc32c_be_n(&a->sample.count, sizeof a->sample.count, weir_block_footprint(task));
}

void weir_sample_define(struct weir_task_kind *kind, const struct weir_kernels *kernels) {
    weir_task_kind_init(kind, "sample", kernels, on_cpu, WEIR_ON_CUDA(kernels->cuda, on_cuda));
    kind->model.footprint = footprint;
}

int weir_sample_submit(struct weir_task_kind *kind, struct weir_block *block, int parity,
                       const struct weir_sample *sample) {
    struct argument argument = {{block, parity, 1, false}, *sample};
    struct weir_buffers buffers;
    weir_block_buffers(block, &weir_observe_flow, parity, &buffers);
    weir_buffers_add(&buffers, sample->boxes, STARPU_R);
    weir_buffers_add(&buffers, sample->values, sample->number == 0 ? STARPU_W : STARPU_RW);
    weir_block_needs(block, &buffers);
    return weir_task_submit(kind, &buffers,
                            &(struct weir_task_options){.argument = &argument,
                                                        .argument_size = sizeof argument,
                                                        .home = &block->home});
}
