#include "graph/problem/links.h"

#include "codelets/kernels/cells/flag_array.h"
#include "codelets/kernels/cells/precisions.h"
#include "graph/base/error.h"
#include "graph/base/parallel.h"
#include "graph/problem/fluid_estimate.h"
#include "graph/problem/known_counts.h"
#include "graph/problem/surface.h"

#include <math.h>
#include <stdatomic.h>
#include <stdlib.h>

bool weir_problem_has_links(const struct weir_problem *problem) {
    for (int wall = WEIR_FIRST_BODY; wall < problem->wall_count; wall++)
        if (problem->walls[wall].links)
            return true;
    return false;
}

bool weir_links_possible(const struct weir_problem *problem, const struct weir_box *block) {
    for (int k = 0; k < problem->shape_count; k++) {
        const struct weir_shape *shape = &problem->shapes[k];
        if (problem->walls[shape->wall].links && weir_geometry_touches(problem, shape, block))
            return true;
    }
    return false;
}

/* A block's cells by their flags. */
struct flagged {
    const struct weir_problem *problem;
    const struct weir_lattice_table *lattice;
    const uint8_t *flags;
    struct weir_flag_array array;
};

static struct flagged flagged_of(const struct weir_problem *problem, const int extent[3],
                                 const uint8_t *flags) {
    const struct weir_lattice_table *lattice = weir_lattice_table((int)problem->lattice);
    return (struct flagged){problem, lattice, flags, weir_flag_array(lattice, extent)};
}

static const uint8_t *flag_of(const struct flagged *f, const int cell[3]) {
    return f->flags + weir_flag_place(&f->array, cell[0], cell[1], cell[2]);
}

/* The wall that a cell of the block meets along direction i; 0 where there is none. */
static int wall_along(const struct flagged *f, const int cell[3], int i) {
    const uint8_t flag = flag_of(f, cell)[weir_flag_distance(&f->array, f->lattice->velocity[i])];
    return weir_flag_is_fluid(flag) ? 0 : flag;
}

/* Entries that the table has of a cell: one for each direction that meets a wall, where one of these has
 * values of its own. */
static int entries_of(const struct flagged *f, const int cell[3]) {
    int walls = 0;
    bool links = false;
    if (*flag_of(f, cell) != WEIR_NEAR_OPEN)
        return 0;
    for (int i = 1; i < f->lattice->populations; i++) {
        const int wall = wall_along(f, cell, i);
        walls += wall > 0;
        links = links || f->problem->walls[wall].links;
    }
    return links ? walls : 0;
}

/* Runs over the cells of a block's slice. */
#define FOR_SLICE(extent, z, cell)                                    \
    for (int cell[3] = {0, 0, (z)}; cell[1] < (extent)[1]; cell[1]++) \
        for (cell[0] = 0; cell[0] < (extent)[0]; cell[0]++)

/* Of a block with these flags. */
static struct weir_link_counts links_of_flags(const struct weir_problem *problem, const int extent[3],
                                              const uint8_t *flags) {
    const struct flagged f = flagged_of(problem, extent, flags);
    struct weir_link_counts counts = {0, 0};
    for (int z = 0; z < extent[2]; z++)
        FOR_SLICE(extent, z, cell) {
            const int entries = entries_of(&f, cell);
            counts.cells += entries > 0;
            counts.entries += entries;
        }
    return counts;
}

/* Slabs of a block, whose links are counted by several threads. */
struct slabs {
    const struct weir_problem *problem;
    const struct weir_box *block;
    int axis, thickness;
    atomic_llong cells, entries;
    atomic_bool failed; /* for want of memory */
};

static void count_slab(void *context, int k) {
    struct slabs *s = context;
    struct weir_box slab = *s->block;
    const int left = slab.extent[s->axis] - k * s->thickness;
    slab.origin[s->axis] += k * s->thickness;
    slab.extent[s->axis] = left < s->thickness ? left : s->thickness;
    uint8_t *flags =
        malloc(weir_layout_ringed_cells(weir_lattice_table((int)s->problem->lattice), slab.extent));
    if (flags && weir_geometry_flags(s->problem, &slab, flags) >= 0) {
        const struct weir_link_counts counts = links_of_flags(s->problem, slab.extent, flags);
        atomic_fetch_add(&s->cells, counts.cells);
        atomic_fetch_add(&s->entries, counts.entries);
    } else {
        atomic_store(&s->failed, true);
    }
    free(flags);
}

