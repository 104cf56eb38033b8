/* What boundaries count, from one step of a GPU to the next. */
#ifndef WEIR_KERNELS_FLOWS_CUH
#define WEIR_KERNELS_FLOWS_CUH

#include "codelets/kernels/boundary/boundary.h"
#include "codelets/kernels/cuda/shapes.h"

/* What the last step counted, which becomes part of the mass that has passed while this one counts beside it.
 * By the threads of one thread block. */
static __device__ __forceinline__ void settle_flows_together(const weir_block_view *b, int parity) {
    for (int k = (int)threadIdx.x; k < b->flows; k += WEIR_STEP_THREADS)
        settle_flow(b->flow + k, parity);
}

#endif
