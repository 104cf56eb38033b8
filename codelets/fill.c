#include "codelets/fill.h"

#include <string.h>

struct argument {
    const struct weir_block *block;
    unsigned char byte;
};

static size_t bytes_of(void *buffers[]) {
    return STARPU_VECTOR_GET_NX(buffers[0]) * STARPU_VECTOR_GET_ELEMSIZE(buffers[0]);
}

static void on_cpu(void *buffers[], void *argument) {
    const struct argument *a = argument;
    memset(weir_buffer(buffers, 0), a->byte, bytes_of(buffers));
}

#if WEIR_WITH_CUDA
static void on_cuda(void *buffers[], void *argument) {
    const struct argument *a = argument;
    weir_block_check_cuda(a->block, "zero",
                          (int)cudaMemsetAsync(weir_buffer(buffers, 0), a->byte, bytes_of(buffers),
                                               starpu_cuda_get_local_stream()));
}
#endif

void weir_fill_define(struct weir_task_kind *kind, const struct weir_kernels *kernels) {
    weir_task_kind_init(kind, "zero", kernels, on_cpu, WEIR_ON_CUDA(kernels->cuda, on_cuda));
}

int weir_fill_submit(struct weir_task_kind *kind, const struct weir_block *block, starpu_data_handle_t data,
                     unsigned char byte) {
    struct argument argument = {block, byte};
    struct weir_buffers buffers = {.count = 0};
    weir_buffers_add(&buffers, data, STARPU_W);
    weir_block_needs(block, &buffers);
    return weir_task_submit(kind, &buffers,
                            &(struct weir_task_options){.argument = &argument,
                                                        .argument_size = sizeof argument,
                                                        .home = &block->home});
}
