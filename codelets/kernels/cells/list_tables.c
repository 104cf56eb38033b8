#include "codelets/kernels/cells/list_tables.h"

#include "codelets/kernels/cells/flag_array.h"

#include <string.h>

/* Rows of segments before and behind the block along z: none in 2-D, where no link leads there. */
static int ring_of_layers(const struct weir_lattice_table *lattice) {
    return lattice->dimensions == 3;
}

void weir_list_table_bytes(const struct weir_lattice_table *lattice, const int extent[3], int64_t kept,
                           size_t bytes[WEIR_CELL_TABLES]) {
    const size_t rows = (size_t)(extent[1] + 2) * (size_t)(extent[2] + 2 * ring_of_layers(lattice)),
                 groups = (size_t)weir_list_groups(kept);
    bytes[WEIR_LIST_SEGMENTS] = rows * (size_t)weir_row_segments(extent[0]) * sizeof(struct weir_segment);
    bytes[WEIR_LIST_POSITIONS] = groups * WEIR_LISTED_TOGETHER * sizeof(weir_position);
    bytes[WEIR_LIST_MARKS] = groups;
}

struct weir_cell_list weir_cell_list_in(const void *geometry, const size_t table[WEIR_CELL_TABLES]) {
    const char *const bytes = geometry;
    if (table[WEIR_LIST_SEGMENTS] == 0)
        return (struct weir_cell_list){.segments = NULL};
    return (struct weir_cell_list){.segments = (const void *)(bytes + table[WEIR_LIST_SEGMENTS]),
                                   .positions = (const void *)(bytes + table[WEIR_LIST_POSITIONS]),
                                   .marks = (const void *)(bytes + table[WEIR_LIST_MARKS])};
}

/* What is filled, and from what. */
struct filling {
    const struct weir_lattice_table *lattice;
    const int *extent;
    const uint8_t *flags;
    struct weir_flag_array array; /* of the flags */
    struct weir_segment *segments;
    weir_position *positions;
    uint8_t *marks;
    uint32_t count; /* of cells listed so far */
};

static const uint8_t *flag_at(const struct filling *f, int x, int y, int z) {
    return f->flags + weir_flag_place(&f->array, x, y, z);
}

static bool is_outside(int coordinate, int extent) {
    return coordinate < 0 || coordinate >= extent;
}

/* The marks for links into other blocks, of a cell. */
static unsigned crossings(const struct filling *f, const int at[3]) {
    unsigned marks = 0;
    const uint8_t *const flag = flag_at(f, at[0], at[1], at[2]);
    for (int i = 1; i < f->lattice->populations; i++) {
        const int *const c = f->lattice->velocity[i];
        const bool beyond_x = is_outside(at[0] + c[0], f->extent[0]),
                   beyond_others =
                       is_outside(at[1] + c[1], f->extent[1]) || is_outside(at[2] + c[2], f->extent[2]);
        if ((beyond_x || beyond_others) && weir_flag_is_fluid(flag[weir_flag_distance(&f->array, c)]))
            marks |= beyond_others || f->extent[0] == 1 ? WEIR_CROSSES : WEIR_CROSSES_X;
    }
    return marks;
}

static unsigned marks_of(const struct filling *f, const int at[3]) {
    unsigned marks = 0;
    const uint8_t flag = *flag_at(f, at[0], at[1], at[2]);
    for (int axis = 0; axis < f->lattice->dimensions; axis++)
        if (at[axis] == 0 || at[axis] == f->extent[axis] - 1) {
            marks |= crossings(f, at);
            break;
        }
    marks |= flag == WEIR_AT_END             ? WEIR_WALLS_AT_END
             : flag == WEIR_NEAR_MOVING_WALL ? WEIR_WALLS_MOVE
             : weir_near_open(flag)          ? WEIR_WALLS_OPEN
                                             : 0;
    return marks;
}

/* The segments of a row of the block, and its cells' entries. */
static void fill_row(struct filling *f, int y, int z, struct weir_segment *segments) {
    const uint8_t *const flag = flag_at(f, 0, y, z);
    for (int begin = 0; begin < f->extent[0]; begin += WEIR_SEGMENT_CELLS) {
        const int number = begin / WEIR_SEGMENT_CELLS;
        struct weir_segment *const segment = &segments[number];
        for (int bit = 0; bit < WEIR_SEGMENT_CELLS + 2 && begin + bit <= f->extent[0] + 1; bit++)
            segment->kept |= (uint32_t)weir_flag_is_fluid(flag[begin + bit - 1]) << bit;
        segment->first = f->count - (segment->kept & 1);
        for (int x = begin; x < f->extent[0] && x < begin + WEIR_SEGMENT_CELLS; x++) {
            const int bit = x - begin + 1;
            if (!(segment->kept >> bit & 1))
                continue;
            f->positions[f->count] = (weir_position)(segment - f->segments) << 5 | (weir_position)bit;
            f->marks[f->count / WEIR_LISTED_TOGETHER] |= (uint8_t)marks_of(f, (const int[3]){x, y, z});
            f->count++;
        }
    }
}

void weir_list_tables_fill(const struct weir_lattice_table *lattice, const int extent[3], int64_t kept,
                           void *geometry, const size_t table[WEIR_CELL_TABLES]) {
    char *const bytes = geometry;
    size_t size[WEIR_CELL_TABLES];
    weir_list_table_bytes(lattice, extent, kept, size);
    for (int k = 0; k < WEIR_CELL_TABLES; k++)
        memset(bytes + table[k], 0, size[k]);
    struct filling f = {.lattice = lattice,
                        .extent = extent,
                        .flags = geometry,
                        .array = weir_flag_array(lattice, extent),
                        .segments = (void *)(bytes + table[WEIR_LIST_SEGMENTS]),
                        .positions = (void *)(bytes + table[WEIR_LIST_POSITIONS]),
                        .marks = (void *)(bytes + table[WEIR_LIST_MARKS])};
    const int layers = ring_of_layers(lattice), of_row = weir_row_segments(extent[0]);
    for (int z = 0; z < extent[2]; z++)
        for (int y = 0; y < extent[1]; y++)
            fill_row(&f, y, z, f.segments + ((ptrdiff_t)(z + layers) * (extent[1] + 2) + (y + 1)) * of_row);
}
