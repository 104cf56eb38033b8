/* One step as a GPU's thread takes part in it. Knows nothing of launches, so that tests can run it where no
 * GPU is. */
#ifndef WEIR_KERNELS_STEP_CUH
#define WEIR_KERNELS_STEP_CUH

#include "codelets/kernels/cells/cells.h"
#include "codelets/kernels/collision/collision.h"
#include "codelets/kernels/cuda/cohesion_strips.cuh"
#include "codelets/kernels/cuda/face_strips.cuh"
#include "codelets/kernels/cuda/flows.cuh"
#include "codelets/kernels/cuda/hints.cuh"
#include "codelets/kernels/cuda/list_step.cuh"
#include "codelets/kernels/cuda/mirror_cells.cuh"
#include "codelets/kernels/cuda/open_ends.cuh"
#include "codelets/kernels/cuda/walled_strips.cuh"

#ifdef WEIR_STRIP_MOST
#define STRIP_CELLS WEIR_STRIP_MOST
#else
#define STRIP_CELLS WEIR_STRIP_CELLS(POPULATIONS, REAL_BYTES)
#endif

/* What of the shape may be a constant of the object (block_shape.h). */
static __device__ __forceinline__ bool takes_face_strips(const weir_block_view *b, const step_shape *shape) {
    return WEIR_CONSTANT_SHAPE ? face_strips_pay(own_extent(b, 0), own_extent(b, 1), own_extent(b, 2))
                               : shape->face_strips;
}

/* Which of `count` thread blocks begins at this turn. Odd steps go back the way that even steps came, to find
 * in the cache what was written last. First come, both ways, those that would be last, with a z face of the
 * block: their warps take longer, and would have the GPU to themselves. */
static __device__ __forceinline__ int thread_block_of_turn(const step_shape *shape, int parity, int turn,
                                                           int count) {
    const int early = shape->early;
    const bool back = parity && shape->backwards;
    if (turn < early)
        return back ? turn : count - early + turn;
    return back ? count - 1 - (turn - early) : turn - early;
}

/* The cells of any warp, neighbours with neighbouring threads. inside: its rows are inside the block, and
 * longer than one cell. */
template <int parity, bool forced, int width, bool open, bool inside>
static __device__ __noinline__ void step_cells(const weir_block_view *b, const relaxation *r,
                                               const step_shape *shape, int number) {
    const int cells = own_cells(b);
    const int lane = (int)threadIdx.x % WARP, first = (number - lane) * width + lane;
    const int end = inside || first + WARP * width < cells ? first + WARP * width : cells;
    const surroundings around = without_mirrors(); /* as cells near these are left out */
    const body_force body = body_force_of(r);
#pragma unroll 1
    for (int cell = first; cell < end; cell += WARP) {
        const int row = divided_by_extent(cell, shape->cells_per_row, own_extent(b, 0)),
                  z = divided_by_extent(row, shape->rows_per_layer, own_extent(b, 1));
        const int x = cell - row * own_extent(b, 0), y = row - z * own_extent(b, 1);
        const uint8_t flag = *flag_of(b, x, y, z);
        if (is_wall(flag) || (open && flag == WEIR_NEAR_OPEN))
            continue;
#if WITH_ROWS_AT_MIRRORS
        if (open && flag == WEIR_AT_MIRROR) {
            step_at_mirror<parity, forced>(b, r, x, y, z);
            continue;
        }
#endif
        const direction_set walls = walls_of_cell(b, flag, x, y, z);
        real f[POPULATIONS];
        if (inside)
            arriving_in_row(b, parity, walls, x, y, z, f);
        else
            arriving_at_cell(b, parity, walls, &around, x, y, z, f);
        add_cohesion(b, &body, flag, x, y, z, f);
        collide(f, forced, r);
        const bool open_end = open && weir_near_open(flag);
        if (open_end)
            reflect_at_any_end<parity, forced>(b, r, shape, x, y, z, f);
        if (inside)
            leaving_in_row(b, parity, walls, !open_end && flag > WEIR_NEAR_WALL, x, y, z, f);
        else
            leaving_cell(b, parity, walls, &around, open_end, x, y, z, f);
    }
}

