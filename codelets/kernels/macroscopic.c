/* Density and velocity of a box of cells, on a CPU. */
#include "codelets/kernels/cells/observed_rows.h"
#include "codelets/kernels/kernels.h"

enum { VALUES = 4 + WITH_FIFTH + WITH_SURFACE + WITH_TURBULENCE };

#if WITH_SURFACE
/* What is seen of gas, which is not computed: its density, at rest, and no liquid. */
static void observe_gas(const struct weir_block_view *b, int y, int z, int x_begin, int x_end, size_t cells,
                        real *out) {
    for (int x = x_begin; x < x_end; x++, out++)
        if (is_gas(b, *flag_of(b, x, y, z))) {
            out[0] = density_of_gas(b, x, y, z);
            for (size_t k = 1; k < VALUES; k++)
                out[k * cells] = 0;
        }
}
#endif

weir_macroscopic_cpu WEIR_NAME(macroscopic);
void WEIR_NAME(macroscopic)(const struct weir_block_view *b, const struct weir_fluid *fluid, int parity,
                            const struct weir_local_box *box, void *values) {
    const size_t row = (size_t)box->extent[0], rows = (size_t)box->extent[1] * (size_t)box->extent[2];
    const size_t cells = row * rows;
    real *const out = (real *)values;
    const struct observer observer = observer_of(b, fluid, parity);
    struct observed_cells observed;
    for (size_t k = 0; k < VALUES * cells; k++)
        out[k] = (real)NAN;
    for (size_t r = 0; r < rows; r++) {
        const int y = box->origin[1] + (int)(r % (size_t)box->extent[1]);
        const int z = box->origin[2] + (int)(r / (size_t)box->extent[1]);
        observe_row(&observer, y, z, &observed);
#if WITH_SURFACE
        observe_gas(b, y, z, box->origin[0], box->origin[0] + box->extent[0], cells, out + r * row);
#endif
        for (int x = box->origin[0];
             observe_next(&observer, &x, box->origin[0] + box->extent[0], &observed);) {
            const size_t first = r * row + (size_t)(observed.cells.x - box->origin[0]);
            for (lanes left = observed.cells.fluid; left != 0; left &= left - 1) {
                const size_t k = (size_t)first_lane(left);
                out[first + k] = observed.moments[k].density;
                for (size_t axis = 0; axis < 3; axis++)
                    out[(axis + 1) * cells + first + k] = observed.moments[k].velocity[axis];
#if WITH_FIFTH
                out[4 * cells + first + k] = fifth_of(&observed.moments[k]);
#endif
#if CONDUCTOR_VALUES
                if (conducts(&observed.moments[k])) { /* of the flow there is nothing, as in other solids */
                    for (size_t value = 0; value < 4; value++)
                        out[value * cells + first + k] = (real)NAN;
                    continue;
                }
#endif
#if WITH_SURFACE
                out[4 * cells + first + k] = fill_of_level(observed.arriving.rows[SURFACE_LEVEL][k]);
#endif
#if WITH_TURBULENCE
                out[(VALUES - 1) * cells + first + k] =
                    eddy_viscosity_at(&observer, &observed, (int)k, fluid);
#endif
            }
        }
    }
    clear_upper_halves();
}
