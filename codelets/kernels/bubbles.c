/* The gas of a block, on a CPU: its pieces, what they touch in other blocks, and what they are given. See
 * boundary/bubbles.h. */
#include "codelets/kernels/boundary/bubbles.h"
#include "codelets/kernels/kernels.h"

/* ---- pieces --------------------------------------------------------------------------------------------
 *
 * By union and find: until all cells have been seen, the label of a cell that touches gas is 1 + the number
 * of a cell before it that it hangs together with, or its own. */

static int32_t root_of(int32_t *labels, int32_t cell) {
    while (labels[cell] != cell + 1) {
        labels[cell] = labels[labels[cell] - 1]; /* half the way for who comes next */
        cell = labels[cell] - 1;
    }
    return cell;
}

static void unite(int32_t *labels, int32_t one, int32_t other) {
    const int32_t a = root_of(labels, one), c = root_of(labels, other);
    if (a < c)
        labels[c] = a + 1;
    else
        labels[a] = c + 1;
}

/* Joins a cell to those before it. */
static void join_cell(const struct weir_block_view *b, const struct weir_surface_view *s, int x, int y,
                      int z) {
    int32_t *const labels = (int32_t *)s->gas_labels;
    const int32_t cell = cell_entry(b, x, y, z);
    const bool inside = stays_inside(b, x, y, z);
    labels[cell] = cell + 1;
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...)                                                                \
    if (((cz) < 0 || ((cz) == 0 && ((cy) < 0 || ((cy) == 0 && (cx) < 0)))) &&                                \
        (inside || !leaves_block(b, x, y, z, cx, cy, cz)) &&                                                 \
        touches_gas(b, *flag_of(b, x + (cx), y + (cy), z + (cz))) && gas_goes_on(b, s, x, y, z, cx, cy, cz)) \
        unite(labels, cell, (int32_t)cell_entry(b, x + (cx), y + (cy), z + (cz)));
    FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
}

/* Amid gas a cell is joined to all before it that it touches once it is to the one before it in its row: each
 * of them touches one of three that are gas and touch each other, where populations move along edges. */
static void join_row(const struct weir_block_view *b, const struct weir_surface_view *s, int y, int z) {
    enum { WITH_EDGES = FLOW_POPULATIONS != 15 };
    const int nx = b->extent[0][1];
    const bool inside = WITH_EDGES && row_is_inside(b, y, z);
    const uint8_t *const flags = flag_of(b, 0, y, z), *const before = flag_of(b, 0, y - 1, z),
                         *const below = flag_of(b, 0, y, DIMENSIONS == 3 ? z - 1 : z);
    int32_t *const labels = label_of(b, s, 0, y, z);
    for (int x = 0; x < nx; x++)
        if (!touches_gas(b, flags[x]))
            labels[x] = 0;
        else if (inside && x > 0 && x < nx - 1 && is_gas(b, flags[x]) && is_gas(b, flags[x - 1]) &&
                 is_gas(b, before[x]) && is_gas(b, below[x]))
            labels[x] = labels[x - 1];
        else
            join_cell(b, s, x, y, z);
}

/* Number of one more piece, from 1; 0: there is no room. */
static int32_t begin_piece(struct weir_gas_table *table) {
    static const struct weir_gas_piece nothing;
    if (table->pieces == WEIR_GAS_PIECES_MAX) {
        table->lacking = 1;
        return 0;
    }
    table->piece[table->pieces] = nothing;
    return ++table->pieces;
}

/* Whether a cell lies at a face of the domain that is open to the atmosphere. */
static bool is_open_to_air(const struct weir_block_view *b, const struct weir_surface_view *s, int x, int y,
                           int z) {
    const int cell[3] = {x, y, z};
    for (int axis = 0; axis < 3 && s->atmosphere != 0; axis++)
        if ((s->atmosphere >> WEIR_FACE(axis, -1) & 1 && cell[axis] == 0 && domain_ends(b, axis, -1)) ||
            (s->atmosphere >> WEIR_FACE(axis, 1) & 1 && cell[axis] == own_extent(b, axis) - 1 &&
             domain_ends(b, axis, 1)))
            return true;
    return false;
}

/* Adds some cells of gas to their piece that have as much of it each. */
static void add_gas(struct weir_gas_piece *piece, real amount, int cells) {
    const struct weir_exact_sum of_one = exact_of((double)amount);
    piece->amount.high += of_one.high * cells;
    piece->amount.low += of_one.low * (uint64_t)cells;
    piece->volume.high += exact_of(1.0).high * cells;
    piece->gas_cells += cells;
}

