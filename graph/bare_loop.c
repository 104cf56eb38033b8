#include "graph/bare_loop.h"

#include "codelets/kernels/demand/launches.h"
#include "graph/base/clock.h"
#include "graph/base/error.h"
#include "graph/base/spin_barrier.h"

#include <stdlib.h>

struct weir_bare_loop {
    struct weir_domain *domain;
    const struct weir_worker_groups *groups;
    struct weir_stage_view *views; /* [stage][block][parity] */
    unsigned workers[STARPU_NMAXWORKERS];
    int worker_count;
    bool cuda;
    int64_t acquired; /* handles, in the order of for_each_handle */
    struct weir_spin_barrier barrier;
    int steps;
    double seconds; /* written by the first worker */
};

static int node_of(const struct weir_bare_loop *loop, const struct weir_block *block) {
    return (int)starpu_worker_get_memory_node((unsigned)loop->groups->group[block->home.group].workers[0]);
}

/* Calls for all handles of the domain, each with the memory node of the block that it belongs to, the first
 * `limit` of them; returns how many there were. */
static int64_t for_each_handle(const struct weir_bare_loop *loop, int64_t limit,
                               int (*function)(starpu_data_handle_t handle, int node)) {
    const struct weir_domain *domain = loop->domain;
    int64_t count = 0;
    for (int number = 0; number < domain->set.count; number++) {
        const struct weir_block *block = &domain->blocks[number];
        for (int k = 0; k < block->data_count; k++, count++)
            if (count == limit || function(block->data[k].handle, node_of(loop, block)) != 0)
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

static struct weir_stage_view *view_at(const struct weir_bare_loop *loop, int stage, int number, int parity) {
    return &loop->views[((size_t)stage * (size_t)loop->domain->set.count + (size_t)number) * 2 +
                        (size_t)parity];
}

/* The view that a task of this stage would have: the same buffers in the same order, by the addresses that
 * they have on the node where the block lives. */
static void open_view(const struct weir_bare_loop *loop, int stage, int number, int parity) {
    const struct weir_block *block = &loop->domain->blocks[number];
    const struct weir_access *access = &loop->domain->model.stage[stage].access;
    struct weir_buffers buffers;
    void *interfaces[WEIR_TASK_BUFFERS_MAX];
    weir_block_buffers(block, access, parity, &buffers);
    for (int k = 0; k < buffers.count; k++)
        interfaces[k] = starpu_data_get_interface_on_node(buffers.handle[k], (unsigned)node_of(loop, block));
    weir_block_view_open(block, access, interfaces, view_at(loop, stage, number, parity));
}

static int choose_workers(struct weir_bare_loop *loop) {
    const struct weir_domain *domain = loop->domain;
    for (int number = 0; number < domain->set.count; number++)
        if (domain->blocks[number].home.group < 0)
            return weir_fail(WEIR_USAGE, "a bare loop needs blocks with homes: use the policy static");
    for (int k = 0; k < loop->groups->count; k++) {
        const struct weir_worker_group *group = &loop->groups->group[k];
        int blocks = 0;
        for (int number = 0; number < domain->set.count; number++)
            blocks += domain->blocks[number].home.group == k;
        if (blocks == 0)
            continue;
        if (group->kind == WEIR_WORKER_GROUP_TEAM ||
            (loop->worker_count > 0 && group->kind == WEIR_WORKER_GROUP_GPU) || loop->cuda)
            return weir_fail(WEIR_USAGE,
                             "a bare loop runs on single CPU cores or on one GPU, not on both or several");
        loop->cuda = group->kind == WEIR_WORKER_GROUP_GPU;
        loop->workers[loop->worker_count++] =
            (unsigned)group->workers[0]; /* one of a GPU's workers will do */
    }
    return 0;
}

int weir_bare_loop_create(const struct weir_runtime *runtime, struct weir_domain *domain,
                          struct weir_bare_loop **result) {
    struct weir_bare_loop *loop = calloc(1, sizeof *loop);
    if (!loop)
        return weir_fail(WEIR_FAILED, "out of memory for a bare loop");
    loop->domain = domain;
    loop->groups = weir_runtime_worker_groups(runtime);
    loop->views =
        calloc((size_t)domain->model.stage_count * (size_t)domain->set.count * 2, sizeof *loop->views);
    int error = loop->views ? choose_workers(loop) : weir_fail(WEIR_FAILED, "out of memory for a bare loop");
    if (error == 0) {
        loop->acquired = for_each_handle(loop, INT64_MAX, acquire);
        for (int stage = 0; stage < domain->model.stage_count; stage++)
            for (int number = 0; number < domain->set.count; number++)
                for (int parity = 0; parity < 2; parity++)
                    open_view(loop, stage, number, parity);
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

/* One stage of the blocks at home on this worker. */
static void take_stage(const struct weir_bare_loop *loop, int stage, int group, int parity) {
    const struct weir_domain *domain = loop->domain;
    for (int number = 0; number < domain->set.count; number++)
        if (domain->blocks[number].home.group == group)
            domain->model.stage[stage].cpu(view_at(loop, stage, number, parity), parity, 0,
                                           weir_block_rows(&domain->blocks[number]));
}

/* On each CPU worker at once. */
static void run_on_cpu(void *argument) {
    struct weir_bare_loop *loop = argument;
    const int self = weir_worker_groups_of_worker(loop->groups, starpu_worker_get_id());
    weir_spin_barrier_wait(&loop->barrier);
    const double start = weir_seconds();
    for (int step = 0; step < loop->steps; step++)
        for (int stage = 0; stage < loop->domain->model.stage_count; stage++) {
            if (!weir_stage_is_taken(&loop->domain->model.stage[stage], step % 2))
                continue;
            take_stage(loop, stage, self, step % 2);
            weir_spin_barrier_wait(&loop->barrier);
        }
    if (starpu_worker_get_id() == (int)loop->workers[0])
        loop->seconds = weir_seconds() - start;
}

#if WEIR_WITH_CUDA
static int launch_stage(const struct weir_bare_loop *loop, int stage, int parity, cudaStream_t stream) {
    const struct weir_domain *domain = loop->domain;
    const struct weir_stage *s = &domain->model.stage[stage];
    int error = cudaSuccess;
    for (int number = 0; number < domain->set.count && error == cudaSuccess; number++) {
        error = s->cuda(view_at(loop, stage, number, parity), parity, stream);
        weir_block_check_cuda(&domain->blocks[number], s->name, error);
    }
    return error;
}

/* On one worker of the GPU. */
static void run_on_cuda(void *argument) {
    struct weir_bare_loop *loop = argument;
    const struct weir_model *model = &loop->domain->model;
    const cudaStream_t stream = starpu_cuda_get_local_stream();
    cudaStreamSynchronize(stream);
    const double start = weir_seconds();
    int error = cudaSuccess;
    for (int step = 0; step < loop->steps && error == cudaSuccess; step++)
        for (int stage = 0; stage < model->stage_count && error == cudaSuccess; stage++)
            if (weir_stage_is_taken(&model->stage[stage], step % 2))
                error = launch_stage(loop, stage, step % 2, stream);
    error = (int)cudaStreamSynchronize(stream);
    weir_block_check_cuda(&loop->domain->blocks[0], model->stage[0].name, error);
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
