/* A barrier for threads that have a core each and meet again within microseconds: they spin, and give the
 * core away only when the others stay out for long (because somebody else runs on their cores). */
#ifndef WEIR_GRAPH_BASE_SPIN_BARRIER_H
#define WEIR_GRAPH_BASE_SPIN_BARRIER_H

#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

struct weir_spin_barrier {
    int threads;
    _Alignas(128) atomic_int missing; /* in this round */
    _Alignas(128) atomic_uint round;
};

static inline void weir_spin_barrier_init(struct weir_spin_barrier *barrier, int threads) {
    barrier->threads = threads;
    atomic_init(&barrier->missing, threads);
    atomic_init(&barrier->round, 0);
}

/* Returns when as many threads as the barrier was made for have called it. */
static inline void weir_spin_barrier_wait(struct weir_spin_barrier *barrier) {
    enum { SPINS = 4096 };
    const unsigned round = atomic_load_explicit(&barrier->round, memory_order_relaxed);
    if (atomic_fetch_sub_explicit(&barrier->missing, 1, memory_order_acq_rel) == 1) {
        atomic_store_explicit(&barrier->missing, barrier->threads, memory_order_relaxed);
        atomic_store_explicit(&barrier->round, round + 1, memory_order_release);
        return;
    }
    for (int spin = 0; atomic_load_explicit(&barrier->round, memory_order_acquire) == round; spin++)
        if (spin >= SPINS) {
            (void)syscall(SYS_sched_yield); /* the function of that name is for long waits */
            spin = SPINS / 2;
        }
}

#endif
