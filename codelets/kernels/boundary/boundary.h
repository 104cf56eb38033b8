/* What boundaries do to the populations that meet them: the one place, for CPUs and GPUs, steps and totals.
 * Which rules there are, and what else is to be known of them: boundary_rules.h. Derivation:
 * docs/numerics.md, Boundaries.
 *
 * A link leads from a fluid cell along c_i to a cell of a boundary; f*_i goes along it, and in the same step
 * what the rule makes of it comes back as f_o. */
#ifndef WEIR_KERNELS_BOUNDARY_H
#define WEIR_KERNELS_BOUNDARY_H

#include "codelets/kernels/boundary/boundary_rules.h"
#include "codelets/kernels/boundary/convective.h"
#include "codelets/kernels/boundary/links.h"
#include "codelets/kernels/cells/filling.h"
#include "codelets/kernels/collision/moments.h"
#include "codelets/kernels/sums/sums.h"

/* Whether fluid may pass it. */
FUNCTION bool is_open(const struct weir_block_view *b, int boundary) {
    return b->boundary_rows[boundary].open;
}

/* Whether what its links exchange is counted: it is open, or no other way knows its values. */
FUNCTION bool is_counted(const struct weir_block_view *b, int boundary) {
    return b->boundary_rows[boundary].flow != WEIR_NO_FLOW;
}

/* Flag of the cell to which a direction leads from a cell. */
FUNCTION uint8_t flag_beside(const struct weir_block_view *b, struct direction d, int x, int y, int z) {
    return *flag_of(b, x + d.c[0], y + d.c[1], z + d.c[2]);
}

#if WITH_SURFACE

/* Whether a cell with this flag is gas beyond a free surface, which is the last of the boundaries. */
FUNCTION bool is_gas(const struct weir_block_view *b, uint8_t flag) {
    return flag == b->boundaries - 1;
}

/* The mass that a cell of gas has still to hand on. */
FUNCTION real mass_in_gas(const struct weir_block_view *b, int x, int y, int z) {
    return real_of(*slot_of(b, SURFACE_MASS, cell_entry(b, x, y, z)));
}

/* The density of the gas in a cell that is gas. */
FUNCTION real density_of_gas(const struct weir_block_view *b, int x, int y, int z) {
#if WITH_BUBBLES
    return (real)1 + real_of(*slot_of(b, SURFACE_GAS_EXCESS, cell_entry(b, x, y, z)));
#else
    (void)x, (void)y, (void)z;
    return (real)1 + excess_of_gas(b);
#endif
}

/* The density - 1 of the gas beside a cell at the surface. */
FUNCTION real excess_of_gas_beside(const struct weir_block_view *b, const real f[POPULATIONS]) {
#if WITH_BUBBLES
    (void)b;
    return f[SURFACE_GAS_EXCESS];
#else
    (void)f;
    return excess_of_gas(b);
#endif
}

#endif

/* c . v for a direction's velocity c. */
FUNCTION real dot_direction(struct direction d, const real v[3]) {
    return dot_lattice(d.c[0], d.c[1], d.c[2], v);
}

/* ---- rules
 * -------------------------------------------------------------------------------------------------
 */

/* Length of a row of a face's profile. */
FUNCTION int profile_row(const struct weir_block_view *b, int face_axis) {
    return own_extent(b, face_axis == 0) + 2;
}

/* Place in a face's profile of number k at the cell (x, y, z). */
FUNCTION int place_on_face(const struct weir_block_view *b, int boundary, int x, int y, int z, int k) {
    const int axis = (boundary - 1) / 2;
    const int row = profile_row(b, axis), plane = row * (own_extent(b, axis == 2 ? 1 : 2) + 2);
    const int u = axis == 0 ? y : x, v = axis == 2 ? y : z;
    return k * plane + (v + 1) * row + u + 1;
}

/* Number k of a face's profile where a link meets it, half-way between the link's two cells: the mean of what
 * it has at the places on the face that are nearest to the two. */
FUNCTION real value_on_face(const struct weir_block_view *b, const struct boundary_link *link,
                            const real *profile, int k) {
    const int axis = (link->boundary - 1) / 2;
    const int cu = link->d.c[axis == 0 ? 1 : 0], cv = link->d.c[axis == 2 ? 1 : 2];
    const int here = place_on_face(b, link->boundary, link->x, link->y, link->z, k);
    return (real)0.5 * (profile[here] + profile[here + cv * profile_row(b, axis) + cu]);
}

/* The profile of the face that a boundary is; NULL: it has none, or is none. */
FUNCTION const real *profile_of(const struct weir_block_view *b, int boundary) {
    return boundary <= WEIR_FACES ? (const real *)b->profile[boundary - 1] : NULL;
}

/* Value k of a boundary that has no profile. */
FUNCTION real constant_value(const struct weir_block_view *b, int boundary, int k) {
    return ((const real *)b->boundary_values)[WEIR_KERNEL_VALUES * boundary + k];
}

