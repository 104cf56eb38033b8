/* What GPUs keep of the velocity's gradient, on a CPU: threads have nothing to tell each other, so they come
 * one after the other. Compiled once per variant. */
#include "tests/unit/kernels/gpu_words.h"

/* Names of the text that other variants have, too. */
#define fill_velocity WEIR_NAME(fill_velocity)
#define fill_gradient WEIR_NAME(fill_gradient)
extern "C" {
#include "codelets/kernels/lattice/lattice.h"
}
#include "codelets/kernels/gradients.cu"

/* Calls for every thread of a block's grid. */
#define FOR_THREADS(b, call)                                                                          \
    for (blockIdx.z = 0; blockIdx.z < (unsigned)(b)->extent[2][1]; blockIdx.z++)                      \
        for (blockIdx.y = 0; blockIdx.y * blockDim.y < (unsigned)(b)->extent[1][1]; blockIdx.y++)     \
            for (blockIdx.x = 0; blockIdx.x * blockDim.x < (unsigned)(b)->extent[0][1]; blockIdx.x++) \
                for (threadIdx.y = 0; threadIdx.y < blockDim.y; threadIdx.y++)                        \
                    for (threadIdx.x = 0; threadIdx.x < blockDim.x; threadIdx.x++)                    \
    call

/* A weir_velocity_field_cpu and a weir_velocity_gradient_cpu, of all rows. */
extern "C" void WEIR_NAME(gpu_velocity_field)(const weir_block_view *b, const weir_fluid *fluid, int parity,
                                              int, int, void *velocity, void *const outgoing[WEIR_FACES]) {
    face_pointers messages;
    memcpy(&messages, outgoing, sizeof messages);
    FOR_THREADS(b, fill_velocity(*b, *fluid, parity, (real *)velocity, messages));
}

extern "C" void WEIR_NAME(gpu_velocity_gradient)(const weir_block_view *b, const weir_fluid *fluid, int, int,
                                                 const void *velocity,
                                                 const void *const incoming[WEIR_NEIGHBOURS]) {
    neighbour_pointers messages;
    memcpy(&messages, incoming, sizeof messages);
    FOR_THREADS(b, fill_gradient(*b, *fluid, (const real *)velocity, messages));
}
