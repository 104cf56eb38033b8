/* Multiple relaxation times on D2Q9, D3Q15 and D3Q19. The moments are orthogonal, and all those of the
 * viscous stress have one rate, as have those of the heat flux q. So the collision is that of two relaxation
 * times, with these two rates, and a correction for each of the few moments that have another: no matrix is
 * multiplied. numerics.md (N27). */
#ifndef WEIR_KERNELS_MRT_ORTHOGONAL_H
#define WEIR_KERNELS_MRT_ORTHOGONAL_H

#include "codelets/kernels/collision/two_rates.h"

/* The moments that have a rate of their own.
 *
 * Those that depend on the square c2 of the velocity alone: the polynomial, the sum of its squares, and, in
 * equilibrium (N3), the factors of the excess of the density and of the trace of rho u u. */
#define MRT_ISOTROPIC_D2Q9(moment)               \
    moment(energy, MRT_E, 3 * c2 - 4, 36, -2, 3) \
        moment(square, MRT_EPSILON, (9 * c2 * c2 - 21 * c2 + 8) / 2, 36, 1, -3)
#define MRT_ISOTROPIC_D3Q15(moment)          \
    moment(energy, MRT_E, c2 - 2, 18, -1, 1) \
        moment(square, MRT_EPSILON, (15 * c2 * c2 - 55 * c2 + 32) / 2, 360, 1, -5)
#define MRT_ISOTROPIC_D3Q19(moment)                    \
    moment(energy, MRT_E, 19 * c2 - 30, 2394, -11, 19) \
        moment(square, MRT_EPSILON, (21 * c2 * c2 - 53 * c2 + 24) / 2, 252, 3, -5.5)
#define MRT_ISOTROPIC WEIR_JOIN(MRT_ISOTROPIC_, WEIR_LATTICE)

/* weir_mrt_energy(c2) and so on. */
#define POLYNOMIAL(name, rate, polynomial, ...) \
    FUNCTION int weir_mrt_##name(int c2) {      \
        return polynomial;                      \
    }
MRT_ISOTROPIC(POLYNOMIAL)
#undef POLYNOMIAL

/* D3Q19 has two more even ones, (3 c2 - 5)(3 x^2 - c2) and (3 c2 - 5)(y^2 - z^2): but for a sign what is
 * left of the diagonal tensor  t_a = 2 sum of f along axis a + sum of f in the plane across it  without its
 * trace; in equilibrium t_a is half of rho u_a u_a. The odd ones are there as sums over kinds of
 * velocities: x (y^2 - z^2), y (z^2 - x^2), z (x^2 - y^2) on D3Q19, x y z on D3Q15. */
#define WITH_DIAGONAL (FLOW_POPULATIONS == 19)

/* Velocities are of one kind where the same components are not 0: bit 0 for x, 1 for y, 2 for z. All pairs of
 * a kind get the same of even moments here. */
#define KIND(cx, cy, cz) (((cx) != 0) | ((cy) != 0) << 1 | ((cz) != 0) << 2)
enum { KINDS = 8 };

/* A lattice has velocities of three lengths: 0, those along the axes, and one more. */
FUNCTION int shell_of(int kind) {
    return kind == 0 ? 0 : (kind & (kind - 1)) == 0 ? 1 : 2;
}
#define FAR_C2 (FLOW_POPULATIONS == 15 ? 3 : 2)

/* What populations get beyond the relaxation of their halves: `even` by kind; what is odd is a vector, of
 * which the signs differ from plane to plane, and a multiple of x y z. */
struct mrt_extra {
    real even[KINDS];
    real odd[3], corner;
};

/* sum: of the populations of each kind; flux: diagonal of rho u u. Adds to `even`. */
FUNCTION void add_isotropic(const real sum[KINDS], const real flux[3], const struct moments *m,
                            const struct relaxation *r, real even[KINDS]) {
    const real trace = DIMENSIONS == 3 ? flux[0] + flux[1] + flux[2] : flux[0] + flux[1];
    real shell[3] = {sum[0], NOTHING, NOTHING}, change[3] = {NOTHING, NOTHING, NOTHING};
    for (int kind = 1; kind < KINDS; kind++)
        shell[shell_of(kind)] += sum[kind];
#define MOMENT(name, rate, polynomial, squares, of_excess, of_trace)                                       \
    {                                                                                                      \
        const int at_rest = weir_mrt_##name(0), near = weir_mrt_##name(1), far = weir_mrt_##name(FAR_C2);  \
        real lack = fma_real((real)(of_trace), trace, (real)(of_excess)*m->excess);                        \
        lack =                                                                                             \
            add_signed(add_signed(add_signed(lack, -at_rest, shell[0]), -near, shell[1]), -far, shell[2]); \
        lack *= (real)(1.0 / (squares)) * (r->parameter[rate] - r->omega_plus);                            \
        change[0] = add_signed(change[0], at_rest, lack);                                                  \
        change[1] = add_signed(change[1], near, lack);                                                     \
        change[2] = add_signed(change[2], far, lack);                                                      \
    }
    MRT_ISOTROPIC(MOMENT)
#undef MOMENT
    for (int kind = 0; kind < KINDS; kind++)
        even[kind] = change[shell_of(kind)];
}

