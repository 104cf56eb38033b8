/* Collide and stream on a GPU: one step of a block. A thread takes a strip of cells, or a cell of a list. One
 * object for each parity (WEIR_PARITY: 0, 1), width of strips (WEIR_STRIP: cells) and kind of block
 * (WEIR_OPEN: 1 where boundaries let fluid pass), so that they are compiled side by side; for runs with a
 * body force (WEIR_FORCED: 1) or without. */
#include "codelets/kernels/cuda/step.cuh"

#ifndef WEIR_FORCED
#define WEIR_FORCED 0
#endif

/* Thread blocks that a multiprocessor shall hold: as many as its registers allow that the plain path needs.
 * (The other paths, which are called, then keep some addresses in memory; left alone, they would take
 * registers from all.) */
enum {
#if BY_LIST
    /* Odd steps keep where each population lies, and are better with fewer threads: 512 of D3Q19 on an H200,
     * because what neighbouring warps share stays in the cache then. */
    REGISTERS_OF_THREAD =
        WEIR_PARITY ? POPULATIONS * (sizeof(real) / 4 + 1) + 74 : POPULATIONS * sizeof(real) / 4 * 7 / 3 + 20,
#else
    REGISTERS_OF_THREAD = STRIP_CELLS * POPULATIONS * sizeof(real) / 4 + 60,
#endif
    RESIDENT_BLOCKS = WEIR_REGISTERS_OF_MULTIPROCESSOR / (WEIR_STEP_THREADS * REGISTERS_OF_THREAD)
};

extern "C" __global__ void __launch_bounds__(WEIR_STEP_THREADS, RESIDENT_BLOCKS)
    step(const __grid_constant__ weir_block_view b, const __grid_constant__ relaxation r,
         const __grid_constant__ step_shape shape) {
#if __CUDA_ARCH__ >= WEIR_DEPENDENT_LAUNCH_ARCHITECTURE
    /* The next step may come as soon as there is room. What this one reads is there when the kernel before it
     * has ended, which itself ended after all before it; but that of open cells of the same step, which began
     * when all before it had ended, and which this one runs beside. */
    asm volatile("griddepcontrol.launch_dependents;");
    if (!(WEIR_OPEN && shape.beside_open_cells))
        asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
    if (WEIR_OPEN && shape.settles && blockIdx.x == 0)
        settle_flows_together(&b, WEIR_PARITY, WEIR_STEP_THREADS);
    step_at_turn<WEIR_PARITY, WEIR_FORCED != 0, WEIR_STRIP, WEIR_OPEN != 0>(&b, &r, &shape, (int)blockIdx.x,
                                                                            (int)gridDim.x);
#if __CUDA_ARCH__ >= WEIR_DEPENDENT_LAUNCH_ARCHITECTURE
    /* Who waits for this kernel waits for both. */
    if (WEIR_OPEN && shape.beside_open_cells && blockIdx.x == gridDim.x - 1)
        asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}