/* Value k of the boundary where a link meets it: its constant, or what its profile has there. */
FUNCTION real boundary_value(const struct weir_block_view *b, const struct boundary_link *link, int k) {
    if (link->values)
        return link->values[k];
    const real *const profile = profile_of(b, link->boundary);
    return profile ? value_on_face(b, link, profile, k) : constant_value(b, link->boundary, k);
}

/* 6 w_i rho_0 (c_i . u), with 6 rho_0 u given (Ladd, J. Fluid Mech. 271 (1994) 285; Krueger et al. 2017,
 * section 5.3.3). Zero at rest, and never minus zero, so that subtracting it may be left out there: x - 0 is
 * x, also for minus zero. */
FUNCTION real momentum_along(struct direction d, real weight, const real velocity_term[3]) {
    return weight * dot_direction(d, velocity_term) + (real)0;
}

/* The same for a boundary whose velocity is one constant. */
FUNCTION real wall_momentum(const struct weir_block_view *b, uint8_t wall, struct direction d, real weight) {
    return momentum_along(d, weight, (const real *)b->boundary_values + WEIR_KERNEL_VALUES * wall);
}

/* What a boundary makes of a scalar's population g* that meets it, as it is stored: value 0 times g* plus
 * value 1, which is bounce-back with what a flux adds, or anti-bounce-back (boundary_rules.h). */
FUNCTION real reflected_scalar(const struct weir_block_view *b, int boundary, real leaving) {
    const real *const values = (const real *)b->scalar_values + WEIR_SCALAR_VALUES * boundary;
    return fma_real(values[0], leaving, values[1]);
}

/* What comes back from a wall, of a population that leaves a cell towards it. */
FUNCTION real reflected_by_wall(const struct weir_block_view *b, uint8_t wall, struct direction d,
                                real weight, real population) {
    if (d.i >= FLOW_POPULATIONS)
        return reflected_scalar(b, wall, as_stored(population));
    return as_stored(population) - wall_momentum(b, wall, d, weight);
}

/* Share of bounce-back in a boundary that absorbs sound: 1 / (1 + 1/c_s), of all lattices with c_s^2 = 1/3
 * that carry flows. */
#define ABSORBING_SHARE 0.36602540378443865

/* Bounce-back from a surface with a velocity: f_o = f*_i - 6 w_i rho_0 (c_i . u). leaving: f*_i as it is
 * stored, here and below. */
FUNCTION real bounced_back(const struct weir_block_view *b, const struct boundary_link *link, real leaving) {
    const real term[3] = {boundary_value(b, link, 0), boundary_value(b, link, 1), boundary_value(b, link, 2)};
    return leaving - momentum_along(link->d, link->weight, term);
}

#if WITH_WET

/* The same for a rule whose velocity is given as it is. */
FUNCTION real bounced_back_from_wet(const struct weir_block_view *b, const struct boundary_link *link,
                                    real leaving) {
    const real factor = (real)(2 * INVERSE_CS2) *
                        inertia_of((real)1 + constant_value(b, link->boundary, WEIR_REFERENCE_EXCESS));
    real term[3];
    for (int axis = 0; axis < 3; axis++)
        term[axis] = factor * boundary_value(b, link, axis);
    return leaving - momentum_along(link->d, link->weight, term);
}

#endif

/* The moments of a cell, at another density or velocity. */
FUNCTION struct moments moments_at(const struct moments *cell, real excess, const real velocity[3]) {
    struct moments m = *cell;
    m.excess = excess;
    m.density = (real)1 + excess;
    UNROLL(3)
    for (int axis = 0; axis < 3; axis++) {
        m.velocity[axis] = velocity[axis];
        m.momentum[axis] = inertia_of(m.density) * velocity[axis];
    }
    return m;
}

/* Anti-bounce-back, with the velocity u of the cell: f_o = -f*_i + 2 w_i rho [1 + 9/2 (c_i . u)^2 - 3/2 u^2]
 * (Ginzburg, Verhaeghe, d'Humieres, Commun. Comput. Phys. 3 (2008) 427; Krueger et al. 2017, section 5.3.4),
 * which is twice the even half of the equilibrium (N4) at the density rho of the boundary. */
FUNCTION real anti_bounced_back(const struct boundary_link *link, real excess, real leaving,
                                const struct moments *cell) {
    const struct moments at_boundary = moments_at(cell, excess, cell->velocity);
    const struct equilibrium e = equilibrium_of(&at_boundary);
    const struct pair_equilibrium pair = equilibrium_along(&e, link->d.c[0], link->d.c[1], link->d.c[2]);
    return fma_real((real)2 * link->weight, pair.even, -leaving);
}

/* The equilibrium (N3) against the link's direction, as deviation (Mohamad, Succi, Eur. Phys. J. Special
 * Topics 171 (2009) 213). */
FUNCTION real equilibrium_back(const struct boundary_link *link, const struct moments *at_boundary) {
    const struct equilibrium e = equilibrium_of(at_boundary);
    const struct pair_equilibrium pair = equilibrium_along(&e, link->d.c[0], link->d.c[1], link->d.c[2]);
    return link->weight * fma_real((real)-ODD_SHARE, pair.along, pair.even);
}

