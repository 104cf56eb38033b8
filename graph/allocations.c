#include "graph/allocations.h"

#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

enum { LINE = 128 };

/* One per process, as StarPU is: the methods of a data interface get nothing that would lead to a run. */
static struct {
    pthread_once_t once;
    struct starpu_data_interface_ops ops; /* those of vectors, but for the two that count */
    _Atomic int64_t host, device, freed;
} counted = {.once = PTHREAD_ONCE_INIT};

static starpu_ssize_t allocate(void *interface, unsigned node) {
    const starpu_ssize_t bytes = starpu_interface_vector_ops.allocate_data_on_node(interface, node);
    if (starpu_node_get_kind(node) == STARPU_CPU_RAM)
        atomic_fetch_add(&counted.host, 1);
    else
        atomic_fetch_add(&counted.device, 1);
    return bytes;
}

static void release(void *interface, unsigned node) {
    starpu_interface_vector_ops.free_data_on_node(interface, node);
    atomic_fetch_add(&counted.freed, 1);
}

static void set_up(void) {
    counted.ops = starpu_interface_vector_ops;
    counted.ops.allocate_data_on_node = allocate;
    counted.ops.free_data_on_node = release;
}

starpu_data_handle_t weir_register_bytes(size_t bytes) {
    starpu_data_handle_t handle;
    const uint32_t lines = (uint32_t)((bytes + LINE - 1) / LINE);
    struct starpu_vector_interface vector = {
        .id = STARPU_VECTOR_INTERFACE_ID,
        .nx = lines,
        .elemsize = LINE,
        .allocsize = (size_t)lines * LINE,
    };
    pthread_once(&counted.once, set_up);
    starpu_data_register(&handle, -1, &vector, &counted.ops);
    return handle;
}

struct weir_allocations weir_allocations_so_far(void) {
    return (struct weir_allocations){.host = counted.host, .device = counted.device, .freed = counted.freed};
}

int weir_node_memories(struct weir_node_memory nodes[WEIR_NODES_MAX]) {
    const int count = (int)starpu_memory_nodes_get_count();
    for (int node = 0; node < count && node < WEIR_NODES_MAX; node++) {
        nodes[node] = (struct weir_node_memory){.used_bytes = (int64_t)starpu_memory_get_used((unsigned)node),
                                                .gpu_free_bytes = -1};
        starpu_memory_node_get_name((unsigned)node, nodes[node].name, sizeof nodes[node].name);
#if WEIR_WITH_CUDA
        if (starpu_node_get_kind((unsigned)node) == STARPU_CUDA_RAM) {
            size_t free_bytes = 0, total_bytes = 0;
            cudaSetDevice(starpu_memory_node_get_devid((unsigned)node));
            if (cudaMemGetInfo(&free_bytes, &total_bytes) == cudaSuccess)
                nodes[node].gpu_free_bytes = (int64_t)free_bytes;
        }
#endif
    }
    return count < WEIR_NODES_MAX ? count : WEIR_NODES_MAX;
}
