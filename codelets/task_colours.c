#include "codelets/task_colours.h"

#include <stddef.h>
#include <string.h>

/* Okabe and Ito's colours, which people with any colour vision can tell apart, for what takes time; lighter
 * or darker ones of the same hue for what comes with it. */
static const struct {
    const char *kind;
    uint32_t colour;
} table[] = {
    {"collide_stream", 0x0072b2},
    {"totals", 0xe69f00},
    {"combine_totals", 0xf3cf80},
    {"report_totals", 0xb37c00},
    {"macroscopic", 0x009e73},
    {"output_begin", 0x7fceb9},
    {"output_put", 0x56b4e9},
    {"output_finish", 0x00634a},
    {"velocity_change", 0xcc79a7},
    {"combine_change", 0xe5bcd3},
    {"report_change", 0x99456f},
    {"zero", 0xf0e442},
    {"digest", 0xd55e00},
    {"initialise", 0xf0e442},
    {"geometry", 0x8a8f9a},
    {"pack", 0xea9e60},
    {"unpack", 0x8a3d00},
    {"add_totals", 0xffe0a3},
    {"add_change", 0xf3dcea},
    {"initial_values", 0xf0e442},
    {"sample", 0x009e73},
    {"probe_put", 0x56b4e9},
    {"output_lend", 0x56b4e9},
    {"probe_finish", 0x00634a},
    {"pseudopotential", 0x66a5d1},
    {"snapshot", 0x009e73},
    {"read_checkpoint", 0xf0e442},
    {"solid_values", 0x009e73},
    {"velocity_field", 0x66a5d1},
    {"velocity_gradient", 0x004b75},
    {"add_to_time_sums", 0x009e73},
    {"copy_time_sums", 0x009e73},
    {"restore_time_sums", 0xf0e442},
    {"read_time_sums", 0xf0e442},
    {"surface_mass", 0x3c8dbc},
    {"surface_states", 0x3c8dbc},
    {"surface_cells", 0x8fc1de},
    {"surface_flags", 0x1f5f8b},
    {"gas_pieces", 0x7fb7a8},
    {"gas_links", 0x7fb7a8},
    {"gas_spread", 0x3f8f7c},
    {"gather_gas", 0xbfd9d2},
    {"join_gas", 0xbfd9d2},
    {"add_gas", 0xbfd9d2},
    {"finish_gas", 0xbfd9d2},
    {"tell_gas", 0xbfd9d2},
    {"bring", 0xea9e60},
    {"put_back", 0x8a3d00},
};

uint32_t weir_task_colour(const char *kind) {
    for (size_t k = 0; k < sizeof table / sizeof *table; k++)
        if (strcmp(table[k].kind, kind) == 0)
            return table[k].colour;
    return 0x8a8f9a;
}
