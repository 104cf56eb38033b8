#include "codelets/block.h"

/* The number that comes first of those that are left; left &= left - 1 takes it away. */
static int lowest(uint32_t left) {
    return __builtin_ctz(left);
}

/* The access to a model's further sets is that to the flow. */
static uint32_t with_flow(const struct weir_block *block, uint32_t kept) {
    return kept >> WEIR_FLOW & 1 ? kept | block->context->with_flow : kept;
}

/* Whether it begins with the flow as the last step left it, of a fluid with phases. */
static bool has_potentials(const struct weir_block *block, const struct weir_access *access) {
    return block->context->potentials >= 0 && access->takes & 1;
}

static uint32_t all_kept(const struct weir_block *block, const struct weir_access *access) {
    const uint32_t potentials = has_potentials(block, access) ? 1u << block->context->potentials : 0;
    return with_flow(block, access->reads | access->updates | access->fills) | potentials;
}

/* Channels of which it takes what the last step gave. */
static uint32_t all_taken(const struct weir_block *block, const struct weir_access *access) {
    return access->takes | (has_potentials(block, access) ? 1u << WEIR_PSEUDOPOTENTIAL_CHANNEL : 0);
}

/* Whether the task has values of boundaries that change in time. */
static bool has_varying(const struct weir_block *block, const struct weir_access *access) {
    return block->context->varying >= 0 && access->reads >> WEIR_GEOMETRY & 1;
}

static void add_taken(const struct weir_block *block, uint32_t channels, int parity,
                      struct weir_buffers *buffers) {
    for (uint32_t left = channels; left; left &= left - 1) {
        const struct weir_block_channel *channel = &block->channel[lowest(left)];
        for (int k = 0; k < channel->incoming_count; k++)
            weir_buffers_add(buffers, channel->incoming[parity][k], STARPU_R);
    }
}

static void add_given(const struct weir_block *block, uint32_t channels, int parity,
                      struct weir_buffers *buffers) {
    for (uint32_t left = channels; left; left &= left - 1)
        for (int face = 0; face < WEIR_FACES; face++) {
            const starpu_data_handle_t message = block->channel[lowest(left)].outgoing[parity][face];
            if (message)
                weir_buffers_add(buffers, message, STARPU_W);
        }
}

void weir_block_buffers(const struct weir_block *block, const struct weir_access *access, int parity,
                        struct weir_buffers *buffers) {
    buffers->count = 0;
    const uint32_t updates = with_flow(block, access->updates), fills = with_flow(block, access->fills);
    for (uint32_t left = all_kept(block, access); left; left &= left - 1) {
        const uint32_t bit = left & -left;
        weir_buffers_add(buffers, block->data[lowest(left)].handle,
                         updates & bit ? STARPU_RW
                         : fills & bit ? STARPU_W
                                       : STARPU_R);
    }
    if (has_varying(block, access))
        weir_buffers_add(buffers,
                         block->data[block->context->varying + (access->ahead ? 1 - parity : parity)].handle,
                         STARPU_R);
    add_taken(block, all_taken(block, access), 1 - parity, buffers);
    add_taken(block, access->takes_now, parity, buffers);
    add_given(block, access->gives, parity, buffers);
    add_given(block, access->gives_last, 1 - parity, buffers);
}

/* The next functions open buffers in the same order, from buffers[next] on, and return what comes next. */

static int open_taken(const struct weir_block *block, uint32_t channels, void *buffers[], int next,
                      struct weir_stage_view *view) {
    for (uint32_t left = channels; left; left &= left - 1) {
        const struct weir_block_channel *channel = &block->channel[lowest(left)];
        const void **incoming = weir_stage_incoming(view, lowest(left));
        for (int offset = 0; offset < WEIR_NEIGHBOURS; offset++)
            if (channel->incoming_index[offset] >= 0)
                incoming[offset] = weir_buffer(buffers, next + channel->incoming_index[offset]);
        next += channel->incoming_count;
    }
    return next;
}

static int open_given(const struct weir_block *block, uint32_t channels, void *buffers[], int next,
                      struct weir_stage_view *view) {
    for (uint32_t left = channels; left; left &= left - 1) {
        void **outgoing = weir_stage_outgoing(view, lowest(left));
        for (int face = 0; face < WEIR_FACES; face++)
            if (block->channel[lowest(left)].outgoing[0][face])
                outgoing[face] = weir_buffer(buffers, next++);
    }
    return next;
}

int weir_block_view_open(const struct weir_block *block, const struct weir_access *access, void *buffers[],
                         struct weir_stage_view *view) {
    int next = 0;
    *view = (struct weir_stage_view){
        .block = block->view, .fluid = &block->context->fluid, .kernels = weir_block_kernels(block)};
    for (uint32_t left = all_kept(block, access); left; left &= left - 1)
        view->kept[lowest(left)] = weir_buffer(buffers, next++);
    const void *const varying = has_varying(block, access) ? weir_buffer(buffers, next++) : NULL;
    weir_layout_open(&block->layout, view->kept[WEIR_FLOW], view->kept[WEIR_GEOMETRY], varying, &view->block);
    if (block->context->with_flow)
        view->block.further = view->kept[WEIR_FURTHER_SET];
    next = open_taken(block, all_taken(block, access), buffers, next, view);
    next = open_taken(block, access->takes_now, buffers, next, view);
    if (block->context->potentials >= 0) {
        view->block.potentials = view->kept[block->context->potentials];
        memcpy(view->block.potentials_beside, view->channel[WEIR_PSEUDOPOTENTIAL_CHANNEL].incoming,
               sizeof view->block.potentials_beside);
    }
    return open_given(block, access->gives, buffers, next, view);
}

uint32_t weir_block_footprint(struct starpu_task *task) {
    const struct weir_block *block = *(struct weir_block *const *)task->cl_arg;
    const int extent[3] = {block->view.extent[0][1], block->view.extent[1][1], block->view.extent[2][1]};
    const struct weir_kept_cells *kept = &block->layout.kept;
    const int64_t others[2] = {(int64_t)kept->kind, kept->count};
    const uint32_t brick = starpu_hash_crc32c_be_n(extent, sizeof extent, 0);
    return kept->kind == WEIR_BRICK ? brick : starpu_hash_crc32c_be_n(others, sizeof others, brick);
}

bool weir_block_work_open(struct weir_block_work *work, void *buffers[], const void *argument,
                          const struct weir_access *access) {
    const struct weir_step_argument *a = argument;
    const struct weir_block_context *context = a->block->context;
    if (weir_failed(context->failure))
        return false;
    work->block = a->block;
    work->kernels = weir_block_kernels(a->block);
    work->fluid = &context->fluid;
    work->parity = a->parity;
    work->results = buffers + weir_block_view_open(a->block, access, buffers, &work->view);
    work->view.prepares = a->prepares;
    return true;
}

void weir_block_kind_init(struct weir_task_kind *kind, const char *name, const struct weir_kernels *variant,
                          starpu_cpu_func_t cpu, starpu_cuda_func_t cuda) {
    weir_task_kind_init(kind, name, variant, cpu, cuda);
    kind->model.footprint = weir_block_footprint;
}

int weir_block_submit(struct weir_task_kind *kind, const struct weir_buffers *buffers,
                      struct weir_step_argument *argument) {
    weir_block_needs(argument->block, buffers);
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