/* Adds what a cell that is no gas has to its piece. */
static void add_cell(const struct weir_block_view *b, struct weir_gas_piece *piece, int x, int y, int z) {
    const int cell = cell_entry(b, x, y, z);
    const real fill = fill_of_level(real_of(*slot_of(b, SURFACE_LEVEL, cell)));
    accumulate_exactly(&piece->amount, (double)real_of(*slot_of(b, SURFACE_GAS, cell)));
    accumulate_exactly(&piece->volume, 1.0 - (double)fill);
}

/* Numbers the pieces, in the order of their first cells, and adds up what is in each. Cells of gas that
 * follow each other mostly have as much of it. */
static void number_row(const struct weir_block_view *b, const struct weir_surface_view *s, int y, int z) {
    struct weir_gas_table *const table = (struct weir_gas_table *)s->gas_table;
    const uint8_t *const flags = flag_of(b, 0, y, z);
    const int row = cell_entry(b, 0, y, z);
    int32_t *const all = (int32_t *)s->gas_labels, *const labels = all + row;
    const stored *const amounts = slot_of(b, SURFACE_GAS, row);
    for (int x = 0, alike = 0; x < b->extent[0][1]; x++) {
        const int32_t before = labels[x] - 1;
        if (before < 0)
            continue;
        labels[x] = before == row + x ? -begin_piece(table) : all[before];
        if (labels[x] == 0)
            continue;
        struct weir_gas_piece *const piece = &table->piece[-labels[x] - 1];
        if (!is_gas(b, flags[x])) {
            add_cell(b, piece, x, y, z);
            continue;
        }
        piece->open += is_open_to_air(b, s, x, y, z);
        alike++;
        /* The next one has no label of a piece yet, but it is one of this piece, if it is gas. */
        if (x + 1 == b->extent[0][1] || !is_gas(b, flags[x + 1]) ||
            real_of(amounts[x + 1]) != real_of(amounts[x])) {
            add_gas(piece, real_of(amounts[x]), alike);
            alike = 0;
        }
    }
}

/* Tells neighbours the piece of each cell at a face of the block. */
static void tell_labels(const struct weir_block_view *b, const struct weir_surface_view *s, int y, int z) {
    const int nx = b->extent[0][1];
    for (int x = 0; x < nx; x += row_is_inside(b, y, z) && nx > 1 ? nx - 1 : 1)
        give_field(b, s->give_labels, 0, x, y, z, (real) - *label_of(b, s, x, y, z));
}

/* All of the block with its first row: pieces go on from row to row. */
weir_surface_cpu WEIR_NAME(gas_pieces);
void WEIR_NAME(gas_pieces)(const struct weir_block_view *b, const struct weir_surface_view *surface,
                           int parity, int row_begin, int row_end) {
    struct weir_gas_table *const table = (struct weir_gas_table *)surface->gas_table;
    const int ny = b->extent[1][1], rows = ny * b->extent[2][1];
    (void)parity, (void)row_end;
    if (row_begin != 0)
        return;
    table->pieces = table->links = table->lacking = table->unused = 0;
    for (int row = 0; row < rows; row++)
        join_row(b, surface, row % ny, row / ny);
    for (int row = 0; row < rows; row++) {
        number_row(b, surface, row % ny, row / ny);
        tell_labels(b, surface, row % ny, row / ny);
    }
    clear_upper_halves();
}

/* ---- what they touch ----------------------------------------------------------------------------------- */

/* Links follow each other as cells of a face do, so what is there already mostly came last. */
static void add_link(struct weir_gas_table *table, int32_t piece, int32_t offset, int32_t beside) {
    for (int32_t k = table->links - 1; k >= 0; k--) {
        const struct weir_gas_link *const link = &table->link[k];
        if (link->piece == piece && link->offset == offset && link->beside == beside)
            return;
    }
    if (table->links == WEIR_GAS_LINKS_MAX) {
        table->lacking = 1;
        return;
    }
    const struct weir_gas_link link = {piece, offset, beside};
    table->link[table->links++] = link;
}

/* The piece, counted from 1, of the cell of another block at c; 0: none. */
static int32_t piece_beside(const struct weir_block_view *b, const struct weir_surface_view *s, int x, int y,
                            int z, int cx, int cy, int cz) {
    const uint8_t flag = *flag_of(b, x + cx, y + cy, z + cz);
    return is_wall(flag) && !is_gas(b, flag)
               ? 0
               : (int32_t)field_beside(b, NULL, s->labels_beside, 0, x, y, z, cx, cy, cz);
}

