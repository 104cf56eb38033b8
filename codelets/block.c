#include "codelets/block.h"

void weir_block_buffers(const struct weir_block *block, int parity,
                        enum starpu_data_access_mode populations_mode, struct weir_buffers *buffers) {
    buffers->count = 0;
    weir_buffers_add(buffers, block->populations, populations_mode);
    weir_buffers_add(buffers, block->geometry, STARPU_R);
    for (int k = 0; k < block->incoming_count; k++)
        weir_buffers_add(buffers, block->incoming[1 - parity][k], STARPU_R);
}

struct weir_block_view weir_block_view_of(const struct weir_block *block, void *buffers[], bool written) {
    struct weir_block_view view = block->view;
    weir_layout_open(&block->layout, weir_buffer(buffers, 0), weir_buffer(buffers, 1), &view);
    for (int offset = 0; offset < WEIR_NEIGHBOURS; offset++)
        if (block->incoming_index[offset] >= 0)
            view.incoming[offset] = weir_buffer(buffers, 2 + block->incoming_index[offset]);
    for (int face = 0; face < 6 && written; face++)
        if (block->outgoing_index[face] >= 0)
            view.outgoing[face] =
                weir_buffer(buffers, weir_block_first_result(block) + block->outgoing_index[face]);
    return view;
}

uint32_t weir_block_footprint(struct starpu_task *task) {
    const struct weir_block *block = *(struct weir_block *const *)task->cl_arg;
    const int extent[3] = {block->view.extent[0][1], block->view.extent[1][1], block->view.extent[2][1]};
    return starpu_hash_crc32c_be_n(extent, sizeof extent, 0);
}

bool weir_block_work_open(struct weir_block_work *work, void *buffers[], const void *argument, bool written) {
    const struct weir_step_argument *a = argument;
    const struct weir_block_context *context = a->block->context;
    if (weir_failed(context->failure))
        return false;
    *work = (struct weir_block_work){.block = a->block,
                                     .kernels = context->kernels,
                                     .fluid = &context->fluid,
                                     .parity = a->parity,
                                     .view = weir_block_view_of(a->block, buffers, written),
                                     .results = buffers + weir_block_first_result(a->block)};
    return true;
}

void weir_block_kind_init(struct weir_task_kind *kind, const char *name, const struct weir_kernels *variant,
                          starpu_cpu_func_t cpu, starpu_cuda_func_t cuda) {
    weir_task_kind_init(kind, name, variant, cpu, cuda);
    kind->model.footprint = weir_block_footprint;
}

int weir_block_submit(struct weir_task_kind *kind, const struct weir_buffers *buffers,
                      struct weir_step_argument *argument) {
    return weir_task_submit(
        kind, buffers, &(struct weir_task_options){.argument = argument, .home = &argument->block->home});
}

#if WEIR_WITH_CUDA
void weir_block_check_cuda(const struct weir_block *block, const char *kernel, int error) {
    if (error != cudaSuccess)
        weir_failure_record(
            block->context->failure, 1,
            "kernel %s of block %d failed on the GPU: %s; the device may be lost or out of memory: see "
            "nvidia-smi, or run on the CPU with --set placement.workers=cpu",
            kernel, block->number, cudaGetErrorString((cudaError_t)error));
}
#endif