/* As much of bounce-back and of anti-bounce-back that rho - rho_0 = (u - u_b) . n / c_s, as in sound that
 * goes out (N36). */
FUNCTION real absorbed(const struct weir_block_view *b, const struct boundary_link *link, real leaving,
                       const struct moments *cell) {
    const real excess = link->values ? link->values[WEIR_REFERENCE_EXCESS]
                                     : constant_value(b, link->boundary, WEIR_REFERENCE_EXCESS);
    const real closed = bounced_back(b, link, leaving), open = anti_bounced_back(link, excess, leaving, cell);
    return fma_real((real)ABSORBING_SHARE, closed - open, open);
}

/* What comes back along a link, by this rule of its boundary. cell: moments of the cell after collision. */
FUNCTION real reflected_by(const struct weir_block_view *b, int rule, const struct boundary_link *link,
                           real leaving, const struct moments *cell) {
    if (rule == WEIR_RULE_PRESSURE)
        return anti_bounced_back(link, boundary_value(b, link, 0), leaving, cell);
    if (rule == WEIR_RULE_ABSORBING)
        return absorbed(b, link, leaving, cell);
    if (rule == WEIR_RULE_SLIP)
        return leaving; /* and where it goes is another matter (addressing.h) */
    if (rule == WEIR_RULE_EQUILIBRIUM_PRESSURE) {
        const struct moments m = moments_at(cell, boundary_value(b, link, 0), cell->velocity);
        return equilibrium_back(link, &m);
    }
    if (rule == WEIR_RULE_EQUILIBRIUM_VELOCITY) {
        const real velocity[3] = {boundary_value(b, link, 0), boundary_value(b, link, 1),
                                  boundary_value(b, link, 2)};
        const struct moments m = moments_at(cell, cell->excess, velocity);
        return equilibrium_back(link, &m);
    }
#if WITH_WET
    /* Such cells are completed before the next step; these remain where two wet faces meet (wet_cells.h). */
    if (rule == WEIR_RULE_ZOU_HE_PRESSURE || rule == WEIR_RULE_REGULARISED_PRESSURE)
        return anti_bounced_back(link, boundary_value(b, link, 0), leaving, cell);
    if (rule == WEIR_RULE_ZOU_HE_VELOCITY || rule == WEIR_RULE_REGULARISED_VELOCITY)
        return bounced_back_from_wet(b, link, leaving);
#endif
#if WITH_WET && WITH_TEMPERATURE
    if (rule == WEIR_RULE_THERMAL_WALL)
        return leaving; /* so that the cell keeps its mass, and the rest is replaced (thermal_wall.h) */
#endif
    return bounced_back(b, link, leaving);
}

/* The same by the rule that the boundary has. */
FUNCTION real reflected(const struct weir_block_view *b, const struct boundary_link *link, real leaving,
                        const struct moments *cell) {
    return reflected_by(b, b->boundary_rows[link->boundary].rule, link, leaving, cell);
}

#if WITH_SCALAR

/* The same for a scalar, with what is given at this place. At boundaries that let fluid pass:
 * anti-bounce-back with the value of the boundary or, where the scalar leaves freely, of the cell, and with
 * the cell's velocity: twice the even half of the equilibrium (scalar.h). */
FUNCTION real scalar_reflected(const struct weir_block_view *b, const struct boundary_link *link,
                               real leaving, const struct moments *cell) {
    const real *const values = (const real *)b->scalar_values + WEIR_SCALAR_VALUES * link->boundary;
    const int place = b->boundary_rows[link->boundary].scalar_place;
    const real given =
        place > 0 ? value_on_face(b, link, profile_of(b, link->boundary), place - 1) : values[1];
#if CONDUCTOR_VALUES
    if (conducts(cell) &&
        is_open(b, link->boundary)) /* a solid that ends where the fluid passes lets nothing out */
        return leaving;
#endif
    if (!is_open(b, link->boundary) || values[0] > 0)
        return fma_real(values[0], leaving, given);
    const real twice = fma_real(values[2], cell->scalar, given);
    const real along = dot_direction(link->d, cell->velocity);
    return fma_real(twice, fma_real((real)SCALAR_INVERSE_CS2 * along, along, (real)1), -leaving);
}

#endif

/* ---- what passes
 * -------------------------------------------------------------------------------------------
 */

/* What a thread has added up of what boundaries exchange: one on a GPU, where a thread has one cell, and on a
 * CPU two, whose numbers are even and odd, as those at the two ends of a row are. */
#ifdef __CUDACC__
enum { SUMS_KEPT = 1 };
#else
enum { SUMS_KEPT = 2 };
#endif
struct boundary_sum {
    int boundary; /* 0: none yet */
    struct weir_exact_sum sum[WEIR_FLOW_SUMS];
#if WITH_LINKS
    struct weir_exact_sum torque[3];
#endif
};
struct boundary_sums {
    struct boundary_sum of[SUMS_KEPT];
};

