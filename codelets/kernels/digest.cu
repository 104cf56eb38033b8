/* The part of a block in the digest of all populations, on a GPU; see digest.c. */
#include "codelets/kernels/kernels.h"

#include "codelets/kernels/cells.h"
#include "codelets/kernels/hash.h"
#include "codelets/kernels/launch.cuh"

static __global__ void hash_cells(const weir_block_view b, int parity, const weir_place place,
                                  unsigned long long *sum) {
    int x, y, z;
    const bool inside = thread_cell(b.extent[0][1], b.extent[1][1], &x, &y, &z);
    unsigned long long part[2] = {0, 0};
    const uint8_t flag = inside ? *flag_of(&b, x, y, z) : (uint8_t)1;
    if (!is_wall(flag)) {
        real f[POPULATIONS];
        arriving(&b, parity, flag, x, y, z, f);
        for (int s = 0; s < 2; s++)
            part[s] = hash_populations(f, digest_seed(&place, x, y, z, s));
    }
    for (int s = 0; s < 2; s++) {
        for (int step = 16; step > 0; step /= 2)
            part[s] += __shfl_down_sync(0xffffffffu, part[s], step);
        if ((threadIdx.y * blockDim.x + threadIdx.x) % 32 == 0)
            atomicAdd(&sum[s], part[s]);
    }
}

extern "C" int WEIR_NAME(digest_cuda)(const weir_block_view *b, int parity, const weir_place *place,
                                      uint64_t sum[2], void *stream) {
    const cudaStream_t s = (cudaStream_t)stream;
    const cudaError_t error = cudaMemsetAsync(sum, 0, 2 * sizeof *sum, s);
    if (error != cudaSuccess)
        return (int)error;
    const launch_shape shape = launch_over(b->extent[0][1], b->extent[1][1], b->extent[2][1]);
    hash_cells<<<shape.grid, shape.threads, 0, s>>>(*b, parity, *place, (unsigned long long *)sum);
    return (int)cudaGetLastError();
}
