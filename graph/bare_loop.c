#include "graph/bare_loop.h"

#include "codelets/kernels/demand/launches.h"
#include "graph/base/clock.h"
#include "graph/base/error.h"
#include "graph/base/spin_barrier.h"

#include <stdlib.h>

struct weir_bare_loop {
    struct weir_domain *domain;
    const struct weir_parts *parts;
    struct weir_block_view (*views)[2]; /* [block][parity] */
    unsigned workers[STARPU_NMAXWORKERS];
    int worker_count;
    bool cuda;
    int64_t acquired; /* handles, in the order of for_each_handle */
    struct weir_spin_barrier barrier;
    int steps;
    double seconds; /* written by the first worker */
};

static int node_of(const struct weir_bare_loop *loop, const struct weir_block *block) {
    return (int)starpu_worker_get_memory_node((unsigned)loop->parts->part[block->home.part].workers[0]);
}

/* Calls for all handles of the domain, each with the memory node of the block that it belongs to, the first
 * `limit` of them; returns how many there were. */
static int64_t for_each_handle(const struct weir_bare_loop *loop, int64_t limit,
                               int (*function)(starpu_data_handle_t handle, int node)) {
    const struct weir_domain *domain = loop->domain;
    int64_t count = 0;
    for (int number = 0; number < domain->set.count; number++) {
        const struct weir_block *block = &domain->blocks[number];
        starpu_data_handle_t handles[2 + 2 * WEIR_FACES];
        int used = 0;
        handles[used++] = block->populations;
        handles[used++] = block->geometry;
        for (int parity = 0; parity < 2; parity++)
            for (int face = 0; face < WEIR_FACES; face++)
                if (block->outgoing[parity][face])
                    handles[used++] = block->outgoing[parity][face];
        for (int k = 0; k < used; k++, count++)
            if (count == limit || function(handles[k], node_of(loop, block)) != 0)
                return count;
    }
    return count;
}

static int acquire(starpu_data_handle_t handle, int node) {
    return starpu_data_acquire_on_node(handle, node, STARPU_RW);
}

static int release(starpu_data_handle_t handle, int node) {
    starpu_data_release_on_node(handle, node);
    return 0;
}

/* The view that a task of this step would have: the same buffers in the same order, by the addresses that
 * they have on the node where the block lives. */
static struct weir_block_view view_of(const struct weir_bare_loop *loop, const struct weir_block *block,
                                      int parity) {
    struct weir_buffers buffers;
    void *interfaces[WEIR_TASK_BUFFERS_MAX];
    weir_block_buffers(block, parity, STARPU_RW, &buffers);
    for (int face = 0; face < WEIR_FACES; face++)
        if (block->outgoing[parity][face])
            weir_buffers_add(&buffers, block->outgoing[parity][face], STARPU_W);
    for (int k = 0; k < buffers.count; k++)
        interfaces[k] = starpu_data_get_interface_on_node(buffers.handle[k], (unsigned)node_of(loop, block));
    return weir_block_view_of(block, interfaces, true);
}

static int choose_workers(struct weir_bare_loop *loop) {
    const struct weir_domain *domain = loop->domain;
    for (int number = 0; number < domain->set.count; number++)
        if (domain->blocks[number].home.part < 0)
            return weir_fail(WEIR_USAGE, "a bare loop needs blocks with homes: use the policy static");
    for (int k = 0; k < loop->parts->count; k++) {
        const struct weir_part *part = &loop->parts->part[k];
        int blocks = 0;
        for (int number = 0; number < domain->set.count; number++)
            blocks += domain->blocks[number].home.part == k;
        if (blocks == 0)
            continue;
        if (part->kind == WEIR_PART_TEAM || (loop->worker_count > 0 && part->kind == WEIR_PART_GPU) ||
            loop->cuda)
            return weir_fail(WEIR_USAGE,
                             "a bare loop runs on single CPU cores or on one GPU, not on both or several");
        loop->cuda = part->kind == WEIR_PART_GPU;
        loop->workers[loop->worker_count++] = (unsigned)part->workers[0]; /* one of a GPU's workers will do */
    }
    return 0;
}

