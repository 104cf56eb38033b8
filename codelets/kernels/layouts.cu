/* Propagation and collision of a domain in other memory layouts than those of runs, on a GPU, for weir bench
 * layouts. A thread takes a cell; threads that follow each other take the cells of a cluster, then those of
 * the next, or of rows of single cells their cells. */
#include "codelets/kernels/kernels.h"
#include "codelets/kernels/layouts.h"

/* The cell of a thread: false where the row has ended. */
static __device__ __forceinline__ bool cell_of_thread(const weir_site_layout *l, int *cluster, int *cell) {
    const int number = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    *cluster = number / CLUSTER;
    *cell = number % CLUSTER;
    return *cluster < l->clusters;
}

template <bool moves, bool collides>
static __device__ __forceinline__ void step_cell(const weir_site_layout *l, const relaxation *r,
                                                 const stored *from, stored *to) {
    const int y = (int)blockIdx.y, z = (int)blockIdx.z;
    int j, k;
    if (!cell_of_thread(l, &j, &k))
        return;
    real f[POPULATIONS];
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...) \
    f[i] = real_of(                           \
        from[(moves ? number_of(l, i, j - (cx), y - (cy), z - (cz)) : number_of(l, i, j, y, z)) + k]);
    WEIR_DIRECTION(0, 0, 0, 0, 0)
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
    if (collides)
        collide(f, false, r);
#define WEIR_DIRECTION(i, ...) to[number_of(l, i, j, y, z) + k] = stored_of(f[i]);
    WEIR_DIRECTION(0)
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

#define LAYOUT_KERNEL(name, moves, collides)                                                               \
    extern "C" __global__ void name(const __grid_constant__ weir_site_layout l,                            \
                                    const __grid_constant__ relaxation r, const stored *__restrict__ from, \
                                    stored *__restrict__ to) {                                             \
        step_cell<moves, collides>(&l, &r, from, to);                                                      \
    }
LAYOUT_KERNEL(layout_propagate, true, false)
LAYOUT_KERNEL(layout_collide, false, true)
LAYOUT_KERNEL(layout_fused, true, true)
