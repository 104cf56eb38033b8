/* The force between cells of a fluid with phases (collision/cohesion.h) on the cells of strips. What cells
 * attract by is read once for all cells of a strip, in wide pieces and, one by one, the cells before and
 * after these. Threads beside each other read the same, which the cache then has. */
#ifndef WEIR_KERNELS_COHESION_STRIPS_CUH
#define WEIR_KERNELS_COHESION_STRIPS_CUH

#include "codelets/kernels/cells/cells.h"
#include "codelets/kernels/cuda/strips.cuh"

#if WITH_PHASES

/* What the cells at (cy, cz) from those of a strip in a row inside the block attract by, and the cells before
 * and after these; number n of it. */
template <int width>
static __device__ __forceinline__ void potentials_at_strip(const weir_block_view *b, const strip *s, int n,
                                                           int cy, int cz, real line[width + 2]) {
    const real *const row = potentials_of(b, n) + (s->cell + cell_distance(b, 0, cy, cz));
    const ptrdiff_t place = x_place(b, n, s->y + cy, s->z + cz); /* field_beside */
    const real *low = row - 1, *high = row + width;
    if (s->first)
        low = s->wall[0] ? row : (const real *)b->potentials_beside[FROM_LOW_X] + place;
    if (s->last)
        high = s->wall[1] ? row : (const real *)b->potentials_beside[FROM_HIGH_X] + place;
    const wide<width> cells = *(const wide<width> *)row;
    line[0] = *low;
    for (int v = 0; v < width; v++)
        line[v + 1] = cells.cell[v];
    line[width + 1] = *high;
}

#endif

/* The force on the cells of a plain strip in a row inside the block, but for one at which the domain ends:
 * before populations are asked for, so that nothing of it but the force is kept meanwhile. */
template <int width>
static __device__ __forceinline__ void cohesion_at_strip(const weir_block_view *b, const body_force *body,
                                                         const strip *s, real f[width][POPULATIONS]) {
#if WITH_PHASES
    constexpr int deep = DIMENSIONS == 3;
    real lines[POTENTIALS][3][3][width + 2];
#pragma unroll
    for (int n = 0; n < POTENTIALS; n++)
#pragma unroll
        for (int cz = -deep; cz <= deep; cz++)
#pragma unroll
            for (int cy = -1; cy <= 1; cy++)
                potentials_at_strip<width>(b, s, n, cy, cz, lines[n][cz + 1][cy + 1]);
#pragma unroll
    for (int v = 0; v < width; v++) {
        real around[POTENTIALS][FLOW_POPULATIONS], force[COHESION_FORCES][3];
#pragma unroll
        for (int n = 0; n < POTENTIALS; n++) {
            around[n][0] = lines[n][1][1][v + 1];
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...) around[n][i] = lines[n][(cz) + 1][(cy) + 1][v + 1 + (cx)];
            FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
        }
        cohesion_from(around, body, force);
#pragma unroll
        for (int k = 0; k < COHESION_VALUES; k++)
            f[v][COHESION_0 + k] = force[k / DIMENSIONS][k % DIMENSIONS];
    }
#else
    (void)b, (void)body, (void)s, (void)f;
#endif
}

/* The same of such a cell, when its populations have arrived. */
template <int width>
static __device__ __forceinline__ void cohesion_at_ends(const weir_block_view *b, const body_force *body,
                                                        const strip *s, real f[width][POPULATIONS]) {
#if WITH_PHASES
    for (int v = 0; v < width; v++)
        if ((v == 0 && s->wall[0]) || (v == width - 1 && s->wall[1]))
            add_cohesion(b, body, WEIR_AT_END, s->x + v, s->y, s->z, f[v]);
#else
    (void)b, (void)body, (void)s, (void)f;
#endif
}

/* The force on the cells of any strip whose populations have arrived; of others than fluid ones nothing. */
template <int width>
static __device__ __forceinline__ void cohesion_at_any_strip(const weir_block_view *b, const body_force *body,
                                                             const strip *s, strip_flags<width> flags,
                                                             real f[width][POPULATIONS]) {
#if WITH_PHASES
    for (int v = 0; v < width; v++)
        if (!is_wall(flags.cell[v]))
            add_cohesion(b, body, flags.cell[v], s->x + v, s->y, s->z, f[v]);
#else
    (void)b, (void)body, (void)s, (void)flags, (void)f;
#endif
}

#endif
