/* Collide and stream on a GPU: one step of a block. A thread takes a strip of cells. */
#include "codelets/kernels/cells.h"
#include "codelets/kernels/collision.h"
#include "codelets/kernels/strips.cuh"

enum { THREADS = 128 };

/* Cells of a strip, where rows have a multiple of that. */
enum { STRIP_CELLS = 2 };

template <int parity, bool forced, int width>
static __global__ void __launch_bounds__(THREADS)
    step(const __grid_constant__ weir_block_view b, const __grid_constant__ relaxation r) {
    const int nx = b.extent[0][1], ny = b.extent[1][1], cells = nx * ny * b.extent[2][1];
    const int number = (int)(blockIdx.x * THREADS + threadIdx.x);
    strip s = {};
    bool plain = number * width < cells;
    if (plain) {
        s = strip_of<width>(&b, number);
        plain = is_plain<width>(&b, &s);
    }
    if (__all_sync(WHOLE_WARP, plain)) {
        real f[width][POPULATIONS];
        arriving_at_strip<parity, width>(&b, &s, f);
        for (int v = 0; v < width; v++)
            collide(f[v], forced, &r);
        leaving_strip<parity, width>(&b, &s, f);
        return;
    }
    /* The same cells of the warp, neighbours with neighbouring threads. */
    const int lane = (int)threadIdx.x % 32, first = (number - lane) * width + lane;
#pragma unroll 1
    for (int cell = first; cell < min(first + 32 * width, cells); cell += 32) {
        const int row = cell / nx, x = cell - row * nx, z = row / ny, y = row - z * ny;
        const uint8_t flag = *flag_of(&b, x, y, z);
        if (is_wall(flag))
            continue;
        real f[POPULATIONS];
        arriving_at_cell(&b, parity, flag != WEIR_FLUID, x, y, z, f);
        collide(f, forced, &r);
        leaving_cell(&b, parity, flag != WEIR_FLUID, x, y, z, f);
    }
}

template <int parity, bool forced>
static void launch(const weir_block_view *b, const relaxation *r, cudaStream_t stream) {
    const int strips = b->extent[0][1] / STRIP_CELLS * b->extent[1][1] * b->extent[2][1];
    const int cells = b->extent[0][1] * b->extent[1][1] * b->extent[2][1];
    if (b->extent[0][1] % STRIP_CELLS == 0)
        step<parity, forced, STRIP_CELLS><<<(strips + THREADS - 1) / THREADS, THREADS, 0, stream>>>(*b, *r);
    else
        step<parity, forced, 1><<<(cells + THREADS - 1) / THREADS, THREADS, 0, stream>>>(*b, *r);
}

extern "C" int WEIR_NAME(collide_stream_cuda)(const weir_block_view *b, const weir_fluid *fluid, int parity,
                                              void *stream) {
    const relaxation r = relaxation_of(fluid);
    const cudaStream_t s = (cudaStream_t)stream;
    if (parity == 0 && !fluid->forced)
        launch<0, false>(b, &r, s);
    else if (parity == 0)
        launch<0, true>(b, &r, s);
    else if (!fluid->forced)
        launch<1, false>(b, &r, s);
    else
        launch<1, true>(b, &r, s);
    return (int)cudaGetLastError();
}
