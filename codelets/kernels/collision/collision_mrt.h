/* Multiple relaxation times: each kind of moments of a cell relaxes at a rate of its own. D2Q9: Lallemand,
 * Luo, Phys. Rev. E 61 (2000) 6546; D3Q15, D3Q19: d'Humieres, Ginzburg, Krafczyk, Lallemand, Luo, Philos.
 * Trans. R. Soc. A 360 (2002) 437 (mrt_orthogonal.h); D3Q13: d'Humieres, Bouzidi, Lallemand, Phys. Rev. E 63
 * (2001) 066702 (mrt_planes.h). */
enum { MRT_E, MRT_EPSILON, MRT_Q, MRT_PI, MRT_M };

#ifdef WEIR_COLLISION_ROWS

static void mrt_rates(double relaxation_time, const double *parameters, struct weir_fluid *fluid) {
    fluid->omega_plus = 1 / relaxation_time;
    fluid->omega_minus = parameters[MRT_Q];
}

/* On other lattices no border is known. */
static double mrt_least_tau(enum weir_lattice lattice, const double *parameters, double speed) {
    (void)parameters;
    return lattice == WEIR_D3Q13 ? 0.5 + 0.27 * speed : 0;
}

#define MRT_RATE(name, meaning, value, where, sample)                                           \
    {                                                                                           \
        .key = name, .about = "Rate of " meaning ".",                                           \
        .wanted = "a rate greater than 0 and below 2, such as " sample, .most = WEIR_RATE_MOST, \
        .fallback = value, .lattices = where, .example = sample                                 \
    }
#define MRT_FULL (1u << WEIR_D2Q9 | 1u << WEIR_D3Q15 | 1u << WEIR_D3Q19) /* with moments q and epsilon */
#define MRT_SPATIAL (1u << WEIR_D3Q13 | 1u << WEIR_D3Q15 | 1u << WEIR_D3Q19)

static const struct weir_collision_row mrt_row = {
    .name = "mrt",
    .about = "multiple: one for each kind of moment",
    .lattices = MRT_FULL | MRT_SPATIAL,
    .elsewhere = "its moments have no rates in the literature that are agreed on; choose D3Q19, or the "
                 "collision cumulant",
    .parameters = {[MRT_E] =
                       MRT_RATE("rate_e", "the energy e, which makes the bulk viscosity", 1.19, 0, "1.6"),
                   [MRT_EPSILON] = MRT_RATE("rate_epsilon", "the energy squared", 1.4, MRT_FULL, "1.2"),
                   [MRT_Q] = MRT_RATE("rate_q", "the heat flux q, on which the places of walls depend", 1.2,
                                      MRT_FULL, "1.6"),
                   [MRT_PI] = MRT_RATE("rate_pi", "the fourth moments that go with the stress", 1.4,
                                       1u << WEIR_D3Q19, "1.2"),
                   [MRT_M] = MRT_RATE("rate_m", "the third moments m", 1.98, MRT_SPATIAL, "1.2")},
    .single_cells_with_eddies = 1u << WEIR_D3Q19,
    .incompressible = true,
    .large_tau = "boundaries and stresses lose accuracy; a lower one takes more steps",
    .least_tau = mrt_least_tau,
    .rates = mrt_rates,
};

#else

FUNCTION real odd_rate(real omega, const struct relaxation *r) {
    (void)omega;
    return r->omega_minus;
}

#if FLOW_POPULATIONS == 13
#include "codelets/kernels/collision/mrt_planes.h"
#else
#include "codelets/kernels/collision/mrt_orthogonal.h"
#endif

#endif
