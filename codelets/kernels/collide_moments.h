/* The step of cells that keep moments, on a CPU. What leaves cells is found once for each, plane by plane of
 * a strip of rows, into arrays that stay in the cache; what arrives is gathered from there, or from messages,
 * and its moments are kept. */
#ifndef WEIR_KERNELS_COLLIDE_MOMENTS_H
#define WEIR_KERNELS_COLLIDE_MOMENTS_H

#include "codelets/kernels/boundary/boundary_rows.h"
#include "codelets/kernels/collision/leave_rows.h"

/* A strip: some rows of each plane, and some cells of each row, so few that all of it fits on the stack, of
 * which threads may have 2 MB. Beside it there is a row more on each side, and room for a vector; in two
 * dimensions there is one plane. */
enum {
    STRIP_ROWS = DIMENSIONS == 2 ? 32 : 8,
    STRIP_CELLS = 1024 / sizeof(real),
    STRIP_PLANES = DIMENSIONS == 2 ? 1 : 3,
    CELLS_WITH_MARGINS = STRIP_CELLS + 3 * VECTOR_CELLS
};

/* What leaves the cells of a plane of the strip: f*_i of the cell at [row][VECTOR_CELLS + x - x_begin], the
 * first row being that before the strip. */
struct leaving_plane {
    real of[POPULATIONS][STRIP_ROWS + 2][CELLS_WITH_MARGINS];
};

struct strip {
    const struct weir_block_view *block;
    int parity;
    const struct weir_fluid *fluid;
    const struct relaxation *relaxation;
    struct boundary_sums *sums;
    int x_begin, x_end, y_begin, y_end;
    struct leaving_plane *planes; /* [STRIP_PLANES], of z at z % STRIP_PLANES */
};

/* f*_i of cell x of a row of the block. */
FUNCTION real *leaving_of(const struct strip *s, int i, int x, int y, int z) {
    return &s->planes[DIMENSIONS == 2 ? 0 : z % STRIP_PLANES].of[i][y - s->y_begin + 1][VECTOR_CELLS] +
           (x - s->x_begin);
}

/* The same of all directions, of[i][x]. */
struct row_leaving {
    real *of[POPULATIONS];
};

static struct row_leaving row_leaving_of(const struct strip *s, int y, int z) {
    struct row_leaving leaving;
    for (int i = 0; i < POPULATIONS; i++)
        leaving.of[i] = leaving_of(s, i, 0, y, z);
    return leaving;
}

/* Finds what leaves the cells of a row, with one beside the strip at each end. */
static void leave_row(const struct strip *s, int y, int z) {
    const struct weir_block_view *const b = s->block;
    const int nx = b->extent[0][1], begin = s->x_begin > 0 ? s->x_begin - 1 : 0,
              end = s->x_end < nx ? s->x_end + 1 : nx;
    const struct row row = row_of(b, s->parity, y, z);
    const struct row_leaving leaving = row_leaving_of(s, y, z);
    for (int x = begin; x < end; x += VECTOR_CELLS) {
        struct vector_of_moments m;
        fetch_moments_ahead(b, s->parity, &row, x);
        read_moments(b, s->parity, &row, x, lanes_below(end - x), &m);
        leave_to(&m, s->fluid->forced, s->relaxation, leaving.of, x);
    }
}

/* The same of the rows of a plane, if that is in the block. */
static void leave_plane(const struct strip *s, int z) {
    const int ny = s->block->extent[1][1];
    if (z < 0 || z >= s->block->extent[2][1])
        return;
    for (int y = s->y_begin > 0 ? s->y_begin - 1 : 0; y < s->y_end + 1 && y < ny; y++)
        leave_row(s, y, z);
}

/* Where f_i lies that arrives at the cells of a row, in[i][x], but for those beside walls and x faces. */
struct row_sources {
    const real *in[POPULATIONS];
};

