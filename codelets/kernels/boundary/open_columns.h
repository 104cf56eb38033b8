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
#include "codelets/kernels/lattice/numbered_directions.h"

/* The directions of the flow that leave the low end, with WEIR_LINK(weight, d) for each; n counts them. */
#define LINK_OF_PAIR_(i, o, cx, cy, cz, w)                          \
    if ((cx) < 0) {                                                 \
        WEIR_LINK((real)(w), DIRECTION_(i, o, cx, cy, cz))          \
        n++;                                                        \
    } else if ((cx) > 0) {                                          \
        WEIR_LINK((real)(w), DIRECTION_(o, i, -(cx), -(cy), -(cz))) \
        n++;                                                        \
    }
#define FOR_LINKS_OF_END FOR_FLOW_PAIRS(LINK_OF_PAIR_)

/* As a set of axes: what a mirror normal to x turns round. */
enum { ALONG_X = 1 };

/* An end of a block's rows at which the domain has such a boundary. */
struct open_column_end {
    bool open;
    int outwards; /* along x: -1 at the low end */
    int rule, boundary, values;
    int leaving[FLOW_LINKS_OF_END]; /* the flow's directions that leave it, in the order of the low end's */
};

struct open_columns {
    struct open_column_end end[2]; /* low, high */
};

static struct open_columns open_columns_of(const struct weir_block_view *b) {
    struct open_columns columns;
    for (int side = 0; side < 2; side++) {
        struct open_column_end *const end = &columns.end[side];
        const int outwards = side ? 1 : -1, boundary = WEIR_WALL_OF_FACE(WEIR_FACE(0, outwards));
        *end = (struct open_column_end){.outwards = outwards, .boundary = boundary};
        if (!b->flow || b->extent[0][1] < WEIR_CELLS_BETWEEN_ENDS || !domain_ends(b, 0, outwards) ||
            !is_open(b, boundary))
            continue;
        end->open = true;
        end->rule = b->boundary_rows[boundary].rule;
        end->values = end->rule == WEIR_RULE_PRESSURE || end->rule == WEIR_RULE_EQUILIBRIUM_PRESSURE
                          ? 1
                          : WEIR_BOUNDARY_VALUES;
        int n = 0;
#define WEIR_LINK(weight, d) end->leaving[n] = outwards < 0 ? (d).i : turned_by_table(d, ALONG_X).i;
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
    struct column column = {.end = end, .x = end->outwards < 0 ? 0 : b->extent[0][1] - 1, .y = y, .z = z};
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
    const int here = cell_number(b, column->x, column->y, column->z);
    gather(slot(b, 0) + here, own_extent(b, 0), column->some, v->rows[0]);
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...)                                                                \
    gather(parity == 0 || (cx) == -column->end->outwards ? slot(b, i) + here                                 \
                                                         : slot(b, o) + here - cell_distance(b, cx, cy, cz), \
           own_extent(b, 0), column->some, v->rows[i]);
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

FUNCTION void write_column(const struct weir_block_view *b, int parity, const struct column *column,
                           const struct vector *v) {
    const int here = cell_number(b, column->x, column->y, column->z);
    scatter(slot(b, 0) + here, own_extent(b, 0), column->some, v->rows[0]);
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...)                                                                \
    scatter(parity == 0 || (cx) == column->end->outwards ? slot(b, o) + here                                 \
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
                   turned = n == 0 && end->values > 1 ? (real)-end->outwards : (real)1;
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
    const real turned = (real)-column->end->outwards;
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
#define WEIR_LINK(weight, d)                                           \
    real values[WEIR_KERNEL_VALUES];                                   \
    UNROLL(4)                                                          \
    for (int value = 0; value < WEIR_KERNEL_VALUES; value++)           \
        values[value] = given[n][value][k];                            \
    const struct boundary_link link = {0, d, weight, 0, 0, 0, values}; \
    back[n][k] = reflected_by(b, rule, &link, leaving[n][k], &cell);
        FOR_LINKS_OF_END
#undef WEIR_LINK
    }
}

/* Rounds numbers as storing does: apart from loops in vectors, into which compilers do not take halves. */
FUNCTION void round_as_stored(const real numbers[VECTOR_CELLS], real rounded[VECTOR_CELLS]) {
    for (int k = 0; k < VECTOR_CELLS; k++)
        rounded[k] = as_stored(numbers[k]);
}

