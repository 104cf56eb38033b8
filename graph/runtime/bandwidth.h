/* The memory bandwidth that this run's workers could reach, measured now: what the speed of a memory-bound
 * method is to be compared with. CPU: in-place update of 19 streams by all workers at once, which is the
 * pattern of the AA step; GPU: copy within the device's memory. Bytes read and written both count. */
#ifndef WEIR_GRAPH_RUNTIME_BANDWIDTH_H
#define WEIR_GRAPH_RUNTIME_BANDWIDTH_H

#include "graph/runtime/runtime.h"

/* Takes about a second; no other task may run. Result in GB/s, the sum over the workers that take steps;
 * NaN where its kernels would have to be compiled and there is no compiler. -WEIR_FAILED when memory is
 * short. */
int weir_bandwidth_measure(const struct weir_runtime *runtime, double *gigabytes_per_second);

#endif
