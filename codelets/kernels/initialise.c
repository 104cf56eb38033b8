/* The state before the first step, on a CPU. */
#include "codelets/kernels/initial.h"
#include "codelets/kernels/kernels.h"

weir_initialise_cpu WEIR_NAME(initialise);
void WEIR_NAME(initialise)(const struct weir_block_view *b, const struct weir_fluid *fluid,
                           const struct weir_initial_state *state, void *const second_outgoing[6]) {
    const int fill = state->poison ? 0xff : 0; /* all bits set is a NaN */
    const int extent[3] = {b->extent[0][1], b->extent[1][1], b->extent[2][1]};
    memset(b->populations, fill, (size_t)POPULATIONS * b->stride * sizeof(stored));
    for (int face = 0; face < 6; face++) {
        const size_t bytes = message_reals(extent, face / 2) * sizeof(stored);
        if (b->outgoing[face])
            memset(b->outgoing[face], fill, bytes);
        if (second_outgoing[face])
            memset(second_outgoing[face], fill, bytes);
    }
    for (int z = 0; z < extent[2]; z++)
        for (int y = 0; y < extent[1]; y++)
            for (int x = 0; x < extent[0]; x++)
                initialise_cell(b, fluid, state, x, y, z);
}
