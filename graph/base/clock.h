/* Time on the wall, for whatever measures. */
#ifndef WEIR_GRAPH_BASE_CLOCK_H
#define WEIR_GRAPH_BASE_CLOCK_H

#include <time.h>

/* Seconds since some moment; never turned back. */
static inline double weir_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

#endif