/* Adds a part to a sum that other threads add to as well, in the form that leaves room for 2^32 of them. */
FUNCTION void add_shared(struct weir_exact_sum *to, const struct weir_exact_sum *part) {
    const int64_t high = part->high + (int64_t)(part->low >> 32);
    const uint64_t low = part->low & UINT32_MAX;
    if (high == 0 && low == 0)
        return;
#ifdef __CUDACC__
    atomicAdd((unsigned long long *)&to->high, (unsigned long long)high);
    atomicAdd((unsigned long long *)&to->low, (unsigned long long)low);
#else
    __atomic_fetch_add(&to->high, high, __ATOMIC_RELAXED);
    __atomic_fetch_add(&to->low, low, __ATOMIC_RELAXED);
#endif
}

/* Adds a sum to one share of a boundary's. */
FUNCTION void add_to_flow(struct weir_boundary_flow *flow, int parity, int share,
                          const struct boundary_sum *s) {
    for (int k = 0; k < WEIR_FLOW_SUMS; k++)
        add_shared(&flow->step[parity][share][k], &s->sum[k]);
#if WITH_LINKS
    for (int axis = 0; axis < 3; axis++)
        add_shared(&flow->torque[parity][share][axis], &s->torque[axis]);
#endif
}

/* Adds a sum to the block's. */
FUNCTION void add_flow_of(const struct weir_block_view *b, int parity, int share,
                          const struct boundary_sum *s) {
    if (s->boundary != 0)
        add_to_flow(b->flow + b->boundary_rows[s->boundary].flow, parity, share, s);
}

/* Adds all that a thread has. */
FUNCTION void add_flow(const struct weir_block_view *b, int parity, int share,
                       const struct boundary_sums *s) {
    for (int k = 0; k < SUMS_KEPT; k++)
        add_flow_of(b, parity, share, &s->of[k]);
}

FUNCTION void accumulate_exactly(struct weir_exact_sum *sum, double value) {
    const struct weir_exact_sum part = exact_of(value);
    sum->high += part.high;
    sum->low += part.low;
}

/* The share of threads that begin with this cell. */
FUNCTION int share_of(int x, int y, int z) {
    return (x + y + z) % WEIR_FLOW_SHARES;
}

enum { ALL_AXES = 7 };

/* The sum for a boundary; what is there of another goes to the block's. */
FUNCTION struct boundary_sum *sum_for(const struct weir_block_view *b, int parity, int share, int boundary,
                                      struct boundary_sums *sums) {
    struct boundary_sum *const s = &sums->of[boundary % SUMS_KEPT];
    if (s->boundary != boundary) {
        add_flow_of(b, parity, share, s);
        memset(s, 0, sizeof *s);
        s->boundary = boundary;
    }
    return s;
}

/* Adds what a link let pass, and the momentum exchanged (Ladd 1994), in deviations, so that density 1 at
 * rest exerts no force, along these axes (bits), to its boundary's sum. back: as it is stored. */
FUNCTION void add_exchange(const struct boundary_link *link, real leaving, real back, unsigned axes,
                           struct boundary_sum *s) {
    const double exchange = (double)leaving + (double)back;
    if (back != leaving) /* free slip: nothing passes */
        accumulate_exactly(&s->sum[WEIR_FLOW_MASS], (double)back - (double)leaving);
    for (int axis = 0; axis < 3; axis++)
        if (link->d.c[axis] != 0 && axes >> axis & 1)
            accumulate_exactly(&s->sum[WEIR_FLOW_FORCE + axis], link->d.c[axis] * exchange);
}

/* The same, to the sum of that boundary among others. */
FUNCTION void count_link(const struct weir_block_view *b, int parity, int share,
                         const struct boundary_link *link, real leaving, real back, unsigned axes,
                         struct boundary_sums *sums) {
    add_exchange(link, leaving, back, axes, sum_for(b, parity, share, link->boundary, sums));
}

/* The same number with a low part below 2^32. */
FUNCTION struct weir_exact_sum carried(struct weir_exact_sum sum) {
    sum.high += (int64_t)(sum.low >> 32);
    sum.low &= UINT32_MAX;
    return sum;
}

/* The sum of all shares of one of several sums, each of which has `sums` of them. */
FUNCTION struct weir_exact_sum sum_of_shares(const struct weir_exact_sum *first, int sums) {
    struct weir_exact_sum sum = {0, 0};
    for (int share = 0; share < WEIR_FLOW_SHARES; share++) {
        const struct weir_exact_sum part = carried(first[share * sums]);
        sum.high += part.high;
        sum.low += part.low;
    }
    return carried(sum);
}

/* Sum k of the last step; parity: of the step to come. */
FUNCTION struct weir_exact_sum flow_of_last_step(const struct weir_boundary_flow *flow, int parity, int k) {
    return sum_of_shares(&flow->step[1 - parity][0][k], WEIR_FLOW_SUMS);
}

FUNCTION struct weir_exact_sum mass_passed(const struct weir_boundary_flow *flow, int parity) {
    struct weir_exact_sum sum = flow_of_last_step(flow, parity, WEIR_FLOW_MASS);
    sum.high += flow->mass.high;
    sum.low += flow->mass.low;
    return carried(sum);
}

/* Before a step of this parity, or while it runs: what passed in the last but one becomes part of `mass`, and
 * makes room for the next. */
