/* The stages of attraction.h on a GPU; once per variant. One thread takes one cell. */
#include "tests/programs/attraction_cells.h"

enum { THREADS = 128 };

static __global__ void density_of_block(const weir_stage_view view, int parity, int cells) {
    const int cell = (int)(blockIdx.x * THREADS + threadIdx.x), nx = view.block.extent[0][1],
              ny = view.block.extent[1][1];
    if (cell < cells)
        density_of_cell(&view, parity, cell % nx, cell / nx % ny, cell / nx / ny);
}

static __global__ void collide_stream_block(const weir_stage_view view, const relaxation of_run, int parity,
                                            int cells) {
    const int cell = (int)(blockIdx.x * THREADS + threadIdx.x), nx = view.block.extent[0][1],
              ny = view.block.extent[1][1];
    if (cell < cells)
        collide_stream_cell(&view, &of_run, parity, cell % nx, cell / nx % ny, cell / nx / ny);
}

static int cells_of(const weir_stage_view *view) {
    return view->block.extent[0][1] * view->block.extent[1][1] * view->block.extent[2][1];
}

#define ON_CUDA(what) WEIR_JOIN(WEIR_JOIN(attraction_, what), WEIR_JOIN(_cuda_, WEIR_VARIANT))

extern "C" int ON_CUDA(density)(const weir_stage_view *view, int parity, void *stream) {
    const int cells = cells_of(view);
    density_of_block<<<(unsigned)(cells + THREADS - 1) / THREADS, THREADS, 0, (cudaStream_t)stream>>>(
        *view, parity, cells);
    return (int)cudaGetLastError();
}

extern "C" int ON_CUDA(collide_stream)(const weir_stage_view *view, int parity, void *stream) {
    const int cells = cells_of(view);
    collide_stream_block<<<(unsigned)(cells + THREADS - 1) / THREADS, THREADS, 0, (cudaStream_t)stream>>>(
        *view, relaxation_of(view->fluid), parity, cells);
    return (int)cudaGetLastError();
}
