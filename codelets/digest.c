#include "codelets/digest.h"

#include "codelets/team.h"

struct look {
    const struct weir_step_argument *what;
    struct weir_block_view view;
    _Atomic uint64_t sum[2];
};

static void look_at_rows(void *argument, int begin, int end) {
    struct look *look = argument;
    const struct weir_block *block = look->what->block;
    uint64_t part[2];
    block->context->kernels->cpu.digest(&look->view, look->what->parity, &block->place, begin, end, part);
    look->sum[0] += part[0];
    look->sum[1] += part[1];
}

static void on_cpu(void *buffers[], void *argument) {
    const struct weir_step_argument *a = argument;
    if (weir_failed(a->block->context->failure))
        return;
    struct look look = {.what = a, .view = weir_block_view_of(a->block, buffers, false)};
    weir_team_divide(look_at_rows, &look, weir_block_rows(a->block));
    uint64_t *sum = weir_buffer(buffers, weir_block_first_result(a->block));
    sum[0] = look.sum[0];
    sum[1] = look.sum[1];
}

#if WEIR_WITH_CUDA
static void on_cuda(void *buffers[], void *argument) {
    const struct weir_step_argument *a = argument;
    const struct weir_block_context *context = a->block->context;
    if (weir_failed(context->failure))
        return;
    const struct weir_block_view view = weir_block_view_of(a->block, buffers, false);
    weir_block_check_cuda(
        a->block, "digest",
        context->kernels->cuda.digest(&view, a->parity, &a->block->place,
                                      weir_buffer(buffers, weir_block_first_result(a->block)),
                                      starpu_cuda_get_local_stream()));
}
#endif

void weir_digest_define(struct weir_task_kind *kind, const struct weir_kernels *kernels) {
    weir_task_kind_init(kind, "digest", kernels, on_cpu, WEIR_ON_CUDA(kernels->cuda.digest, on_cuda));
    kind->model.footprint = weir_block_footprint;
}

int weir_digest_submit(struct weir_task_kind *kind, struct weir_step_argument *argument,
                       starpu_data_handle_t sum) {
    struct weir_buffers buffers;
    weir_block_buffers(argument->block, argument->parity, STARPU_R, &buffers);
    weir_buffers_add(&buffers, sum, STARPU_W);
    return weir_task_submit(
        kind, &buffers, &(struct weir_task_options){.argument = argument, .home = &argument->block->home});
}