static struct row_sources sources_of(const struct strip *s, const struct row *row) {
    const struct weir_block_view *const b = s->block;
    struct row_sources sources;
    sources.in[0] = leaving_of(s, 0, 0, row->y, row->z);
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                                                               \
    if (row->inside || (block_offset(b, 1, row->y, -(cy)) == 0 && block_offset(b, 2, row->z, -(cz)) == 0)) { \
        sources.in[i] = leaving_of(s, i, -(cx), row->y - (cy), row->z - (cz));                               \
    } else {                                                                                                 \
        const real *const source = arriving_row(b, row, d);                                                  \
        sources.in[i] = source ? source : sources.in[0]; /* no cell's then: the domain ends, at walls */     \
    }
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
    return sources;
}

/* Writes what is going to leave cells of a row, which have new moments, to the messages of this block. m is
 * then what is kept of them. */
CALLED void send_cells(const struct strip *s, const struct row *row, const struct cells *cells,
                       struct vector_of_moments *m) {
    const struct weir_block_view *const b = s->block;
    struct vector v;
    round_as_kept(m);
    leave_one(m, s->fluid->forced, s->relaxation, &v);
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                                                        \
    {                                                                                                 \
        const lanes some = cells->fluid & ~cells->walls[i], edge = some & leaving_along_x(cells, cx); \
        if (block_offset(b, 1, row->y, cy) != 0 || block_offset(b, 2, row->z, cz) != 0)               \
            if ((some & ~edge) != 0)                                                                  \
                store_lanes(leaving_row(b, row, d) + cells->x, v.rows[i], some & ~edge);              \
        if (edge != 0)                                                                                \
            *leaving_at_end(b, row, d) = v.rows[i][first_lane(edge)];                                 \
    }
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
#if WITH_MIRRORS
    for (int turn = 0; turn < cells->turns; turn++) {
        const struct turned_cells *const turned = &cells->turned[turn];
        const struct direction d = numbered[turned->direction],
                               way = past_mirror(d, turned_by_table(d, turned->axes), turned->axes);
        const lanes edge = turned->some & leaving_along_x(cells, way.c[0]);
        if (turned->some != edge &&
            (block_offset(b, 1, row->y, way.c[1]) != 0 || block_offset(b, 2, row->z, way.c[2]) != 0))
            store_lanes(leaving_row(b, row, way) + cells->x, v.rows[turned->direction], turned->some & ~edge);
        if (edge != 0)
            *leaving_at_end(b, row, way) = v.rows[turned->direction][first_lane(edge)];
    }
#endif
}

#if WITH_MIRRORS

/* Replaces what arrives at cells past mirrors. */
CALLED void take_past_mirrors(const struct strip *s, const struct row *row, const struct cells *cells,
                              struct vector *v) {
    const struct weir_block_view *const b = s->block;
    for (int turn = 0; turn < cells->turns; turn++) {
        const struct turned_cells *const turned = &cells->turned[turn];
        const struct direction d = numbered[numbered[turned->direction].o],
                               left = turned_by_table(d, turned->axes),
                               way = from_mirror(d, left, turned->axes);
        const lanes edge = turned->some & leaving_along_x(cells, -way.c[0]);
        const bool inside =
            block_offset(b, 1, row->y, -way.c[1]) == 0 && block_offset(b, 2, row->z, -way.c[2]) == 0;
        real *const to = v->rows[d.i];
        if (turned->some != edge) {
            const real *const from =
                inside ? leaving_of(s, left.i, -way.c[0], row->y - way.c[1], row->z - way.c[2])
                       : arriving_row(b, row, way);
            for (lanes some = turned->some & ~edge; some != 0; some &= some - 1)
                to[first_lane(some)] = from[cells->x + first_lane(some)];
        }
        if (edge != 0)
            to[first_lane(edge)] =
                *single_source(b, s->parity, way, cells->x + first_lane(edge), row->y, row->z);
    }
}

#endif

/* Gathers what arrives at cells of a row. back[i]: what leaves them, where it meets boundaries what comes
 * back. */
