/* What the memory of the CPU can do: the limits that kernels are compared with. */
#ifndef WEIR_SRC_BENCH_BENCH_LIMITS_CPU_H
#define WEIR_SRC_BENCH_BENCH_LIMITS_CPU_H

#include "graph/runtime/stream_arrays.h"
#include "src/bench/bench_report.h"
#include "src/bench/bench_rounds.h"
#include "src/bench/bench_team.h"

/* Memory of each of the first threads of a team, to time traffic in. */
struct weir_limit_memory;

/* Each thread touches its own part first. `team` must outlive it. -WEIR_FAILED when memory is short. */
int weir_limit_memory_create(struct weir_bench_team *team, int threads, double bytes_per_thread,
                             struct weir_limit_memory **memory);

/* NULL is allowed. */
void weir_limit_memory_destroy(struct weir_limit_memory *memory);

/* One kind of traffic by all these threads at once, as a contestant whose values are GB/s. */
struct weir_limit {
    struct weir_limit_memory *memory;
    struct weir_traffic_kind kind;
    int passes; /* per sample; 0: found by the first sample, so that it lasts long enough to be timed */
    struct weir_contestant contestant;
};
void weir_limit_init(struct weir_limit *limit, struct weir_limit_memory *memory,
                     const struct weir_traffic_kind *kind);

/* Bytes per thread with which `threads` threads are out of all caches; `quick`: for the most part. */
double weir_limit_bytes_out_of_cache(const struct weir_cores *cores, int threads, bool quick);

/* The fastest way through 19 streams out of cache, for each number of threads that was measured. */
struct weir_limit_turns {
    enum weir_stream_turn turn[WEIR_STREAM_PRECISIONS];
};

/* Finds it with so many samples of each. */
int weir_limit_find_turns(struct weir_limit_memory *memory, const struct weir_rounds *rounds,
                          struct weir_limit_turns *turns);

/* Measures all kinds of traffic for 1, 2, 4 ... all threads of the team, in the last-level cache and out of
 * it; prints a table and adds it to the report as "cpu_limits". */
int weir_bench_limits_cpu(const struct weir_cores *cores, struct weir_bench_team *team, bool quick,
                          const struct weir_rounds *rounds, struct weir_report *report);

#endif