FUNCTION void settle_flow(struct weir_boundary_flow *flow, int parity) {
    flow->mass = mass_passed(flow, parity);
    memset(flow->step[1 - parity], 0, sizeof flow->step[1 - parity]);
#if WITH_LINKS
    memset(flow->torque[1 - parity], 0, sizeof flow->torque[1 - parity]);
#endif
}

FUNCTION void settle_flows(const struct weir_block_view *b, int parity) {
    for (int k = 0; k < b->flows; k++)
        settle_flow(b->flow + k, parity);
}

/* Totals of a boundary whose links are counted. */
FUNCTION void totals_of_counted(const struct weir_block_view *b, int parity, int boundary,
                                struct weir_partial_totals *totals) {
    const struct weir_boundary_flow *const flow = b->flow + b->boundary_rows[boundary].flow;
    totals->mass_flow[boundary] = flow_of_last_step(flow, parity, WEIR_FLOW_MASS);
    totals->mass_passed[boundary] = mass_passed(flow, parity);
#if WITH_SCALAR
    totals->scalar_flow[boundary] = flow_of_last_step(flow, parity, WEIR_FLOW_SCALAR);
#endif
    for (int axis = 0; axis < 3; axis++)
        totals->force[boundary][axis] = flow_of_last_step(flow, parity, WEIR_FLOW_FORCE + axis);
#if WITH_LINKS
    for (int axis = 0; axis < 3; axis++)
        totals->torque[boundary][axis] = sum_of_shares(&flow->torque[1 - parity][0][axis], 3);
#endif
}

/* Force that the fluid of a cell exerts on the wall behind it along -c_i, where f_i is the population that
 * came back from it: c_o (f*_o + f_i), with f*_o = f_i + wall_momentum (momentum exchange, Ladd 1994).
 * Returns the factor of c_o. For boundaries that let nothing pass: there f_i alone tells what f*_o was. */
FUNCTION double wall_exchange(const struct weir_block_view *b, uint8_t wall, real arriving,
                              struct direction d, real weight) {
    const struct direction towards = opposite(d);
    return 2.0 * (double)arriving + (double)wall_momentum(b, wall, towards, weight);
}

#if WITH_SCALAR

/* What came into a cell of a scalar where this population came back from a wall: g - g*, of which g tells
 * what g* was. For boundaries whose links are not counted. */
FUNCTION double scalar_exchange(const struct weir_block_view *b, uint8_t wall, real arriving) {
    const real *const values = (const real *)b->scalar_values + WEIR_SCALAR_VALUES * wall;
    return values[0] > 0 ? (double)values[1] : 2.0 * (double)arriving - (double)values[1];
}

/* The same of a link whose boundary is counted, which is added to the boundary's; back: as it is stored. */
FUNCTION void count_scalar(const struct weir_block_view *b, int parity, int share, int boundary, real leaving,
                           real back, struct boundary_sums *sums) {
    if (is_counted(b, boundary))
        accumulate_exactly(&sum_for(b, parity, share, boundary, sums)->sum[WEIR_FLOW_SCALAR],
                           (double)back - (double)leaving);
}

#endif

/* Counts a link of a cell, where it is to be counted; back: as it is stored. Mirrors take momentum along the
 * axes only along which they turn: turned_along, of turned_axes. */
FUNCTION void count_if_wanted(const struct weir_block_view *b, int parity, int share,
                              const struct boundary_link *link, unsigned turned_along, real leaving,
                              real back, struct boundary_sums *s) {
    struct boundary_link met = *link;
    unsigned axes = ALL_AXES;
    if (turned_along != 0) { /* beyond an edge of two mirrors: the first of them */
        axes = turned_along;
        const int axis = axes & 1 ? 0 : axes & 2 ? 1 : 2;
        const int c = link->d.c[axis];
        met.boundary = *flag_of(b, link->x + (axis == 0 ? c : 0), link->y + (axis == 1 ? c : 0),
                                link->z + (axis == 2 ? c : 0));
    }
    if (is_counted(b, met.boundary))
        count_link(b, parity, share, &met, leaving, back, axes, s);
}

/* ---- cells
 * -------------------------------------------------------------------------------------------------
 */

#if WITH_LINKS

/* Torque of a link's force: that of the fluid cell's centre, because the force is along the link. Levers are
 * exact (boundaries.c), so that the sum does not depend on blocks. */
FUNCTION void count_torque(const struct weir_block_view *b, const struct boundary_link *link, double exchange,
                           struct boundary_sums *sums) {
    struct boundary_sum *const s = &sums->of[link->boundary % SUMS_KEPT]; /* count_link's */
    const struct weir_boundary_row *const row = b->boundary_rows + link->boundary;
    const int cell[3] = {link->x, link->y, link->z};
    double arm[3];
    for (int axis = 0; axis < 3; axis++) { /* from the nearest image */
        const double length = row->arm[axis] + cell[axis], period = row->period[axis];
        arm[axis] = length > 0.5 * period    ? length - period
                    : length < -0.5 * period ? length + period
                                             : length;
    }
    for (int axis = 0; axis < 3; axis++) {
        const int p = (axis + 1) % 3, q = (axis + 2) % 3;
        const double lever = arm[p] * link->d.c[q] - arm[q] * link->d.c[p];
        if (lever != 0)
            accumulate_exactly(&s->torque[axis], lever * exchange);
    }
}