FUNCTION void gather_cells(const struct strip *s, const struct row *row, const struct row_sources *sources,
                           const struct cells *cells, const real *const back[POPULATIONS], struct vector *v) {
    const int at = cells->x;
    memcpy(v->rows[0], back[0], sizeof v->rows[0]);
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                                                               \
    {                                                                                                        \
        const lanes walls = cells->walls[o], beyond = leaving_along_x(cells, -(cx)), edge = beyond & ~walls; \
        packed_populations p = pack_lanes(sources->in[i] + at, cells->fluid & ~(beyond | walls));            \
        p = also_lanes(p, back[o], walls);                                                                   \
        if (edge != 0)                                                                                       \
            p = also_one(p, *arriving_at_end(s->block, s->parity, row, d), edge);                            \
        unpack_lanes(v->rows[i], p);                                                                         \
    }
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
#if WITH_MIRRORS
    take_past_mirrors(s, row, cells, v);
#endif
}

/* Keeps the moments of what has arrived at cell k of a vector. */
FUNCTION void keep_lane(const real f[POPULATIONS], struct vector_of_moments *m, int k) {
    real numbers[KEPT_MOMENTS];
    const struct kept_moments kept = kept_of_populations(f);
    numbers_of_kept(&kept, numbers);
    UNROLL(10)
    for (int number = 0; number < KEPT_MOMENTS; number++)
        m->rows[number][k] = numbers[number];
}

FUNCTION void keep_vector(const struct vector *v, struct vector_of_moments *m) {
    IVDEP
    for (int k = 0; k < VECTOR_CELLS; k++) {
        real f[POPULATIONS];
        UNROLL(27)
        for (int i = 0; i < POPULATIONS; i++)
            f[i] = v->rows[i][k];
        keep_lane(f, m, k);
    }
}

/* The step of some cells from x on, VECTOR_CELLS at most. */
CALLED void step_some(const struct strip *s, const struct row *row, const struct row_sources *sources,
                      int x) {
    const struct weir_block_view *const b = s->block;
    const struct body_force body = body_force_of(s->relaxation);
    struct cells cells;
    struct vector changed, v;
    struct vector_of_moments m;
    const real *back[POPULATIONS];
    if (!find_cells(b, row, x, s->x_end, &cells))
        return;
    fetch_moments_ahead(b, 1 - s->parity, row, x);
    for (int i = 0; i < POPULATIONS; i++)
        back[i] = leaving_of(s, i, x, row->y, row->z);
    if (cells.walled && (b->flow || s->fluid->walls_move)) {
        for (int i = 0; i < POPULATIONS; i++) {
            memcpy(changed.rows[i], back[i], sizeof changed.rows[i]);
            back[i] = changed.rows[i];
        }
        if (b->flow)
            reflect_from_boundaries(b, s->parity, row, &cells, s->fluid, &body, &changed, s->sums);
        else
            reflect_from_moving_walls(b, row, &cells, &changed);
    }
    gather_cells(s, row, sources, &cells, back, &v);
#if WITH_WET
    if (b->flow)
        complete_wet_cells(b, s->parity, row, &cells, s->fluid->forced, &body, &v, s->sums);
#endif
    keep_vector(&v, &m);
    write_moments(b, 1 - s->parity, row, x, cells.fluid, &m);
    if (!row->inside || (cells.first | cells.last) != 0)
        send_cells(s, row, &cells, &m);
}

/* The step of cells begin .. end - 1, whole vectors of fluid away from walls and x faces. */
static void step_plain(const struct strip *s, const struct row *row, const struct row_sources *sources,
                       int begin, int end) {
    const struct weir_block_view *const b = s->block;
#define WEIR_DIRECTION(i, ...) const real *const in_##i = sources->in[i];
    WEIR_DIRECTION(0)
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
    for (int x = begin; x < end; x += VECTOR_CELLS) {
        struct vector_of_moments m;
        fetch_moments_ahead(b, 1 - s->parity, row, x);
        IVDEP
        for (int k = 0; k < VECTOR_CELLS; k++) {
            real f[POPULATIONS];
#define WEIR_DIRECTION(i, ...) f[i] = in_##i[x + k];
            WEIR_DIRECTION(0)
            FOR_DIRECTIONS
#undef WEIR_DIRECTION
            keep_lane(f, &m, k);
        }
        write_moments(b, 1 - s->parity, row, x, lanes_below(VECTOR_CELLS), &m);
        if (!row->inside) {
            struct cells cells = {.x = x, .fluid = lanes_below(VECTOR_CELLS)};
            send_cells(s, row, &cells, &m);
        }
    }
}

