/* The state before the first step, on a CPU. */
#include "codelets/kernels/cells/initial.h"
#include "codelets/kernels/kernels.h"

#if !WITH_MOMENTS
/* Slots i of the cells with these entries, and of no others: those may have values by now. */
static void clear_slots(const struct weir_block_view *b, int i, size_t begin, size_t end, int fill) {
    if (IN_BRICKS)
        memset(slot_of(b, i, (int)begin), fill, (end - begin) * sizeof(stored));
    else
        for (size_t entry = begin; entry < end; entry++)
            memset(slot_of(b, i, (int)entry), fill, sizeof(stored));
}
#endif

weir_clear_cpu WEIR_NAME(clear);
void WEIR_NAME(clear)(const struct weir_block_view *b, bool poison,
                      const struct weir_first_messages *messages, int row_begin, int row_end) {
    const int fill = poison ? 0xff : 0; /* all bits set is a NaN */
#if WITH_MOMENTS
    const int ny = b->extent[1][1];
    for (int parity = 0; parity < 2 && row_begin < row_end; parity++) {
        const stored *const from = kept_place(b, parity, 0, row_begin % ny, row_begin / ny),
                            *const to = kept_place(b, parity, 0, row_end % ny, row_end / ny);
        memset((stored *)from, fill, (size_t)(to - from) * sizeof(stored));
    }
    for (int parity = 0; parity < 2 && row_begin == 0; parity++)
        forget_progress(b, parity);
#else
    const bool last = row_end == b->extent[1][1] * b->extent[2][1]; /* up to the end of the stride then */
    const size_t begin = (size_t)first_entry(b, row_begin),
                 end = last ? b->stride : (size_t)first_entry(b, row_end);
    for (int i = 0; i < SLOTS; i++)
        clear_slots(b, i, begin, end, fill);
#endif
    if (b->flow && row_begin == 0)
        memset(b->flow, 0, (size_t)b->flows * sizeof *b->flow);
    for (int face = 0; face < WEIR_FACES && row_begin == 0; face++)
        for (int parity = 0; parity < 2; parity++)
            if (messages->message[parity][face])
                memset(messages->message[parity][face], fill, messages->bytes[face]);
}

weir_initialise_cpu WEIR_NAME(initialise);
void WEIR_NAME(initialise)(const struct weir_block_view *b, const struct weir_fluid *fluid,
                           const struct weir_initial_state *state, int row_begin, int row_end) {
    for (int row = row_begin; row < row_end; row++)
        for (int x = 0; x < b->extent[0][1]; x++)
            initialise_cell(b, fluid, state, x, row % b->extent[1][1], row / b->extent[1][1]);
    clear_upper_halves();
}
