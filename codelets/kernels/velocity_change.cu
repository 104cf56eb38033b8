/* How much the velocity of a block changed since the last look, on a GPU. */
#include "codelets/kernels/cuda/brick.cuh"
#include "codelets/kernels/cuda/observed_cells.cuh"
#include "codelets/kernels/kernels.h"
#include "codelets/kernels/sums/sums.h"

/* Larger of two such bits over the warp, in its first thread, which compares it with those of other warps:
 * atomic comparisons with one word take turns, and most are spared by a look beforehand. */
static __device__ __forceinline__ void enlarge(uint64_t *largest, uint64_t bits) {
    unsigned long long of_warp = bits;
    for (int step = 16; step > 0; step /= 2)
        of_warp = max(of_warp, __shfl_down_sync(0xffffffffu, of_warp, step));
    if ((threadIdx.y * blockDim.x + threadIdx.x) % 32 == 0 && of_warp > *(volatile uint64_t *)largest)
        atomicMax((unsigned long long *)largest, of_warp);
}

extern "C" __global__ void compare_cells(const weir_block_view b, const weir_fluid fluid, int parity,
                                         float *previous, weir_partial_change *change) {
    cell_place here;
    const bool inside = thread_cell(b.extent[0][1], b.extent[1][1], &here.x, &here.y, &here.z);
    const uint8_t flag = inside ? flag_at(&b, here) : (uint8_t)1;
    uint64_t largest_change = 0, largest_speed = 0;
    if (!is_wall(flag)) {
        const size_t cells = kept_cells(&b);
        float *const kept = previous + cell_entry(&b, here.x, here.y, here.z);
        const float before[3] = {kept[0], kept[cells], kept[2 * cells]};
        real f[POPULATIONS];
        const moments m = observe_cell(&b, &fluid, parity, flag, here, f);
        for (int axis = 0; axis < 3; axis++) {
            const float now = (float)m.velocity[axis];
            largest_change = larger_magnitude(largest_change, (double)now - (double)before[axis]);
            largest_speed = larger_magnitude(largest_speed, (double)now);
            kept[(size_t)axis * cells] = now;
        }
    }
    enlarge(&change->largest_change, largest_change);
    enlarge(&change->largest_speed, largest_speed);
}