/* What comes back along a link that has values of its own, counted. leaving, leaving_back: f*_i and f*_o, as
 * they are stored. */
WEIR_CALLED_AMONG_OTHERS real met_at_link(const struct weir_block_view *b, int parity, int share,
                                          direction_set walls, const struct surroundings *around,
                                          const struct boundary_link *link, real leaving, real leaving_back,
                                          struct boundary_sums *s) {
    const real back = interpolated(b, parity, walls, around, link, leaving, leaving_back);
    count_link(b, parity, share, link, leaving, as_stored(back), ALL_AXES, s);
    count_torque(b, link, (double)leaving + (double)as_stored(back), s);
    return back;
}

#endif

#if WITH_CONVECTIVE

/* The links of a cell to boundaries that carry out what is in it. */
FUNCTION direction_set links_out(const struct weir_block_view *b, direction_set walls, int x, int y, int z) {
    direction_set links = 0;
    const direction_set met = walls;
#define WEIR_LINK(i, o, weight, d)                                                 \
    if (b->boundary_rows[flag_beside(b, d, x, y, z)].rule == WEIR_RULE_CONVECTIVE) \
        links |= (direction_set)1 << (i);
    FOR_FLOW_LINKS
#undef WEIR_LINK
    return links;
}

/* What comes back along one of them. leaving_back: f*_o, as it is stored; flux: of change_of_flux; beyond:
 * the cell's density beyond that of the start. */
WEIR_CALLED_AMONG_OTHERS real carried_back(const struct weir_block_view *b, int parity,
                                           const struct surroundings *around,
                                           const struct boundary_link *link, real leaving_back,
                                           const struct tensor *flux, real beyond) {
    const int through = axis_through(b, link);
    const real outwards = (real)link->d.c[through] * boundary_value(b, link, through);
    const real arrived = arrived_along(b, parity, true, around, opposite(link->d), link->x, link->y, link->z);
    return carried_out(link, outwards > 0 ? outwards : (real)0, arrived,
                       leaving_back - change_along_face(link, through, flux), beyond);
}

/* Replaces what meets them by what comes back. leaving: f*, as it is stored; cell: its moments. */
FUNCTION void carry_out(const struct weir_block_view *b, int parity, int share, direction_set walls,
                        const struct surroundings *around, direction_set links, const struct moments *cell,
                        int x, int y, int z, const real leaving[FLOW_POPULATIONS], real f[POPULATIONS],
                        struct boundary_sums *s) {
    const struct tensor flux = change_of_flux(b, parity, walls, around, x, y, z, leaving);
    const real beyond = cell->excess - constant_value(b, WEIR_FLUID, WEIR_REFERENCE_EXCESS);
    const direction_set met = links;
#define WEIR_LINK(i, o, weight, d)                                                                \
    {                                                                                             \
        const struct boundary_link link = {flag_beside(b, d, x, y, z), d, weight, x, y, z, NULL}; \
        f[i] = carried_back(b, parity, around, &link, leaving[o], &flux, beyond);                 \
        count_link(b, parity, share, &link, leaving[i], as_stored(f[i]), ALL_AXES, s);            \
    }
    FOR_FLOW_LINKS
#undef WEIR_LINK
}

#endif

/* What comes back along a link by the boundary's rule, counted. Called: expanded for each
 * direction it was most of the code of a step. cell: moments of the cell after collision. */
WEIR_CALLED_AMONG_OTHERS real met_at_boundary(const struct weir_block_view *b, int parity, int share,
                                              const struct boundary_link *link,
                                              const struct surroundings *around, real leaving,
                                              const struct moments *cell, struct boundary_sums *s) {
    const real back = reflected(b, link, leaving, cell);
    count_if_wanted(b, parity, share, link, turned_axes(around, link->d), leaving, as_stored(back), s);
    return back;
}

/* What comes back along a link of the flow to any boundary but those of links_out, counted. leaving,
 * leaving_back: f*_i and f*_o, as they are stored. */
FUNCTION real met_along(const struct weir_block_view *b, int parity, int share, direction_set walls,
                        const struct boundary_link *link, const struct surroundings *around, real leaving,
                        real leaving_back, const struct moments *cell, struct boundary_sums *s) {
#if WITH_LINKS
    if (b->boundary_rows[link->boundary].rule == WEIR_RULE_INTERPOLATED_WALL)
        return met_at_link(b, parity, share, walls, around, link, leaving, leaving_back, s);
#endif
    (void)walls, (void)leaving_back;
    return met_at_boundary(b, parity, share, link, around, leaving, cell, s);
}

#if WITH_SCALAR

WEIR_CALLED real scalar_met_at_boundary(const struct weir_block_view *b, int parity, int share,
                                        const struct boundary_link *link, real leaving,
                                        const struct moments *cell, struct boundary_sums *s) {
    const real back = scalar_reflected(b, link, leaving, cell);
    count_scalar(b, parity, share, link->boundary, leaving, as_stored(back), s);
    return back;
}