int weir_bare_loop_create(const struct weir_runtime *runtime, struct weir_domain *domain,
                          struct weir_bare_loop **result) {
    struct weir_bare_loop *loop = calloc(1, sizeof *loop);
    if (!loop)
        return weir_fail(WEIR_FAILED, "out of memory for a bare loop");
    loop->domain = domain;
    loop->parts = weir_runtime_parts(runtime);
    loop->views = calloc((size_t)domain->set.count, sizeof *loop->views);
    int error = loop->views ? choose_workers(loop) : weir_fail(WEIR_FAILED, "out of memory for a bare loop");
    if (error == 0) {
        loop->acquired = for_each_handle(loop, INT64_MAX, acquire);
        for (int number = 0; number < domain->set.count; number++)
            for (int parity = 0; parity < 2; parity++)
                loop->views[number][parity] = view_of(loop, &domain->blocks[number], parity);
        *result = loop;
        return 0;
    }
    weir_bare_loop_destroy(loop);
    return error;
}

void weir_bare_loop_destroy(struct weir_bare_loop *loop) {
    if (!loop)
        return;
    for_each_handle(loop, loop->acquired, release);
    free(loop->views);
    free(loop);
}

/* On each CPU worker at once. */
static void run_on_cpu(void *argument) {
    struct weir_bare_loop *loop = argument;
    const struct weir_domain *domain = loop->domain;
    const struct weir_block_context *context = &domain->context;
    const int self = weir_parts_of_worker(loop->parts, starpu_worker_get_id());
    weir_spin_barrier_wait(&loop->barrier);
    const double start = weir_seconds();
    for (int step = 0; step < loop->steps; step++) {
        for (int number = 0; number < domain->set.count; number++) {
            const struct weir_block_view *view = &loop->views[number][step % 2];
            if (domain->blocks[number].home.part == self)
                context->kernels->cpu.collide_stream(view, &context->fluid, step % 2, 0,
                                                     view->extent[1][1] * view->extent[2][1]);
        }
        weir_spin_barrier_wait(&loop->barrier);
    }
    if (starpu_worker_get_id() == (int)loop->workers[0])
        loop->seconds = weir_seconds() - start;
}

#if WEIR_WITH_CUDA
/* On one worker of the GPU. */
static void run_on_cuda(void *argument) {
    struct weir_bare_loop *loop = argument;
    const struct weir_domain *domain = loop->domain;
    const struct weir_block_context *context = &domain->context;
    const cudaStream_t stream = starpu_cuda_get_local_stream();
    cudaStreamSynchronize(stream);
    const double start = weir_seconds();
    int error = 0;
    for (int step = 0; step < loop->steps && error == 0; step++)
        for (int number = 0; number < domain->set.count && error == 0; number++) {
            error = weir_launch_collide_stream(context->kernels, &loop->views[number][step % 2],
                                               &context->fluid, step % 2, stream);
            weir_block_check_cuda(&domain->blocks[number], "collide_stream", error);
        }
    error = (int)cudaStreamSynchronize(stream);
    weir_block_check_cuda(&domain->blocks[0], "collide_stream", error);
    loop->seconds = weir_seconds() - start;
}
#else
static void run_on_cuda(void *argument) {
    (void)argument; /* no block has a GPU for its home */
}
#endif

int weir_bare_loop_run(struct weir_bare_loop *loop, int steps, double *seconds) {
    if (steps % 2 != 0)
        return weir_fail(WEIR_USAGE, "a bare loop takes an even number of steps, not %d", steps);
    loop->steps = steps;
    weir_spin_barrier_init(&loop->barrier, loop->worker_count);
    starpu_execute_on_specific_workers(loop->cuda ? run_on_cuda : run_on_cpu, loop,
                                       (unsigned)loop->worker_count, loop->workers, "bare_loop");
    if (weir_failed(&loop->domain->failure))
        return weir_fail(WEIR_FAILED, "%s", loop->domain->failure.text);
    *seconds = loop->seconds;
    return 0;
}
