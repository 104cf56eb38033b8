#include "codelets/kernels/cells/flag_array.h"
#include "graph/base/parallel.h"
#include "graph/problem/materials.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Whether there is a wall among the neighbours from `low` to `high` along each axis. */
static bool beside_wall(const uint8_t *flag, const struct weir_flag_array *array, const int low[3],
                        const int high[3]) {
    for (int z = low[2]; z <= high[2]; z++)
        for (int y = low[1]; y <= high[1]; y++)
            for (int x = low[0]; x <= high[0]; x++) {
                const uint8_t neighbour = flag[(z * array->rows + y) * array->row + x];
                if (!weir_flag_is_fluid(neighbour))
                    return true;
            }
    return false;
}

/* What matters of a wall to the cells beside it, and whether it may be covered. */
enum trait { IS_WALL = 1, IS_COUNTED = 2, IS_PART = 4, ACTS = 8, MAY_BE_COVERED = 16 };

/* Traits by flags: none of those of fluid cells. */
struct traits {
    uint8_t of[256];
};

static struct traits traits_of(const struct weir_problem *problem) {
    struct traits traits = {{0}};
    for (int wall = 1; wall < problem->wall_count; wall++) {
        const struct weir_wall *w = &problem->walls[wall];
        traits.of[wall] = (uint8_t)(IS_WALL | (weir_wall_is_counted(w) ? IS_COUNTED : 0) |
                                    (weir_wall_is_part(w) ? IS_PART : 0) | (weir_wall_acts(w) ? ACTS : 0) |
                                    (weir_wall_may_be_covered(w) ? MAY_BE_COVERED : 0));
    }
    return traits;
}

/* The traits of all walls around each cell of a row of the block, the cell's own among them. flag: of the
 * row's first cell. found[extent]; columns: with room for a row and its ring. */
static void traits_around(const struct traits *traits, const struct weir_flag_array *array,
                          const uint8_t *flag, int extent, uint8_t *columns, uint8_t *found) {
    const int ring = array->ring[0], cells = extent + 2 * ring;
    memset(columns, 0, (size_t)cells);
    for (int z = -array->ring[2]; z <= array->ring[2]; z++)
        for (int y = -array->ring[1]; y <= array->ring[1]; y++) {
            const uint8_t *row = flag + (z * array->rows + y) * array->row - ring;
            for (int x = 0; x < cells; x++)
                columns[x] |= traits->of[row[x]];
        }
    memset(found, 0, (size_t)extent);
    for (int shift = 0; shift <= 2 * ring; shift++)
        for (int x = 0; x < extent; x++)
            found[x] |= columns[x + shift];
}

/* Of a cell that has walls around it, whether one of them is in the domain. */
static bool beside_wall_within(const struct weir_problem *problem, const uint8_t *flag,
                               const struct weir_flag_array *array, const int cell[3]) {
    int low[3], high[3];
    bool at_end = false;
    for (int axis = 0; axis < 3; axis++) {
        const bool first = cell[axis] == 0 && !problem->periodic[axis],
                   last = cell[axis] == problem->cells[axis] - 1 && !problem->periodic[axis];
        low[axis] = first ? 0 : -array->ring[axis];
        high[axis] = last ? 0 : array->ring[axis];
        at_end = at_end || ((first || last) && array->ring[axis] > 0);
    }
    return !at_end || beside_wall(flag, array, low, high);
}

/* Whether one of the neighbours is part of a wall other than number `besides` that is counted, or acts. */
static bool beside_other_wall(const struct traits *traits, int besides, const uint8_t *flag,
                              const struct weir_flag_array *array) {
    for (int z = -array->ring[2]; z <= array->ring[2]; z++)
        for (int y = -array->ring[1]; y <= array->ring[1]; y++)
            for (int x = -array->ring[0]; x <= array->ring[0]; x++) {
                const uint8_t neighbour = flag[(z * array->rows + y) * array->row + x];
                if (neighbour != besides && traits->of[neighbour] & (IS_COUNTED | ACTS))
                    return true;
            }
    return false;
}

/* Whether a cell lies at one face of the domain alone, normal to y or z, and that is a mirror which turns all
 * that a cell has. */
static bool is_at_mirror(const struct weir_problem *problem, const int cell[3]) {
    int ends = 0, at = 0;
    for (int face = 0; face < 2 * weir_lattice_dimensions(problem->lattice); face++)
        if (!problem->periodic[face / 2] && cell[face / 2] == (face % 2 ? problem->cells[face / 2] - 1 : 0)) {
            ends++;
            at = face;
        }
    return ends == 1 && weir_face_mirrors_rows(problem, at);
}

