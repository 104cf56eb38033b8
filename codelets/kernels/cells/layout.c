#include "codelets/kernels/cells/layout.h"

#include "codelets/kernels/boundary/boundary_rules.h"
#include "codelets/kernels/cells/list_tables.h"
#include "codelets/kernels/totals.h"

enum { LINE = 128 };

static size_t round_up(size_t bytes, size_t to) {
    return (bytes + to - 1) / to * to;
}

size_t weir_layout_stride(size_t cells, size_t real_size) {
    size_t lines = round_up(cells * real_size, LINE) / LINE;
    return (lines | 1) * LINE / real_size;
}

/* Values of the cells kept, for each direction. */
static size_t stride_of(const struct weir_kept_cells *kept, size_t real_size) {
    const int together = weir_cell_kinds[kept->kind].together;
    return together > 1 ? round_up(kept->count > 0 ? (size_t)kept->count : 1, (size_t)together)
                        : weir_layout_stride((size_t)kept->count, real_size);
}

/* Planes whose step may be under way at once where moments are kept: as asked for; of large blocks, whose
 * memory counts, two times as many as a thread block takes, or so many more that they have the cells with
 * which few thread blocks wait for others (docs/measured/2026-11-28-moments-in-place.md); all of others, and
 * where nothing is saved. */
static int planes_at_once(const int extent[3], int asked) {
    enum { PLANES = 64, BUSY = 1 << 24, LARGE = 1 << 25 };
    const int64_t plane = (int64_t)extent[0] * extent[1], busy = (BUSY - 1) / plane + 1,
                  chosen = plane * extent[2] < LARGE ? extent[2]
                           : busy > PLANES           ? busy
                                                     : PLANES,
                  planes = asked > 0 ? asked : chosen;
    return planes < extent[2] - 1 ? (int)planes : extent[2];
}

/* What a block has that keeps moments. From one copy to the other it is one plane more than are stepped at
 * once, as these need the next one, too. */
static void lay_out_moments(struct weir_moment_sizes moments, const int extent[3], size_t stored_size,
                            struct weir_block_layout *layout) {
    layout->planes_at_once = planes_at_once(extent, moments.planes_at_once);
    const bool shared = layout->planes_at_once < extent[2];
    layout->stride = (size_t)(layout->planes_at_once + shared) * weir_kept_plane(extent);
    const size_t end =
        round_up(weir_kept_values(moments.numbers, extent, layout->stride) * stored_size, LINE);
    layout->progress = shared ? end : 0;
    layout->flow = end + (shared ? round_up(weir_progress_bytes(extent[2]), LINE) : 0);
}

size_t weir_layout_populations_bytes(const struct weir_lattice_table *lattice,
                                     const struct weir_kept_cells *kept, size_t real_size) {
    return (size_t)lattice->populations * stride_of(kept, real_size) * real_size;
}

size_t weir_layout_profile_cells(const int extent[3], int face) {
    const int axis = face / 2;
    return (size_t)(extent[(axis + 1) % 3] + 2) * (size_t)(extent[(axis + 2) % 3] + 2);
}

size_t weir_layout_ringed_cells(const struct weir_lattice_table *lattice, const int extent[3]) {
    size_t cells = 1;
    for (int axis = 0; axis < 3; axis++)
        cells *= (size_t)(extent[axis] + 2 * weir_lattice_ring(lattice, axis));
    return cells;
}

