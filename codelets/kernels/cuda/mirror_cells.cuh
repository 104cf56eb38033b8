/* Cells beside one mirror, normal to y or z, and no other wall (flag WEIR_AT_MIRROR). What they exchange past
 * it goes along the face, by the rule of addressing.h, of which nothing but the mirror's axis is to be found
 * out: so they are stepped among other cells, a row of neighbours by a warp, and nothing branches. */
#ifndef WEIR_KERNELS_MIRROR_CELLS_CUH
#define WEIR_KERNELS_MIRROR_CELLS_CUH

#include "codelets/kernels/cells/cells.h"
#include "codelets/kernels/collision/collision.h"

/* Whether texts have a way for them; else they are taken as all cells near boundaries that are counted. */
#define WITH_ROWS_AT_MIRRORS (WITH_MIRRORS && BY_ROWS && !WITH_MOMENTS && !WITH_SCALAR)

#if WITH_ROWS_AT_MIRRORS

/* A mirror beside a cell, at -1 or 1 along the axis. */
struct mirror_beside {
    int axis, side;
};

/* Whether what leaves along d meets the mirror, and whether it goes on along the face then. */
static __device__ __forceinline__ bool meets(mirror_beside m, direction d) {
    return (m.axis == 1 ? d.c[1] : d.c[2]) == m.side;
}

static __device__ __forceinline__ bool goes_on(mirror_beside m, direction d) {
    return meets(m, d) && (d.c[0] != 0 || (m.axis == 1 ? d.c[2] : d.c[1]) != 0);
}

/* One of two directions. */
static __device__ __forceinline__ direction either(bool first, direction a, direction b) {
    return direction_of(first ? a.i : b.i, first ? a.o : b.o, first ? a.c[0] : b.c[0],
                        first ? a.c[1] : b.c[1], first ? a.c[2] : b.c[2], first ? a.layer[0] : b.layer[0],
                        first ? a.layer[1] : b.layer[1], first ? a.layer[2] : b.layer[2]);
}

/* Axes, by bits, along which a mirror may turn. */
enum { TURNS_Y = 1 << 1, TURNS_Z = 1 << 2 };

/* The way of what arrives along d, and of what leaves along it; by way of the mirror or not. */
static __device__ __forceinline__ direction way_to_cell(mirror_beside m, direction d) {
    const direction past = either(m.axis == 1, from_mirror(d, turned_round(d, TURNS_Y), TURNS_Y),
                                  from_mirror(d, turned_round(d, TURNS_Z), TURNS_Z));
    return either(goes_on(m, opposite(d)), past, d);
}

static __device__ __forceinline__ direction way_from_cell(mirror_beside m, direction d) {
    const direction past = either(m.axis == 1, past_mirror(d, turned_round(d, TURNS_Y), TURNS_Y),
                                  past_mirror(d, turned_round(d, TURNS_Z), TURNS_Z));
    return either(goes_on(m, d), past, d);
}

/* Counts what the mirror takes from a cell: of all that meets it the momentum normal to it, once as it comes
 * and once as it goes (count_if_wanted). */
static __device__ __forceinline__ void count_at_mirror(const weir_block_view *b, int parity, mirror_beside m,
                                                       int x, int y, int z, const real f[POPULATIONS]) {
    weir_exact_sum sum = {0, 0};
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)          \
    if (meets(m, d)) {                                  \
        const double met = (double)as_stored(f[i]);     \
        accumulate_exactly(&sum, (met + met) * m.side); \
    }
    FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
    const int wall = WEIR_WALL_OF_FACE(WEIR_FACE(m.axis, m.side));
    add_shared(
        &b->flow[b->boundary_rows[wall].flow].step[parity][share_of(x, y, z)][WEIR_FLOW_FORCE + m.axis],
        &sum);
}

/* Where f_i lies that arrives at such a cell that is enclosed, i being the number of d; here: its number. */
static __device__ __forceinline__ stored *place_enclosed(const weir_block_view *b, int parity,
                                                         mirror_beside m, direction d, int here) {
    const direction towards = opposite(d), way = way_to_cell(m, d);
    return !parity || (meets(m, towards) && !goes_on(m, towards))
               ? slot(b, d.i) + here
               : slot(b, way.o) + (here - cell_distance(b, way.c[0], way.c[1], way.c[2]));
}

/* The step of such a cell. Called: a cell of another kind needs fewer registers. Most are enclosed, and what
 * leaves these along c goes to where what arrives against it was: a way that is short, as the first warp that
 * takes it waits for each instruction. */
template <int parity, bool forced>
static __device__ __noinline__ void step_at_mirror(const weir_block_view *b, const relaxation *r, int x,
                                                   int y, int z) {
    const unsigned face = lowest_bit(ends_beside_row(b, y, z));
    const mirror_beside m = {(int)face / 2, face % 2 ? 1 : -1};
    const int here = cell_number(b, x, y, z);
    const bool enclosed = is_enclosed(b, x, y, z);
    real f[POPULATIONS];
    f[0] = real_of(slot(b, 0)[here]);
    if (enclosed) {
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d) f[i] = real_of(*place_enclosed(b, parity, m, d, here));
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
    } else {
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                                                 \
    f[i] = real_of(*plain_source(b, parity, meets(m, opposite(d)) && !goes_on(m, opposite(d)), \
                                 way_to_cell(m, d), x, y, z));
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
    }
    collide(f, forced, r);
    count_at_mirror(b, parity, m, x, y, z, f);
    slot(b, 0)[here] = stored_of(f[0]);
    if (enclosed) {
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d) \
    *place_enclosed(b, parity, m, opposite(d), here) = stored_of(f[i]);
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
    } else {
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d) \
    *plain_target(b, parity, meets(m, d) && !goes_on(m, d), way_from_cell(m, d), x, y, z) = stored_of(f[i]);
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
    }
}

#endif

#endif