#if WITH_STRIPS

/* Brings flags into the GPU's cache that another warp will wait for: those of the next layer but one. */
template <int parity>
static __device__ __forceinline__ void prefetch_flags(const weir_block_view *b, const step_shape *shape,
                                                      const strip *s) {
    const int last = own_extent(b, 2) - 1;
    const int z = parity && shape->backwards ? (s->z > 2 ? s->z - 2 : 0) : s->z + 2 < last ? s->z + 2 : last;
    prefetch(flag_of(b, s->x, s->y, z));
}

#endif

#if BY_ROWS

/* A warp of strips inside the block of which some are near walls, in an even step. Called, as are all ways
 * but that of plain strips: expanded in place they would take registers from these, which then keep some of
 * theirs in memory. */
template <bool forced, int width, bool open>
static __device__ __noinline__ void step_walled_strips(const weir_block_view *b, const relaxation *r,
                                                       const step_shape *shape, int number) {
    const strip s = strip_of<width>(b, shape->strips_per_row, shape->rows_per_layer, number);
    const strip_flags<width> flags = flags_at_strip<width>(b, &s);
    const body_force body = body_force_of(r);
    strip_cells c = cells_of<width>(flags);
    if (__all_sync(WHOLE_WARP, c.fluid == 0))
        return;
    direction_set walls[width];
    real f[width][POPULATIONS];
    arriving_at_walled_strip<width>(b, &s, &c, walls, f);
    cohesion_at_any_strip<width>(b, &body, &s, flags, f);
#pragma unroll
    for (int v = 0; v < width; v++)
        collide(f[v], forced, r);
    if (open)
        for (int v = 0; v < width; v++)
            if (c.open_end >> v & 1)
                reflect_at_any_end<0, forced>(b, r, shape, s.x + v, s.y, s.z, f[v]);
    leaving_walled_strip<width, open>(b, &s, &c, walls, f);
}

/* Whether rows at y and z faces may be taken in strips of this width. Strips of one cell have nothing to
 * gain; in double precision those of two were slower than cells. */
template <int width> static constexpr bool faces_in_strips = width > 1 && REAL_BYTES == 4;

/* A warp with strips at y or z faces of the block, or beyond its end. false: there are walls within the
 * domain, or boundaries that let fluid pass elsewhere than at open ends, and nothing is done. */
template <int parity, bool forced, int width, bool open>
static __device__ __noinline__ bool step_face_strips(const weir_block_view *b, const relaxation *r,
                                                     const step_shape *shape, int number) {
    const int strips = own_extent(b, 0) / width * own_extent(b, 1) * own_extent(b, 2);
    const bool alive = number < strips;
    strip s = strip_of<width>(b, shape->strips_per_row, shape->rows_per_layer, alive ? number : strips - 1);
    if (open || has_bodies(b)) {
        const strip_flags<width> flags = flags_at_strip<width>(b, &s);
        if (!__all_sync(WHOLE_WARP, is_plain_at_ends<width, open>(b, &s, flags)))
            return false;
        if (open && alive)
            find_open_ends<width>(&s, flags);
    }
    const body_force body = body_force_of(r);
    real f[width][POPULATIONS];
    arriving_at_face_strip<parity, width>(b, &s, f);
    cohesion_at_any_strip<width>(b, &body, &s, flags_at_strip<width>(b, &s), f);
#pragma unroll
    for (int v = 0; v < width; v++)
        collide(f[v], forced, r);
    if (open)
        reflect_at_open_ends<parity, forced, width>(b, r, shape, &s, f);
    if (moving_faces_of(shape) != 0)
        reflect_at_faces<width>(b, &s, moving_faces_of(shape), f);
    leaving_face_strip<parity, width>(b, &s, alive, f);
    return true;
}

