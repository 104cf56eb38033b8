/* The GPU's step on a CPU: the threads of a warp take turns, each until it has something to hand to the
 * others. Slow, and as exact as a GPU: so what it leaves is compared bit by bit with what CPU kernels leave.
 * Compiled once per variant. */
#include <stdint.h>
#include <stdlib.h>
#include <ucontext.h>

#define __device__
#define __forceinline__ inline
#define __noinline__

static struct { unsigned x; } threadIdx;

static uint32_t __umulhi(uint32_t a, uint32_t b) {
    return (uint32_t)((uint64_t)a * b >> 32);
}

enum { THREADS_OF_WARP = 32, STACK_BYTES = 1 << 18 };

static ucontext_t scheduler, threads[THREADS_OF_WARP];
static char stacks[THREADS_OF_WARP][STACK_BYTES];

/* Every thread of the warp gets here before any goes on. */
static void meet() {
    swapcontext(&threads[threadIdx.x], &scheduler);
}

/* The value that thread `from` of the warp brought. */
template <typename T> static T trade(T mine, int from) {
    static T brought[THREADS_OF_WARP];
    brought[threadIdx.x] = mine;
    meet();
    const T theirs = brought[from];
    meet();
    return theirs;
}

template <typename T> static T __shfl_up_sync(unsigned, T value, int by) {
    const int from = (int)threadIdx.x - by;
    return trade(value, from < 0 ? (int)threadIdx.x : from);
}

template <typename T> static T __shfl_down_sync(unsigned, T value, int by) {
    const int from = (int)threadIdx.x + by;
    return trade(value, from >= THREADS_OF_WARP ? (int)threadIdx.x : from);
}

[[maybe_unused]] static bool __all_sync(unsigned, bool predicate) {
    static bool brought[THREADS_OF_WARP];
    brought[threadIdx.x] = predicate;
    meet();
    bool all = true;
    for (bool other : brought)
        all = all && other;
    meet();
    return all;
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
    int first_number, parity;
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

template <int parity, bool forced, int width> static void step_of(int number) {
    if (some_open && (!some_closed || work.block->flow))
        step_thread<parity, forced, width, some_open>(work.block, &work.r, &work.shape, number);
    else
        step_thread<parity, forced, width, !some_closed>(work.block, &work.r, &work.shape, number);
}

template <int parity, bool forced> static void run_step() {
    const int number = work.first_number + (int)threadIdx.x;
    if (some_wide && (!some_narrow || work.wide))
        step_of<parity, forced, some_wide ? STRIP_CELLS : 1>(number);
    else
        step_of<parity, forced, some_narrow ? 1 : STRIP_CELLS>(number);
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
            threadIdx.x = t;
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
    work.shape = step_shape_of(b, fluid, width);
    static uint32_t random; /* both ways by chance: blocks of tests are small */
    random = random * 1664525u + 1013904223u;
    work.shape.face_strips = random >> 31;
    const int count = step_threads(b, width, BY_LIST);
    const int thread_blocks = (count + WEIR_STEP_THREADS - 1) / WEIR_STEP_THREADS;
    for (int turn = 0; turn < thread_blocks; turn++) {
        const int begin = thread_block_of_turn(&work.shape, parity, turn, thread_blocks) * WEIR_STEP_THREADS;
        for (int warp = 0; warp < WEIR_STEP_THREADS; warp += THREADS_OF_WARP) {
            work.first_number = begin + warp;
            run_warp();
        }
    }
}
