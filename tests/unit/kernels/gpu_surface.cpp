/* What a GPU does with a free surface, on a CPU (gpu_threads.h). Compiled once per variant. */
#include "tests/unit/kernels/gpu_threads.h"

/* Names of the text that other variants have, too. */
#define follow_surface_rows WEIR_NAME(follow_surface_rows)
#define count_surface_mass WEIR_NAME(count_surface_mass)
#define convert_surface_cells WEIR_NAME(convert_surface_cells)
#define forget_surface_rows WEIR_NAME(forget_surface_rows)
#define settle_surface_flags WEIR_NAME(settle_surface_flags)
#define pull_surface_cells WEIR_NAME(pull_surface_cells)
extern "C" {
#include "codelets/kernels/lattice/lattice.h"
}
#include "codelets/kernels/free_surface.cu"
#if WITH_BUBBLES
#define spread_gas_to_cells WEIR_NAME(spread_gas_to_cells)
#include "codelets/kernels/bubbles.cu"
#endif

static const weir_block_view *block;
static const weir_surface_view *surface;
static int together, parity_of_step;

/* Thread blocks that take so many rows, `most` at most, or of which each thread has one. How many is left to
 * chance: as launches.c has them, blocks as small as those of tests are taken row by row. */
static void launch_along_rows(int rows, int most, void (*text)()) {
    static uint32_t random;
    random = random * 1664525u + 1013904223u;
    together = most >> (random >> 29);
    together = together > 0 ? together : 1;
    blockDim.x = WEIR_ROW_THREADS;
    for (blockIdx.x = 0; (int)blockIdx.x * together < rows; blockIdx.x++)
        run_thread_block(WEIR_ROW_THREADS, text);
}

static void launch_by_rows(int rows, void (*text)()) {
    blockDim.x = WEIR_ROW_THREADS;
    for (blockIdx.x = 0; (int)blockIdx.x * WEIR_ROW_THREADS < rows; blockIdx.x++)
        run_thread_block(WEIR_ROW_THREADS, text);
}

static int rows_of_block() {
    return block->extent[1][1] * block->extent[2][1];
}

/* These are weir_surface_cpu; all of the block with its first row. */
extern "C" void WEIR_NAME(gpu_surface_mass)(const weir_block_view *b, const weir_surface_view *s, int parity,
                                            int row_begin, int) {
    if (row_begin != 0)
        return;
    block = b;
    surface = s;
    parity_of_step = parity;
    if (parity)
        launch_by_rows(rows_of_block(), [] { follow_surface_rows(*block, *surface); });
    launch_along_rows(rows_of_block(), WEIR_ROWS_SHARED,
                      [] { count_surface_mass(*block, *surface, together, parity_of_step); });
}

extern "C" void WEIR_NAME(gpu_surface_cells)(const weir_block_view *b, const weir_surface_view *s, int,
                                             int row_begin, int) {
    if (row_begin != 0)
        return;
    block = b;
    surface = s;
    launch_along_rows(rows_of_block(), WEIR_ROWS_SHARED,
                      [] { convert_surface_cells(*block, *surface, together); });
}

extern "C" void WEIR_NAME(gpu_surface_flags)(const weir_block_view *b, const weir_surface_view *s, int,
                                             int row_begin, int) {
    if (row_begin != 0)
        return;
    block = b;
    surface = s;
    const int all = (b->extent[1][1] + 2) * (b->extent[2][1] + 2 * DEEP);
    launch_by_rows(all, [] { forget_surface_rows(*block, *surface); });
    launch_along_rows(all, WEIR_ROWS_SHARED, [] { settle_surface_flags(*block, *surface, together); });
    if (WITH_TENSION)
        launch_along_rows(rows_of_block(), WEIR_ROWS_GATHERED,
                          [] { pull_surface_cells(*block, *surface, together); });
}

extern "C" void WEIR_NAME(gpu_gas_spread)(const weir_block_view *b, const weir_surface_view *s, int,
                                          int row_begin, int) {
#if WITH_BUBBLES
    if (row_begin != 0)
        return;
    block = b;
    surface = s;
    blockDim.x = WEIR_ROW_THREADS;
    blockDim.y = 1;
    for (blockIdx.z = 0; (int)blockIdx.z < b->extent[2][1]; blockIdx.z++)
        for (blockIdx.y = 0; (int)blockIdx.y < b->extent[1][1]; blockIdx.y++)
            for (blockIdx.x = 0; (int)blockIdx.x * WEIR_ROW_THREADS < b->extent[0][1]; blockIdx.x++)
                run_thread_block(WEIR_ROW_THREADS, [] { spread_gas_to_cells(*block, *surface); });
    blockIdx.y = blockIdx.z = 0;
#else
    (void)b, (void)s, (void)row_begin;
#endif
}
