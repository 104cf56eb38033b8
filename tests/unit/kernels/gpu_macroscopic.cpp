/* What GPUs see of cells, on a CPU: threads have nothing to tell each other, so they come one after the
 * other. Compiled once per variant. */
#include "tests/unit/kernels/gpu_words.h"

/* Names of the text that other variants have, too. */
#define observe_box WEIR_NAME(observe_box)
#define sample_boxes WEIR_NAME(sample_boxes)
extern "C" {
#include "codelets/kernels/lattice/lattice.h"
}
#include "codelets/kernels/macroscopic.cu"

/* A weir_macroscopic_cpu. */
extern "C" void WEIR_NAME(gpu_macroscopic)(const weir_block_view *b, const weir_fluid *fluid, int parity,
                                           const weir_local_box *box, void *values) {
    const unsigned columns = ((unsigned)box->extent[0] + blockDim.x - 1) / blockDim.x,
                   rows = ((unsigned)box->extent[1] + blockDim.y - 1) / blockDim.y;
    for (blockIdx.z = 0; blockIdx.z < (unsigned)box->extent[2]; blockIdx.z++)
        for (blockIdx.y = 0; blockIdx.y < rows; blockIdx.y++)
            for (blockIdx.x = 0; blockIdx.x < columns; blockIdx.x++)
                for (threadIdx.y = 0; threadIdx.y < blockDim.y; threadIdx.y++)
                    for (threadIdx.x = 0; threadIdx.x < blockDim.x; threadIdx.x++)
                        observe_box(*b, *fluid, parity, *box, (real *)values);
}

/* The same of boxes of a few cells, as probes see them: values is real [values of a cell][WEIR_SAMPLE_CELLS].
 */
extern "C" void WEIR_NAME(gpu_sample)(const weir_block_view *b, const weir_fluid *fluid, int parity,
                                      const weir_local_box *box, void *values) {
    blockIdx.x = 0;
    for (threadIdx.x = 0; threadIdx.x < WEIR_SAMPLE_CELLS; threadIdx.x++)
        sample_boxes(*b, *fluid, parity, box, (real *)values);
}