static int count_slabs(const struct weir_problem *problem, const struct weir_box *block,
                       struct weir_link_counts *counts) {
    enum { CELLS = 32768 }; /* worth a thread */
    const double worth = ceil((double)weir_box_cells(block) / CELLS);
    const int threads = (int)fmin(worth, weir_parallel_cores()), axis = block->extent[2] > 1 ? 2 : 1;
    struct slabs s = {.problem = problem,
                      .block = block,
                      .axis = axis,
                      .thickness = weir_parallel_slab(block->extent[axis], threads)};
    weir_parallel(threads, (block->extent[axis] + s.thickness - 1) / s.thickness, count_slab, &s);
    *counts = (struct weir_link_counts){.cells = s.cells, .entries = s.entries};
    return s.failed ? weir_fail(WEIR_FAILED, "out of memory while looking for the links of solids") : 0;
}

int weir_links_count(const struct weir_problem *problem, const struct weir_box *block,
                     struct weir_link_counts *counts) {
    const struct weir_counted_box counted = {
        .what = WEIR_COUNTED_LINKS, .lattice = (int)problem->lattice, .box = *block};
    struct weir_counted_numbers numbers;
    *counts = (struct weir_link_counts){0, 0};
    if (!weir_links_possible(problem, block))
        return 0;
    if (weir_known_counts_find(problem->known, &counted, &numbers)) {
        *counts = (struct weir_link_counts){.cells = numbers.of[0], .entries = numbers.of[1]};
        return 0;
    }
    WEIR_TRY(count_slabs(problem, block, counts));
    numbers = (struct weir_counted_numbers){{counts->cells, counts->entries}};
    weir_known_counts_add(problem->known, &counted, &numbers);
    return 0;
}

/* Cells that lie along the surface of a shape within a block, at most: those of its bounding box's surface.
 */
static double cells_along(const struct weir_problem *problem, const struct weir_shape *shape,
                          const struct weir_box *block) {
    double side[3], area = 0;
    weir_geometry_extent(problem, shape, block, side);
    if (weir_lattice_dimensions(problem->lattice) == 2)
        return 2 * (side[0] + side[1]);
    for (int axis = 0; axis < 3; axis++)
        area += 2 * side[axis] * side[(axis + 1) % 3];
    return area;
}

struct weir_link_counts weir_links_estimate(const struct weir_problem *problem,
                                            const struct weir_box *block) {
    struct weir_link_counts counts = {0, 0};
    double cells = 0;
    if (!weir_links_possible(problem, block) ||
        (weir_fluid_sample_distance(problem) == 1 && weir_links_count(problem, block, &counts) == 0))
        return counts;
    for (int k = 0; k < problem->shape_count; k++)
        if ((problem->walls[problem->shapes[k].wall].links || weir_shape_is_hollow(&problem->shapes[k])) &&
            weir_geometry_touches(problem, &problem->shapes[k], block))
            cells += cells_along(problem, &problem->shapes[k], block);
    counts.cells = (int64_t)fmin(ceil(cells), (double)weir_box_cells(block));
    counts.entries = counts.cells * (weir_lattice_table((int)problem->lattice)->populations / 3);
    return counts;
}

void weir_wall_link(const struct weir_shapes *near, int wall, const int cell[3], int i,
                    struct weir_wall_link *link) {
    const struct weir_problem *problem = near->problem;
    const int *c = weir_lattice_table((int)problem->lattice)->velocity[i];
    const struct weir_wall *w = &problem->walls[wall];
    int end[3], way[3]; /* the link's mirror image, where it ends in a body's */
    double arm[3];
    for (int axis = 0; axis < 3; axis++) {
        const int n = problem->cells[axis];
        end[axis] = problem->periodic[axis] ? (cell[axis] + c[axis] + n) % n : cell[axis] + c[axis];
        way[axis] = c[axis];
        if (w->rule == WEIR_RULE_INTERPOLATED_WALL && (end[axis] < 0 || end[axis] >= n)) {
            end[axis] = cell[axis];
            way[axis] = -c[axis];
        }
    }
    link->share = w->rule == WEIR_RULE_INTERPOLATED_WALL ? weir_surface_share(near, wall, end, way) : 0.5;
    for (int axis = 0; axis < 3; axis++)
        arm[axis] =
            weir_geometry_distance(problem, axis, w->center[axis], cell[axis] + 0.5) + link->share * c[axis];
    weir_wall_velocity(w, arm, link->velocity);
}

