/* Sums over time of a block's cells, on a CPU. */
#include "codelets/kernels/cells/observed_rows.h"
#include "codelets/kernels/kernels.h"
#include "codelets/kernels/sums/summands.h"

/* Of a vector of cells, each to the next. */
struct some_summands {
    double of[TIME_SUMS][VECTOR_CELLS];
};

static inline void find_summands(const struct observer *observer, const struct observed_cells *o,
                                 const struct weir_fluid *fluid, struct some_summands *summands) {
    for (lanes left = o->cells.fluid; left != 0; left &= left - 1) {
        const int k = first_lane(left);
        real eddy_viscosity = 0;
        double summand[TIME_SUMS];
#if WITH_TURBULENCE
        eddy_viscosity = eddy_viscosity_at(observer, o, k, fluid);
#else
        (void)observer, (void)fluid;
#endif
        summands_of(&o->moments[k], eddy_viscosity, summand);
        for (int s = 0; s < TIME_SUMS; s++)
            summands->of[s][k] = summand[s];
    }
}

weir_add_to_time_sums_cpu WEIR_NAME(add_to_time_sums);
void WEIR_NAME(add_to_time_sums)(const struct weir_block_view *b, const struct weir_fluid *fluid, int parity,
                                 int row_begin, int row_end, double *sums) {
    const size_t cells = kept_cells(b);
    const struct observer observer = observer_of(b, fluid, parity);
    struct observed_cells observed;
    struct some_summands summands;
    for (int row = row_begin; row < row_end; row++) {
        const int y = row % b->extent[1][1], z = row / b->extent[1][1];
        observe_row(&observer, y, z, &observed);
        for (int x = 0; observe_next(&observer, &x, b->extent[0][1], &observed);) {
            find_summands(&observer, &observed, fluid, &summands);
            const lanes fluid_cells = observed.cells.fluid;
            double *to = sums + cell_entry(b, observed.cells.x + first_lane(fluid_cells), y, z);
            if (fluid_cells == lanes_below(VECTOR_CELLS)) {
                for (int s = 0; s < TIME_SUMS; s++, to += cells)
                    for (int k = 0; k < VECTOR_CELLS; k++)
                        to[k] += summands.of[s][k];
                continue;
            }
            for (lanes left = fluid_cells; left != 0; left &= left - 1) {
                const int k = first_lane(left);
                to = sums + cell_entry(b, observed.cells.x + k, y, z);
                for (int s = 0; s < TIME_SUMS; s++, to += cells)
                    *to += summands.of[s][k];
            }
        }
    }
    clear_upper_halves();
}

weir_copy_time_sums_cpu WEIR_NAME(copy_time_sums);
void WEIR_NAME(copy_time_sums)(const struct weir_block_view *b, int row_begin, int row_end, bool back,
                               double *sums, double *values) {
    const int nx = b->extent[0][1], ny = b->extent[1][1];
    const size_t kept = kept_cells(b), all = (size_t)nx * (size_t)ny * (size_t)b->extent[2][1];
    for (int row = row_begin; row < row_end; row++)
        for (int x = 0; x < nx; x++) {
            const int y = row % ny, z = row / ny;
            const bool solid = is_wall(*flag_of(b, x, y, z));
            double *const value = values + (size_t)row * (size_t)nx + (size_t)x;
            double *const sum = solid ? NULL : sums + cell_entry(b, x, y, z);
            for (size_t s = 0; s < TIME_SUMS; s++) {
                if (!back)
                    value[s * all] = solid ? (double)NAN : sum[s * kept];
                else if (!solid)
                    sum[s * kept] = value[s * all];
            }
        }
    clear_upper_halves();
}
