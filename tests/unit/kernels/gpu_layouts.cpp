/* What GPU threads do in the layouts of weir bench layouts, on a CPU: they have nothing to tell each other,
 * so they come one after the other. Compiled once per variant. */
#include "tests/unit/kernels/gpu_words.h"

/* Names of the text that other variants have, too. */
#define layout_propagate WEIR_NAME(layout_propagate)
#define layout_collide WEIR_NAME(layout_collide)
#define layout_fused WEIR_NAME(layout_fused)
extern "C" {
#include "codelets/kernels/lattice/lattice.h"
}
#include "codelets/kernels/layouts.cu"

/* weir_layout_step_cpu for each kernel. */
#define ON_GPU(operation, kernel)                                                                    \
    extern "C" void WEIR_NAME(operation)(const weir_site_layout *layout, const weir_fluid *fluid,    \
                                         const void *from, void *to, int row_begin, int row_end) {   \
        const relaxation r = relaxation_of(fluid);                                                   \
        for (int row = row_begin; row < row_end; row++) {                                            \
            blockIdx.y = (unsigned)(row % layout->cells[1]);                                         \
            blockIdx.z = (unsigned)(row / layout->cells[1]);                                         \
            for (blockIdx.x = 0; blockIdx.x * blockDim.x < (unsigned)layout->cells[0]; blockIdx.x++) \
                for (threadIdx.x = 0; threadIdx.x < blockDim.x; threadIdx.x++)                       \
                    kernel(*layout, r, (const stored *)from, (stored *)to);                          \
        }                                                                                            \
    }
ON_GPU(gpu_layout_propagate, layout_propagate)
ON_GPU(gpu_layout_collide, layout_collide)
ON_GPU(gpu_layout_fused, layout_fused)
