/* Where a value lies in a message through a block's face, as kernel texts and everybody else find it.
 *
 * A message is a list of layers, of which each has one value per cell of the face (message.h). A direction of
 * a lattice that crosses a face normal to an axis has |c| layers there, c its component along the axis: one
 * for each depth below the face from which it leads out. They follow each other in order of depth, 0 first;
 * directions follow each other in the order of the lattice's rows. Both directions of a pair have the same
 * layers, in opposite faces. */
#ifndef WEIR_KERNELS_LAYERS_H
#define WEIR_KERNELS_LAYERS_H

#include <stddef.h>

#ifdef __CUDACC__
#define WEIR_EVERYWHERE static __host__ __device__ __forceinline__
#else
#define WEIR_EVERYWHERE static inline __attribute__((always_inline))
#endif

/* Place of a cell's value. lower and upper: the cell's coordinates along the two other axes, the lower axis
 * first, in the block that sends; lower_count, upper_count: how many cells that has there. */
WEIR_EVERYWHERE ptrdiff_t weir_layer_place(ptrdiff_t layer, ptrdiff_t upper, ptrdiff_t upper_count,
                                           ptrdiff_t lower, ptrdiff_t lower_count) {
    return (layer * upper_count + upper) * lower_count + lower;
}

/* Enumerators with the number of each direction's first layer, for rows of lattice.h:
 *     PREFIX_1, PREFIX_2 ...   of direction 1, 2 ... (meaningless where c is 0)
 *     PREFIX_END               the number after the last
 * begin: the number of the set's first layer; cx, cy, cz: which component counts is said by the `row` macros
 * below, of which one is made for a prefix:
 *     #define ROW(i, o, cx, cy, cz, w) WEIR_LAYER_OF_PAIR(X, i, o, cx)
 *     enum { WEIR_LAYERS_BEGIN(X, 0) WEIR_D3Q19_PAIRS(ROW) X_END }; */
#define WEIR_LAYERS_BEGIN(prefix, begin) prefix##_BEGIN = (begin)-1,
#define WEIR_LAYER_OF_PAIR(prefix, i, o, c) \
    prefix##_##i, prefix##_##o = prefix##_##i, prefix##_LAST_##i = prefix##_##i + ((c) < 0 ? -(c) : (c)) - 1,

#endif
