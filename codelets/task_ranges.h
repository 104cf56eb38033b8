/* A range of NVTX around each task's function, on the thread of its worker and named after its kind:
 * NVIDIA's profilers show them beside kernels and copies. There in builds with CUDA whose toolkit has NVTX
 * (WEIR_WITH_NVTX). Without a profiler such a call returns at once. */
#ifndef WEIR_CODELETS_TASK_RANGES_H
#define WEIR_CODELETS_TASK_RANGES_H

#include <stdint.h>

/* Opens a range with this colour, 0xRRGGBB. */
void weir_task_range_begin(const char *name, uint32_t colour);

/* Closes the range that this thread opened last. */
void weir_task_range_end(void);

#endif