/* The flag of a fluid cell beside walls that are counted. at_ends: all walls lie beyond faces at which the
 * domain ends. */
static uint8_t flag_near_open(const struct weir_problem *problem, const struct traits *traits,
                              const uint8_t *flag, const struct weir_flag_array *array, const int cell[3],
                              bool at_ends) {
    const int face = cell[0] == 0 ? WEIR_FACE(0, -1) : WEIR_FACE(0, 1), end = WEIR_WALL_OF_FACE(face);
    if (array->ring[0] > 1)
        return WEIR_NEAR_OPEN;
    if (at_ends && is_at_mirror(problem, cell))
        return WEIR_AT_MIRROR;
    if (problem->cells[0] < WEIR_CELLS_BETWEEN_ENDS ||
        cell[0] != (face == WEIR_FACE(0, -1) ? 0 : problem->cells[0] - 1) ||
        !weir_wall_is_of_links_alone(&problem->walls[end]) || beside_other_wall(traits, end, flag, array))
        return WEIR_NEAR_OPEN;
    return at_ends ? WEIR_AT_OPEN_END : WEIR_NEAR_OPEN_END;
}

/* The flag of a fluid cell of the domain. around: traits of the walls around it. */
static uint8_t fluid_flag(const struct weir_problem *problem, const struct traits *traits, uint8_t around,
                          const uint8_t *flag, const struct weir_flag_array *array, const int cell[3]) {
    if (!around)
        return WEIR_FLUID;
    const bool at_ends =
        array->ring[0] == 1 && !(around & IS_PART) && !beside_wall_within(problem, flag, array, cell);
    if (around & IS_COUNTED)
        return flag_near_open(problem, traits, flag, array, cell, at_ends);
    if (at_ends)
        return WEIR_AT_END;
    return around & ACTS ? WEIR_NEAR_MOVING_WALL : WEIR_NEAR_WALL;
}

/* Whether a row or one beside it has a wall; walled: one per row. */
static bool walls_around(const bool *walled, const struct weir_flag_array *array) {
    for (int z = -array->ring[2]; z <= array->ring[2]; z++)
        for (int y = -array->ring[1]; y <= array->ring[1]; y++)
            if (walled[z * array->rows + y])
                return true;
    return false;
}

/* What the cells of a tile are made of, and those across its faces: a cell wider each way than a tile. */
enum { WIDE = WEIR_LOOK_SIDE + 2 };

/* Cells of a box beside or in a tile, whose materials begin at of[0] at the tile's first cell. */
static void find_materials(const struct weir_shapes *near, const struct weir_box *tile,
                           const struct weir_box *part, uint8_t *of) {
    const int *at = part->origin, *from = tile->origin;
    const struct weir_materials materials = {
        of + (at[2] - from[2]) * WIDE * WIDE + (at[1] - from[1]) * WIDE + at[0] - from[0], WIDE, WIDE * WIDE};
    weir_materials_of_box(near, part, &materials);
}

/* Those across the faces of the tile. */
static void find_beside(const struct weir_shapes *near, const struct weir_box *tile, uint8_t *of) {
    for (int face = 0; face < 2 * weir_lattice_dimensions(near->problem->lattice); face++) {
        const int axis = face / 2;
        struct weir_box beside = *tile;
        beside.origin[axis] += face % 2 ? tile->extent[axis] : -1;
        beside.extent[axis] = 1;
        find_materials(near, tile, &beside, of);
    }
}

/* The wall of a cell of a tile, of which the materials are there, and those across its faces. Beyond mirrors
 * that is to be said of its image, so that cells beyond faces are asked by themselves. */
static uint8_t wall_among(const struct weir_shapes *near, const struct traits *traits, const int at[3],
                          const uint8_t *material) {
    const uint8_t beside[6] = {material[-1],           material[1],          material[-WIDE], material[WIDE],
                               material[-WIDE * WIDE], material[WIDE * WIDE]};
    int cell[3] = {at[0], at[1], at[2]};
    if (!(traits->of[*material] & MAY_BE_COVERED))
        return *material;
    weir_wrap_cell(near->problem, cell);
    if (weir_face_beyond(near->problem, cell) != WEIR_FLUID)
        return weir_wall_of_cell(near, cell);
    return weir_wall_is_covered(near->problem, *material, beside) ? WEIR_EDGE_WALL : *material;
}