static void step_row(const struct strip *s, int y, int z) {
    const struct weir_block_view *const b = s->block;
    const int nx = b->extent[0][1];
    const struct row row = row_of(b, s->parity, y, z);
    const struct row_sources sources = sources_of(s, &row);
    for (int x = s->x_begin; x < s->x_end;) {
        int end = x;
        while (end > 0 && end + VECTOR_CELLS < nx && end + VECTOR_CELLS <= s->x_end && all_plain(&row, end))
            end += VECTOR_CELLS;
        if (end > x) {
            step_plain(s, &row, &sources, x, end);
            x = end;
            continue;
        }
        const lanes some = fluid_from(b, &row, x, s->x_end);
        if (some != 0) {
            x += first_lane(some);
            step_some(s, &row, &sources, x);
        }
        x += VECTOR_CELLS;
    }
}

/* The step of the rows row_begin .. row_end - 1 as far as they cross the strip. */
static void step_strip(const struct strip *s, int row_begin, int row_end) {
    const int ny = s->block->extent[1][1];
    int first = row_begin / ny, last = (row_end - 1) / ny;
    first += first * ny + s->y_end <= row_begin;
    last -= last * ny + s->y_begin >= row_end;
    if (first > last)
        return;
    if (DIMENSIONS == 3)
        leave_plane(s, first - 1);
    leave_plane(s, first);
    for (int z = first; z <= last; z++) {
        if (DIMENSIONS == 3)
            leave_plane(s, z + 1);
        for (int y = s->y_begin; y < s->y_end; y++)
            if (z * ny + y >= row_begin && z * ny + y < row_end)
                step_row(s, y, z);
    }
}

/* The step of rows whose step may be under way at once. */
static void step_rows_at_once(const struct weir_block_view *b, int parity, int row_begin, int row_end,
                              const struct weir_fluid *fluid, const struct relaxation *r,
                              struct boundary_sums *sums) {
    const int nx = b->extent[0][1], ny = b->extent[1][1];
    struct leaving_plane planes[STRIP_PLANES];
    struct strip s = {
        .block = b, .parity = parity, .fluid = fluid, .relaxation = r, .sums = sums, .planes = planes};
    for (s.y_begin = 0; s.y_begin < ny; s.y_begin = s.y_end) {
        s.y_end = s.y_begin + STRIP_ROWS < ny ? s.y_begin + STRIP_ROWS : ny;
        for (s.x_begin = 0; s.x_begin < nx; s.x_begin = s.x_end) {
            s.x_end = s.x_begin + STRIP_CELLS < nx ? s.x_begin + STRIP_CELLS : nx;
            step_strip(&s, row_begin, row_end);
        }
    }
}

static void step_rows(const struct weir_block_view *b, int parity, int row_begin, int row_end,
                      const struct weir_fluid *fluid, const struct relaxation *r,
                      struct boundary_sums *sums) {
    if (row_begin == 0)
        forget_progress(b, 1 - parity);
    for (int turn = 0; turn < weir_turns(b); turn++) {
        const struct weir_planes planes = weir_turn(b, parity, turn);
        const int first = planes.begin * b->extent[1][1], end = planes.end * b->extent[1][1];
        const int from = first > row_begin ? first : row_begin, to = end < row_end ? end : row_end;
        if (from < to)
            step_rows_at_once(b, parity, from, to, fluid, r, sums);
    }
}

#endif
