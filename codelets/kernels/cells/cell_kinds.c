#include "codelets/kernels/cells/cell_kinds.h"

#include "codelets/kernels/cells/list_tables.h"

const struct weir_cell_kind_row weir_cell_kinds[WEIR_CELL_KIND_COUNT] = {
    /* Solid cells of bricks, in blocks of which four fifths were solid: 0.25 of a fluid cell on a team, 0.33
     * on two cores, 0.48 on an H100. Cells beside walls take 3 to 4 times as long as others in bricks on two
     * cores of an AMD EPYC (weir calibrate, D3Q19 TRT single). Fluid cells of lists, of D3Q19 on a core, in
     * fluid cells of bricks without solids: 1.2 where all are fluid, 1.7 where a quarter is solid, 2 where
     * two thirds are; on an H200 1.2 and 1.3. */
    [WEIR_BRICK] = {.name = "brick", .together = 1, .cost = {.fluid = 1, .wall = 2.5, .solid = 0.3}},
    [WEIR_LIST] = {.name = "list",
                   .together = WEIR_LISTED_TOGETHER,
                   .table_bytes = weir_list_table_bytes,
                   .fill_tables = weir_list_tables_fill,
                   .cost = {.fluid = 1.2, .wall = 3, .solid = 0.3}},
};

struct weir_kept_cells weir_kept_cells(enum weir_cell_kind kind, int64_t cells, int64_t fluid) {
    return (struct weir_kept_cells){.kind = kind, .count = kind == WEIR_LIST ? fluid : cells};
}
