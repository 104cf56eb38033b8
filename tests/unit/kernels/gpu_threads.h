/* Threads of a GPU's thread block on a CPU: they take turns, each until it has something to hand to the
 * others of its warp, or waits for all. For texts in CUDA that are compiled as C++ after it. */
#ifndef WEIR_TESTS_GPU_THREADS_H
#define WEIR_TESTS_GPU_THREADS_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "tests/unit/kernels/gpu_words.h"

/* Stacks are apart by what is no power of two, so that they do not share cache sets. */
enum {
    THREADS_OF_WARP = 32,
    THREADS_MOST = 1024,
    STACK_BYTES = 1 << 18,
    STACK_DISTANCE = STACK_BYTES + 4160
};

static ucontext_t threads[THREADS_MOST];
static bool alive[THREADS_MOST]; /* it has a stack, and waits in meet() */

static unsigned turn_of; /* the thread that has its turn */
static int running;      /* threads that have not ended */

/* Changes of threads: a context is what a thread begins with, then jumps by the compiler, which ask nothing
 * of the system or the C library; from functions of their own, as what jumps must not be what is jumped into.
 * The address sanitizer does not see them: it would take them for the end of all functions on the stack that
 * is left, each of which goes on later. */
typedef void *jump_target[5];
static jump_target to_scheduler, to_thread[THREADS_MOST];
#define CHANGES_THREADS __attribute__((noinline, no_sanitize("address")))

CHANGES_THREADS static void jump_to_scheduler() {
    __builtin_longjmp(to_scheduler, 1);
}

CHANGES_THREADS static void jump_to_thread(unsigned t) {
    if (alive[t])
        __builtin_longjmp(to_thread[t], 1);
    setcontext(&threads[t]);
}

CHANGES_THREADS static void begin_or_go_on(unsigned t) {
    if (__builtin_setjmp(to_scheduler) == 0)
        jump_to_thread(t);
}

/* Every thread of the warp gets here before any goes on. */
CHANGES_THREADS static void meet() {
    if (__builtin_setjmp(to_thread[turn_of]) == 0)
        jump_to_scheduler();
}

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

template <typename T> [[maybe_unused]] static T __shfl_up_sync(unsigned, T value, int by) {
    const int from = (int)lane() - by;
    return trade(value, from < 0 ? (int)lane() : from);
}

template <typename T> [[maybe_unused]] static T __shfl_down_sync(unsigned, T value, int by) {
    const int from = (int)lane() + by;
    return trade(value, from >= THREADS_OF_WARP ? (int)lane() : from);
}

template <typename T> [[maybe_unused]] static T __shfl_sync(unsigned, T value, int from) {
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

/* The same, and whether it is so for one of them. */
[[maybe_unused]] static int __syncthreads_or(bool predicate) {
    static bool any;
    __syncthreads();
    any = false;
    __syncthreads();
    any = any || predicate;
    __syncthreads();
    return any;
}

[[maybe_unused]] static int atomicAdd(int *to, int value) {
    const int before = *to;
    *to += value;
    return before;
}

[[maybe_unused]] static void atomicMin(int *to, int value) {
    *to = value < *to ? value : *to;
}

[[maybe_unused]] static void atomicMax(int *to, int value) {
    *to = value > *to ? value : *to;
}

static void (*thread_text)();

/* A thread's life: of one thread block after the other. */
static void live() {
    for (;;) {
        thread_text();
        running--;
        meet();
    }
}

static void give_stack(unsigned t) {
    static char *stacks; /* [threads][STACK_DISTANCE] */
    if (!stacks)
        stacks = (char *)malloc((size_t)THREADS_MOST * STACK_DISTANCE);
    getcontext(&threads[t]);
    threads[t].uc_stack.ss_sp = stacks + (size_t)t * STACK_DISTANCE;
    threads[t].uc_stack.ss_size = STACK_BYTES;
    makecontext(&threads[t], live, 0);
}

/* Runs a text as all threads of a thread block. */
static void run_thread_block(unsigned count, void (*text)()) {
    bool ended[THREADS_MOST] = {};
    thread_text = text;
    running = (int)count;
    while (running > 0) {
        if (holding == running) {
            memset(held, 0, sizeof held);
            holding = 0;
        }
        for (unsigned t = 0; t < count; t++) {
            if (ended[t] || held[t])
                continue;
            const int before = running;
            if (!alive[t])
                give_stack(t);
            turn_of = threadIdx.x = t;
            begin_or_go_on(t);
            alive[t] = true;
            ended[t] = running < before;
        }
    }
}

#endif
