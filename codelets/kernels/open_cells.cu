/* Collide and stream of cells near boundaries that let fluid pass, on a GPU. A kernel of its own: among
 * thread blocks of other cells each instruction of its long way was waited for
 * (docs/measured/2026-11-27-h200-open-cells.md). */
#define WEIR_FEW_ALONE
#include "codelets/kernels/cuda/open_cells.cuh"

#ifndef WEIR_FORCED
#define WEIR_FORCED 0
#endif

extern "C" __global__ void __launch_bounds__(WEIR_STEP_THREADS)
    step_open(const __grid_constant__ weir_block_view b, const __grid_constant__ relaxation r, int parity,
              int thread_blocks) {
#if __CUDA_ARCH__ >= WEIR_DEPENDENT_LAUNCH_ARCHITECTURE
    asm volatile("griddepcontrol.launch_dependents;"); /* of the same step, of other cells */
#endif
    if (blockIdx.x == 0)
        settle_flows_together(&b, parity, WEIR_STEP_THREADS);
    if (parity)
        step_open_cells<1, WEIR_FORCED != 0>(&b, &r, (int)blockIdx.x, thread_blocks);
    else
        step_open_cells<0, WEIR_FORCED != 0>(&b, &r, (int)blockIdx.x, thread_blocks);
}