#endif

#if WITH_SURFACE

/* What comes back along a link from gas to a cell of this fill level: anti-bounce-back with the pressure of
 * the gas, and of tension, where the surface is, which a link meets the further before its middle the less
 * the cell is filled; from there to the middle the pressure is what the body force makes of it (N80).
 * surface: density - 1 there, of the gas and what tension adds. */
WEIR_CALLED real met_at_gas(const struct boundary_link *link, real leaving, real fill, real surface,
                            bool forced, const real force[3], const struct moments *cell) {
    real excess = surface;
    if (forced)
        excess = fma_real((real)INVERSE_CS2 * ((real)1 - fill), dot_direction(link->d, force), excess);
    return anti_bounced_back(link, excess, leaving, cell);
}

/* Replaces what leaves a cell towards gas by that, and returns the directions. */
FUNCTION direction_set reflect_from_gas(const struct weir_block_view *b, direction_set walls, int x, int y,
                                        int z, bool forced, const real force[3], const struct moments *cell,
                                        real f[POPULATIONS]) {
    const real fill = fill_of_level(f[SURFACE_LEVEL]),
               surface = excess_of_gas_beside(b, f) + tension_of_cell(f);
    direction_set gas = 0;
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                                                       \
    if (walls >> (i)&1) {                                                                            \
        const struct boundary_link link = {flag_beside(b, d, x, y, z), d, (real)(w), x, y, z, NULL}; \
        if (is_gas(b, (uint8_t)link.boundary)) {                                                     \
            f[i] = met_at_gas(&link, as_stored(f[i]), fill, surface, forced, force, cell);           \
            gas |= (direction_set)1 << (i);                                                          \
        }                                                                                            \
    }
    FOR_FLOW_DIRECTIONS
#undef WEIR_DIRECTION
    return gas;
}

#endif

/* Moments of a cell after collision; f: as before (out); force (out): on the cell. Collision has added the
 * whole force, and half of it belongs to the velocity; so with a source. */
FUNCTION struct moments moments_after_collision(bool forced, const struct body_force *body,
                                                real f[POPULATIONS], real force[3]) {
#if SOURCE_VALUES
    f[SOURCE_0] = -f[SOURCE_0];
#endif
    force_on_cell(body, f, force);
    const real opposed[3] = {-force[0], -force[1], -force[2]};
    const struct moments cell = moments_of(f, forced, opposed);
#if SOURCE_VALUES
    f[SOURCE_0] = -f[SOURCE_0];
#endif
    return cell;
}

/* A cell near a boundary whose links are counted, after collision. */
struct boundary_cell {
    struct moments moments;
    direction_set walls; /* that its populations meet */
    direction_set links; /* those of the flow that are taken one by one */
#if WITH_CONVECTIVE
    direction_set out; /* those of links_out */
#endif
    real leaving[POPULATIONS]; /* as it is stored: two of opposite directions may both be replaced */
};

/* Such a cell. What leaves it towards gas is replaced. walls: of walls_around; body: the body force, read
 * where there is one. */
FUNCTION void begin_at_boundaries(const struct weir_block_view *b, direction_set walls, int x, int y, int z,
                                  bool forced, const struct body_force *body, real f[POPULATIONS],
                                  struct boundary_cell *at) {
    (void)b, (void)x, (void)y, (void)z;
    real force[3];
    at->moments = moments_after_collision(forced, body, f, force);
#if CONDUCTOR_VALUES
    if (conducts(&at->moments)) /* the flow has turned round in it, and is nothing to boundaries */
        walls &= ~FLOW_DIRECTIONS;
#endif
    at->walls = walls;
    at->links = walls & FLOW_DIRECTIONS;
#if WITH_CONVECTIVE
    at->out = links_out(b, walls, x, y, z);
    at->links &= ~at->out;
#endif
#if WITH_SURFACE
    at->links &= ~reflect_from_gas(b, walls, x, y, z, forced, force, &at->moments, f);
#endif
    UNROLL(37)
    for (int i = 0; i < POPULATIONS; i++)
        at->leaving[i] = as_stored(f[i]);
}

/* Replaces what leaves it along all other links than those, by what comes back. around: of surroundings_of.
 */
FUNCTION void end_at_boundaries(const struct weir_block_view *b, int parity, int share,
                                const struct boundary_cell *at, const struct surroundings *around, int x,
                                int y, int z, real f[POPULATIONS], struct boundary_sums *s) {
    (void)b, (void)parity, (void)share, (void)at, (void)around, (void)x, (void)y, (void)z, (void)f, (void)s;
#if WITH_CONVECTIVE
    if (at->out != 0)
        carry_out(b, parity, share, at->walls, around, at->out, &at->moments, x, y, z, at->leaving, f, s);
#endif
#if WITH_SCALAR
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d)                                                       \
    if (at->walls >> (i)&1) {                                                                        \
        const struct boundary_link link = {flag_beside(b, d, x, y, z), d, (real)(w), x, y, z, NULL}; \
        f[i] = scalar_met_at_boundary(b, parity, share, &link, at->leaving[i], &at->moments, s);     \
    }
    FOR_SCALAR_DIRECTIONS