/* The step of a warp of plain strips. at_ends: in rows at ends of the domain (strip_at_ends). */
template <int parity, bool forced, int width, bool open, bool at_ends>
static __device__ __forceinline__ void step_plain_strips(const weir_block_view *b, const relaxation *r,
                                                         const step_shape *shape, const strip *s) {
    const body_force body = body_force_of(r);
    real f[width][POPULATIONS];
    cohesion_at_strip<width>(b, &body, s, f);
    arriving_at_strip<parity, width, at_ends>(b, s, f);
    cohesion_at_ends<width>(b, &body, s, f);
#pragma unroll
    for (int v = 0; v < width; v++)
        collide(f[v], forced, r);
    if (open)
        reflect_at_open_ends<parity, forced, width>(b, r, shape, s, f);
    unsigned moving = moving_faces_of(shape);
    if (at_ends && moving != 0) {
        reflect_at_faces<width>(b, s, moving, f);
        moving = 0;
    }
    leaving_strip<parity, width, open, at_ends>(b, s, moving, f);
}

/* A warp of strips of which some are at ends of the domain, and none at another face along y and z, or with
 * walls. false: some are, and nothing is done. Its way is hardly longer than that of other strips: a warp
 * that has one of its own waits for each instruction, and small blocks wait for such warps
 * (docs/measured/2026-11-28-small-domains.md). */
template <int parity, bool forced, int width, bool open>
static __device__ __noinline__ bool step_strips_at_ends(const weir_block_view *b, const relaxation *r,
                                                        const step_shape *shape, int number) {
    strip s = strip_at_ends<width>(b, shape->strips_per_row, shape->rows_per_layer, number);
    if (!__all_sync(WHOLE_WARP, meets_only_ends(b, &s)))
        return false;
    if (open || has_bodies(b)) {
        const strip_flags<width> flags = flags_at_strip<width>(b, &s);
        if (!__all_sync(WHOLE_WARP, is_plain_at_ends<width, open>(b, &s, flags)))
            return false;
        if (open && !s.left_out[0])
            find_open_ends<width>(&s, flags);
    }
    step_plain_strips<parity, forced, width, open, true>(b, r, shape, &s);
    return true;
}

/* A warp of strips inside the block, in a block that may have walls there: what is to be done but for plain
 * strips. false: they all are. */
template <int parity, bool forced, int width, bool open>
static __device__ __forceinline__ bool step_near_walls(const weir_block_view *b, const relaxation *r,
                                                       const step_shape *shape, int number, strip *s) {
    const strip_flags<width> flags = flags_at_strip<width>(b, s);
    prefetch_flags<parity>(b, shape, s);
    if (__all_sync(WHOLE_WARP, is_plain<width, open>(s, flags))) {
        if (open)
            find_open_ends<width>(s, flags);
        return false;
    }
    if (__all_sync(WHOLE_WARP, cells_of<width>(flags).fluid == 0))
        return true;
    if (!parity)
        step_walled_strips<forced, width, open>(b, r, shape, number);
    else if (width > 1 || own_extent(b, 0) > 1)
        step_cells<parity, forced, width, open, true>(b, r, shape, number);
    else
        step_cells<parity, forced, width, open, false>(b, r, shape, number);
    return true;
}

#endif

#if WITH_STRIPS && !BY_ROWS

/* A warp of plain strips, of which nothing leaves the block but what comes back from a wall at rest: beside a
 * free surface there is no other. false: some are others, and nothing is done. */
template <int parity, bool forced, int width>
static __device__ __forceinline__ bool step_strips_inside(const weir_block_view *b, const relaxation *r,
                                                          const step_shape *shape, int number) {
    const bool alive = number * width < own_cells(b);
    const strip s = strip_of<width>(b, shape->strips_per_row, shape->rows_per_layer, alive ? number : 0);
    const bool inside = alive && row_is_inside(b, s.y, s.z) && s.first <= s.wall[0] && s.last <= s.wall[1];
    prefetch_flags<parity>(b, shape, &s);
    if (!__all_sync(WHOLE_WARP, inside && is_plain<width, false>(&s, flags_at_strip<width>(b, &s))))
        return false;
    real f[width][POPULATIONS];
    arriving_at_strip<parity, width, false>(b, &s, f);
#pragma unroll
    for (int v = 0; v < width; v++)
        collide(f[v], forced, r);
    leaving_strip<parity, width, false, false>(b, &s, 0, f);
    return true;
}

