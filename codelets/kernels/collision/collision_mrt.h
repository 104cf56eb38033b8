/* Multiple relaxation times: each moment of a cell relaxes at a rate of its own. D2Q9: Lallemand, Luo, Phys.
 * Rev. E 61 (2000) 6546; D3Q15, D3Q19: d'Humieres, Ginzburg, Krafczyk, Lallemand, Luo, Philos. Trans. R. Soc.
 * A 360 (2002) 437.
 *
 * The moments are orthogonal, and all those of the viscous stress have one rate, as have those of the heat
 * flux q. So the collision is that of two relaxation times, with these two rates, and a correction for each
 * of the few moments that have another: no matrix is multiplied. numerics.md (N27). */
enum { MRT_E, MRT_EPSILON, MRT_Q, MRT_PI, MRT_M };

#ifdef WEIR_COLLISION_ROWS

static void mrt_rates(double relaxation_time, const double *parameters, struct weir_fluid *fluid) {
    fluid->omega_plus = 1 / relaxation_time;
    fluid->omega_minus = parameters[MRT_Q];
}

#define MRT_RATE(name, meaning, value, where, sample)                                           \
    {                                                                                           \
        .key = name, .about = "Rate of " meaning ".",                                           \
        .wanted = "a rate greater than 0 and below 2, such as " sample, .most = WEIR_RATE_MOST, \
        .fallback = value, .lattices = where, .example = sample                                 \
    }
#define MRT_SPATIAL (1u << WEIR_D3Q15 | 1u << WEIR_D3Q19)

static const struct weir_collision_row mrt_row = {
    .name = "mrt",
    .about = "multiple: one for each kind of moment",
    .lattices = 1u << WEIR_D2Q9 | MRT_SPATIAL,
    .elsewhere = "its moments have no rates in the literature that are agreed on; choose D3Q19, or the "
                 "collision cumulant",
    .parameters = {[MRT_E] =
                       MRT_RATE("rate_e", "the energy e, which makes the bulk viscosity", 1.19, 0, "1.6"),
                   [MRT_EPSILON] = MRT_RATE("rate_epsilon", "the energy squared", 1.4, 0, "1.2"),
                   [MRT_Q] = MRT_RATE("rate_q", "the heat flux q, on which the places of walls depend", 1.2,
                                      0, "1.6"),
                   [MRT_PI] = MRT_RATE("rate_pi", "the fourth moments that go with the stress", 1.4,
                                       1u << WEIR_D3Q19, "1.2"),
                   [MRT_M] = MRT_RATE("rate_m", "the third moments m", 1.98, MRT_SPATIAL, "1.2")},
    .single_cells_with_eddies = 1u << WEIR_D3Q19,
    .large_tau = "boundaries and stresses lose accuracy; a lower one takes more steps",
    .rates = mrt_rates,
};

#else

#include "codelets/kernels/collision/two_rates.h"

FUNCTION real odd_rate(real omega, const struct relaxation *r) {
    (void)omega;
    return r->omega_minus;
}

/* The moments that have a rate of their own: as polynomials of the velocity (x, y, z), with c2 its square,
 * and in equilibrium (N3), of the excess of the density and of the diagonal `flux` of rho u u; of odd ones it
 * is 0. moment(name, rate, polynomial, sum of its squares, equilibrium) */
#define MRT_TRACE (flux[0] + flux[1] + flux[2])
#define MRT_EVEN_D2Q9(moment)                                                             \
    moment(energy, MRT_E, 3 * c2 - 4, 36, fma_real(3, flux[0] + flux[1], -2 * m->excess)) \
        moment(square, MRT_EPSILON, (9 * c2 * c2 - 21 * c2 + 8) / 2, 36,                  \
               fma_real(-3, flux[0] + flux[1], m->excess))
#define MRT_ODD_D2Q9(moment)
#define MRT_EVEN_D3Q15(moment)                                       \
    moment(energy, MRT_E, c2 - 2, 18, MRT_TRACE - m->excess) moment( \
        square, MRT_EPSILON, (15 * c2 * c2 - 55 * c2 + 32) / 2, 360, fma_real(-5, MRT_TRACE, m->excess))
#define MRT_ODD_D3Q15(moment) moment(xyz, MRT_M, x *y *z, 8)
#define MRT_EVEN_D3Q19(moment)                                                          \
    moment(energy, MRT_E, 19 * c2 - 30, 2394, fma_real(19, MRT_TRACE, -11 * m->excess)) \
        moment(square, MRT_EPSILON, (21 * c2 * c2 - 53 * c2 + 24) / 2, 252,             \
               fma_real((real)-5.5, MRT_TRACE, 3 * m->excess))                          \
            moment(pi_xx, MRT_PI, (3 * c2 - 5) * (3 * x * x - c2), 72,                  \
                   fma_real((real)0.5, flux[1] + flux[2], -flux[0]))                    \
                moment(pi_ww, MRT_PI, (3 * c2 - 5) * (y * y - z * z), 24, (real)0.5 * (flux[2] - flux[1]))