/* Values of a link from a cell of the domain along direction i to a wall: numerics.md (N38). */
static void link_values(const struct weir_shapes *near, int wall, const int cell[3], int i,
                        double values[WEIR_LINK_VALUES]) {
    const struct weir_problem *problem = near->problem;
    const struct weir_lattice_table *lattice = weir_lattice_table((int)problem->lattice);
    struct weir_wall_link link;
    double along = 0;
    weir_wall_link(near, wall, cell, i, &link);
    for (int axis = 0; axis < 3; axis++)
        along += lattice->velocity[i][axis] * link.velocity[axis];
    const double q = link.share, beyond_half = q > 0.5 ? 1 / (2 * q) : 1;
    values[WEIR_LINK_SHARE] = q > 0.5 ? 1 - beyond_half : 2 * q - 1;
    values[WEIR_LINK_MOMENTUM] =
        2 * lattice->inverse_cs2 * lattice->weight[i] * weir_problem_inertia(problem) * along * beyond_half;
}

/* The entries of a cell. */
static int64_t fill_cell(const struct flagged *f, const struct weir_shapes *near,
                         const struct weir_box *block, const int cell[3], int64_t entry, void *values) {
    int there[3];
    for (int axis = 0; axis < 3; axis++)
        there[axis] = block->origin[axis] + cell[axis];
    for (int i = 1; i < f->lattice->populations; i++) {
        const int wall = wall_along(f, cell, i);
        double of_link[WEIR_LINK_VALUES] = {0};
        if (wall == 0)
            continue;
        if (f->problem->walls[wall].links)
            link_values(near, wall, there, i, of_link);
        for (int k = 0; k < WEIR_LINK_VALUES; k++)
            weir_real_write(f->problem->precision, values, (size_t)(WEIR_LINK_VALUES * entry + k),
                            of_link[k]);
        entry++;
    }
    return entry;
}

/* Rows along y of a block's slices, whose entries are filled one after the other: each slice's where those
 * before it end. */
struct filling {
    const struct weir_problem *problem;
    const struct weir_box *block;
    const struct weir_shapes *near;
    struct flagged flagged;
    struct weir_link_group *table;
    uint32_t *first;
    void *values;
    struct weir_link_counts *before; /* [slices + 1]: of the slices before each */
};

static void count_slice(void *context, int z) {
    struct filling *f = context;
    struct weir_link_counts counts = {0, 0};
    FOR_SLICE(f->block->extent, z, cell) {
        const int entries = entries_of(&f->flagged, cell);
        counts.cells += entries > 0;
        counts.entries += entries;
    }
    f->before[z + 1] = counts;
}

static void fill_slice(void *context, int z) {
    struct filling *f = context;
    const int *extent = f->block->extent, groups = weir_link_groups(extent[0]);
    uint32_t cells = (uint32_t)f->before[z].cells;
    int64_t entry = f->before[z].entries;
    FOR_SLICE(extent, z, cell) {
        struct weir_link_group *const group =
            &f->table[(cell[2] * extent[1] + cell[1]) * groups + cell[0] / WEIR_LINK_GROUP_CELLS];
        if (cell[0] % WEIR_LINK_GROUP_CELLS == 0)
            *group = (struct weir_link_group){.first = cells};
        if (entries_of(&f->flagged, cell) == 0)
            continue;
        group->linked |= UINT32_C(1) << cell[0] % WEIR_LINK_GROUP_CELLS;
        f->first[cells++] = (uint32_t)entry;
        entry = fill_cell(&f->flagged, f->near, f->block, cell, entry, f->values);
    }
}

int weir_links_fill(const struct weir_problem *problem, const struct weir_box *block,
                    const struct weir_block_layout *layout, int threads, void *geometry) {
    char *const bytes = geometry;
    const int slices = block->extent[2];
    struct weir_shapes near;
    WEIR_TRY(weir_geometry_shapes_near(problem, block, &near));
    struct filling f = {.problem = problem,
                        .block = block,
                        .near = &near,
                        .flagged = flagged_of(problem, block->extent, geometry),
                        .table = (struct weir_link_group *)(bytes + layout->link_groups),
                        .first = (uint32_t *)(bytes + layout->link_first),
                        .values = bytes + layout->link_values,
                        .before = calloc((size_t)slices + 1, sizeof *f.before)};
    if (f.before) {
        weir_parallel(threads, slices, count_slice, &f);
        for (int z = 0; z < slices; z++) {
            f.before[z + 1].cells += f.before[z].cells;
            f.before[z + 1].entries += f.before[z].entries;
        }
        weir_parallel(threads, slices, fill_slice, &f);
    }
    const bool ready = f.before;
    free(near.list);
    free(f.before);
    return ready ? 0 : weir_fail(WEIR_FAILED, "out of memory for the links of solids");
}
