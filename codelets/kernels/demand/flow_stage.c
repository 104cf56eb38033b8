/* The stage of the flow: its kernels, as stages are called. */
#include "codelets/kernels/stage.h"

#include "codelets/kernels/demand/launches.h"

static void collide_stream_on_cpu(const struct weir_stage_view *view, int parity, int row_begin,
                                  int row_end) {
    view->kernels->cpu.collide_stream(&view->block, view->fluid, parity, row_begin, row_end);
}

#if WEIR_WITH_CUDA
static int collide_stream_on_cuda(const struct weir_stage_view *view, int parity, void *stream) {
    return weir_launch_collide_stream(view->kernels, &view->block, view->fluid, parity, stream);
}
#else
#define collide_stream_on_cuda NULL
#endif

const struct weir_stage weir_collide_stream_stage = {
    .name = "collide_stream",
    .access = {.updates = 1u << WEIR_FLOW, .reads = 1u << WEIR_GEOMETRY, .takes = 1, .gives = 1},
    .cpu = collide_stream_on_cpu,
    .cuda = collide_stream_on_cuda,
    .any_cells = true};

const struct weir_access weir_observe_flow = {.reads = 1u << WEIR_FLOW | 1u << WEIR_GEOMETRY, .takes = 1};
