/* Cells at the domain's ends along x where a boundary lets fluid pass, and no other wall is near (flag
 * WEIR_AT_OPEN_END, in rows inside of the block), on a CPU. In its row each is the only one of its kind, and
 * would take as long as a whole vector. So cells of rows one after the other along y are taken at once, in a
 * *column*: their populations are gathered from as many rows, collide as those of any vector, and what meets
 * the boundary comes back in vectors too. A step reads and writes what is its cell's own, so rows may do
 * without them.
 *
 * There is one text for both ends: at the high end everything is seen in a mirror, in which it is the low
 * one. Turning the sign of a component along x loses nothing, and the sums of products along a direction are
 * the same bits. */
#ifndef WEIR_KERNELS_OPEN_COLUMNS_H
#define WEIR_KERNELS_OPEN_COLUMNS_H

#include "codelets/kernels/boundary/boundary.h"
#include "codelets/kernels/cells/rows.h"
#include "codelets/kernels/collision/collide_rows.h"

/* The directions that leave the low end, with WEIR_LINK(number, weight, d) for each; n counts them. */
#define LINK_OF_PAIR_(i, o, cx, cy, cz, w)                             \
    if ((cx) < 0) {                                                    \
        WEIR_LINK(i, (real)(w), DIRECTION_(i, o, cx, cy, cz))          \
        n++;                                                           \
    } else if ((cx) > 0) {                                             \
        WEIR_LINK(o, (real)(w), DIRECTION_(o, i, -(cx), -(cy), -(cz))) \
        n++;                                                           \
    }
#define FOR_FLOW_LINKS_OF_END FOR_FLOW_PAIRS(LINK_OF_PAIR_)
#define FOR_LINKS_OF_END FOR_PAIRS(LINK_OF_PAIR_)

/* An end of a block's rows at which the domain has such a boundary. */
struct open_column_end {
    bool open, low;
    int rule, boundary, values;
    int leaving[LINKS_OF_END]; /* the directions that leave it, in the order of the low end's */
};

struct open_columns {
    struct open_column_end end[2]; /* low, high */
};

/* Number of the direction of the same set (of the flow; of the scalar) with this velocity. */
static int direction_with(bool flow, int x, int y, int z) {
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...)                                      \
    if (flow == ((i) < FLOW_POPULATIONS) && (cx) == x && (cy) == y && (cz) == z && \
        ((cx) != 0 || (cy) != 0 || (cz) != 0))                                     \
        return i;
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
    return 0;
}

static struct open_columns open_columns_of(const struct weir_block_view *b) {
    struct open_columns columns;
    for (int side = 0; side < 2; side++) {
        struct open_column_end *const end = &columns.end[side];
        const int boundary = WEIR_WALL_OF_FACE(WEIR_FACE(0, side ? 1 : -1));
        *end = (struct open_column_end){.low = side == 0, .boundary = boundary};
        if (!b->flow || b->extent[0][1] < WEIR_CELLS_BETWEEN_ENDS || !domain_ends(b, 0, side ? 1 : -1) ||
            !is_open(b, boundary))
            continue;
        end->open = true;
        end->rule = b->boundary_rows[boundary].rule;
        end->values = end->rule == WEIR_RULE_PRESSURE || end->rule == WEIR_RULE_EQUILIBRIUM_PRESSURE
                          ? 1
                          : WEIR_BOUNDARY_VALUES;
        int n = 0;
#define WEIR_LINK(number, weight, d) \
    end->leaving[n] =                \
        end->low ? (number) : direction_with((number) < FLOW_POPULATIONS, 1, (d).c[1], (d).c[2]);
        FOR_LINKS_OF_END
#undef WEIR_LINK
    }
    return columns;
}

/* Cells of rows y .. y + VECTOR_CELLS - 1, of which `some` are meant. */
struct column {
    const struct open_column_end *end;
    int x, y, z;
    lanes some;
};

/* The cells at an end of `count` rows from y on, VECTOR_CELLS at most. */
static struct column column_of(const struct weir_block_view *b, const struct open_column_end *end, int y,
                               int z, int count) {
    struct column column = {.end = end, .x = end->low ? 0 : b->extent[0][1] - 1, .y = y, .z = z};
    const uint8_t *const flags = flag_of(b, column.x, y, z);
    for (int k = 0; end->open && k < count; k++)
        if (row_is_inside(b, y + k, z) && flags[k * flags_row(b)] == WEIR_AT_OPEN_END)
            column.some |= (lanes)1 << k;
    return column;
}

