/* What cells of a row of a brick exchange past mirrors, on a CPU. The way past a mirror is along the face, so
 * that what takes it lies in rows like any other: of another direction, or in another block's message.
 * Included by rows.h. */
#ifndef WEIR_KERNELS_MIRROR_ROWS_H
#define WEIR_KERNELS_MIRROR_ROWS_H

#if WITH_MIRRORS

/* Reads what arrives at cells past mirrors, from those that have the same way: of a direction, and of how it
 * is turned round. */
CALLED void read_past_mirrors(const struct weir_block_view *b, int parity, const struct row *row,
                              const struct cells *cells, struct vector *v) {
    for (int turn = 0; turn < cells->turns; turn++) {
        const struct turned_cells *const turned = &cells->turned[turn];
        const struct direction d = numbered[numbered[turned->direction].o],
                               way = from_mirror(d, turned_by_table(d, turned->axes), turned->axes);
        const lanes edge = turned->some & leaving_along_x(cells, -way.c[0]);
        real *const to = v->rows[d.i];
        if (turned->some != edge) {
            const lanes some = turned->some & ~edge;
            real values[VECTOR_CELLS];
            unpack_lanes(values, pack_lanes(source_row(b, parity, row, way) + cells->x, some));
            for (int k = 0; k < VECTOR_CELLS; k++)
                to[k] = some >> k & 1 ? values[k] : to[k];
        }
        if (edge != 0)
            to[first_lane(edge)] =
                real_of(*single_source(b, parity, way, cells->x + first_lane(edge), row->y, row->z));
    }
}

/* Writes what leaves them past mirrors. */
CALLED void write_past_mirrors(const struct weir_block_view *b, int parity, const struct row *row,
                               const struct cells *cells, const struct vector *v) {
    for (int turn = 0; turn < cells->turns; turn++) {
        const struct turned_cells *const turned = &cells->turned[turn];
        const struct direction d = numbered[turned->direction],
                               way = past_mirror(d, turned_by_table(d, turned->axes), turned->axes);
        const lanes edge = turned->some & leaving_along_x(cells, way.c[0]);
        const real *const from = v->rows[turned->direction];
        if (turned->some != edge)
            store_lanes(target_row(b, parity, row, way) + cells->x, from, turned->some & ~edge);
        if (edge != 0)
            *leaving_at_end(b, row, way) = stored_of(from[first_lane(edge)]);
    }
}

#else

/* There are none. */
FUNCTION void read_past_mirrors(const struct weir_block_view *b, int parity, const struct row *row,
                                const struct cells *cells, struct vector *v) {
    (void)b, (void)parity, (void)row, (void)cells, (void)v;
}

FUNCTION void write_past_mirrors(const struct weir_block_view *b, int parity, const struct row *row,
                                 const struct cells *cells, const struct vector *v) {
    (void)b, (void)parity, (void)row, (void)cells, (void)v;
}

#endif

#endif
