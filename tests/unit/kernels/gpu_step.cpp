/* The GPU's step on a CPU (gpu_threads.h). Slow, and as exact as a GPU: so what it leaves is compared bit by
 * bit with what CPU kernels leave. Compiled once per variant. */
#include "tests/unit/kernels/gpu_threads.h"

extern "C" {
#include "codelets/kernels/lattice/lattice.h"
}
#include "codelets/kernels/cuda/open_cells.cuh"
#include "codelets/kernels/cuda/step.cuh"

/* What the running thread block does. */
static struct {
    const weir_block_view *block;
    relaxation r;
    step_shape shape;
    int turn, turns, parity;
    bool forced, wide;
} work;

/* Which blocks there are: all kinds, or those of which constants are known. */
#if WEIR_CONSTANT_SHAPE
static constexpr bool some_wide = WEIR_OF_AXIS_(WEIR_OWN_, 0) % STRIP_CELLS == 0, some_narrow = !some_wide,
                      some_open = WEIR_OPEN != 0, some_closed = !some_open;
#else
static constexpr bool some_wide = true, some_narrow = true, some_open = true, some_closed = true;
#endif

template <int parity, bool forced, int width> static void step_of() {
    if (some_open && (!some_closed || work.block->flow))
        step_at_turn<parity, forced, width, some_open>(work.block, &work.r, &work.shape, work.turn,
                                                       work.turns);
    else
        step_at_turn<parity, forced, width, !some_closed>(work.block, &work.r, &work.shape, work.turn,
                                                          work.turns);
}

template <int parity, bool forced> static void run_step() {
    if (some_wide && (!some_narrow || work.wide))
        step_of<parity, forced, some_wide ? STRIP_CELLS : 1>();
    else
        step_of<parity, forced, some_narrow ? 1 : STRIP_CELLS>();
}

static void take_step() {
    if (work.parity == 0)
        work.forced ? run_step<0, true>() : run_step<0, false>();
    else
        work.forced ? run_step<1, true>() : run_step<1, false>();
}

static void take_open_cells() {
    if (work.parity == 0)
        work.forced ? step_open_cells<0, true>(work.block, &work.r, work.turn, work.turns)
                    : step_open_cells<0, false>(work.block, &work.r, work.turn, work.turns);
    else
        work.forced ? step_open_cells<1, true>(work.block, &work.r, work.turn, work.turns)
                    : step_open_cells<1, false>(work.block, &work.r, work.turn, work.turns);
}

/* A weir_collide_stream_cpu; the whole block is stepped with its first row. */
extern "C" void WEIR_NAME(gpu_step)(const weir_block_view *b, const weir_fluid *fluid, int parity,
                                    int row_begin, int row_end) {
    (void)row_end;
    if (row_begin != 0)
        return;
    work.block = b;
    work.r = relaxation_of(fluid);
    work.parity = parity;
    work.forced = fluid->forced;
    work.wide = b->extent[0][1] % STRIP_CELLS == 0;
    const int width = work.wide ? STRIP_CELLS : 1;
    const int ring[3] = {RING_X, RING_Y, RING_Z};
    work.shape = step_shape_of(b, fluid, width, BY_ROWS);
    static uint32_t random; /* both ways by chance: blocks of tests are small */
    random = random * 1664525u + 1013904223u;
    work.shape.face_strips = random >> 31;
    work.turns = open_cell_blocks(b, ring, BY_ROWS, random >> 30 & 1 ? 2 : 1 << 20);
    for (int kernels = work.shape.settles + (work.turns > 0); kernels > 0; kernels--) /* as both begin */
        settle_flows(b, parity);
    for (work.turn = 0; work.turn < work.turns; work.turn++)
        run_thread_block(WEIR_STEP_THREADS, take_open_cells);
    work.turns = step_blocks(b, width, BY_LIST);
    for (work.turn = 0; work.turn < work.turns; work.turn++)
        run_thread_block(WEIR_STEP_THREADS, take_step);
    clear_upper_halves();
}
