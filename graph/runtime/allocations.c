#include "graph/runtime/allocations.h"

#include "graph/base/clock.h"
#include "graph/base/huge_pages.h"
#include "graph/runtime/dead_end.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { LINE = 128 };

/* One per process, as StarPU is: the methods of a data interface get nothing that would lead to a run. */
static struct {
    pthread_once_t once;
    struct starpu_data_interface_ops ops; /* those of vectors, but for the two that count */
    _Atomic int64_t host, device, freed;
} counted = {.once = PTHREAD_ONCE_INIT};

/* Seconds. StarPU frees what it keeps for later, or waits for tasks to let go of theirs, and asks again, many
 * times a second: where nothing of this size has been had for so long, tasks wait for each other. */
static const double patience = 5;

/* What is lacking on each memory node. */
static struct {
    pthread_mutex_t lock;
    struct {
        double since; /* first of the failures in a row; 0: none */
        size_t bytes; /* least of what was asked for in vain since then */
    } node[STARPU_MAXNODES];
} lack = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void describe_lack(size_t bytes, unsigned node, char *text, size_t size) {
    const double mib = (double)bytes / (1 << 20);
    if (starpu_node_get_kind(node) == STARPU_CPU_RAM)
        snprintf(text, size,
                 "out of memory: %.1f MiB more of main memory are not to be had; choose fewer cells, single "
                 "precision "
                 "or half storage, or raise the limit (ulimit -v, or the job's)",
                 mib);
    else
        snprintf(text, size,
                 "out of memory: %.1f MiB more on GPU %d are not to be had; choose fewer cells, smaller "
                 "blocks with "
                 "blocks.cells, single precision or half storage, or more GPUs",
                 mib, starpu_memory_node_get_devid(node));
}

/* Does not come back, nor lets go of the lock. */
static void give_up(size_t bytes, unsigned node) {
    char text[512];
    describe_lack(bytes, node, text, sizeof text);
    weir_dead_end_reached(text);
}

static void note_failure(size_t bytes, unsigned node) {
    const double now = weir_seconds();
    pthread_mutex_lock(&lack.lock);
    if (lack.node[node].since == 0 || bytes < lack.node[node].bytes)
        lack.node[node].bytes = bytes;
    if (lack.node[node].since == 0)
        lack.node[node].since = now;
    else if (now - lack.node[node].since > patience)
        give_up(lack.node[node].bytes, node);
    pthread_mutex_unlock(&lack.lock);
}

/* Small things are to be had when large ones are not. */
static void note_success(size_t bytes, unsigned node) {
    pthread_mutex_lock(&lack.lock);
    if (bytes >= lack.node[node].bytes)
        lack.node[node].since = 0;
    pthread_mutex_unlock(&lack.lock);
}

static starpu_ssize_t allocate(void *interface, unsigned node) {
    const struct starpu_vector_interface *vector = interface;
    const size_t wanted = vector->allocsize;
    const starpu_ssize_t bytes = starpu_interface_vector_ops.allocate_data_on_node(interface, node);
    if (bytes < 0) {
        note_failure(wanted, node);
        return bytes;
    }
    note_success(wanted, node);
    if (starpu_node_get_kind(node) == STARPU_CPU_RAM) {
        weir_ask_huge_pages((void *)vector->ptr, wanted);
        atomic_fetch_add(&counted.host, 1);
    } else {
        atomic_fetch_add(&counted.device, 1);
    }
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

static struct starpu_vector_interface vector_of(size_t bytes) {
    const uint32_t lines = (uint32_t)((bytes + LINE - 1) / LINE);
    return (struct starpu_vector_interface){
        .id = STARPU_VECTOR_INTERFACE_ID,
        .nx = lines,
        .elemsize = LINE,
        .allocsize = (size_t)lines * LINE,
    };
}

starpu_data_handle_t weir_register_bytes(size_t bytes) {
    starpu_data_handle_t handle;
    struct starpu_vector_interface vector = vector_of(bytes);
    pthread_once(&counted.once, set_up);
    starpu_data_register(&handle, -1, &vector, &counted.ops);
    return handle;
}

starpu_data_handle_t weir_register_home(size_t bytes) {
    starpu_data_handle_t handle;
    struct starpu_vector_interface vector = vector_of(bytes);
    void *memory;
    if (starpu_malloc_flags(&memory, vector.allocsize, STARPU_MALLOC_PINNED) != 0)
        return NULL;
    vector.ptr = vector.dev_handle = (uintptr_t)memory;
    pthread_once(&counted.once, set_up);
    starpu_data_register(&handle, STARPU_MAIN_RAM, &vector, &counted.ops);
    return handle;
}

void weir_unregister_home(starpu_data_handle_t handle) {
    void *const memory = (void *)starpu_vector_get_local_ptr(handle);
    const size_t bytes = starpu_vector_get_allocsize(handle);
    starpu_data_unregister_no_coherency(handle);
    starpu_free_flags(memory, bytes, STARPU_MALLOC_PINNED);
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
