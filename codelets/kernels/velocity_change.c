/* How much the velocity of a block changed since the last look, on a CPU. */
#include "codelets/kernels/cells/observed_rows.h"
#include "codelets/kernels/kernels.h"
#include "codelets/kernels/sums/sums.h"

weir_velocity_change_cpu WEIR_NAME(velocity_change);
void WEIR_NAME(velocity_change)(const struct weir_block_view *b, const struct weir_fluid *fluid, int parity,
                                int row_begin, int row_end, float *previous,
                                struct weir_partial_change *change) {
    const size_t cells = kept_cells(b);
    const struct observer observer = observer_of(b, fluid, parity);
    struct observed_cells observed;
    *change = (struct weir_partial_change){0, 0};
    for (int row = row_begin; row < row_end; row++) {
        const int y = row % b->extent[1][1], z = row / b->extent[1][1];
        observe_row(&observer, y, z, &observed);
        for (int x = 0; observe_next(&observer, &x, b->extent[0][1], &observed);)
            for (lanes left = observed.cells.fluid; left != 0; left &= left - 1) {
                const int k = first_lane(left);
                float *before = previous + cell_entry(b, observed.cells.x + k, y, z);
                for (size_t axis = 0; axis < 3; axis++, before += cells) {
                    const float now = (float)observed.moments[k].velocity[axis];
                    change->largest_change =
                        larger_magnitude(change->largest_change, (double)now - (double)*before);
                    change->largest_speed = larger_magnitude(change->largest_speed, (double)now);
                    *before = now;
                }
            }
    }
    clear_upper_halves();
}
