/* What GPUs find of what cells of a fluid with phases attract by, and what they see of such cells, on a CPU:
 * thread blocks of one thread, which come one after the other. Compiled once per variant. */
#include "tests/unit/kernels/gpu_words.h"

/* Others of a warp there are none, who would have something to add. */
template <typename T> static T __shfl_down_sync(unsigned, T, int) {
    return 0;
}

static void atomicAdd(unsigned long long *to, unsigned long long value) {
    *to += value;
}

/* Names of the texts that other variants have, too. */
#define fill_pseudopotential WEIR_NAME(fill_pseudopotential)
#define hash_cells WEIR_NAME(hash_cells)
#define observe_box WEIR_NAME(observe_box)
#define sample_boxes WEIR_NAME(sample_boxes)
extern "C" {
#include "codelets/kernels/lattice/lattice.h"
}
#include "codelets/kernels/digest.cu"
#include "codelets/kernels/macroscopic.cu"
#include "codelets/kernels/pseudopotential.cu"

/* Calls for every thread over a brick of cells. */
#define FOR_CELLS(extent, call)                                                                  \
    for (blockIdx.z = 0, blockDim = {1, 1, 1}; blockIdx.z < (unsigned)(extent)[2]; blockIdx.z++) \
        for (blockIdx.y = 0; blockIdx.y < (unsigned)(extent)[1]; blockIdx.y++)                   \
            for (blockIdx.x = 0; blockIdx.x < (unsigned)(extent)[0]; blockIdx.x++)               \
    call

/* A weir_pseudopotential_cpu, a weir_digest_cpu, and a weir_macroscopic_cpu, of which the first two take the
 * whole block with its first row. */
extern "C" void WEIR_NAME(gpu_pseudopotential)(const weir_block_view *b, const weir_fluid *fluid, int parity,
                                               int row_begin, int, void *const outgoing[WEIR_FACES]) {
    const int extent[3] = {b->extent[0][1], b->extent[1][1], row_begin == 0 ? b->extent[2][1] : 0};
    face_pointers messages;
    memcpy(&messages, outgoing, sizeof messages);
    FOR_CELLS(extent, fill_pseudopotential(*b, *fluid, parity, messages));
}

extern "C" void WEIR_NAME(gpu_digest)(const weir_block_view *b, const weir_fluid *fluid, int parity,
                                      const weir_place *place, int row_begin, int, uint64_t sum[2]) {
    const int extent[3] = {b->extent[0][1], b->extent[1][1], row_begin == 0 ? b->extent[2][1] : 0};
    unsigned long long sums[2] = {0, 0};
    FOR_CELLS(extent, hash_cells(*b, *fluid, parity, *place, sums));
    for (int s = 0; s < 2; s++)
        sum[s] = sums[s];
}

extern "C" void WEIR_NAME(gpu_macroscopic)(const weir_block_view *b, const weir_fluid *fluid, int parity,
                                           const weir_local_box *box, void *values) {
    FOR_CELLS(box->extent, observe_box(*b, *fluid, parity, *box, (real *)values));
}
