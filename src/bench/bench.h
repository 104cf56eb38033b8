/* The command weir bench: how near kernels come to the machine's limits, and the task graph to the kernels.
 */
#ifndef WEIR_SRC_BENCH_BENCH_H
#define WEIR_SRC_BENCH_BENCH_H

/* Does what the words after "weir" say; argv[0] is "bench". Errors: -WEIR_USAGE, -WEIR_FAILED,
 * -WEIR_UNAVAILABLE. */
int weir_bench(int argc, char **argv);

#endif
