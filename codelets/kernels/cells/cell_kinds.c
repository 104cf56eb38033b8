#include "codelets/kernels/cells/cell_kinds.h"

#include "codelets/kernels/cells/block_view.h"

static void fill_list_table(const struct weir_lattice_table *lattice, const int extent[3],
                            const uint8_t *flags, void *table) {
    struct weir_cell_group *group = table;
    const int ring[3] = {weir_lattice_ring(lattice, 0), weir_lattice_ring(lattice, 1),
                         weir_lattice_ring(lattice, 2)};
    const size_t row = (size_t)(extent[0] + 2 * ring[0]), rows = (size_t)(extent[1] + 2 * ring[1]);
    uint32_t count = 0;
    for (int z = 0; z < extent[2]; z++)
        for (int y = 0; y < extent[1]; y++) {
            const uint8_t *flag =
                flags + ((size_t)(z + ring[2]) * rows + (size_t)(y + ring[1])) * row + ring[0];
            for (int x = 0; x < extent[0]; x++) {
                if (x % WEIR_GROUP_CELLS == 0)
                    group[x / WEIR_GROUP_CELLS] = (struct weir_cell_group){.first = count};
                const uint32_t fluid = flag[x] == WEIR_FLUID || flag[x] >= WEIR_NEAR_WALL;
                group[x / WEIR_GROUP_CELLS].fluid |= fluid << x % WEIR_GROUP_CELLS;
                count += fluid;
            }
            group += weir_cell_groups(extent[0]);
        }
}

const struct weir_cell_kind_row weir_cell_kinds[WEIR_CELL_KIND_COUNT] = {
    /* Solid cells of bricks, in blocks of which four fifths were solid: 0.25 of a fluid cell on a team, 0.33
     * on two cores, 0.48 on an H100. Fluid cells of lists: 5.6 where all are fluid or a fifth is solid, 4.5
     * where half is, of D3Q19 on a core. */
    [WEIR_BRICK] = {.name = "brick", .fluid_cost = 1, .solid_cost = 0.3},
    [WEIR_LIST] = {.name = "list",
                   .table_bytes = weir_cell_groups_bytes,
                   .fill_table = fill_list_table,
                   .fluid_cost = 6,
                   .solid_cost = 0.3},
};

struct weir_kept_cells weir_kept_cells(enum weir_cell_kind kind, int64_t cells, int64_t fluid) {
    return (struct weir_kept_cells){.kind = kind, .count = kind == WEIR_LIST ? fluid : cells};
}
