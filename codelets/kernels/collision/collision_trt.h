/* Two relaxation times, one for the even and one for the odd half of each pair of opposite directions:
 * Ginzburg, Verhaeghe, d'Humieres, Commun. Comput. Phys. 3 (2008) 427. The force is split in the same way. */
enum { TRT_MAGIC };

#ifdef WEIR_COLLISION_ROWS

/* numerics.md (N7). */
static void trt_rates(double relaxation_time, const double *parameters, struct weir_fluid *fluid) {
    fluid->omega_plus = 1 / relaxation_time;
    fluid->omega_minus = 1 / (0.5 + parameters[TRT_MAGIC] / (relaxation_time - 0.5));
}

static double trt_least_tau(enum weir_lattice lattice, const double *parameters, double speed) {
    const double large_magic = 0.01; /* from which on odd moments hardly relax near tau = 1/2 */
    static const double excess_per_speed[WEIR_LATTICE_COUNT] = {
        [WEIR_D2Q9] = 0.18, [WEIR_D3Q15] = 0.32, [WEIR_D3Q19] = 0.19, [WEIR_D3Q27] = 0.16};
    return parameters[TRT_MAGIC] >= large_magic ? 0.5 + excess_per_speed[lattice] * speed : 0;
}

static const struct weir_collision_row trt_row = {
    .name = "trt",
    .about = "two, so that walls stay where they are at any viscosity",
    .lattices = WEIR_FLOW_LATTICES,
    .elsewhere = WEIR_NOT_ON_D3Q13,
    .parameters =
        {[TRT_MAGIC] =
             {.key = "magic",
              .about = "TRT's magic parameter (tau+ - 1/2)(tau- - 1/2). 3/16 puts walls "
                       "exactly half-way between cells.",
              .more = "Near tau = 1/2 neither it nor 1/4 is stable: use `recursive` or `cumulant` there.",
              .wanted = "a number greater than 0, such as 0.1875 (3/16: walls exactly "
                        "half-way)",
              .fallback = 3.0 / 16.0,
              .example = "0.25"}},
    .single_cells_with_eddies = 1u << WEIR_D3Q27,
    .incompressible = true,
    .large_tau = "stresses lose accuracy; a lower one takes more steps",
    .least_tau = trt_least_tau,
    .rates = trt_rates,
};

#else

#include "codelets/kernels/collision/two_rates.h"

/* The magic parameter stays what it is: numerics.md (N7), in terms of the even rate. */
FUNCTION real odd_rate(real omega, const struct relaxation *r) {
    const real below_two = (real)2 - omega;
    return (real)2 * below_two / fma_real((real)4 * r->parameter[TRT_MAGIC], omega, below_two);
}

FUNCTION void collide_flow(real f[POPULATIONS], bool forced, const struct relaxation *r) {
    const struct moments m = moments_of(f, forced, r->force);
    const struct two_rates t = two_rates_of(&m, forced, r);
    f[0] = relaxed_at_rest(&t, f[0], forced, r);
#define PAIR(i, o, cx, cy, cz, w)                                                 \
    {                                                                             \
        const struct pair_change change =                                         \
            change_of_pair(&t, f[i], f[o], cx, cy, cz, (real)(w), &m, forced, r); \
        f[i] = f[i] + (change.even + change.odd);                                 \
        f[o] = f[o] + (change.even - change.odd);                                 \
    }
    FOR_FLOW_PAIRS(PAIR)
#undef PAIR
}

#endif
