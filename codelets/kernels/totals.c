/* Totals of a block, on a CPU. */
#include "codelets/kernels/boundary/boundary.h"
#include "codelets/kernels/boundary/surfaces.h"
#include "codelets/kernels/cells/observed_rows.h"
#include "codelets/kernels/kernels.h"

static void add(struct weir_exact_sum *sum, double value) {
    const struct weir_exact_sum part = exact_of(value);
    weir_exact_sum_add(sum, &part);
}

/* The same without a carry, for sums of one block's cells. */
static inline void collect(struct weir_exact_sum *sum, double value) {
    const struct weir_exact_sum part = exact_of(value);
    sum->high += part.high;
    sum->low += part.low;
}

#if WITH_MOMENTS
/* Replaces what has arrived from walls at a vector of cells, which is not kept, by what is going to come back
 * in the step before which this is seen. */
static void see_what_returns(const struct weir_block_view *b, int parity, const struct weir_fluid *fluid,
                             const struct relaxation *r, struct observed_cells *o) {
    struct vector_of_moments m;
    struct vector left;
    if (!o->cells.walled)
        return;
    read_moments(b, parity, &o->row, o->cells.x, o->cells.fluid, &m);
    leave_one(&m, fluid->forced, r, &left);
#define WEIR_DIRECTION(i, o_, cx, cy, cz, w, d)                                                        \
    for (lanes some = o->cells.walls[o_]; some != 0; some &= some - 1) {                               \
        const int k = first_lane(some);                                                                \
        const uint8_t wall = *flag_of(b, o->cells.x + k - (cx), o->row.y - (cy), o->row.z - (cz));     \
        o->arriving.rows[i][k] = reflected_by_wall(b, wall, opposite(d), (real)(w), left.rows[o_][k]); \
    }
    FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
}
#endif

/* Forces of the cells on the walls around them; those on counted boundaries the step has added up. */
static void add_forces(const struct weir_block_view *b, const struct observed_cells *o, lanes sound,
                       struct weir_partial_totals *totals) {
#define WEIR_DIRECTION(i, o_, cx, cy, cz, w, d)                                                            \
    for (lanes left = o->cells.walls[o_] & sound; left != 0; left &= left - 1) {                           \
        const int k = first_lane(left);                                                                    \
        const uint8_t wall = *flag_of(b, o->cells.x + k - (cx), o->row.y - (cy), o->row.z - (cz));         \
        if (is_counted(b, wall) || mirrored_axes(b, opposite(d), o->cells.x + k, o->row.y, o->row.z) != 0) \
            continue;                                                                                      \
        const double exchange = wall_exchange(b, wall, o->arriving.rows[i][k], d, (real)(w));              \
        const int c[3] = {-(cx), -(cy), -(cz)};                                                            \
        for (int axis = 0; axis < 3; axis++)                                                               \
            if (c[axis] != 0)                                                                              \
                add(&totals->force[wall][axis], c[axis] * exchange);                                       \
    }
    FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
}

#if WITH_SCALAR
/* What comes into the cells of a scalar from the walls around them, but for counted boundaries. */
static void add_scalar_flows(const struct weir_block_view *b, const struct observed_cells *o, lanes sound,
                             struct weir_partial_totals *totals) {
#define WEIR_DIRECTION(i, o_, cx, cy, cz, ...)                                                     \
    for (lanes left = o->cells.walls[o_] & sound; left != 0; left &= left - 1) {                   \
        const int k = first_lane(left);                                                            \
        const uint8_t wall = *flag_of(b, o->cells.x + k - (cx), o->row.y - (cy), o->row.z - (cz)); \
        if (!is_counted(b, wall))                                                                  \
            add(&totals->scalar_flow[wall], scalar_exchange(b, wall, o->arriving.rows[i][k]));     \
    }
    FOR_SCALAR_DIRECTIONS
#undef WEIR_DIRECTION
}
#endif

/* The cells of conductors: no fluid pushes from there. */
static inline lanes lanes_of_conductors(const struct observed_cells *o) {
    lanes conductors = 0;
#if CONDUCTOR_VALUES
    for (lanes left = o->cells.fluid; left != 0; left &= left - 1)
        conductors |= (lanes)conducts(&o->moments[first_lane(left)]) << first_lane(left);
#else
    (void)o;
#endif
    return conductors;
}

#if CONDUCTOR_VALUES
/* Whether the cells of a vector, which begins at x, and those around it are not all of the same body, or of
 * none: in all others nothing passes a surface. */
static bool is_beside_body(const struct weir_block_view *b, int x, int y, int z) {
    const int left = b->extent[0][1] - x, count = left < VECTOR_CELLS ? left : VECTOR_CELLS;
    const uint8_t first = body_of(b, x, y, z);
    uint8_t other = 0;
    for (int dz = -RING_Z; dz <= RING_Z; dz++)
        for (int dy = -RING_Y; dy <= RING_Y; dy++) {
            const uint8_t *const bodies = b->bodies_of + (flag_of(b, x, y + dy, z + dz) - b->flags);
            for (int k = -RING_X; k < count + RING_X; k++)
                other |= bodies[k] ^ first;
        }
    return other != 0;
}