/* Whether any cell of a row is of a wall. */
static bool has_walls(const uint8_t *materials, int count) {
    uint8_t any = WEIR_FLUID;
    for (int x = 0; x < count; x++)
        any |= materials[x];
    return any != WEIR_FLUID;
}

/* Of the walls in a row. */
static uint8_t traits_of_row(const struct traits *traits, const uint8_t *materials, int count) {
    uint8_t found = 0;
    if (has_walls(materials, count)) /* most have none */
        for (int x = 0; x < count; x++)
            found |= traits->of[materials[x]];
    return found;
}

/* Flags of the cells of a tile of the block and its ring that are solid, and of which rows have any. */
static void set_walls(const struct weir_shapes *near, const struct traits *traits,
                      const struct weir_box *block, const struct weir_box *tile,
                      const struct weir_flag_array *array, uint8_t *flags, bool *walled) {
    uint8_t materials[WIDE * WIDE * WIDE] = {WEIR_FLUID}, *const of = &materials[(WIDE + 1) * WIDE + 1],
                                    there = 0;
    find_materials(near, tile, tile, of);
    for (int z = 0; z < tile->extent[2]; z++)
        for (int y = 0; y < tile->extent[1]; y++)
            there |= traits_of_row(traits, of + (z * WIDE + y) * WIDE, tile->extent[0]);
    const bool covers = there & MAY_BE_COVERED;
    if (covers)
        find_beside(near, tile, of);
    for (int z = 0; z < tile->extent[2]; z++)
        for (int y = 0; y < tile->extent[1]; y++) {
            const int at[3] = {tile->origin[0], tile->origin[1] + y, tile->origin[2] + z};
            const ptrdiff_t place = weir_flag_row(array, at[1] - block->origin[1], at[2] - block->origin[2]);
            uint8_t *flag = flags + place * array->row + at[0] - block->origin[0] + array->ring[0];
            const uint8_t *material = of + (z * WIDE + y) * WIDE;
            memcpy(flag, material, (size_t)tile->extent[0]);
            walled[place] |= has_walls(material, tile->extent[0]);
            for (int x = 0; covers && x < tile->extent[0]; x++)
                flag[x] = wall_among(near, traits, (const int[3]){at[0] + x, at[1], at[2]}, material + x);
        }
}

/* The same for all tiles. close: with room for the shapes of `near`. */
static void set_all_walls(const struct weir_shapes *near, struct weir_shapes *close,
                          const struct traits *traits, const struct weir_box *block,
                          const struct weir_flag_array *array, uint8_t *flags, bool *walled) {
    const int *ring = array->ring;
    struct weir_box tile;
    int begin[3];
    for (begin[2] = -ring[2]; begin[2] < block->extent[2] + ring[2]; begin[2] += WEIR_LOOK_SIDE)
        for (begin[1] = -ring[1]; begin[1] < block->extent[1] + ring[1]; begin[1] += WEIR_LOOK_SIDE)
            for (begin[0] = -ring[0]; begin[0] < block->extent[0] + ring[0]; begin[0] += WEIR_LOOK_SIDE) {
                for (int axis = 0; axis < 3; axis++) {
                    const int left = block->extent[axis] + ring[axis] - begin[axis];
                    tile.origin[axis] = block->origin[axis] + begin[axis];
                    tile.extent[axis] = left < WEIR_LOOK_SIDE ? left : WEIR_LOOK_SIDE;
                }
                weir_shapes_pick(near, &tile, close);
                set_walls(close, traits, block, &tile, array, flags, walled);
            }
}

/* Flags of the fluid cells of a row of the block, by those of all walls. Returns how many they are. scratch:
 * with room for two rows. */
static int64_t set_fluid(const struct weir_problem *problem, const struct traits *traits,
                         const struct weir_box *block, const struct weir_flag_array *array, int y, int z,
                         uint8_t *flags, uint8_t *scratch) {
    uint8_t *flag = flags + weir_flag_place(array, 0, y, z), *around = scratch + array->row;
    int64_t fluid = 0;
    traits_around(traits, array, flag, block->extent[0], scratch, around);
    for (int x = 0; x < block->extent[0]; x++)
        if (flag[x] == WEIR_FLUID) {
            const int cell[3] = {block->origin[0] + x, block->origin[1] + y, block->origin[2] + z};
            fluid++;
            flag[x] = fluid_flag(problem, traits, around[x], flag + x, array, cell);
        }
    return fluid;
}