/* Number of the offset of the block in which a step of c ends. */
static int32_t offset_of_step(const struct weir_block_view *b, int x, int y, int z, int cx, int cy, int cz) {
    return WEIR_OFFSET_NUMBER(block_offset(b, 0, x, cx), block_offset(b, 1, y, cy),
                              block_offset(b, 2, z, cz));
}

static void link_cell(const struct weir_block_view *b, const struct weir_surface_view *s, int x, int y,
                      int z) {
    struct weir_gas_table *const table = (struct weir_gas_table *)s->gas_table;
    const int32_t label = *label_of(b, s, x, y, z);
    if (label >= 0 || stays_inside(b, x, y, z))
        return;
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...)                           \
    if (leaves_block(b, x, y, z, cx, cy, cz)) {                         \
        const int32_t beside = piece_beside(b, s, x, y, z, cx, cy, cz); \
        const int32_t offset = offset_of_step(b, x, y, z, cx, cy, cz);  \
        table->piece[-label - 1].beside |= (uint32_t)1 << offset;       \
        if (beside > 0 && gas_goes_on(b, s, x, y, z, cx, cy, cz))       \
            add_link(table, -label - 1, offset, beside - 1);            \
    }
    FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
}

/* The gas of a cell that touches none goes to the first cell around it that does. In another block it is
 * joined to that as a piece of its own. */
static void hand_over_gas(const struct weir_block_view *b, const struct weir_surface_view *s, int x, int y,
                          int z) {
    struct weir_gas_table *const table = (struct weir_gas_table *)s->gas_table;
    int32_t taker = 0, offset = WEIR_ITSELF;
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...)                                     \
    if (taker == 0) {                                                             \
        if (leaves_block(b, x, y, z, cx, cy, cz)) {                               \
            taker = piece_beside(b, s, x, y, z, cx, cy, cz);                      \
            offset = offset_of_step(b, x, y, z, cx, cy, cz);                      \
        } else {                                                                  \
            const int32_t beside = *label_of(b, s, x + (cx), y + (cy), z + (cz)); \
            taker = beside < 0 ? -beside : 0;                                     \
            offset = WEIR_ITSELF;                                                 \
        }                                                                         \
    }
    FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
    int32_t piece = taker;
    if (taker > 0 && offset != WEIR_ITSELF) {
        piece = begin_piece(table);
        if (piece > 0) {
            table->piece[piece - 1].beside = (uint32_t)1 << offset;
            add_link(table, piece - 1, offset, taker - 1);
        }
    }
    if (piece > 0)
        add_cell(b, &table->piece[piece - 1], x, y, z);
    *label_of(b, s, x, y, z) = piece;
}

static void link_row(const struct weir_block_view *b, const struct weir_surface_view *s, int y, int z) {
    const int nx = b->extent[0][1];
    const stored *const gas = slot_of(b, SURFACE_GAS, cell_entry(b, 0, y, z));
    const uint8_t *const flags = flag_of(b, 0, y, z);
    const struct weir_span near = spans_near(b, s, y, z)->now;
    for (int x = 0; x < nx; x += row_is_inside(b, y, z) && nx > 1 ? nx - 1 : 1)
        link_cell(b, s, x, y, z);
    for (int x = near.begin; x < near.end; x++)
        if (!touches_gas(b, flags[x]) && !is_wall(flags[x]) && real_of(gas[x]) != 0)
            hand_over_gas(b, s, x, y, z);
}

weir_surface_cpu WEIR_NAME(gas_links);
void WEIR_NAME(gas_links)(const struct weir_block_view *b, const struct weir_surface_view *surface,
                          int parity, int row_begin, int row_end) {
    const int ny = b->extent[1][1], rows = ny * b->extent[2][1];
    (void)parity, (void)row_end;
    for (int row = 0; row_begin == 0 && row < rows; row++)
        link_row(b, surface, row % ny, row / ny);
    clear_upper_halves();
}

/* ---- what they are given ------------------------------------------------------------------------------- */

weir_surface_cpu WEIR_NAME(gas_spread);
void WEIR_NAME(gas_spread)(const struct weir_block_view *b, const struct weir_surface_view *surface,
                           int parity, int row_begin, int row_end) {
    const int ny = b->extent[1][1];
    (void)parity;
    for (int row = row_begin; row < row_end; row++)
        for (int x = 0; x < b->extent[0][1]; x++)
            spread_gas(b, surface, x, row % ny, row / ny);
    clear_upper_halves();
}