/* What the cells have along one direction; from: of the first cell. */
CALLED void gather(const stored *from, ptrdiff_t row, lanes some, real to[VECTOR_CELLS]) {
    if (some == lanes_below(VECTOR_CELLS))
        for (int k = 0; k < VECTOR_CELLS; k++)
            to[k] = real_of(from[k * row]);
    else
        for (int k = 0; k < VECTOR_CELLS; k++)
            to[k] = some >> k & 1 ? real_of(from[k * row]) : (real)0;
}

CALLED void scatter(stored *to, ptrdiff_t row, lanes some, const real from[VECTOR_CELLS]) {
    if (some == lanes_below(VECTOR_CELLS))
        for (int k = 0; k < VECTOR_CELLS; k++)
            to[k * row] = stored_of(from[k]);
    else
        for (lanes left = some; left != 0; left &= left - 1)
            to[first_lane(left) * row] = stored_of(from[first_lane(left)]);
}

FUNCTION void read_column(const struct weir_block_view *b, int parity, const struct column *column,
                          struct vector *v) {
    const int here = cell_number(b, column->x, column->y, column->z), inwards = column->end->low ? 1 : -1;
    gather(slot(b, 0) + here, own_extent(b, 0), column->some, v->rows[0]);
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...)                                                 \
    gather(parity == 0 || (cx) == inwards ? slot(b, i) + here                                 \
                                          : slot(b, o) + here - cell_distance(b, cx, cy, cz), \
           own_extent(b, 0), column->some, v->rows[i]);
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

FUNCTION void write_column(const struct weir_block_view *b, int parity, const struct column *column,
                           const struct vector *v) {
    const int here = cell_number(b, column->x, column->y, column->z), outwards = column->end->low ? -1 : 1;
    scatter(slot(b, 0) + here, own_extent(b, 0), column->some, v->rows[0]);
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...)                                                   \
    scatter(parity == 0 || (cx) == outwards ? slot(b, o) + here                                 \
                                            : slot(b, i) + here + cell_distance(b, cx, cy, cz), \
            own_extent(b, 0), column->some, v->rows[i]);
    FOR_CHANGED_DIRECTIONS
#undef WEIR_DIRECTION
}

/* What is given where the links of a column meet the boundary, by link; of the high end in the mirror. */
typedef real given_values[WEIR_KERNEL_VALUES][VECTOR_CELLS];

FUNCTION void find_given(const struct weir_block_view *b, const struct column *column, struct direction d,
                         given_values given) {
    const struct open_column_end *const end = column->end;
    const real *const profile = profile_of(b, end->boundary);
    for (int n = 0; n < WEIR_KERNEL_VALUES; n++) {
        const real constant = constant_value(b, end->boundary, n),
                   turned = n == 0 && !end->low && end->values > 1 ? (real)-1 : (real)1;
        const bool varies = profile && n < end->values;
        for (int k = 0; k < VECTOR_CELLS; k++)
            given[n][k] = turned * constant;
        for (lanes left = varies ? column->some : 0; left != 0; left &= left - 1) {
            const int k = first_lane(left);
            const struct boundary_link link = {end->boundary, d,         0,   column->x,
                                               column->y + k, column->z, NULL};
            given[n][k] = turned * value_on_face(b, &link, profile, n);
        }
    }
}

/* Moments of one cell of a vector after collision. */
FUNCTION struct moments moments_left(bool forced, const struct body_force *body, const struct vector *v,
                                     int k) {
    real f[POPULATIONS], force[3];
#define WEIR_DIRECTION(i, ...) f[i] = v->rows[i][k];
    WEIR_DIRECTION(0)
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
    return moments_after_collision(forced, body, f, force);
}

/* What rules of the flow want of them, as seen from the low end. */
struct moments_of_column {
    real excess[VECTOR_CELLS], density[VECTOR_CELLS], momentum[3][VECTOR_CELLS], velocity[3][VECTOR_CELLS];
};

FUNCTION void find_moments(bool forced, const struct body_force *body, const struct column *column,
                           const struct vector *v, struct moments_of_column *m) {
    const real turned = column->end->low ? (real)1 : (real)-1;
    IVDEP
    for (int k = 0; k < VECTOR_CELLS; k++) {
        const struct moments cell = moments_left(forced, body, v, k);
        m->excess[k] = cell.excess;
        m->density[k] = cell.density;
        UNROLL(3)
        for (int axis = 0; axis < 3; axis++) {
            m->momentum[axis][k] = (axis == 0 ? turned : (real)1) * cell.momentum[axis];
            m->velocity[axis][k] = (axis == 0 ? turned : (real)1) * cell.velocity[axis];
        }
    }
}