struct weir_block_layout weir_layout_block(const struct weir_lattice_table *lattice,
                                           struct weir_moment_sizes moments, const int extent[3],
                                           struct weir_kept_cells kept, size_t stored_size, size_t real_size,
                                           int boundaries, int flows,
                                           const struct weir_profile_sizes *profiles, bool scalar,
                                           bool wetted) {
    const struct weir_cell_kind_row *kind = &weir_cell_kinds[kept.kind];
    struct weir_block_layout layout = {.kept = kept,
                                       .stride = stride_of(&kept, stored_size),
                                       .planes_at_once = extent[2],
                                       .boundaries = boundaries,
                                       .flows = flows,
                                       .varying = profiles->varying,
                                       .varying_bytes = LINE};
    if (moments.numbers > 0)
        lay_out_moments(moments, extent, stored_size, &layout);
    else
        layout.flow = (size_t)lattice->populations * layout.stride * stored_size;
    layout.populations_bytes = layout.flow + (size_t)flows * sizeof(struct weir_boundary_flow);
    layout.values = round_up(weir_layout_ringed_cells(lattice, extent), LINE);
    layout.wetting = layout.values + (size_t)boundaries * WEIR_KERNEL_VALUES * real_size;
    layout.scalar_values = layout.wetting + (wetted ? (size_t)boundaries * real_size : 0);
    layout.rows =
        round_up(layout.scalar_values + (scalar ? (size_t)boundaries * WEIR_SCALAR_VALUES * real_size : 0),
                 _Alignof(struct weir_boundary_row));
    layout.geometry_bytes = layout.rows + (size_t)boundaries * sizeof(struct weir_boundary_row);
    for (int face = 0; face < WEIR_FACES; face++)
        if (profiles->values[face] > 0) {
            size_t *const bytes = layout.varying >> face & 1 ? &layout.varying_bytes : &layout.geometry_bytes;
            layout.profile[face] = round_up(*bytes, LINE);
            *bytes = layout.profile[face] +
                     (size_t)profiles->values[face] * real_size * weir_layout_profile_cells(extent, face);
        }
    if (layout.varying & WEIR_VARYING_BODIES) {
        layout.varying_values = round_up(layout.varying_bytes, LINE);
        layout.varying_scalar_values =
            layout.varying_values + (size_t)boundaries * WEIR_KERNEL_VALUES * real_size;
        layout.varying_bytes =
            layout.varying_scalar_values + (scalar ? (size_t)boundaries * WEIR_SCALAR_VALUES * real_size : 0);
    }
    size_t bytes[WEIR_CELL_TABLES] = {0};
    if (kind->table_bytes)
        kind->table_bytes(lattice, extent, kept.count, bytes);
    for (int table = 0; table < WEIR_CELL_TABLES && kind->table_bytes; table++) {
        layout.table[table] = round_up(layout.geometry_bytes, LINE);
        layout.geometry_bytes = layout.table[table] + bytes[table];
    }
    return layout;
}

void weir_layout_add_links(struct weir_block_layout *layout, const int extent[3],
                           struct weir_link_counts counts, size_t real_size) {
    layout->link_groups = round_up(layout->geometry_bytes, LINE);
    layout->link_values = round_up(layout->link_groups + weir_link_groups_bytes(extent), LINE);
    layout->link_first = layout->link_values + (size_t)counts.entries * WEIR_LINK_VALUES * real_size;
    layout->geometry_bytes = layout->link_first + (size_t)counts.cells * sizeof(uint32_t);
}

void weir_layout_add_bodies(struct weir_block_layout *layout, const struct weir_lattice_table *lattice,
                            const int extent[3]) {
    layout->bodies_of = round_up(layout->geometry_bytes, LINE);
    layout->geometry_bytes = layout->bodies_of + weir_layout_ringed_cells(lattice, extent);
}

void weir_layout_open(const struct weir_block_layout *layout, void *populations, const void *geometry,
                      const void *varying, struct weir_block_view *view) {
    const char *const bytes = geometry;
    view->populations = populations;
    view->stride = layout->stride;
    view->planes_at_once = layout->planes_at_once;
    view->progress = layout->progress > 0 ? (uint32_t *)((char *)populations + layout->progress) : NULL;
    view->kept = (int)layout->kept.count;
    view->flow = layout->flows > 0 ? (struct weir_boundary_flow *)((char *)populations + layout->flow) : NULL;
    view->flows = layout->flows;
    view->boundaries = layout->boundaries;
    view->bodies = layout->bodies;
    view->open_within = layout->open_within;
    view->flags = geometry;
    view->bodies_of = layout->bodies_of > 0 ? (const uint8_t *)geometry + layout->bodies_of : NULL;
    const bool varies = varying && layout->varying & WEIR_VARYING_BODIES;
    view->boundary_values = varies ? (const char *)varying + layout->varying_values : bytes + layout->values;
    view->wetting = bytes + layout->wetting;
    view->scalar_values =
        varies ? (const char *)varying + layout->varying_scalar_values : bytes + layout->scalar_values;
    view->boundary_rows = (const struct weir_boundary_row *)(bytes + layout->rows);
    for (int face = 0; face < WEIR_FACES; face++)
        view->profile[face] =
            layout->profile[face] == 0
                ? NULL
                : (layout->varying >> face & 1 ? (const char *)varying : bytes) + layout->profile[face];
    view->links = (struct weir_links){.groups = NULL};
    if (layout->link_groups > 0)
        view->links =
            (struct weir_links){(const struct weir_link_group *)(bytes + layout->link_groups),
                                (const uint32_t *)(bytes + layout->link_first), bytes + layout->link_values};
    view->list = weir_cell_list_in(geometry, layout->table);
}