#define MRT_ODD_D3Q19(moment)                                                           \
    moment(m_x, MRT_M, x *(y * y - z * z), 8) moment(m_y, MRT_M, y *(z * z - x * x), 8) \
        moment(m_z, MRT_M, z *(x * x - y * y), 8)
#define MRT_EVEN WEIR_JOIN(MRT_EVEN_, WEIR_LATTICE)
#define MRT_ODD WEIR_JOIN(MRT_ODD_, WEIR_LATTICE)

/* weir_mrt_energy(x, y, z) and so on. */
#define POLYNOMIAL(name, rate, polynomial, ...)         \
    FUNCTION int weir_mrt_##name(int x, int y, int z) { \
        const int c2 = x * x + y * y + z * z;           \
        (void)c2;                                       \
        return polynomial;                              \
    }
MRT_EVEN(POLYNOMIAL)
MRT_ODD(POLYNOMIAL)
#undef POLYNOMIAL

/* For each of them, how much of it is missing to equilibrium, half of the body force taken off, times what
 * its rate has beyond that of its half. */
struct mrt_corrections {
#define MEMBER(name, ...) real name;
    MRT_EVEN(MEMBER)
    MRT_ODD(MEMBER)
#undef MEMBER
};

FUNCTION struct mrt_corrections corrections_of(const real f[POPULATIONS], const struct moments *m,
                                               bool forced, const struct relaxation *r) {
    struct mrt_corrections k;
    real flux[3];
    for (int axis = 0; axis < 3; axis++) {
        flux[axis] = m->momentum[axis] * m->velocity[axis];
        if (forced) /* the force of (N9) has these moments with 2 u F for rho u u: half of them goes off */
            flux[axis] = fma_real(-m->velocity[axis], r->force[axis], flux[axis]);
    }
#define BEGIN_EVEN(name, rate, polynomial, squares, equilibrium) \
    k.name = add_signed((equilibrium), -weir_mrt_##name(0, 0, 0), f[0]);
    MRT_EVEN(BEGIN_EVEN)
#undef BEGIN_EVEN
#define BEGIN_ODD(name, ...) k.name = 0;
    MRT_ODD(BEGIN_ODD)
#undef BEGIN_ODD
#define SUBTRACT_EVEN(name, ...) k.name = add_signed(k.name, -weir_mrt_##name(x, y, z), sum);
#define SUBTRACT_ODD(name, ...) k.name = add_signed(k.name, -weir_mrt_##name(x, y, z), difference);
#define PAIR(i, o, cx, cy, cz, w)                               \
    {                                                           \
        const int x = cx, y = cy, z = cz;                       \
        const real sum = f[i] + f[o], difference = f[i] - f[o]; \
        (void)difference;                                       \
        MRT_EVEN(SUBTRACT_EVEN)                                 \
        MRT_ODD(SUBTRACT_ODD)                                   \
    }
    FOR_FLOW_PAIRS(PAIR)
#undef PAIR
#undef SUBTRACT_EVEN
#undef SUBTRACT_ODD
#define SCALE_EVEN(name, rate, polynomial, squares, ...) \
    k.name *= (real)(1.0 / squares) * (r->parameter[rate] - r->omega_plus);
#define SCALE_ODD(name, rate, polynomial, squares, ...) \
    k.name *= (real)(1.0 / squares) * (r->parameter[rate] - r->omega_minus);
    MRT_EVEN(SCALE_EVEN)
    MRT_ODD(SCALE_ODD)
#undef SCALE_EVEN
#undef SCALE_ODD
    return k;
}

FUNCTION void collide_flow(real f[POPULATIONS], bool forced, const struct relaxation *r) {
    const struct moments m = moments_of(f, forced, r->force);
    const struct mrt_corrections k = corrections_of(f, &m, forced, r);
    relax_halves(f, &m, forced, r);
#define ADD_REST(name, ...) f[0] = add_signed(f[0], weir_mrt_##name(0, 0, 0), k.name);
    MRT_EVEN(ADD_REST)
#undef ADD_REST
#define ADD_EVEN(name, ...) even = add_signed(even, weir_mrt_##name(x, y, z), k.name);
#define ADD_ODD(name, ...) odd = add_signed(odd, weir_mrt_##name(x, y, z), k.name);
#define PAIR(i, o, cx, cy, cz, w)         \
    {                                     \
        const int x = cx, y = cy, z = cz; \
        real even = 0, odd = 0;           \
        MRT_EVEN(ADD_EVEN)                \
        MRT_ODD(ADD_ODD)                  \
        f[i] = f[i] + (even + odd);       \
        f[o] = f[o] + (even - odd);       \
    }
    FOR_FLOW_PAIRS(PAIR)
#undef PAIR
#undef ADD_EVEN
#undef ADD_ODD
}

#endif
