/* The GPU's step on a CPU: the threads of a thread block take turns, each until it has something to hand to
 * the others of its warp, or waits for all. Slow, and as exact as a GPU: so what it leaves is compared bit by
 * bit with what CPU kernels leave. Compiled once per variant. */
#include <setjmp.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
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

/* Stacks are apart by what is no power of two, so that they do not share cache sets. */
enum {
    THREADS_OF_WARP = 32,
    THREADS_MOST = 1024,
    STACK_BYTES = 1 << 18,
    STACK_DISTANCE = STACK_BYTES + 4160
};

static ucontext_t scheduler, threads[THREADS_MOST];
static char *stacks; /* [threads][STACK_DISTANCE] */

static unsigned turn_of; /* the thread that has its turn */
static int running;      /* threads that have not ended */

/* Changes of threads: a context is what a thread begins with, and a sanitizer knows no other way; else jumps,
 * which ask nothing of the system. */
#ifdef __SANITIZE_ADDRESS__
static void begin_or_go_on(unsigned t, bool) {
    swapcontext(&scheduler, &threads[t]);
}

static void end() {}

/* Every thread of the warp gets here before any goes on. */
static void meet() {
    swapcontext(&threads[turn_of], &scheduler);
}
#else
static jmp_buf to_scheduler, to_thread[THREADS_MOST];

static void begin_or_go_on(unsigned t, bool begun) {
    if (_setjmp(to_scheduler) != 0)
        return;
    if (begun)
        _longjmp(to_thread[t], 1);
    swapcontext(&scheduler, &threads[t]);
}

static void end() {
    _longjmp(to_scheduler, 1);
}

/* Every thread of the warp gets here before any goes on. */
static void meet() {
    if (_setjmp(to_thread[turn_of]) == 0)
        _longjmp(to_scheduler, 1);
}
#endif

static unsigned lane() {
    return turn_of % THREADS_OF_WARP;
}

/* The value that thread `from` of the warp brought. */
template <typename T> static T trade(T mine, int from) {
    static T brought[THREADS_MOST];
    brought[turn_of] = mine;
    meet();
    const T theirs = brought[turn_of - lane() + (unsigned)from];
    meet();
    return theirs;
}

template <typename T> static T __shfl_up_sync(unsigned, T value, int by) {
    const int from = (int)lane() - by;
    return trade(value, from < 0 ? (int)lane() : from);
}

template <typename T> static T __shfl_down_sync(unsigned, T value, int by) {
    const int from = (int)lane() + by;
    return trade(value, from >= THREADS_OF_WARP ? (int)lane() : from);
}

[[maybe_unused]] static int __shfl_sync(unsigned, int value, int from) {
    return trade(value, from);
}

[[maybe_unused]] static unsigned __ballot_sync(unsigned, bool predicate) {
    static bool brought[THREADS_MOST];
    brought[turn_of] = predicate;
    meet();
    unsigned all = 0;
    for (unsigned thread = 0; thread < THREADS_OF_WARP; thread++)
        all |= (unsigned)brought[turn_of - lane() + thread] << thread;
    meet();
    return all;
}

[[maybe_unused]] static bool __all_sync(unsigned mask, bool predicate) {
    return __ballot_sync(mask, predicate) == UINT32_MAX;
}

static bool held[THREADS_MOST]; /* by __syncthreads */
static int holding;

/* All threads of the thread block get here before any goes on, and all go on in the same sweep, so that those
 * of a warp stay together. */
[[maybe_unused]] static void __syncthreads() {
    held[turn_of] = true;
    holding++;
    meet();
}

[[maybe_unused]] static int atomicAdd(int *to, int value) {
    const int before = *to;
    *to += value;
    return before;
}

extern "C" {
#include "codelets/kernels/lattice/lattice.h"
}
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

static void run_thread() {
    if (work.parity == 0)
        work.forced ? run_step<0, true>() : run_step<0, false>();
    else
        work.forced ? run_step<1, true>() : run_step<1, false>();
    running--;
    end();
}

static void run_thread_block() {
    bool begun[WEIR_STEP_THREADS] = {}, ended[WEIR_STEP_THREADS] = {};
    if (!stacks)
        stacks = (char *)malloc((size_t)WEIR_STEP_THREADS * STACK_DISTANCE);
    running = WEIR_STEP_THREADS;
    for (unsigned t = 0; t < WEIR_STEP_THREADS; t++) {
        getcontext(&threads[t]);
        threads[t].uc_stack.ss_sp = stacks + (size_t)t * STACK_DISTANCE;
        threads[t].uc_stack.ss_size = STACK_BYTES;
        threads[t].uc_link = &scheduler;
        makecontext(&threads[t], run_thread, 0);
    }
    while (running > 0) {
        if (holding == running) {
            memset(held, 0, sizeof held);
            holding = 0;
        }
        for (unsigned t = 0; t < WEIR_STEP_THREADS; t++) {
            if (ended[t] || held[t])
                continue;
            const int before = running;
            turn_of = threadIdx.x = t;
            begin_or_go_on(t, begun[t]);
            begun[t] = true;
            ended[t] = running < before;
        }
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
    work.shape = step_shape_of(b, fluid, width, BY_LIST, ring);
    static uint32_t random; /* both ways by chance: blocks of tests are small */
    random = random * 1664525u + 1013904223u;
    work.shape.face_strips = random >> 31;
    work.turns = work.shape.open + step_blocks(b, width, BY_LIST);
    for (work.turn = 0; work.turn < work.turns; work.turn++)
        run_thread_block();
}
