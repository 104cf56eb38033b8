/* Steps of blocks that are lists of fluid cells (cell_list.h), on a GPU: a thread takes a cell, a warp a
 * group of them. Even steps are in place and need no table. In odd steps each cell reads the segment of its
 * own row and of the rows around it; of a row, where the cells at x - 1, x and x + 1 are follows from one
 * entry and three bits.
 *
 * Links into other blocks are taken as walls at first (list_places.h). What arrives from messages is put in
 * its place before collision, and what leaves into messages is written there as well. Marks say which groups
 * have such links, or walls at which populations are changed; other groups do not look.
 *
 * After Tomczak & Szafran, Comput. Phys. Commun. 235 (2019) 258, and the lists that they compare with. */
#ifndef WEIR_KERNELS_LIST_STEP_CUH
#define WEIR_KERNELS_LIST_STEP_CUH

#include "codelets/kernels/cells/cells.h"
#include "codelets/kernels/cells/list_places.h"
#include "codelets/kernels/collision/collision.h"
#include "codelets/kernels/cuda/divider.cuh"
#include "codelets/kernels/cuda/hints.cuh"

#if BY_LIST

/* A cell's place in the block. */
struct listed_cell {
    int x, y, z;
};

static __device__ __forceinline__ listed_cell cell_at(const weir_block_view *b, const step_shape *shape,
                                                      weir_position position) {
    const int segment = (int)(position >> 5), of_row = weir_row_segments(own_extent(b, 0)),
              rows = own_extent(b, 1) + 2;
    const int row = divided_by_extent(segment, shape->segments_per_row, of_row),
              layer = divided_by_extent(row, shape->segment_rows_per_layer, rows);
    return listed_cell{(segment - row * of_row) * WEIR_SEGMENT_CELLS + (int)(position & 31) - 1,
                       row - layer * rows - 1, layer - (DIMENSIONS == 3)};
}

/* ---- links through x faces
 * ---------------------------------------------------------------------------------
 */

/* A cell at an x face, if it is at one. */
struct x_end {
    bool low, high;
    int y, z;
};

static __device__ __forceinline__ x_end x_end_of(const weir_block_view *b, const listed_cell *cell) {
    return x_end{cell->x == 0, cell->x == own_extent(b, 0) - 1, cell->y, cell->z};
}

/* Whether, of a pair of directions, the one with component cx arrives through the face; else its opposite. */
static __device__ __forceinline__ bool arrives_along(const x_end *end, int cx) {
    return cx > 0 ? end->low : end->high;
}

/* Whether there is fluid beyond the face, at this step along y and z. */
static __device__ __forceinline__ bool has_link(const weir_block_view *b, weir_position position,
                                                const x_end *end, int cy, int cz) {
    return row_at(b, position, 0, cy, cz).kept >> (end->low ? 0 : 2) & 1;
}

/* The nearest row that the block has. */
static __device__ __forceinline__ int row_within(int coordinate, int count) {
    return coordinate < 0 ? 0 : coordinate < count ? coordinate : count - 1;
}

/* What arrives through an x face: by the pair of directions along the link. */
struct x_arrivals {
    direction_set links;
    stored population[POPULATIONS];
};

/* Messages are read before it is known whether there is fluid, or even a row, beyond the face. */
static __device__ __forceinline__ void read_x_end(const weir_block_view *b, weir_position position,
                                                  const x_end *end, x_arrivals *arrivals) {
    const stored *const message = (const stored *)b->incoming[end->low ? FROM_LOW_X : FROM_HIGH_X];
    arrivals->links = 0;
    if (!(end->low || end->high) || !message)
        return;
#define PAIR(i, o, cx, cy, cz, w)                                                                         \
    if ((cx) != 0) {                                                                                      \
        const int to_y = arrives_along(end, cx) ? -(cy) : cy, to_z = arrives_along(end, cx) ? -(cz) : cz; \
        arrivals->links |= (direction_set)has_link(b, position, end, to_y, to_z) << (i);                  \
        arrivals->population[i] =                                                                         \
            message[x_place(b, LAYER_X_##i, row_within(end->y + to_y, own_extent(b, 1)),                  \
                            row_within(end->z + to_z, own_extent(b, 2)))];                                \
    }
    FOR_PAIRS(PAIR)
#undef PAIR
}

