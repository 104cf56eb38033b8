/* Cells near boundaries whose links are counted, on a CPU: which of a vector's these are and, by the general
 * rule of addressing.h, where their populations lie. In runs with mirrors the shortcuts of rows and lists
 * hold for all cells but these. Included where `struct row` and `struct cells` are known. */
#ifndef WEIR_KERNELS_NEAR_OPEN_H
#define WEIR_KERNELS_NEAR_OPEN_H

/* Those of the cells near a boundary whose links are counted. */
static inline lanes near_open(const struct row *row, const struct cells *cells) {
    lanes open = 0;
    for (lanes left = cells->fluid; left != 0; left &= left - 1)
        open |= (lanes)(row->flags[cells->x + first_lane(left)] == WEIR_NEAR_OPEN) << first_lane(left);
    return open;
}

/* The general rule for a single cell, called. */
CALLED stored population_from(const struct weir_block_view *b, int parity, bool wall, struct direction d,
                              int x, int y, int z) {
    return *source_of(b, parity, wall, d, x, y, z);
}

CALLED void population_to(const struct weir_block_view *b, int parity, bool wall, struct direction d, int x,
                          int y, int z, stored population) {
    *target_of(b, parity, wall, d, x, y, z) = population;
}

#if WITH_MIRRORS

/* Some cells of a vector, one by one: what arrives there. */
CALLED void read_singles(const struct weir_block_view *b, int parity, const struct row *row,
                         const struct cells *cells, lanes singles, struct vector *v) {
    const int y = row->y, z = row->z;
    for (lanes left = singles; left != 0; left &= left - 1) {
        const int k = first_lane(left), x = cells->x + k;
        v->rows[0][k] = real_of(*slot_of(b, 0, cell_entry(b, x, y, z)));
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d) \
    v->rows[i][k] = real_of(population_from(b, parity, cells->walls[o] >> k & 1, d, x, y, z));
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
    }
}

/* And what leaves them. */
CALLED void write_singles(const struct weir_block_view *b, int parity, const struct row *row,
                          const struct cells *cells, lanes singles, const struct vector *v) {
    const int y = row->y, z = row->z;
    for (lanes left = singles; left != 0; left &= left - 1) {
        const int k = first_lane(left), x = cells->x + k;
        *slot_of(b, 0, cell_entry(b, x, y, z)) = stored_of(v->rows[0][k]);
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d) \
    population_to(b, parity, cells->walls[i] >> k & 1, d, x, y, z, stored_of(v->rows[i][k]));
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
    }
}

#endif

#endif