#endif

#if REACH > 1 && IN_BRICKS && !WITH_MIRRORS

/* A warp of cells far from faces and walls, where populations move by more than one cell. false: some are
 * not, and nothing is done. */
template <int parity, bool forced>
static __device__ __forceinline__ bool step_far_inside(const weir_block_view *b, const relaxation *r,
                                                       const step_shape *shape, int number) {
    const bool alive = number < own_cells(b);
    const int cell = alive ? number : 0;
    const int row = divided_by_extent(cell, shape->cells_per_row, own_extent(b, 0)),
              z = divided_by_extent(row, shape->rows_per_layer, own_extent(b, 1));
    const int x = cell - row * own_extent(b, 0), y = row - z * own_extent(b, 1);
    if (!__all_sync(WHOLE_WARP, alive && stays_inside(b, x, y, z) && *flag_of(b, x, y, z) == WEIR_FLUID))
        return false;
    real f[POPULATIONS];
    f[0] = real_of(*slot_of(b, 0, cell));
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d) \
    f[i] = real_of(*place_inside(b, parity, false, d, cell, x, y, z));
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
    collide(f, forced, r);
    *slot_of(b, 0, cell) = stored_of(f[0]);
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d) \
    *place_inside(b, parity, false, d, cell, x, y, z) = stored_of(f[o]);
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
    return true;
}

#endif

/* Thread number `number` of a block; warps are whole. open: boundaries of the run let fluid pass, and cells
 * near them are left out. */
template <int parity, bool forced, int width, bool open>
static __device__ __forceinline__ void step_thread(const weir_block_view *b, const relaxation *r,
                                                   const step_shape *shape, int number) {
#if BY_LIST
    step_listed<parity, forced, open>(b, r, shape, number);
#elif !BY_ROWS
#if WITH_STRIPS
    if (step_strips_inside<parity, forced, width>(b, r, shape, number))
        return;
#elif REACH > 1 && IN_BRICKS && !WITH_MIRRORS
    if (width == 1 && step_far_inside<parity, forced>(b, r, shape, number))
        return;
#endif
    step_cells<parity, forced, width, open, false>(b, r, shape, number);
#else
    const int cells = own_cells(b);
    strip s = strip_of<width>(b, shape->strips_per_row, shape->rows_per_layer, number);
    if (!__all_sync(WHOLE_WARP, number * width < cells && row_is_inside(b, s.y, s.z))) {
        if (faces_in_strips<width> && !WITH_PHASES &&
            step_strips_at_ends<parity, forced, width, open>(b, r, shape, number))
            return;
        if (!faces_in_strips<width> || !(takes_face_strips(b, shape) || STORED_IN_HALF) ||
            !step_face_strips<parity, forced, width, open>(b, r, shape, number))
            step_cells<parity, forced, width, open, false>(b, r, shape, number);
        return;
    }
    /* Flags are waited for before populations are asked for: among many bodies few warps need all of them. */
    if ((open || has_bodies(b)) && step_near_walls<parity, forced, width, open>(b, r, shape, number, &s))
        return;
    step_plain_strips<parity, forced, width, open, false>(b, r, shape, &s);
#endif
}

/* Thread `threadIdx.x` of the thread block that has turn `turn` of `count`. */
template <int parity, bool forced, int width, bool open>
static __device__ __forceinline__ void step_at_turn(const weir_block_view *b, const relaxation *r,
                                                    const step_shape *shape, int turn, int count) {
    step_thread<parity, forced, width, open>(
        b, r, shape, thread_block_of_turn(shape, parity, turn, count) * WEIR_STEP_THREADS + (int)threadIdx.x);
}

#endif
