/* Cells near boundaries whose links are counted, on a CPU: which of a vector's these are. Included where
 * `struct row` and `struct cells` are known. */
#ifndef WEIR_KERNELS_NEAR_OPEN_H
#define WEIR_KERNELS_NEAR_OPEN_H

/* Those of the cells near a boundary whose links are counted. */
static inline lanes near_open(const struct row *row, const struct cells *cells) {
    return cells->fluid & flag_bits_from(row->flags + cells->x, WEIR_NEAR_OPEN);
}

#endif
