/* Rows of cells on a CPU, taken in vectors: finds, for a row, one pointer per direction from which the
 * populations arriving there can be read in order of x, and for the cells of a vector, which of them are
 * exceptions: those beside walls, whose populations come from their own slots, and the two beside the x
 * faces. So the arithmetic takes whole vectors and knows neither parity nor faces nor walls. */
#ifndef WEIR_KERNELS_ROWS_H
#define WEIR_KERNELS_ROWS_H

#include "codelets/kernels/cells/kept_moments.h"
#include "codelets/kernels/collision/moments.h"

#if WITH_MOMENTS

#include "codelets/kernels/cells/moment_rows.h"

#elif BY_ROUTES

#include "codelets/kernels/cells/list_rows.h"

#elif !BY_ROWS

#include "codelets/kernels/cells/single_cells.h"

#else

#include "codelets/kernels/cells/row_cells.h"

/* Row of populations i arriving at the cells of a row, right for all but the exceptions; NULL where the
 * domain ends, so that all are at a wall. */
FUNCTION const stored *source_row(const struct weir_block_view *b, int parity, const struct row *row,
                                  struct direction d) {
    if (leads_out(b, row, -d.c[1], -d.c[2]))
        return arriving_row(b, row, d);
    return parity ? row->own[d.o] - cell_distance(b, d.c[0], d.c[1], d.c[2]) : row->own[d.i];
}

/* Row to which populations i leaving a row go, with the same exceptions. */
FUNCTION stored *target_row(const struct weir_block_view *b, int parity, const struct row *row,
                            struct direction d) {
    if (leads_out(b, row, d.c[1], d.c[2]))
        return leaving_row(b, row, d);
    return parity ? row->own[d.i] + cell_distance(b, d.c[0], d.c[1], d.c[2]) : row->own[d.o];
}

#include "codelets/kernels/cells/mirror_rows.h"

/* Finds the row, and where what arrives at it is. */
static inline struct row row_of(const struct weir_block_view *b, int parity, int y, int z) {
    struct row row = {.y = y, .z = z, .inside = row_is_inside(b, y, z), .flags = flag_of(b, 0, y, z)};
    const int first = cell_number(b, 0, y, z);
    for (int i = 0; i < SLOTS; i++)
        row.own[i] = slot(b, i) + first;
    row.in[0] = row.own[0];
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                                                          \
    {                                                                                                   \
        const stored *const source = is_taken_in(parity) ? row.own[i] : source_row(b, parity, &row, d); \
        row.in[i] = source ? source : row.own[i]; /* no cell's then: all are at walls */                \
    }
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
#if WITH_PHASES
    find_potential_rows(b, y, z, &row.potentials);
#endif
    return row;
}

/* The row at (y, z), where `row` is the one that was taken before, or its y is below 0: whether it goes on
 * from that, as rows do that follow each other away from y faces, which differ in where they begin. */
static inline bool next_row(const struct weir_block_view *b, int parity, int y, int z, struct row *row) {
    if (row->y < 1 || y != row->y + 1 || y >= own_extent(b, 1) - 1 || z != row->z) {
        *row = row_of(b, parity, y, z);
        return false;
    }
    const ptrdiff_t further = own_extent(b, 0);
    row->y = y;
    row->flags += flags_row(b);
    for (int i = 0; i < SLOTS; i++) {
        row->in[i] += further;
        row->own[i] += further;
    }
#if WITH_PHASES
    next_potential_rows(further, &row->potentials);
#endif
    return true;
}

/* Reads the populations arriving at cells of a row. at_ends: some may be beside an x face; in_rows: what
 * walls send back is in in[i] too, because that is own[i], or there are no walls. Constants of the caller's.
 */
FUNCTION void read_cells(const struct weir_block_view *b, int parity, const struct row *row,
                         const struct cells *cells, bool at_ends, bool in_rows, struct vector *v) {
    const int at = cells->x;
    unpack_lanes(v->rows[0], pack_lanes(row->own[0] + at, cells->fluid));
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                                                         \
    {                                                                                                  \
        const lanes walls = cells->walls[o];                                                           \
        const lanes beyond = at_ends && !is_taken_in(parity) ? leaving_along_x(cells, -(cx)) : 0,      \
                    edge = beyond & ~walls;                                                            \
        /* What a solid cell's slots hold is read, and replaced: the same lanes for all directions. */ \
        packed_populations p = pack_lanes(row->in[i] + at, cells->fluid & ~(in_rows ? edge : beyond)); \
        if (!in_rows)                                                                                  \
            p = also_lanes(p, row->own[i] + at, walls & ~past_mirrors(cells, o));                      \
        if (edge != 0)                                                                                 \
            p = also_one(p, *arriving_at_end(b, parity, row, d), edge);                                \
        unpack_lanes(v->rows[i], p);                                                                   \
    }
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
    if (!in_rows)
        read_past_mirrors(b, parity, row, cells, v);
}

#endif

/* The same for who only looks at cells: called, as it is most of what compilers have to do there. */
WEIR_CALLED void look_at_cells(const struct weir_block_view *b, int parity, const struct row *row,
                               const struct cells *cells, struct vector *v) {
    read_cells(b, parity, row, cells, true, false, v);
}

/* Puts the force between cells of a fluid with phases behind what has arrived at cells of a row. */
FUNCTION void add_cohesion_to_cells(const struct weir_block_view *b, const struct body_force *body,
                                    const struct row *row, const struct cells *cells, struct vector *v) {
#if WITH_PHASES
    add_any_cohesion(b, &row->potentials, body, row->flags + cells->x, cells->x, row->y, row->z, cells->fluid,
                     v);
#else
    (void)b, (void)body, (void)row, (void)cells, (void)v;
#endif
}

#endif
