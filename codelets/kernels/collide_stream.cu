/* Collide and stream on a GPU: one step of a block. A thread takes a strip of cells. */
#include "codelets/kernels/step.cuh"

enum { THREADS = 128 };

/* Thread blocks that a multiprocessor shall hold: as many as its registers allow that the plain path needs.
 * (The other paths, which are called, then keep some addresses in memory; left alone, they would take
 * registers from all.) */
enum {
    REGISTERS_OF_MULTIPROCESSOR = 65536,
    REGISTERS_OF_THREAD = STRIP_CELLS * POPULATIONS * sizeof(real) / 4 + 60,
    RESIDENT_BLOCKS = REGISTERS_OF_MULTIPROCESSOR / (THREADS * REGISTERS_OF_THREAD)
};

template <int parity, bool forced, int width, bool open>
static __global__ void __launch_bounds__(THREADS, RESIDENT_BLOCKS)
    step(const __grid_constant__ weir_block_view b, const __grid_constant__ relaxation r,
         const __grid_constant__ step_shape shape) {
    step_thread<parity, forced, width, open>(&b, &r, &shape, (int)(blockIdx.x * THREADS + threadIdx.x));
}

/* One thread for each open boundary, before the step. */
static __global__ void settle_all_flows(const __grid_constant__ weir_block_view b, int parity) {
    const int flow = (int)(blockIdx.x * THREADS + threadIdx.x);
    if (flow < b.flows)
        settle_flow(b.flow + flow, parity);
}

template <int parity, bool forced, int width>
static void launch(const weir_block_view *b, const relaxation *r, cudaStream_t stream) {
    const int strips = b->extent[0][1] / width * b->extent[1][1] * b->extent[2][1];
    const int grid = (strips + THREADS - 1) / THREADS;
    const step_shape shape = step_shape_of(b, width);
    if (!b->flow) {
        step<parity, forced, width, false><<<grid, THREADS, 0, stream>>>(*b, *r, shape);
    } else {
        settle_all_flows<<<(b->flows - 1) / THREADS + 1, THREADS, 0, stream>>>(*b, parity);
        step<parity, forced, width, true><<<grid, THREADS, 0, stream>>>(*b, *r, shape);
    }
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
