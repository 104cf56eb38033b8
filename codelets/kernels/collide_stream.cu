/* Collide and stream on a GPU: one step of a block, one thread per cell. */
#include "codelets/kernels/cells.h"
#include "codelets/kernels/collision.h"
#include "codelets/kernels/launch.cuh"

template <int parity, bool forced>
static __global__ void __launch_bounds__(256) step(const weir_block_view b, const relaxation r) {
    int x, y, z;
    if (!thread_cell(b.extent[0][1], b.extent[1][1], &x, &y, &z))
        return;
    const uint8_t flag = *flag_of(&b, x, y, z);
    if (is_wall(flag))
        return;
    const bool inner = flag == WEIR_FLUID && is_inner(&b, x, y, z);
    real f[POPULATIONS];
    if (inner)
        arriving_at_inner_cell(&b, parity, x, y, z, f);
    else
        arriving_at_cell(&b, parity, x, y, z, f);
    collide(f, forced, &r);
    if (inner)
        leaving_inner_cell(&b, parity, x, y, z, f);
    else
        leaving_cell(&b, parity, x, y, z, f);
}

extern "C" int WEIR_NAME(collide_stream_cuda)(const weir_block_view *b, const weir_fluid *fluid, int parity,
                                              void *stream) {
    const launch_shape shape = launch_over(b->extent[0][1], b->extent[1][1], b->extent[2][1]);
    const relaxation r = relaxation_of(fluid);
    const cudaStream_t s = (cudaStream_t)stream;
    if (parity == 0 && !fluid->forced)
        step<0, false><<<shape.grid, shape.threads, 0, s>>>(*b, r);
    else if (parity == 0)
        step<0, true><<<shape.grid, shape.threads, 0, s>>>(*b, r);
    else if (!fluid->forced)
        step<1, false><<<shape.grid, shape.threads, 0, s>>>(*b, r);
    else
        step<1, true><<<shape.grid, shape.threads, 0, s>>>(*b, r);
    return (int)cudaGetLastError();
}