static __device__ __forceinline__ void take_x_end(const x_end *end, const x_arrivals *arrivals,
                                                  real f[POPULATIONS]) {
#define PAIR(i, o, cx, ...)                          \
    if ((cx) != 0 && arrivals->links >> (i)&1) {     \
        if (arrives_along(end, cx))                  \
            f[i] = real_of(arrivals->population[i]); \
        else                                         \
            f[o] = real_of(arrivals->population[i]); \
    }
    FOR_PAIRS(PAIR)
#undef PAIR
}

static __device__ __forceinline__ void write_x_end(const weir_block_view *b, weir_position position,
                                                   const x_end *end, const real f[POPULATIONS]) {
    stored *const message = (stored *)b->outgoing[end->low ? LOW_X : HIGH_X];
    if (!(end->low || end->high) || !message)
        return;
#define PAIR(i, o, cx, cy, cz, w)                                                                         \
    if ((cx) != 0) {                                                                                      \
        const int to_y = arrives_along(end, cx) ? -(cy) : cy, to_z = arrives_along(end, cx) ? -(cz) : cz; \
        if (has_link(b, position, end, to_y, to_z))                                                       \
            message[x_place(b, LAYER_X_##i, end->y, end->z)] =                                            \
                stored_of(arrives_along(end, cx) ? f[o] : f[i]);                                          \
    }
    FOR_PAIRS(PAIR)
#undef PAIR
}

/* ---- other links into other blocks, and walls that change populations
 * --------------------------------------
 *
 * Called, with a copy of the populations, so that those of other groups stay in registers. */

template <int parity>
static __device__ __noinline__ void take_from_blocks(const weir_block_view *b, const step_shape *shape,
                                                     weir_position position, real f[POPULATIONS]) {
    const listed_cell cell = cell_at(b, shape, position);
    const direction_set walls = walls_around(b, cell.x, cell.y, cell.z);
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                                             \
    if (leaves_block(b, cell.x, cell.y, cell.z, -(cx), -(cy), -(cz)) && !(walls >> (o)&1)) \
        f[i] = real_of(*source_of(b, parity, false, d, cell.x, cell.y, cell.z));
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

template <int parity>
static __device__ __noinline__ void give_to_blocks(const weir_block_view *b, const step_shape *shape,
                                                   weir_position position, const real f[POPULATIONS]) {
    const listed_cell cell = cell_at(b, shape, position);
    const direction_set walls = walls_around(b, cell.x, cell.y, cell.z);
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                                    \
    if (leaves_block(b, cell.x, cell.y, cell.z, cx, cy, cz) && !(walls >> (i)&1)) \
        *target_of(b, parity, false, d, cell.x, cell.y, cell.z) = stored_of(f[i]);
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

/* What comes back from walls that move. */
static __device__ __noinline__ void change_at_walls(const weir_block_view *b, const step_shape *shape,
                                                    weir_position position, real f[POPULATIONS]) {
    const listed_cell cell = cell_at(b, shape, position);
    const uint8_t flag = *flag_of(b, cell.x, cell.y, cell.z);
    if (flag <= WEIR_NEAR_WALL)
        return;
    reflect_from_walls(b, walls_around(b, cell.x, cell.y, cell.z), cell.x, cell.y, cell.z, f);
}

static __device__ __forceinline__ void copy_populations(const real from[POPULATIONS], real to[POPULATIONS]) {
    for (int i = 0; i < POPULATIONS; i++)
        to[i] = from[i];
}

/* ---- steps
 * -------------------------------------------------------------------------------------------------
 */

/* Asks for what warps will need that come much later: positions of cells, and segments of the layer of cells
 * behind the next one. */
static __device__ __forceinline__ void prefetch_tables(const weir_block_view *b, bool backwards, int number,
                                                       weir_position position) {
    enum { CELLS_AHEAD = 1 << 17 }; /* twice as many as an H200 has threads in odd steps */
    const int layer = (own_extent(b, 1) + 2) * weir_row_segments(own_extent(b, 0)),
              layers = own_extent(b, 2) + 2 * (DIMENSIONS == 3);
    const int cell = backwards ? number - CELLS_AHEAD : number + CELLS_AHEAD,
              segment = (int)(position >> 5) + (backwards ? -2 * layer : 2 * layer);
    if (cell >= 0 && cell < b->kept)
        prefetch(b->list.positions + cell);
    if (segment >= 0 && segment < layers * layer)
        prefetch(b->list.segments + segment);
}

/* The step of the cell with entry `number`. */
template <int parity, bool forced, bool open>
static __device__ __forceinline__ void step_listed(const weir_block_view *b, const relaxation *r,
                                                   const step_shape *shape, int number) {
    if (number >= b->kept)
        return;
    const int lane = number % WEIR_LISTED_TOGETHER, first = number - lane;
    const unsigned marks = b->list.marks[number / WEIR_LISTED_TOGETHER];
    const unsigned at_faces = marks & (WEIR_CROSSES | WEIR_CROSSES_X),
                   at_walls =
                       marks & (WEIR_WALLS_MOVE | (moving_faces_of(shape) != 0 ? WEIR_WALLS_AT_END : 0)),
                   near_open = open ? marks & WEIR_WALLS_OPEN : 0;
    const weir_position position =
        parity || (at_faces | at_walls | near_open) != 0 ? b->list.positions[number] : 0;
    if (near_open != 0) {
        const listed_cell cell = cell_at(b, shape, position);
        if (weir_near_open(*flag_of(b, cell.x, cell.y, cell.z)))
            return; /* open_cells.cuh */
    }
    x_end end = {};
    x_arrivals arrivals;
    if (at_faces != 0) {
        const listed_cell cell = cell_at(b, shape, position);
        end = x_end_of(b, &cell);
    }
    if (at_faces == WEIR_CROSSES_X)
        read_x_end(b, position, &end, &arrivals);
    if (parity && lane == 0)
        prefetch_tables(b, shape->backwards, number, position);
    const group_slots slots = slots_of_group(b, first);
    int distance[POPULATIONS];
    find_distances(b, parity, position, bits_within(end.low, end.high), first, lane, distance);
    real f[POPULATIONS], copy[POPULATIONS];
    for (int i = 0; i < POPULATIONS; i++)
        f[i] = real_of(*slot_at(slots, i, distance[i]));
    if (at_faces == WEIR_CROSSES_X) {
        take_x_end(&end, &arrivals, f);
    } else if (at_faces != 0) {
        copy_populations(f, copy);
        take_from_blocks<parity>(b, shape, position, copy);
        copy_populations(copy, f);
    }
    collide(f, forced, r);
    if (at_walls != 0) {
        copy_populations(f, copy);
        change_at_walls(b, shape, position, copy);
        copy_populations(copy, f);
    }
    *slot_at(slots, 0, distance[0]) = stored_of(f[0]);
#define WEIR_DIRECTION(i, o, ...) *slot_at(slots, o, distance[o]) = stored_of(f[i]);
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
    if (at_faces == WEIR_CROSSES_X) {
        const weir_position again = (weir_position)anew((int)position);
        const listed_cell cell = cell_at(b, shape, again);
        end = x_end_of(b, &cell);
        write_x_end(b, again, &end, f);
    } else if (at_faces != 0) {
        copy_populations(f, copy);
        give_to_blocks<parity>(b, shape, position, copy);
    }
}

#endif

#endif
