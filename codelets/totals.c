#include "codelets/totals.h"

#include "codelets/kernels/speed_limit.h"
#include "codelets/team.h"

#include <pthread.h>
#include <string.h>

struct look {
    const struct weir_step_argument *what;
    struct weir_block_view view;
    pthread_mutex_t lock;
    struct weir_partial_totals *totals;
};

static void look_at_rows(void *argument, int begin, int end) {
    struct look *look = argument;
    const struct weir_block_context *context = look->what->block->context;
    struct weir_partial_totals part;
    context->kernels->cpu.totals(&look->view, &context->fluid, look->what->parity, WEIR_SPEED_LIMIT, begin,
                                 end, &part);
    pthread_mutex_lock(&look->lock);
    weir_partial_totals_add(look->totals, &part);
    pthread_mutex_unlock(&look->lock);
}

static void on_cpu(void *buffers[], void *argument) {
    const struct weir_step_argument *a = argument;
    if (weir_failed(a->block->context->failure))
        return;
    struct look look = {.what = a,
                        .view = weir_block_view_of(a->block, buffers, false),
                        .lock = PTHREAD_MUTEX_INITIALIZER,
                        .totals = weir_buffer(buffers, weir_block_first_result(a->block))};
    memset(look.totals, 0, sizeof *look.totals);
    look.totals->unsound_cell = UINT64_MAX;
    weir_team_divide(look_at_rows, &look, weir_block_rows(a->block));
}

#if WEIR_WITH_CUDA
static void on_cuda(void *buffers[], void *argument) {
    const struct weir_step_argument *a = argument;
    const struct weir_block_context *context = a->block->context;
    if (weir_failed(context->failure))
        return;
    const struct weir_block_view view = weir_block_view_of(a->block, buffers, false);
    weir_block_check_cuda(
        a->block, "totals",
        context->kernels->cuda.totals(&view, &context->fluid, a->parity, WEIR_SPEED_LIMIT,
                                      weir_buffer(buffers, weir_block_first_result(a->block)),
                                      starpu_cuda_get_local_stream()));
}
#endif

void weir_totals_define(struct weir_task_kind *kind, const struct weir_kernels *kernels) {
    weir_task_kind_init(kind, "totals", kernels, on_cpu, WEIR_ON_CUDA(kernels->cuda.totals, on_cuda));
    kind->model.footprint = weir_block_footprint;
}

int weir_totals_submit(struct weir_task_kind *kind, struct weir_step_argument *argument,
                       starpu_data_handle_t totals) {
    struct weir_buffers buffers;
    weir_block_buffers(argument->block, argument->parity, STARPU_R, &buffers);
    weir_buffers_add(&buffers, totals, STARPU_W);
    return weir_task_submit(
        kind, &buffers, &(struct weir_task_options){.argument = argument, .home = &argument->block->home});
}