FUNCTION void add_diagonal(const real sum[KINDS], const real flux[3], const struct relaxation *r,
                           real even[KINDS]) {
    const real rate = (real)(1.0 / 12) * (r->parameter[MRT_PI] - r->omega_plus);
    real lack[3];
    for (int axis = 0; axis < 3; axis++) {
        const int along = 1 << axis, across = 7 - along;
        lack[axis] = fma_real((real)0.5, flux[axis], -fma_real(2, sum[along], sum[across]));
    }
    const real mean = (real)(1.0 / 3.0) * (lack[0] + lack[1] + lack[2]);
    for (int axis = 0; axis < 3; axis++) {
        const int along = 1 << axis, across = 7 - along;
        const real change = rate * (lack[axis] - mean);
        even[across] += change;
        even[along] = fma_real(2, change, even[along]);
    }
}

FUNCTION struct mrt_extra extra_of(const real f[POPULATIONS], const struct moments *m, bool forced,
                                   const struct relaxation *r) {
    struct mrt_extra k;
    real flux[3], sum[KINDS] = {f[0], NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING, NOTHING};
    real line[KINDS][3], corner = NOTHING; /* momentum of the velocities of a kind */
    diagonal_flux(m, forced, r, flux);
    for (int axis = 0; axis < 3; axis++)
        for (int kind = 0; kind < KINDS; kind++)
            line[kind][axis] = NOTHING;
#define PAIR(i, o, cx, cy, cz, w)                                                          \
    {                                                                                      \
        const real difference = f[i] - f[o];                                               \
        sum[KIND(cx, cy, cz)] += f[i] + f[o];                                              \
        line[KIND(cx, cy, cz)][0] = add_signed(line[KIND(cx, cy, cz)][0], cx, difference); \
        line[KIND(cx, cy, cz)][1] = add_signed(line[KIND(cx, cy, cz)][1], cy, difference); \
        line[KIND(cx, cy, cz)][2] = add_signed(line[KIND(cx, cy, cz)][2], cz, difference); \
        corner = add_signed(corner, (cx) * (cy) * (cz), difference);                       \
    }
    FOR_FLOW_PAIRS(PAIR)
#undef PAIR
    add_isotropic(sum, flux, m, r, k.even);
    if (WITH_DIAGONAL)
        add_diagonal(sum, flux, r, k.even);
    const real rate = (real)(1.0 / 8) * (r->omega_minus - r->parameter[MRT_M]);
    k.odd[0] = rate * (line[3][0] - line[5][0]);
    k.odd[1] = rate * (line[6][1] - line[3][1]);
    k.odd[2] = rate * (line[5][2] - line[6][2]);
    k.corner = rate * corner;
    return k;
}

FUNCTION void collide_flow(real f[POPULATIONS], bool forced, const struct relaxation *r) {
    const struct moments m = moments_of(f, forced, r->force);
    const struct mrt_extra k = extra_of(f, &m, forced, r);
    const struct two_rates t = two_rates_of(&m, forced, r);
    f[0] = relaxed_at_rest(&t, f[0], forced, r) + k.even[0];
#define PAIR(i, o, cx, cy, cz, w)                                                                      \
    {                                                                                                  \
        const int x = cx, y = cy, z = cz;                                                              \
        struct pair_change change = change_of_pair(&t, f[i], f[o], x, y, z, (real)(w), &m, forced, r); \
        change.even += k.even[KIND(x, y, z)];                                                          \
        if (WITH_DIAGONAL) {                                                                           \
            change.odd = add_signed(change.odd, x * (y * y - z * z), k.odd[0]);                        \
            change.odd = add_signed(change.odd, y * (z * z - x * x), k.odd[1]);                        \
            change.odd = add_signed(change.odd, z * (x * x - y * y), k.odd[2]);                        \
        }                                                                                              \
        change.odd = add_signed(change.odd, x * y * z, k.corner);                                      \
        f[i] = f[i] + (change.even + change.odd);                                                      \
        f[o] = f[o] + (change.even - change.odd);                                                      \
    }
    FOR_FLOW_PAIRS(PAIR)
#undef PAIR
}

#endif
