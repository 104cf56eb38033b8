#include "codelets/kernels/cells/site_layout.h"

#include "codelets/kernels/cells/layout.h"

#include <string.h>

static int round_up(int count, int to) {
    return (count + to - 1) / to * to;
}

void weir_site_layout_make(const struct weir_lattice_table *lattice, const int cells[3], bool together,
                           int cluster, size_t number_bytes, struct weir_site_layout *l) {
    *l = (struct weir_site_layout){.together = together,
                                   .cluster = cluster,
                                   .populations = lattice->populations,
                                   .clusters = cells[0] / cluster};
    for (int axis = 0; axis < 3; axis++) {
        l->cells[axis] = cells[axis];
        l->margin[axis] = axis < lattice->dimensions ? lattice->reach : 0;
    }
    /* Rows of an array begin with a vector. */
    const int aligned = together || cluster >= WEIR_LAYOUT_GRAIN ? 1 : WEIR_LAYOUT_GRAIN / cluster;
    const int before = round_up(l->margin[0], aligned);
    l->row = round_up(before + l->clusters + l->margin[0], aligned);
    l->plane = l->row * (cells[1] + 2 * l->margin[1]);
    l->first = before + l->margin[1] * l->row + l->margin[2] * l->plane;
    const size_t all = (size_t)(l->plane * (cells[2] + 2 * l->margin[2]));
    l->step = (together ? l->populations : 1) * cluster;
    /* As the arrays of blocks are, so that streams fall into different cache sets. */
    l->array = together ? cluster : (ptrdiff_t)weir_layout_stride(all * (size_t)cluster, number_bytes);
    l->numbers = together ? all * (size_t)l->step : (size_t)(l->populations * l->array);
}

const char *weir_site_layout_name(bool together, int cluster) {
    if (cluster == 1)
        return together ? "AoS" : "SoA";
    return together ? "CAoSoA" : "CSoA";
}

bool weir_site_layout_in_lines(bool together, int cluster, size_t number_bytes) {
    return !together || (size_t)cluster * number_bytes % 64 == 0;
}

/* Number of population i of a cell, in an array. */
static size_t place_of(const struct weir_site_layout *l, int i, int x, int y, int z) {
    const ptrdiff_t cluster = l->first + z * l->plane + y * l->row + x % l->clusters;
    return (size_t)(i * l->array + cluster * l->step + x / l->clusters);
}

/* All populations, number by number: into the layout's array, or out of it. */
static void move(const struct weir_site_layout *l, size_t size, bool into, char *natural, char *data) {
    for (int i = 0; i < l->populations; i++)
        for (int z = 0; z < l->cells[2]; z++)
            for (int y = 0; y < l->cells[1]; y++)
                for (int x = 0; x < l->cells[0]; x++, natural += size) {
                    char *const placed = data + place_of(l, i, x, y, z) * size;
                    memcpy(into ? placed : natural, into ? natural : placed, size);
                }
}

void weir_site_layout_put(const struct weir_site_layout *l, size_t size, const void *natural, void *data) {
    move(l, size, true, (char *)natural, data);
}

void weir_site_layout_get(const struct weir_site_layout *l, size_t size, const void *data, void *natural) {
    move(l, size, false, natural, (char *)data);
}

static int wrapped(int place, int cells) {
    return (place % cells + cells) % cells;
}

/* The numbers of a cluster of the margin, place j of its row. */
static void fill_cluster(const struct weir_site_layout *l, size_t size, int j, int y, int z, char *data) {
    const int y_from = wrapped(y, l->cells[1]), z_from = wrapped(z, l->cells[2]);
    for (int i = 0; i < l->populations; i++)
        for (int k = 0; k < l->cluster; k++) {
            const size_t from = place_of(l, i, wrapped(k * l->clusters + j, l->cells[0]), y_from, z_from);
            const ptrdiff_t to = i * l->array + (l->first + z * l->plane + y * l->row + j) * l->step + k;
            memcpy(data + (size_t)to * size, data + from * size, size);
        }
}

void weir_site_layout_fill_margin(const struct weir_site_layout *l, size_t size, void *data) {
    const int n = l->clusters, before = l->margin[0];
    for (int z = -l->margin[2]; z < l->cells[2] + l->margin[2]; z++)
        for (int y = -l->margin[1]; y < l->cells[1] + l->margin[1]; y++) {
            const bool inside = y >= 0 && y < l->cells[1] && z >= 0 && z < l->cells[2];
            for (int j = -before; j < n + before; j++)
                if (!inside || j < 0 || j >= n)
                    fill_cluster(l, size, j, y, z, data);
        }
}
