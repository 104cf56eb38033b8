/* Sizes of a block's arrays: how many bytes to allocate, and where in them things are. */
#ifndef WEIR_KERNELS_LAYOUT_H
#define WEIR_KERNELS_LAYOUT_H

#include "codelets/kernels/lattice.h"

#include <stddef.h>

/* Reals from one direction's array to the next for a block of `cells` cells: a multiple of 128 bytes, so that
 * GPU lines stay aligned, but an odd one, so that the streams of a row fall into different cache sets
 * whatever the block's size. */
size_t weir_layout_stride(size_t cells, size_t real_size);

/* Bytes of the populations of a block with extent[3] cells. */
size_t weir_layout_populations_bytes(const struct weir_lattice_table *lattice, const int extent[3],
                                     size_t real_size);

/* Bytes of flags (with their ring) and wall velocities of a block, and where the latter begin. */
size_t weir_layout_geometry_bytes(const int extent[3], int wall_count, size_t real_size);
size_t weir_layout_walls_offset(const int extent[3]);

#endif
