/* The order in which thread blocks step a block whose two copies of moments share memory (kept_moments.h):
 * parts of some planes, from the last to the first where copy 1 is written, else from the first to the last.
 * What a part writes lies where others had what they read, planes_at_once and one planes away: they must be
 * done. Thread blocks take numbers in the order in which they begin, as nothing says that it is that of their
 * indices; so whom one waits for has begun before it, and waits for none that comes later. */
#ifndef WEIR_KERNELS_TURNS_CUH
#define WEIR_KERNELS_TURNS_CUH

#include "codelets/kernels/cells/block_shape.h"
#include "codelets/kernels/cuda/shapes.h"

/* What a thread block takes: a tile of these planes. */
struct tile_turn {
    int tile_x, tile_y, z_begin, z_end;
    int number;     /* among the thread blocks of the step */
    uint32_t *done; /* thread blocks of the part that are done; NULL: nobody asks */
};

static __device__ __forceinline__ uint32_t *progress_of(const weir_block_view *b, int parity) {
    return b->progress + parity * weir_progress_counts(own_extent(b, 2));
}

/* Waits until all of these have counted themselves. */
static __device__ __forceinline__ void wait_for_count(const uint32_t *done, uint32_t all) {
    uint32_t count;
    do
        asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(count) : "l"(done) : "memory");
    while (count < all);
}

/* The turn of this thread block, when what it writes may be written. By all of its threads. */
static __device__ __forceinline__ tile_turn begin_turn(const weir_block_view *b, int parity,
                                                       weir_tile_grid grid) {
    __shared__ int number;
    const int nz = own_extent(b, 2), tiles = grid.x * grid.y, parts = (nz - 1) / grid.planes + 1,
              thread = (int)threadIdx.x;
    tile_turn t = {};
    t.number = (int)blockIdx.x;
    if (b->progress) {
        if (thread == 0)
            number = (int)atomicAdd(progress_of(b, parity), 1u);
        __syncthreads();
        t.number = number;
    }
    const int tile = t.number % tiles, turn = t.number / tiles, part = parity ? turn : parts - 1 - turn;
    t.tile_x = tile % grid.x;
    t.tile_y = tile / grid.x;
    t.z_begin = part * grid.planes;
    t.z_end = t.z_begin + grid.planes < nz ? t.z_begin + grid.planes : nz;
    if (b->progress) {
        /* Of planes_at_once = n and parts of P planes, parts floor(n / P) turns ago are the last that may
         * still be asked for what now is written, and those floor((n + P + 1) / P) turns ago the first. */
        enum { ASKED = 3 };
        uint32_t *const counts = progress_of(b, parity) + 1;
        const int before = turn - b->planes_at_once / grid.planes - thread;
        if (thread < ASKED && before >= 0)
            wait_for_count(counts + before, (uint32_t)tiles);
        t.done = counts + turn;
        if (t.number == 0)
            for (int k = thread; k < weir_progress_counts(nz); k += (int)blockDim.x)
                progress_of(b, 1 - parity)[k] = 0;
        __syncthreads();
    }
    return t;
}

/* Says that nothing more is read from before the step. By all threads. */
static __device__ __forceinline__ void end_turn(const tile_turn *t) {
    if (!t->done)
        return;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        atomicAdd(t->done, 1u);
    }
}

#endif