/* What comes back of the flow by this rule, by link. leaving: f*_i as it is stored. */
FUNCTION void come_back_by(int rule, const struct weir_block_view *b, const struct moments_of_column *m,
                           given_values given[FLOW_LINKS_OF_END],
                           real leaving[FLOW_LINKS_OF_END][VECTOR_CELLS],
                           real back[FLOW_LINKS_OF_END][VECTOR_CELLS]) {
    IVDEP
    for (int k = 0; k < VECTOR_CELLS; k++) {
        struct moments cell;
        int n = 0;
        cell.excess = m->excess[k];
        cell.density = m->density[k];
        UNROLL(3)
        for (int axis = 0; axis < 3; axis++) {
            cell.momentum[axis] = m->momentum[axis][k];
            cell.velocity[axis] = m->velocity[axis][k];
        }
#define WEIR_LINK(number, weight, d)                                   \
    real values[WEIR_KERNEL_VALUES];                                   \
    UNROLL(4)                                                          \
    for (int value = 0; value < WEIR_KERNEL_VALUES; value++)           \
        values[value] = given[n][value][k];                            \
    const struct boundary_link link = {0, d, weight, 0, 0, 0, values}; \
    back[n][k] = reflected_by(b, rule, &link, leaving[n][k], &cell);
        FOR_FLOW_LINKS_OF_END
#undef WEIR_LINK
    }
}

/* Numbers as they are stored. */
FUNCTION void store_and_read(const real numbers[VECTOR_CELLS], real stored_numbers[VECTOR_CELLS]) {
    for (int k = 0; k < VECTOR_CELLS; k++)
        stored_numbers[k] = as_stored(numbers[k]);
}

/* The same by the rule that the boundary has, each compiled on its own, and as it is stored. */
CALLED void come_back(const struct weir_block_view *b, bool forced, const struct body_force *body,
                      const struct column *column, const struct vector *v,
                      real back[FLOW_LINKS_OF_END][VECTOR_CELLS]) {
    struct moments_of_column m;
    given_values given[FLOW_LINKS_OF_END];
    real leaving[FLOW_LINKS_OF_END][VECTOR_CELLS], unrounded[FLOW_LINKS_OF_END][VECTOR_CELLS];
    int n = 0;
#define WEIR_LINK(number, weight, d)                                                \
    const struct direction along =                                                  \
        direction_of(0, 0, column->end->low ? -1 : 1, (d).c[1], (d).c[2], 0, 0, 0); \
    find_given(b, column, along, given[n]);
    FOR_FLOW_LINKS_OF_END
#undef WEIR_LINK
    for (n = 0; n < FLOW_LINKS_OF_END; n++)
        store_and_read(v->rows[column->end->leaving[n]], leaving[n]);
    if (forced)
        find_moments(true, body, column, v, &m);
    else
        find_moments(false, body, column, v, &m);
#define BY_RULE(rule)                                         \
    case rule:                                                \
        come_back_by(rule, b, &m, given, leaving, unrounded); \
        break;
    switch (column->end->rule) {
        BY_RULE(WEIR_RULE_PRESSURE)
        BY_RULE(WEIR_RULE_ABSORBING)
        BY_RULE(WEIR_RULE_EQUILIBRIUM_PRESSURE)
        BY_RULE(WEIR_RULE_EQUILIBRIUM_VELOCITY)
    default:
        come_back_by(WEIR_RULE_VELOCITY, b, &m, given, leaving, unrounded);
    }
#undef BY_RULE
    for (n = 0; n < FLOW_LINKS_OF_END; n++)
        store_and_read(unrounded[n], back[n]);
}

/* Adds a number of each of some cells. */
FUNCTION void add_column(struct weir_exact_sum *sum, lanes some, double factor,
                         const double number[VECTOR_CELLS]) {
    int64_t high = 0;
    uint64_t low = 0;
    for (int k = 0; k < VECTOR_CELLS; k++) {
        const struct weir_exact_sum part = exact_of(some >> k & 1 ? factor * number[k] : 0);
        high += part.high;
        low += part.low;
    }
    sum->high += high;
    sum->low += low;
}

