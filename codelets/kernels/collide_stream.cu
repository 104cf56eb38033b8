/* Collide and stream on a GPU: one step of a block. A thread takes a strip of cells. */
#include "codelets/kernels/cells.h"
#include "codelets/kernels/collision.h"
#include "codelets/kernels/strips.cuh"

enum { THREADS = 128 };

/* Cells of a strip, where rows have a multiple of that: two, if their populations fit into a thread's
 * registers. */
enum { STRIP_CELLS = 2 * POPULATIONS * sizeof(real) <= 320 ? 2 : 1 };

/* Thread blocks that a multiprocessor shall hold: as many as its registers allow that the plain path needs.
 * (The other path then keeps some addresses in memory; left alone, it would take registers from both.) */
enum {
    REGISTERS_OF_MULTIPROCESSOR = 65536,
    REGISTERS_OF_THREAD = STRIP_CELLS * POPULATIONS * sizeof(real) / 4 + 60,
    RESIDENT_BLOCKS = REGISTERS_OF_MULTIPROCESSOR / (THREADS * REGISTERS_OF_THREAD)
};

template <int parity, bool forced, int width>
static __global__ void __launch_bounds__(THREADS, RESIDENT_BLOCKS)
    step(const __grid_constant__ weir_block_view b, const __grid_constant__ relaxation r,
         const divider strips_per_row, const divider cells_per_row, const divider rows_per_layer) {
    const int number = (int)(blockIdx.x * THREADS + threadIdx.x);
    const int cells = b.extent[0][1] * b.extent[1][1] * b.extent[2][1];
    const strip s = strip_of<width>(&b, strips_per_row, rows_per_layer, number);
    if (__all_sync(WHOLE_WARP, number * width < cells && row_is_inside(&b, s.y, s.z))) {
        /* Whether the strips are plain is told by flags that take as long to come as the populations do, so
         * both are asked for at once. */
        real f[width][POPULATIONS];
        arriving_at_strip<parity, width>(&b, &s, f);
        if (__all_sync(WHOLE_WARP, is_plain<width>(&b, &s))) {
            for (int v = 0; v < width; v++)
                collide(f[v], forced, &r);
            leaving_strip<parity, width>(&b, &s, f);
            return;
        }
    }
    /* The same cells of the warp, neighbours with neighbouring threads. */
    const int lane = (int)threadIdx.x % WARP, first = (number - lane) * width + lane;
#pragma unroll 1
    for (int cell = first; cell < min(first + WARP * width, cells); cell += WARP) {
        const int row = divided(cell, cells_per_row), z = divided(row, rows_per_layer);
        const int x = cell - row * b.extent[0][1], y = row - z * b.extent[1][1];
        const uint8_t flag = *flag_of(&b, x, y, z);
        if (is_wall(flag))
            continue;
        const uint32_t walls = walls_of_cell(&b, flag, x, y, z);
        real f[POPULATIONS];
        arriving_at_cell(&b, parity, walls, x, y, z, f);
        collide(f, forced, &r);
        leaving_cell(&b, parity, walls, x, y, z, f);
    }
}

template <int parity, bool forced, int width>
static void launch(const weir_block_view *b, const relaxation *r, cudaStream_t stream) {
    const int strips = b->extent[0][1] / width * b->extent[1][1] * b->extent[2][1];
    step<parity, forced, width><<<(strips + THREADS - 1) / THREADS, THREADS, 0, stream>>>(
        *b, *r, divider_of(b->extent[0][1] / width), divider_of(b->extent[0][1]),
        divider_of(b->extent[1][1]));
}

template <int parity, bool forced>
static void launch_for_rows(const weir_block_view *b, const relaxation *r, cudaStream_t stream) {
    if (b->extent[0][1] % STRIP_CELLS == 0)
        launch<parity, forced, STRIP_CELLS>(b, r, stream);
    else
        launch<parity, forced, 1>(b, r, stream);
}

extern "C" int WEIR_NAME(collide_stream_cuda)(const weir_block_view *b, const weir_fluid *fluid, int parity,
                                              void *stream) {
    const relaxation r = relaxation_of(fluid);
    const cudaStream_t s = (cudaStream_t)stream;
    if (parity == 0 && !fluid->forced)
        launch_for_rows<0, false>(b, &r, s);
    else if (parity == 0)
        launch_for_rows<0, true>(b, &r, s);
    else if (!fluid->forced)
        launch_for_rows<1, false>(b, &r, s);
    else
        launch_for_rows<1, true>(b, &r, s);
    return (int)cudaGetLastError();
}
