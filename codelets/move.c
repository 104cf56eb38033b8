#include "codelets/move.h"

#include <string.h>

enum { FROM, TO };

struct argument {
    const struct weir_block *block;
    size_t bytes;
};

static size_t bytes_of(starpu_data_handle_t handle) {
    return starpu_vector_get_nx(handle) * starpu_vector_get_elemsize(handle);
}

static void on_cpu(void *buffers[], void *argument) {
    const struct argument *a = argument;
    memcpy(weir_buffer(buffers, TO), weir_buffer(buffers, FROM), a->bytes);
}

#if WEIR_WITH_CUDA
static void on_cuda(void *buffers[], void *argument) {
    const struct argument *a = argument;
    weir_block_check_cuda(a->block, "move",
                          (int)cudaMemcpyAsync(weir_buffer(buffers, TO), weir_buffer(buffers, FROM), a->bytes,
                                               cudaMemcpyDefault, starpu_cuda_get_local_stream()));
}
#endif

static void define(struct weir_task_kind *kind, const char *name, const struct weir_kernels *kernels,
                   int from, int to) {
    weir_task_kind_init(kind, name, kernels, on_cpu, WEIR_ON_CUDA(kernels->cuda, on_cuda));
    kind->codelet.specific_nodes = 1;
    kind->codelet.nodes[FROM] = from;
    kind->codelet.nodes[TO] = to;
}

void weir_bring_define(struct weir_task_kind *kind, const struct weir_kernels *kernels) {
    define(kind, "bring", kernels, STARPU_SPECIFIC_NODE_CPU, STARPU_SPECIFIC_NODE_LOCAL);
}

void weir_put_back_define(struct weir_task_kind *kind, const struct weir_kernels *kernels) {
    define(kind, "put_back", kernels, STARPU_SPECIFIC_NODE_LOCAL, STARPU_SPECIFIC_NODE_CPU);
}

static int move(struct weir_task_kind *kind, const struct weir_block *block, starpu_data_handle_t from,
                starpu_data_handle_t to, starpu_data_handle_t home, int worker) {
    struct argument argument = {block, bytes_of(home)};
    struct weir_buffers buffers = {.count = 0};
    weir_buffers_add(&buffers, from, STARPU_R);
    weir_buffers_add(&buffers, to, STARPU_W);
    return weir_task_submit(kind, &buffers,
                            &(struct weir_task_options){.argument = &argument,
                                                        .argument_size = sizeof argument,
                                                        .worker = worker < 0 ? NULL : &worker});
}

int weir_bring_submit(struct weir_task_kind *kind, const struct weir_block *block, starpu_data_handle_t home,
                      starpu_data_handle_t place, int worker) {
    return move(kind, block, home, place, home, worker);
}

int weir_put_back_submit(struct weir_task_kind *kind, const struct weir_block *block,
                         starpu_data_handle_t home, starpu_data_handle_t place, int worker) {
    return move(kind, block, place, home, home, worker);
}