#undef WEIR_DIRECTION
#endif
}

/* Replaces, of what leaves such a cell, what meets any boundary by what comes back. around: of
 * surroundings_of. */
FUNCTION void reflect_in_cell(const struct weir_block_view *b, int parity, int share, direction_set walls,
                              const struct surroundings *around, int x, int y, int z, bool forced,
                              const struct body_force *body, real f[POPULATIONS], struct boundary_sums *s) {
    struct boundary_cell at;
    begin_at_boundaries(b, walls, x, y, z, forced, body, f, &at);
    const direction_set met = at.links;
#define WEIR_LINK(i, o, weight, d)                                                                \
    {                                                                                             \
        const struct boundary_link link = {flag_beside(b, d, x, y, z), d, weight, x, y, z, NULL}; \
        f[i] = met_along(b, parity, share, at.walls, &link, around, at.leaving[i], at.leaving[o], \
                         &at.moments, s);                                                         \
    }
    FOR_FLOW_LINKS
#undef WEIR_LINK
    end_at_boundaries(b, parity, share, &at, around, x, y, z, f, s);
}

/* Links of a cell that lead through an end of the domain along x: of the flow, and of all. */
#define PAIR(i, o, cx, ...) +((cx) != 0)
enum { FLOW_LINKS_OF_END = 0 FOR_FLOW_PAIRS(PAIR), LINKS_OF_END = 0 FOR_PAIRS(PAIR) };
#undef PAIR

/* The boundary beyond an end of the domain along x, as a step has it at hand: what is read from memory is
 * waited for. */
struct open_end {
    bool low;                        /* beyond the low end */
    int rule, flow;                  /* as in struct weir_boundary_row */
    real values[WEIR_KERNEL_VALUES]; /* where it has no profile */
};

/* Whether a direction with this c_x, which is not 0, leads out of the low, or else the high, end. */
FUNCTION bool leaves_end(int cx, bool low) {
    return (cx < 0) == low;
}

/* Its number. */
FUNCTION int open_boundary(const struct open_end *end) {
    return WEIR_WALL_OF_FACE(end->low ? WEIR_FACE(0, -1) : WEIR_FACE(0, 1));
}

/* Its values, for links. */
FUNCTION const real *open_values(const struct weir_block_view *b, const struct open_end *end) {
    return profile_of(b, open_boundary(end)) ? NULL : end->values;
}

/* What comes back along a link to it, counted; leaving: what leaves along the link. */
FUNCTION real met_at_open_end(const struct weir_block_view *b, const struct open_end *end,
                              const struct boundary_link *link, real leaving, const struct moments *cell,
                              struct boundary_sum *sum) {
    const real met = as_stored(leaving);
#if WITH_SCALAR
    if (link->d.i >= FLOW_POPULATIONS) {
        const real back = scalar_reflected(b, link, met, cell);
        accumulate_exactly(&sum->sum[WEIR_FLOW_SCALAR], (double)as_stored(back) - (double)met);
        return back;
    }
#endif
#if CONDUCTOR_VALUES
    if (conducts(cell)) /* the flow has turned round in it, and is nothing to boundaries */
        return leaving;
#endif
    const real back = reflected_by(b, end->rule, link, met, cell);
    add_exchange(link, met, as_stored(back), ALL_AXES, sum);
    return back;
}

/* reflect_in_cell of a cell at such an end where that is all that is to be done (flags WEIR_AT_OPEN_END and
 * WEIR_NEAR_OPEN_END). */
FUNCTION void reflect_at_open_end(const struct weir_block_view *b, int parity, const struct open_end *end,
                                  int x, int y, int z, bool forced, const struct body_force *body,
                                  real f[POPULATIONS]) {
    const int boundary = open_boundary(end);
    real force[3];
    const struct moments cell = moments_after_collision(forced, body, f, force);
    struct boundary_sum sum;
    memset(&sum, 0, sizeof sum);
    /* Of each pair one leaves, the same for all of them: so that there is the rule but once for each pair. */
#define PAIR(i, o, cx, cy, cz, w)                                                                      \
    if ((cx) != 0) {                                                                                   \
        const bool leaves = leaves_end(cx, end->low);                                                  \
        const struct boundary_link link = {boundary,                                                   \
                                           leaves ? DIRECTION_(i, o, cx, cy, cz)                       \
                                                  : DIRECTION_(o, i, -(cx), -(cy), -(cz)),             \
                                           (real)(w),                                                  \
                                           x,                                                          \
                                           y,                                                          \
                                           z,                                                          \
                                           open_values(b, end)};                                       \
        if (flag_beside(b, link.d, x, y, z) == boundary)                                               \
            f[leaves ? (i) : (o)] = met_at_open_end(b, end, &link, leaves ? f[i] : f[o], &cell, &sum); \
    }
    FOR_PAIRS(PAIR)
#undef PAIR
    add_to_flow(b->flow + end->flow, parity, share_of(x, y, z), &sum);
}

#endif
