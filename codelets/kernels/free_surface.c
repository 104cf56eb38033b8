/* A free surface, on a CPU: the mass of rows of cells, what they become, their flags. Of a row those cells
 * are looked at that may be near the surface; of most rows, as in liquid and in gas, that is none. */
#include "codelets/kernels/boundary/free_surface.h"
#include "codelets/kernels/cells/rows.h"
#include "codelets/kernels/kernels.h"

/* ---- spans of rows ------------------------------------------------------------------------------------- */

/* The span of the cells of a row that are at the surface, among x = -1 ... nx. */
CALLED void find_surface(const struct weir_block_view *b, const struct weir_surface_view *s, int y, int z) {
    const int nx = b->extent[0][1];
    const real *const levels = level_at(b, s, 0, y, z);
    struct weir_span span = no_span(b);
    for (int x = -1; x <= nx; x++)
        if (level_is_at_surface(levels[x])) {
            span.begin = x < span.begin ? x : span.begin;
            span.end = x + 1;
        }
    *span_at_surface(b, s, y, z) = span;
}

/* ---- mass and states ----------------------------------------------------------------------------------- */

static void count_row(const struct weir_block_view *b, const struct weir_surface_view *s, int parity, int y,
                      int z) {
    const struct weir_span span = own_span(b, s, y, z);
    const real *const levels = level_at(b, s, 0, y, z);
    for (int x = span.begin; x < span.end; x++)
        if (level_is_at_surface(levels[x]))
            count_mass(b, s, parity, x, y, z);
}

/* Takes what arrives at the cells of a row from other blocks out of messages. From the rows of other blocks
 * beside it it arrives in rows, but for what comes to its ends. */
static void take_in_row(const struct weir_block_view *b, int y, int z) {
    const struct row row = {.y = y, .z = z, .flags = flag_of(b, 0, y, z)};
    const int nx = b->extent[0][1];
    if (!has_fluid(b, y, z))
        return;
    if (!row_is_inside(b, y, z)) {
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                                                            \
    const stored *const from_##i = block_offset(b, 1, y, -(cy)) != 0 || block_offset(b, 2, z, -(cz)) != 0 \
                                       ? arriving_row(b, &row, d)                                         \
                                       : NULL;                                                            \
    if (from_##i) {                                                                                       \
        stored *const to = slot_of(b, i, cell_entry(b, 0, y, z));                                         \
        const uint8_t *const flags = flag_of(b, -(cx), y - (cy), z - (cz));                               \
        for (int x = 1; x < nx - 1; x++)                                                                  \
            to[x] = is_wall(row.flags[x]) || is_wall(flags[x]) ? to[x] : from_##i[x];                     \
    }
        FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
    }
    if (!is_wall(row.flags[0]))
        take_in(b, 0, y, z);
    if (nx > 1 && !is_wall(row.flags[nx - 1]))
        take_in(b, nx - 1, y, z);
}

static void tell_row(const struct weir_block_view *b, const struct weir_surface_view *s, int y, int z) {
    const uint8_t *const flags = flag_of(b, 0, y, z);
    const real *const levels = level_at(b, s, 0, y, z);
    real *const states = surface_field(b, s, SURFACE_STATE) + cell_entry(b, 0, y, z);
    follow_surface(b, s, y, z);
    const struct weir_span changing = spans_near(b, s, y, z)->before;
    for (int x = changing.begin; x < changing.end; x++)
        if (level_is_at_surface(levels[x]))
            tell_change(b, s, x, y, z);
        else
            states[x] = (real)state_away(b, flags[x]);
    give_field_row(b, s->give_states, SURFACE_STATE, y, z, states);
}

weir_surface_cpu WEIR_NAME(surface_mass);
void WEIR_NAME(surface_mass)(const struct weir_block_view *b, const struct weir_surface_view *surface,
                             int parity, int row_begin, int row_end) {
    const int ny = b->extent[1][1];
    for (int row = row_begin; row < row_end; row++) {
        count_row(b, surface, parity, row % ny, row / ny);
        if (parity) {
            take_in_row(b, row % ny, row / ny);
            tell_row(b, surface, row % ny, row / ny);
        }
    }
    clear_upper_halves();
}

/* ---- what cells become --------------------------------------------------------------------------------- */

enum { TOGETHER = 64 };

/* Which of the cells x ... x + TOGETHER - 1 of a row may change, as bits: those at the surface, and beside
 * cells that are. Around any other all are liquid, or gas, or walls: it stays what it is, as by
 * states_around, and so does its flag. What lies in other blocks is not looked at: beside them any cell may.
 */
static uint64_t changing_cells(const struct weir_block_view *b, const struct weir_surface_view *s, int x,
                               int y, int z) {
    const int nx = b->extent[0][1], count = nx - x < TOGETHER ? nx - x : TOGETHER;
    if (!row_is_inside(b, y, z))
        return ~(uint64_t)0;
    const int from = x > 0 ? -1 : 0, to = count + (x + count < nx);
    real most[TOGETHER + 2] = {0}; /* states of the rows around, from x - 1 on */
    for (int dz = DIMENSIONS == 3 ? -1 : 0; dz <= (DIMENSIONS == 3); dz++)
        for (int dy = -1; dy <= 1; dy++) {
            const real *const states = surface_field(b, s, SURFACE_STATE) + cell_entry(b, x, y + dy, z + dz);
            for (int k = from; k < to; k++)
                most[k + 1] = states[k] > most[k + 1] ? states[k] : most[k + 1];
        }
    uint64_t changing = 0;
    for (int k = 0; k < count; k++) {
        const bool at_surface = most[k] >= (real)STATE_SURFACE || most[k + 1] >= (real)STATE_SURFACE ||
                                most[k + 2] >= (real)STATE_SURFACE;
        changing |= (uint64_t)(at_surface || x + k == 0 || x + k == nx - 1) << k;
    }
    return changing;
}

