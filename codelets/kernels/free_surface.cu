/* A free surface, on a GPU, a thread for each cell: see free_surface.c. Cells far from the surface ask
 * whether they are, and are done; in blocks without a surface all but those at faces are done at once. */
#include "codelets/kernels/boundary/free_surface.h"
#include "codelets/kernels/cells/cells.h"
#include "codelets/kernels/cuda/brick.cuh"

/* Has no cell of the block, and of the ring around it, at the surface in this pair of steps, those are done
 * from which other blocks want to know. */
FUNCTION bool is_idle(const weir_block_view *b, const weir_surface_view *s, int x, int y, int z) {
    return !words_of(s)->near && stays_inside(b, x, y, z);
}

extern "C" __global__ void count_surface_mass(const __grid_constant__ weir_block_view b,
                                              const __grid_constant__ weir_surface_view s, int parity) {
    int x, y, z;
    if (!thread_cell(b.extent[0][1], b.extent[1][1], &x, &y, &z))
        return;
    weir_surface_words *const words = words_of(&s);
    const bool idle = parity ? is_idle(&b, &s, x, y, z) : !words->seen;
    if (x == 0 && y == 0 && z == 0) { /* of what no thread asks in such a step */
        if (parity)
            words->seen = 0;
        else
            words->near = words->seen;
    }
    if (idle)
        return;
    const uint8_t flag = *flag_of(&b, x, y, z);
    const bool at_surface = !is_wall(flag) && level_is_at_surface(*level_at(&b, &s, x, y, z));
    if (at_surface)
        count_mass(&b, &s, parity, x, y, z);
    if (!parity)
        return;
    if (!is_wall(flag) && !stays_inside(&b, x, y, z))
        take_in(&b, x, y, z);
    if (at_surface)
        tell_change(&b, &s, x, y, z);
    else
        tell_state(&b, &s, state_away(&b, flag), x, y, z);
}

extern "C" __global__ void convert_surface_cells(const __grid_constant__ weir_block_view b,
                                                 const __grid_constant__ weir_surface_view s) {
    int x, y, z;
    if (!thread_cell(b.extent[0][1], b.extent[1][1], &x, &y, &z))
        return;
    if (s.prepares)
        tell_level(&b, &s, real_of(*slot_of(&b, SURFACE_LEVEL, cell_entry(&b, x, y, z))), 0, x, y, z);
    else if (is_idle(&b, &s, x, y, z))
        return;
    else if (is_far_from_surface(&b, &s, x, y, z))
        ((real *)s.shares)[cell_entry(&b, x, y, z)] = 0;
    else
        convert_cell(&b, &s, x, y, z);
}

/* For CPUs: all of the row may be at the surface, and its states are to be told. */
FUNCTION void widen_spans(const weir_block_view *b, const weir_surface_view *s, int y, int z) {
    const int nx = b->extent[0][1];
    span_at_surface(b, s, y, z)->begin = -1;
    span_at_surface(b, s, y, z)->end = nx + 1;
    if (y >= 0 && y < b->extent[1][1] && z >= 0 && z < b->extent[2][1]) {
        spans_near(b, s, y, z)->now.begin = 0;
        spans_near(b, s, y, z)->now.end = nx;
    }
}

/* Threads for the ring around the block, too; of flat lattices not along z. Curvature takes long, and those
 * who need it are few and lie apart: the cells of several planes wait until all threads can take one. */
extern "C" __global__ void settle_surface_flags(const __grid_constant__ weir_block_view b,
                                                const __grid_constant__ weir_surface_view s) {
    enum { DEEP = DIMENSIONS == 3 ? 1 : 0 };
    const int nx = b.extent[0][1], ny = b.extent[1][1], nz = b.extent[2][1];
    const int first_x = (int)(blockIdx.x * blockDim.x) - 1, first_y = (int)(blockIdx.y * blockDim.y) - 1,
              first_z = (int)blockIdx.z * WEIR_SURFACE_PLANES - DEEP;
    const int x = first_x + (int)threadIdx.x, y = first_y + (int)threadIdx.y;
    const int thread = (int)(threadIdx.y * blockDim.x + threadIdx.x),
              threads = (int)(blockDim.x * blockDim.y);
#if WITH_TENSION
    __shared__ int count;
    __shared__ uint16_t waiting[WEIR_SURFACE_PLANES * WEIR_BRICK_THREADS];
    if (thread == 0)
        count = 0;
    __syncthreads();
#endif
    for (int plane = 0; plane < WEIR_SURFACE_PLANES; plane++) {
        const int z = first_z + plane;
        if (x > nx || y > ny || z >= nz + DEEP)
            break;
        if (x < 0)
            widen_spans(&b, &s, y, z);
        if (x < 0 || x >= nx || y < 0 || y >= ny || z < 0 || z >= nz)
            settle_ring(&b, &s, x, y, z);
        else if ((s.prepares || (words_of(&s)->near && !is_far_from_surface(&b, &s, x, y, z))) &&
                 settle_cell(&b, &s, x, y, z)) {
#if WITH_TENSION
            waiting[atomicAdd(&count, 1)] = (uint16_t)(plane * threads + thread);
#endif
        }
        if (level_is_at_surface(*level_at(&b, &s, x, y, z))) {
            words_of(&s)->seen = 1;
            if (s.prepares)
                words_of(&s)->near = 1;
        }
    }
#if WITH_TENSION
    __syncthreads();
    for (int k = thread; k < count; k += threads) {
        const int place = waiting[k] % threads, width = (int)blockDim.x;
        pull_by_tension(&b, &s, first_x + place % width, first_y + place / width,
                        first_z + waiting[k] / threads);
    }
#endif
}