/* What filling flags takes beside them. */
struct flagging {
    struct weir_shapes near, close;
    bool *walled; /* of each row */
    uint8_t *scratch;
};

static bool begin_flagging(const struct weir_problem *problem, const struct weir_box *block,
                           const struct weir_flag_array *array, struct flagging *f) {
    const size_t list_bytes = sizeof(struct weir_shape *) * (size_t)(problem->shape_count + 1);
    *f = (struct flagging){
        .near = {.problem = problem, .list = malloc(list_bytes)},
        .close = {.problem = problem, .list = malloc(list_bytes)},
        .walled = calloc((size_t)array->rows * (size_t)(block->extent[2] + 2 * array->ring[2]), sizeof(bool)),
        .scratch = malloc(2 * (size_t)array->row)};
    return f->near.list && f->close.list && f->walled && f->scratch;
}

static void end_flagging(struct flagging *f) {
    free(f->near.list);
    free(f->close.list);
    free(f->walled);
    free(f->scratch);
}

int64_t weir_geometry_flags(const struct weir_problem *problem, const struct weir_box *block,
                            uint8_t *flags) {
    const struct weir_lattice_table *lattice = weir_lattice_table((int)problem->lattice);
    const struct weir_flag_array array = weir_flag_array(lattice, block->extent);
    const struct weir_shapes all = {.problem = problem, .count = problem->shape_count};
    const struct traits traits = traits_of(problem);
    struct flagging f;
    int64_t fluid = 0;
    if (!begin_flagging(problem, block, &array, &f)) {
        end_flagging(&f);
        return weir_geometry_fail_memory(problem);
    }
    weir_shapes_pick(&all, block, &f.near);
    set_all_walls(&f.near, &f.close, &traits, block, &array, flags, f.walled);
    for (int z = 0; z < block->extent[2]; z++)
        for (int y = 0; y < block->extent[1]; y++)
            fluid += walls_around(&f.walled[weir_flag_row(&array, y, z)], &array)
                         ? set_fluid(problem, &traits, block, &array, y, z, flags, f.scratch)
                         : block->extent[0]; /* most rows of most domains */
    end_flagging(&f);
    return fluid;
}

/* Slabs of a block, each with a ring of its own, of which all but the first and the last is left out where
 * they are put together. */
struct flag_slabs {
    const struct weir_problem *problem;
    const struct weir_box *block;
    size_t slice; /* flags of a slice, rings included */
    int ring, thickness;
    uint8_t *flags;
    atomic_llong fluid;
    atomic_bool failed;
};

static void flag_slab(void *context, int k) {
    struct flag_slabs *s = context;
    struct weir_box slab = *s->block;
    const int from = k * s->thickness, left = slab.extent[2] - from;
    const bool first = from == 0, last = left <= s->thickness;
    slab.origin[2] += from;
    slab.extent[2] = last ? left : s->thickness;
    uint8_t *flags = malloc((size_t)(slab.extent[2] + 2 * s->ring) * s->slice);
    const int64_t fluid = flags ? weir_geometry_flags(s->problem, &slab, flags) : -1;
    if (fluid >= 0) {
        const int begin = first ? 0 : s->ring, end = slab.extent[2] + (last ? 2 : 1) * s->ring;
        memcpy(s->flags + (size_t)(from + begin) * s->slice, flags + (size_t)begin * s->slice,
               (size_t)(end - begin) * s->slice);
        atomic_fetch_add(&s->fluid, fluid);
    } else {
        atomic_store(&s->failed, true);
    }
    free(flags);
}

int64_t weir_geometry_flags_shared(const struct weir_problem *problem, const struct weir_box *block,
                                   int threads, uint8_t *flags) {
    const struct weir_flag_array array =
        weir_flag_array(weir_lattice_table((int)problem->lattice), block->extent);
    struct flag_slabs s = {.problem = problem,
                           .block = block,
                           .slice = (size_t)array.row * (size_t)array.rows,
                           .ring = array.ring[2],
                           .thickness = weir_parallel_slab(block->extent[2], threads),
                           .flags = flags};
    if (threads < 2 || block->extent[2] <= s.thickness)
        return weir_geometry_flags(problem, block, flags);
    weir_parallel(threads, (block->extent[2] + s.thickness - 1) / s.thickness, flag_slab, &s);
    return s.failed ? weir_geometry_fail_memory(problem) : s.fluid;
}