/* The same, but for those beyond a span. */
static uint64_t changing_within(const struct weir_block_view *b, const struct weir_surface_view *s,
                                struct weir_span span, int x, int y, int z) {
    const int left = span.end - x;
    return changing_cells(b, s, x, y, z) & (left < TOGETHER ? ((uint64_t)1 << left) - 1 : ~(uint64_t)0);
}

static void convert_row(const struct weir_block_view *b, const struct weir_surface_view *s, int y, int z) {
    const struct weir_near_spans near = *spans_near(b, s, y, z);
    const int row = cell_entry(b, 0, y, z);
    real *const shares = (real *)s->shares + row;
    for (int x = near.before.begin; x < near.before.end; x++)
        shares[x] = 0;
    for (int x = near.now.begin; x < near.now.end; x += TOGETHER)
        for (uint64_t left = changing_within(b, s, near.now, x, y, z); left != 0; left &= left - 1)
            convert_cell(b, s, x + __builtin_ctzll(left), y, z);
    give_field_row(b, s->give_levels, TOLD_LEVEL, y, z, (const real *)slot_of(b, SURFACE_LEVEL, row));
    give_field_row(b, s->give_levels, TOLD_SHARE, y, z, shares);
}

/* Before the first step. */
static void tell_levels(const struct weir_block_view *b, const struct weir_surface_view *s, int y, int z) {
    for (int x = 0; x < b->extent[0][1]; x++)
        tell_level(b, s, real_of(*slot_of(b, SURFACE_LEVEL, cell_entry(b, x, y, z))), 0, x, y, z);
}

weir_surface_cpu WEIR_NAME(surface_cells);
void WEIR_NAME(surface_cells)(const struct weir_block_view *b, const struct weir_surface_view *surface,
                              int parity, int row_begin, int row_end) {
    const int ny = b->extent[1][1];
    (void)parity;
    for (int row = row_begin; row < row_end; row++)
        (surface->prepares ? tell_levels : convert_row)(b, surface, row % ny, row / ny);
    clear_upper_halves();
}

/* ---- flags --------------------------------------------------------------------------------------------- */

/* A row of the ring around the block, whose cells change where they have other levels than the neighbours
 * tell of. */
static void settle_row_of_ring(const struct weir_block_view *b, const struct weir_surface_view *s, int y,
                               int z) {
    const int nx = b->extent[0][1], ny = b->extent[1][1], nz = b->extent[2][1];
    const int cy = y < 0 ? -1 : y >= ny, cz = z < 0 ? -1 : z >= nz;
    const real *const told = field_row_beside(b, NULL, s->levels_beside, TOLD_LEVEL, y - cy, z - cz, cy, cz);
    const bool differs =
        told && (s->prepares || memcmp(told, level_at(b, s, 0, y, z), (size_t)nx * sizeof *told) != 0);
    bool changed = settle_ring(b, s, -1, y, z);
    changed = settle_ring(b, s, nx, y, z) || changed || differs;
    for (int x = 0; x < nx && differs; x++)
        settle_ring(b, s, x, y, z);
    if (changed || s->prepares)
        find_surface(b, s, y, z);
}

static void settle_row(const struct weir_block_view *b, const struct weir_surface_view *s, int y, int z) {
    const int nx = b->extent[0][1];
    struct weir_near_spans *const near = spans_near(b, s, y, z);
    bool changed = settle_ring(b, s, -1, y, z);
    changed = settle_ring(b, s, nx, y, z) || changed || near->now.begin < near->now.end;
    for (int x = 0; x < nx && s->prepares; x++)
        if (settle_cell(b, s, x, y, z))
            pull_by_tension(b, s, x, y, z);
    if (s->prepares)
        near->now = (struct weir_span){0, nx}; /* all states are to be told in the first step */
    for (int x = near->now.begin; x < near->now.end && !s->prepares; x += TOGETHER)
        for (uint64_t left = changing_within(b, s, near->now, x, y, z); left != 0; left &= left - 1)
            if (settle_cell(b, s, x + __builtin_ctzll(left), y, z))
                pull_by_tension(b, s, x + __builtin_ctzll(left), y, z);
    if (changed || s->prepares)
        find_surface(b, s, y, z);
}

/* With the rows of the ring beside it. */
static void settle_rows_at(const struct weir_block_view *b, const struct weir_surface_view *s, int y, int z) {
    const int ny = b->extent[1][1], nz = b->extent[2][1], deep = DIMENSIONS == 3;
    for (int rz = z == 0 ? -deep : z; rz <= (z == nz - 1 ? z + deep : z); rz++)
        for (int ry = y == 0 ? -1 : y; ry <= (y == ny - 1 ? ny : y); ry++)
            if (ry == y && rz == z)
                settle_row(b, s, y, z);
            else
                settle_row_of_ring(b, s, ry, rz);
}

weir_surface_cpu WEIR_NAME(surface_flags);
void WEIR_NAME(surface_flags)(const struct weir_block_view *b, const struct weir_surface_view *surface,
                              int parity, int row_begin, int row_end) {
    const int ny = b->extent[1][1];
    (void)parity;
    for (int row = row_begin; row < row_end; row++)
        settle_rows_at(b, surface, row % ny, row / ny);
    clear_upper_halves();
}
