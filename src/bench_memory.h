/* Main memory that benchmarks may take. */
#ifndef WEIR_SRC_BENCH_MEMORY_H
#define WEIR_SRC_BENCH_MEMORY_H

/* Bytes that can be had without swapping, by the system's estimate, and within this process's control group.
 */
double weir_memory_available(void);

#endif