/* Counts what passes these of the cells along link n, and the momentum exchanged (add_exchange). */
CALLED void count_column(const struct column *column, lanes some, int n, int cy, int cz,
                         const struct vector *v, const real back[VECTOR_CELLS], struct boundary_sum *sum) {
    const real *const leaving = v->rows[column->end->leaving[n]];
    double passed[VECTOR_CELLS], exchange[VECTOR_CELLS];
    for (int k = 0; k < VECTOR_CELLS; k++) {
        passed[k] = (double)back[k] - (double)as_stored(leaving[k]);
        exchange[k] = (double)as_stored(leaving[k]) + (double)back[k];
    }
    add_column(&sum->sum[WEIR_FLOW_MASS], some, 1, passed);
    add_column(&sum->sum[WEIR_FLOW_FORCE], some, column->end->low ? -1 : 1, exchange);
    if (cy != 0)
        add_column(&sum->sum[WEIR_FLOW_FORCE + 1], some, cy, exchange);
    if (cz != 0)
        add_column(&sum->sum[WEIR_FLOW_FORCE + 2], some, cz, exchange);
}

/* The cells of a column that are not of solids that conduct a scalar. */
FUNCTION lanes flowing(const struct column *column, const struct vector *v) {
    lanes some = column->some;
#if CONDUCTOR_VALUES
    for (int k = 0; k < VECTOR_CELLS; k++)
        some &= ~((lanes)(v->rows[CONDUCTOR_INVERSE][k] > 0) << k);
#else
    (void)v;
#endif
    return some;
}

#if WITH_SCALAR
static struct direction scalar_direction(int number) {
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d) \
    if ((i) == number)                         \
        return d;
    FOR_SCALAR_DIRECTIONS
#undef WEIR_DIRECTION
    return direction_of(0, 0, 0, 0, 0, 0, 0, 0);
}

/* The scalar's part, cell by cell: there may be a profile of it, too. */
CALLED void reflect_scalar_of_column(const struct weir_block_view *b, bool forced,
                                     const struct body_force *body, const struct column *column,
                                     struct vector *v, struct boundary_sum *sum) {
    for (lanes left = column->some; left != 0; left &= left - 1) {
        const int k = first_lane(left);
        const struct moments cell = moments_left(forced, body, v, k);
        for (int n = FLOW_LINKS_OF_END; n < LINKS_OF_END; n++) {
            const struct direction d = scalar_direction(column->end->leaving[n]);
            const struct boundary_link link = {column->end->boundary, d,         0,   column->x,
                                               column->y + k,         column->z, NULL};
            real *const leaving = &v->rows[d.i][k];
            const real met = as_stored(*leaving), back = scalar_reflected(b, &link, met, &cell);
            accumulate_exactly(&sum->sum[WEIR_FLOW_SCALAR], (double)as_stored(back) - (double)met);
            *leaving = back;
        }
    }
}
#endif

/* Replaces what leaves the cells towards the boundary by what comes back, counted. */
CALLED void reflect_column(const struct weir_block_view *b, int parity, bool forced,
                           const struct body_force *body, const struct column *column, struct vector *v,
                           struct boundary_sums *sums) {
    const struct open_column_end *const end = column->end;
    real back[FLOW_LINKS_OF_END][VECTOR_CELLS];
    struct boundary_sum *const sum =
        sum_for(b, parity, share_of(0, column->y, column->z), end->boundary, sums);
    const lanes some = flowing(column, v);
    come_back(b, forced, body, column, v, back);
#if WITH_SCALAR
    reflect_scalar_of_column(b, forced, body, column, v, sum); /* beside the flow as it was, too */
#endif
    int n = 0;
#define WEIR_LINK(number, weight, d) count_column(column, some, n, (d).c[1], (d).c[2], v, back[n], sum);
    FOR_FLOW_LINKS_OF_END
#undef WEIR_LINK
    for (n = 0; n < FLOW_LINKS_OF_END; n++)
        for (int k = 0; k < VECTOR_CELLS; k++)
            if (some >> k & 1)
                v->rows[end->leaving[n]][k] = back[n][k];
}

/* The step of the cells of a column. */
static void step_column(const struct weir_block_view *b, int parity, const struct column *column,
                        const struct weir_fluid *fluid, const struct relaxation *r,
                        struct boundary_sums *sums) {
    const struct body_force body = body_force_of(r);
    struct vector v;
    read_column(b, parity, column, &v);
    collide_one(&v, fluid->forced, r);
    reflect_column(b, parity, fluid->forced, &body, column, &v, sums);
    write_column(b, parity, column, &v);
}

#endif
