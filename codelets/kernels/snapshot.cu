/* The populations of a block in natural arrangement, for checkpoints, on a GPU; see snapshot.c. */
#include "codelets/kernels/kernels.h"

#include "codelets/kernels/cells/cells.h"
#include "codelets/kernels/cuda/brick.cuh"

extern "C" __global__ void copy_cells(const weir_block_view b, int parity, stored *populations) {
    int x, y, z;
    if (!thread_cell(b.extent[0][1], b.extent[1][1], &x, &y, &z))
        return;
    const size_t row = (size_t)b.extent[0][1], plane = row * (size_t)b.extent[1][1],
                 cells = plane * (size_t)b.extent[2][1];
    stored *const out = populations + (size_t)z * plane + (size_t)y * row + (size_t)x;
    const uint8_t flag = *flag_of(&b, x, y, z);
    real f[POPULATIONS] = {0};
#if WITH_MOMENTS
    if (!is_wall(flag)) {
        const kept_words words = words_in(kept_place(&b, parity, x, y, z));
        for (int k = 0; k < KEPT_WORDS; k++)
            f[k] = words.word[k];
    }
#else
    if (!is_wall(flag))
        arriving(&b, parity, flag, x, y, z, f);
#endif
#if WITH_SURFACE
    if (is_gas(&b, flag))
        for (int i = SURFACE_MASS; i < KEPT_NUMBERS; i++)
            if (stays_in_gas(i))
                f[i] = real_of(*slot_of(&b, i, cell_entry(&b, x, y, z)));
#endif
    for (int i = 0; i < KEPT_NUMBERS; i++)
        out[(size_t)i * cells] = stored_of(f[i]);
}
