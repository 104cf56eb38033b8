/* What boundaries count, from one step of a GPU to the next. */
#ifndef WEIR_KERNELS_FLOWS_CUH
#define WEIR_KERNELS_FLOWS_CUH

#include "codelets/kernels/boundary/boundary.h"
#include "codelets/kernels/cuda/shapes.h"
#include "codelets/kernels/cuda/warp.cuh"

static_assert((int)WEIR_FLOW_SHARES == (int)WARP, "a thread of a warp for each");

/* What the last step counted, which becomes part of the mass that has passed while this one counts beside it
 * (settle_flow). By `threads` threads of one thread block, a warp for each boundary: by one thread each it
 * was what small steps waited for. */
static __device__ __forceinline__ void settle_flows_together(const weir_block_view *b, int parity,
                                                             int threads) {
    const int lane = (int)threadIdx.x % WARP;
    for (int k = (int)threadIdx.x / WARP; k < b->flows; k += threads / WARP) {
        weir_boundary_flow *const flow = b->flow + k;
        weir_exact_sum sum = carried(flow->step[1 - parity][lane][WEIR_FLOW_MASS]);
#pragma unroll
        for (int distance = WARP / 2; distance > 0; distance /= 2) {
            sum.high += __shfl_down_sync(WHOLE_WARP, sum.high, distance);
            sum.low += __shfl_down_sync(WHOLE_WARP, sum.low, distance);
        }
        if (lane == 0) {
            sum.high += flow->mass.high;
            sum.low += flow->mass.low;
            flow->mass = carried(sum);
        }
        const weir_exact_sum none = {0, 0};
        for (int n = lane; n < WEIR_FLOW_SHARES * WEIR_FLOW_SUMS; n += WARP)
            flow->step[1 - parity][0][n] = none;
#if WITH_LINKS
        for (int n = lane; n < WEIR_FLOW_SHARES * 3; n += WARP)
            flow->torque[1 - parity][0][n] = none;
#endif
    }
}

#endif
