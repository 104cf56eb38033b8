/* Data handles of raw bytes whose allocations are counted: what shows that a run in its steady state
 * allocates neither blocks nor messages. Counted is every call by which StarPU asks for memory of a handle on
 * any memory node, main memory or GPU; memory that it takes from its own cache is no allocation. */
#ifndef WEIR_GRAPH_RUNTIME_ALLOCATIONS_H
#define WEIR_GRAPH_RUNTIME_ALLOCATIONS_H

#include <starpu.h>
#include <stdint.h>

/* A handle of raw bytes, rounded up to whole lines, without a home: StarPU allocates it where it is first
 * written. Memory that is not to be had for some seconds is a dead end (graph/runtime/dead_end.h). */
starpu_data_handle_t weir_register_bytes(size_t bytes);

/* The same with a home in main memory, allocated now, whose pages are held where GPUs are to copy from and to
 * them. NULL: it is not to be had. Given back by the second one, when no task has it. */
starpu_data_handle_t weir_register_home(size_t bytes);
void weir_unregister_home(starpu_data_handle_t handle);

/* Allocations and releases of such handles since the program began. */
struct weir_allocations {
    int64_t host, device; /* allocations in main memory, and on GPUs */
    int64_t freed;        /* on either */
};
struct weir_allocations weir_allocations_so_far(void);

/* Bytes in use now: what StarPU has on each memory node, and what is free on the GPU that the node is, by the
 * driver's own account. */
struct weir_node_memory {
    char name[64];
    int64_t used_bytes;     /* by StarPU's account */
    int64_t gpu_free_bytes; /* cudaMemGetInfo; -1 for main memory */
};
enum { WEIR_NODES_MAX = 32 };
int weir_node_memories(struct weir_node_memory nodes[WEIR_NODES_MAX]);

#endif
