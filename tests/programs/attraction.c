/* The stages of attraction.h on CPUs; once per variant. */
#include "tests/programs/attraction_cells.h"

weir_stage_cpu ATTRACTION_NAME(density), ATTRACTION_NAME(collide_stream);

void ATTRACTION_NAME(density)(const struct weir_stage_view *view, int parity, int row_begin, int row_end) {
    const int nx = view->block.extent[0][1], ny = view->block.extent[1][1];
    for (int row = row_begin; row < row_end; row++)
        for (int x = 0; x < nx; x++)
            density_of_cell(view, parity, x, row % ny, row / ny);
}

void ATTRACTION_NAME(collide_stream)(const struct weir_stage_view *view, int parity, int row_begin,
                                     int row_end) {
    const struct relaxation relaxation = relaxation_of(view->fluid);
    const int nx = view->block.extent[0][1], ny = view->block.extent[1][1];
    for (int row = row_begin; row < row_end; row++)
        for (int x = 0; x < nx; x++)
            collide_stream_cell(view, &relaxation, parity, x, row % ny, row / ny);
}
