/* Cells at the domain's ends along x where a boundary lets fluid pass, and no other that does more than send
 * back is near (flags WEIR_AT_OPEN_END, WEIR_NEAR_OPEN_END). Each row has one such cell at an end, whose
 * populations are alone in their pieces of memory but for those of its strip: so it is stepped with that.
 * What comes back to the one such cell of a warp is found by as many threads as it has links, as nobody else
 * could go on meanwhile; and nothing of the boundary is read, but from where it has a profile. */
#ifndef WEIR_KERNELS_OPEN_ENDS_CUH
#define WEIR_KERNELS_OPEN_ENDS_CUH

#include "codelets/kernels/collision/collision.h"
#include "codelets/kernels/cuda/strips.cuh"

static __device__ __forceinline__ open_end open_end_at(const step_shape *shape, bool low) {
    open_end end;
    end.low = low;
    end.rule = low ? shape->ends[0].rule : shape->ends[1].rule;
    end.flow = low ? 0 : shape->flow_of_high_end;
    for (int k = 0; k < WEIR_KERNEL_VALUES; k++)
        end.values[k] = (real)(low ? shape->ends[0].values[k] : shape->ends[1].values[k]);
    return end;
}

template <int parity, bool forced>
static __device__ __noinline__ void call_at_open_end(const weir_block_view *b, const relaxation *r,
                                                     const step_shape *shape, int x, int y, int z,
                                                     real f[POPULATIONS]) {
    const body_force body = body_force_of(r);
    const open_end end = open_end_at(shape, x == 0 && domain_ends(b, 0, -1));
    reflect_at_open_end(b, parity, &end, x, y, z, forced, &body, f);
}

/* Replaces what leaves such a cell by what comes back: of any one, whose populations stay in registers. */
template <int parity, bool forced>
static __device__ __forceinline__ void reflect_at_any_end(const weir_block_view *b, const relaxation *r,
                                                          const step_shape *shape, int x, int y, int z,
                                                          real f[POPULATIONS]) {
    real in_memory[POPULATIONS];
    for (int i = 0; i < POPULATIONS; i++)
        in_memory[i] = f[i];
    call_at_open_end<parity, forced>(b, r, shape, x, y, z, in_memory);
#define WEIR_DIRECTION(i, o, cx, ...) \
    if ((cx) != 0)                    \
        f[i] = in_memory[i];
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

#if BY_ROWS

static_assert(LINKS_OF_END <= WARP / 2, "a thread of half a warp for each");

/* The same for all such cells of a warp of strips, two at a time: a half of its threads for each. */
template <int parity, bool forced, int width>
static __device__ __forceinline__ void reflect_at_open_ends(const weir_block_view *b, const relaxation *r,
                                                            const step_shape *shape, const strip *s,
                                                            real f[width][POPULATIONS]) {
    unsigned left = __ballot_sync(WHOLE_WARP, s->open[0] || s->open[1]);
    if (left == 0)
        return;
    const int lane = (int)threadIdx.x % WARP;
    const body_force body = body_force_of(r);
    const bool low = s->open[0];
    real cell[POPULATIONS], force[3];
    for (int i = 0; i < POPULATIONS; i++)
        cell[i] = low ? f[0][i] : f[width - 1][i];
    const moments mine = moments_after_collision(forced, &body, cell, force);
    const int half = lane / (WARP / 2), mine_of_half = lane % (WARP / 2);
#pragma unroll 1
    while (left != 0) {
        const int first = lowest_bit(left);
        const unsigned others = left & (left - 1);
        const int second = others != 0 ? lowest_bit(others) : first;
        const int from = half == 0 ? first : second;
        const bool here = lane == first || lane == second;
        left = others & (others - 1);
        const open_end end = open_end_at(shape, __shfl_sync(WHOLE_WARP, (int)low, from) != 0);
        const moments there = of_thread(mine, from);
        boundary_link link = {};
        link.boundary = open_boundary(&end);
        link.y = __shfl_sync(WHOLE_WARP, s->y, from);
        link.z = __shfl_sync(WHOLE_WARP, s->z, from);
        link.x = end.low ? 0 : own_extent(b, 0) - 1;
        link.values = open_values(b, &end);
        int number = 0; /* of links so far, of each of which a thread of either half has the number */
        real back = 0;
#define PAIR(i, o, cx, cy, cz, w)                                                                    \
    if ((cx) != 0) {                                                                                 \
        const real leaving = __shfl_sync(WHOLE_WARP, leaves_end(cx, low) ? cell[i] : cell[o], from); \
        if (mine_of_half == number) {                                                                \
            back = leaving;                                                                          \
            link.weight = (real)(w);                                                                 \
            link.d = leaves_end(cx, end.low) ? DIRECTION_(i, o, cx, cy, cz)                          \
                                             : DIRECTION_(o, i, -(cx), -(cy), -(cz));                \
        }                                                                                            \
        number++;                                                                                    \
    }
        FOR_PAIRS(PAIR)
#undef PAIR
        const bool meets = row_is_inside(b, link.y, link.z) || /* else walls, too */
                           flag_beside(b, link.d, link.x, link.y, link.z) == link.boundary;
        if (mine_of_half < LINKS_OF_END && meets && (half == 0 || others != 0)) {
            boundary_sum sum;
            memset(&sum, 0, sizeof sum);
            back = met_at_open_end(b, &end, &link, back, &there, &sum);
            add_to_flow(b->flow + end.flow, parity, share_of(link.x, link.y, link.z), &sum);
        }
        number = 0;
#define PAIR(i, o, cx, cy, cz, w)                                                                    \
    if ((cx) != 0) {                                                                                 \
        const real value = __shfl_sync(WHOLE_WARP, back, (lane == first ? 0 : WARP / 2) + number++); \
        f[0][(cx) < 0 ? i : o] = here && low ? value : f[0][(cx) < 0 ? i : o];                       \
        f[width - 1][(cx) < 0 ? o : i] = here && !low ? value : f[width - 1][(cx) < 0 ? o : i];      \
    }
        FOR_PAIRS(PAIR)
#undef PAIR
    }
}

#endif

#endif
