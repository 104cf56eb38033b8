/* Some cells of each row of a block, few and far apart, which threads share out: so that all of a warp have
 * one, and not the one whose place it is. */
#ifndef WEIR_KERNELS_SHARED_ROWS_CUH
#define WEIR_KERNELS_SHARED_ROWS_CUH

#include "codelets/kernels/cuda/shapes.h"

static_assert((WEIR_ROWS_SHARED & (WEIR_ROWS_SHARED - 1)) == 0 && WEIR_ROWS_SHARED <= WEIR_ROW_THREADS,
              "rows are found by halves, each counted by a thread");

/* Thread blocks of WEIR_ROW_THREADS threads take `together` of the rows each (weir_rows_together).
 * count_of(row): how many cells of it are meant; take(row, k): for the k-th of them, in any order. */
template <typename count_function, typename cell_function>
static __device__ __forceinline__ void share_rows(int rows, int together, count_function count_of,
                                                  cell_function take) {
    __shared__ int ends[WEIR_ROWS_SHARED]; /* how many there are up to the end of each row */
    const int first = (int)blockIdx.x * together, thread = (int)threadIdx.x;
    if (thread < together)
        ends[thread] = first + thread < rows ? count_of(first + thread) : 0;
    __syncthreads();
    for (int distance = 1; distance < together; distance *= 2) {
        const int before = thread >= distance && thread < together ? ends[thread - distance] : 0;
        __syncthreads();
        if (thread < together)
            ends[thread] += before;
        __syncthreads();
    }
    for (int cell = thread; cell < ends[together - 1]; cell += WEIR_ROW_THREADS) {
        int row = 0; /* how many end before the cell */
        for (int half = together / 2; half > 0; half /= 2)
            row += ends[row + half - 1] <= cell ? half : 0;
        take(first + row, cell - (row > 0 ? ends[row - 1] : 0));
    }
}

#endif
