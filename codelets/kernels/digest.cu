/* The part of a block in the digest of all populations, on a GPU; see digest.c. */
#include "codelets/kernels/kernels.h"

#include "codelets/kernels/cells/cells.h"
#include "codelets/kernels/cuda/brick.cuh"
#include "codelets/kernels/sums/hash.h"

extern "C" __global__ void hash_cells(const weir_block_view b, const __grid_constant__ weir_fluid fluid,
                                      int parity, const weir_place place, unsigned long long *sum) {
    int x, y, z;
    const bool inside = thread_cell(b.extent[0][1], b.extent[1][1], &x, &y, &z);
    unsigned long long part[2] = {0, 0};
    const uint8_t flag = inside ? *flag_of(&b, x, y, z) : (uint8_t)1;
    if (!is_wall(flag)) {
        real f[POPULATIONS];
        const body_force body = body_force_of_fluid(&fluid);
        arriving(&b, parity, flag, x, y, z, f);
        add_cohesion(&b, &body, flag, x, y, z, f);
        uint64_t words[HASH_WORDS + 1] = {0};
        memcpy(words, f, sizeof f);
        for (int s = 0; s < 2; s++)
            part[s] = hash_populations(words, digest_seed(&place, x, y, z, s));
    }
    for (int s = 0; s < 2; s++) {
        for (int step = 16; step > 0; step /= 2)
            part[s] += __shfl_down_sync(0xffffffffu, part[s], step);
        if ((threadIdx.y * blockDim.x + threadIdx.x) % 32 == 0)
            atomicAdd(&sum[s], part[s]);
    }
}