/* The same by the rule that the boundary has, each compiled on its own; back: as it is stored. */
CALLED void come_back(const struct weir_block_view *b, bool forced, const struct body_force *body,
                      const struct column *column, const struct vector *v,
                      real leaving[FLOW_LINKS_OF_END][VECTOR_CELLS],
                      real back[FLOW_LINKS_OF_END][VECTOR_CELLS]) {
    struct moments_of_column m;
    given_values given[FLOW_LINKS_OF_END];
    real unrounded[FLOW_LINKS_OF_END][VECTOR_CELLS];
    for (int n = 0; n < FLOW_LINKS_OF_END; n++)
        find_given(b, column, numbered[column->end->leaving[n]], given[n]);
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
    for (int n = 0; n < FLOW_LINKS_OF_END; n++)
        round_as_stored(unrounded[n], back[n]);
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

/* Counts what passes some cells along links of this direction, and the momentum exchanged (add_exchange). */
CALLED void count_column(struct direction d, lanes some, const real leaving[VECTOR_CELLS],
                         const real back[VECTOR_CELLS], struct boundary_sum *sum) {
    double passed[VECTOR_CELLS], exchange[VECTOR_CELLS];
    for (int k = 0; k < VECTOR_CELLS; k++) {
        passed[k] = (double)back[k] - (double)leaving[k];
        exchange[k] = (double)leaving[k] + (double)back[k];
    }
    add_column(&sum->sum[WEIR_FLOW_MASS], some, 1, passed);
    for (int axis = 0; axis < 3; axis++)
        if (d.c[axis] != 0)
            add_column(&sum->sum[WEIR_FLOW_FORCE + axis], some, d.c[axis], exchange);
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

/* What comes back of the scalar along one link, counted. */
CALLED void reflect_scalar_along(const struct weir_block_view *b, const struct column *column, int k,
                                 struct direction d, const struct moments *cell, struct vector *v,
                                 struct boundary_sum *sum) {
    const struct boundary_link link = {column->end->boundary, d,         0,   column->x,
                                       column->y + k,         column->z, NULL};
    const real met = as_stored(v->rows[d.i][k]), back = scalar_reflected(b, &link, met, cell);
    accumulate_exactly(&sum->sum[WEIR_FLOW_SCALAR], (double)as_stored(back) - (double)met);
    v->rows[d.i][k] = back;
}

/* The scalar's part, cell by cell: there may be a profile of it, too. */
CALLED void reflect_scalar_of_column(const struct weir_block_view *b, bool forced,
                                     const struct body_force *body, const struct column *column,
                                     struct vector *v, struct boundary_sum *sum) {
    for (lanes left = column->some; left != 0; left &= left - 1) {
        const int k = first_lane(left);
        const struct moments cell = moments_left(forced, body, v, k);
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d) \
    if ((cx) == column->end->outwards)         \
        reflect_scalar_along(b, column, k, d, &cell, v, sum);
        FOR_SCALAR_DIRECTIONS
#undef WEIR_DIRECTION
    }
}

#endif

/* Replaces what leaves the cells towards the boundary by what comes back, counted. */
CALLED void reflect_column(const struct weir_block_view *b, int parity, bool forced,
                           const struct body_force *body, const struct column *column, struct vector *v,
                           struct boundary_sums *sums) {
    const struct open_column_end *const end = column->end;
    real leaving[FLOW_LINKS_OF_END][VECTOR_CELLS], back[FLOW_LINKS_OF_END][VECTOR_CELLS];
    struct boundary_sum *const sum =
        sum_for(b, parity, share_of(0, column->y, column->z), end->boundary, sums);
    const lanes some = flowing(column, v);
    for (int n = 0; n < FLOW_LINKS_OF_END; n++)
        round_as_stored(v->rows[end->leaving[n]], leaving[n]);
    come_back(b, forced, body, column, v, leaving, back);
#if WITH_SCALAR
    reflect_scalar_of_column(b, forced, body, column, v, sum); /* beside the flow as it was, too */
#endif
    for (int n = 0; n < FLOW_LINKS_OF_END; n++) {
        count_column(numbered[end->leaving[n]], some, leaving[n], back[n], sum);
        for (int k = 0; k < VECTOR_CELLS; k++)
            if (some >> k & 1)
                v->rows[end->leaving[n]][k] = back[n][k];
    }
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
