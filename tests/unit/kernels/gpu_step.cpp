/* The GPU's step on a CPU: the threads of a warp take turns, each until it has something to hand to the
 * others. Slow, and as exact as a GPU: so what it leaves is compared bit by bit with what CPU kernels leave.
 * Compiled once per variant. */
#include <stdint.h>
#include <stdlib.h>
#include <ucontext.h>

#define __device__
#define __forceinline__ inline
#define __noinline__
#define __shared__ static
#define __constant__

static struct { unsigned x; } threadIdx;

static uint32_t __umulhi(uint32_t a, uint32_t b) {
    return (uint32_t)((uint64_t)a * b >> 32);
}

enum { THREADS_OF_WARP = 32, STACK_BYTES = 1 << 18 };

static ucontext_t scheduler, threads[THREADS_OF_WARP];
static char stacks[THREADS_OF_WARP][STACK_BYTES];

static unsigned lane; /* of the warp, that has its turn */

/* Every thread of the warp gets here before any goes on. */
static void meet() {
    swapcontext(&threads[lane], &scheduler);
}

/* The value that thread `from` of the warp brought. */
template <typename T> static T trade(T mine, int from) {
    static T brought[THREADS_OF_WARP];
    brought[lane] = mine;
    meet();
    const T theirs = brought[from];
    meet();
    return theirs;
}

template <typename T> static T __shfl_up_sync(unsigned, T value, int by) {
    const int from = (int)lane - by;
    return trade(value, from < 0 ? (int)lane : from);
}

template <typename T> static T __shfl_down_sync(unsigned, T value, int by) {
    const int from = (int)lane + by;
    return trade(value, from >= THREADS_OF_WARP ? (int)lane : from);
}

[[maybe_unused]] static bool __all_sync(unsigned, bool predicate) {
    static bool brought[THREADS_OF_WARP];
    brought[lane] = predicate;
    meet();
    bool all = true;
    for (bool other : brought)
        all = all && other;
    meet();
    return all;
}

[[maybe_unused]] static unsigned __ballot_sync(unsigned, bool predicate) {
    static bool brought[THREADS_OF_WARP];
    brought[lane] = predicate;
    meet();
    unsigned all = 0;
    for (int thread = 0; thread < THREADS_OF_WARP; thread++)
        all |= (unsigned)brought[thread] << thread;
    meet();
    return all;
}

[[maybe_unused]] static void __syncwarp() {
    meet();
}

extern "C" {
#include "codelets/kernels/lattice/lattice.h"
}
#include "codelets/kernels/cuda/step.cuh"

/* What the running warp does. */
static struct {
    const weir_block_view *block;
    relaxation r;
    step_shape shape;
    int turn, turns, first_thread, parity;
    bool forced, wide;
    int running;
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

static void run_thread() {
    if (work.parity == 0)
        work.forced ? run_step<0, true>() : run_step<0, false>();
    else
        work.forced ? run_step<1, true>() : run_step<1, false>();
    work.running--;
}

static void run_warp() {
    work.running = THREADS_OF_WARP;
    bool ended[THREADS_OF_WARP] = {};
    for (unsigned t = 0; t < THREADS_OF_WARP; t++) {
        getcontext(&threads[t]);
        threads[t].uc_stack.ss_sp = stacks[t];
        threads[t].uc_stack.ss_size = STACK_BYTES;
        threads[t].uc_link = &scheduler;
        makecontext(&threads[t], run_thread, 0);
    }
    while (work.running > 0)
        for (unsigned t = 0; t < THREADS_OF_WARP; t++) {
            if (ended[t])
                continue;
            const int before = work.running;
            lane = t;
            threadIdx.x = (unsigned)work.first_thread + t;
            swapcontext(&scheduler, &threads[t]);
            ended[t] = work.running < before;
        }
}

/* A weir_collide_stream_cpu; the whole block is stepped with its first row. */
extern "C" void WEIR_NAME(gpu_step)(const weir_block_view *b, const weir_fluid *fluid, int parity,
                                    int row_begin, int row_end) {
    (void)row_end;
    if (row_begin != 0)
        return;
    settle_flows(b, parity);
    work.block = b;
    work.r = relaxation_of(fluid);
    work.parity = parity;
    work.forced = fluid->forced;
    work.wide = b->extent[0][1] % STRIP_CELLS == 0;
    const int width = work.wide ? STRIP_CELLS : 1;
    const int ring[3] = {RING_X, RING_Y, RING_Z};
    work.shape = step_shape_of(b, fluid, width, ring);
    static uint32_t random; /* both ways by chance: blocks of tests are small */
    random = random * 1664525u + 1013904223u;
    work.shape.face_strips = random >> 31;
    const int count = step_threads(b, width, BY_LIST);
    work.turns = work.shape.open + (count + WEIR_STEP_THREADS - 1) / WEIR_STEP_THREADS;
    for (work.turn = 0; work.turn < work.turns; work.turn++)
        for (work.first_thread = 0; work.first_thread < WEIR_STEP_THREADS;
             work.first_thread += THREADS_OF_WARP)
            run_warp();
}