/* Forces on conductors that have a name, and what comes from them of the scalar. */
static void add_surfaces(const struct weir_block_view *b, const struct observed_cells *o, lanes sound,
                         struct weir_partial_totals *totals) {
#define WEIR_DIRECTION(i, o_, cx, cy, cz, w, d)                                                      \
    for (lanes left = sound; left != 0; left &= left - 1) {                                          \
        const int k = first_lane(left), c[3] = {cx, cy, cz};                                         \
        bool enters;                                                                                 \
        const int body = surface_passed(b, d, o->cells.x + k, o->row.y, o->row.z, &enters);          \
        for (int axis = 0; body != 0 && enters && axis < 3; axis++)                                  \
            if (c[axis] != 0)                                                                        \
                add(&totals->force[body][axis], c[axis] * surface_exchange(o->arriving.rows[i][k])); \
    }
    FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
#define WEIR_DIRECTION(i, o_, cx, cy, cz, w, d)                                              \
    for (lanes left = sound; left != 0; left &= left - 1) {                                  \
        const int k = first_lane(left);                                                      \
        bool enters;                                                                         \
        const int body = surface_passed(b, d, o->cells.x + k, o->row.y, o->row.z, &enters);  \
        if (body != 0)                                                                       \
            add(&totals->scalar_flow[body], surface_scalar(o->arriving.rows[i][k], enters)); \
    }
    FOR_SCALAR_DIRECTIONS
#undef WEIR_DIRECTION
}
#endif

/* What counted boundaries let pass, and their forces. */
static void add_flows(const struct weir_block_view *b, int parity, struct weir_partial_totals *totals) {
    for (int wall = 1; wall < b->boundaries; wall++)
        if (is_counted(b, wall))
            totals_of_counted(b, parity, wall, totals);
}

weir_totals_cpu WEIR_NAME(totals);
void WEIR_NAME(totals)(const struct weir_block_view *b, const struct weir_fluid *fluid, int parity,
                       double speed_limit, int row_begin, int row_end, struct weir_partial_totals *totals) {
    memset(totals, 0, sizeof *totals);
    totals->diverged_cell = UINT64_MAX;
    /* Sums that every cell adds to, where the compiler can keep them in registers. */
    struct weir_exact_sum mass_excess = {0, 0}, kinetic_energy = {0, 0}, momentum[3] = {{0, 0}},
                          fifth = {0, 0};
    const double limit_square = speed_limit * speed_limit;
    const struct observer observer = observer_of(b, fluid, parity);
    struct observed_cells observed;
#if WITH_MOMENTS
    const struct relaxation relaxation = relaxation_of(fluid);
#endif
    for (int row = row_begin; row < row_end; row++) {
        const int y = row % b->extent[1][1], z = row / b->extent[1][1];
        observe_row(&observer, y, z, &observed);
#if WITH_SURFACE
        for (int x = 0; x < b->extent[0][1]; x++)
            if (is_gas(b, *flag_of(b, x, y, z)))
                collect(&mass_excess, (double)mass_in_gas(b, x, y, z));
#endif
        for (int x = 0; observe_next(&observer, &x, b->extent[0][1], &observed);) {
            lanes sound = 0;
            for (lanes left = observed.cells.fluid; left != 0; left &= left - 1) {
                const int k = first_lane(left);
                const uint64_t cell = (uint64_t)cell_number(b, observed.cells.x + k, y, z);
                const struct cell_totals c =
                    cell_totals_of(&observed.moments[k], observed.excess[k], limit_square);
                if (!c.sound) {
                    if (cell < totals->diverged_cell)
                        totals->diverged_cell = cell;
                    continue;
                }
                sound |= (lanes)1 << k;
                collect(&mass_excess, c.mass_excess);
                collect(&kinetic_energy, c.kinetic_energy);
                UNROLL(3)
                for (int axis = 0; axis < 3; axis++)
                    collect(&momentum[axis], c.momentum[axis]);
                if (WITH_FIFTH)
                    collect(&fifth, c.fifth);
                const uint64_t square = bits_of_double(c.square),
                               place = packed_place(c.square, (uint32_t)cell);
                if (square > totals->largest_square)
                    totals->largest_square = square;
                if (place > totals->largest_square_place)
                    totals->largest_square_place = place;
            }
#if WITH_MOMENTS
            see_what_returns(b, parity, fluid, &relaxation, &observed);
#endif
            add_forces(b, &observed, sound & ~lanes_of_conductors(&observed), totals);
#if WITH_SCALAR
            add_scalar_flows(b, &observed, sound, totals);
#endif
#if CONDUCTOR_VALUES
            if (b->bodies_of && is_beside_body(b, observed.cells.x, observed.row.y, observed.row.z))
                add_surfaces(b, &observed, sound, totals);
#endif
        }
    }
    if (row_begin == 0 && row_end > 0)
        add_flows(b, parity, totals);
    weir_exact_sum_add(&totals->mass_excess, &mass_excess);
    weir_exact_sum_add(&totals->kinetic_energy, &kinetic_energy);
    weir_exact_sum_add(&totals->fifth, &fifth);
    for (int axis = 0; axis < 3; axis++)
        weir_exact_sum_add(&totals->momentum[axis], &momentum[axis]);
    clear_upper_halves();
}
