#include "codelets/kernels/layout.h"

enum { LINE = 128 };

static size_t round_up(size_t bytes, size_t to) {
    return (bytes + to - 1) / to * to;
}

size_t weir_layout_stride(size_t cells, size_t real_size) {
    size_t lines = round_up(cells * real_size, LINE) / LINE;
    return (lines | 1) * LINE / real_size;
}

size_t weir_layout_populations_bytes(const struct weir_lattice_table *lattice, const int extent[3],
                                     size_t real_size) {
    size_t cells = (size_t)extent[0] * (size_t)extent[1] * (size_t)extent[2];
    return (size_t)lattice->populations * weir_layout_stride(cells, real_size) * real_size;
}

size_t weir_layout_walls_offset(const int extent[3]) {
    return round_up((size_t)(extent[0] + 2) * (size_t)(extent[1] + 2) * (size_t)(extent[2] + 2), LINE);
}

size_t weir_layout_geometry_bytes(const int extent[3], int wall_count, size_t real_size) {
    return weir_layout_walls_offset(extent) + (size_t)wall_count * 3 * real_size;
}
