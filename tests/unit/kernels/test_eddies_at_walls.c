/* How the eddy viscosity of the kernels' text falls towards a wall at rest: beside it
 *     u = y A(x, z),  v = - y^2/2 (dA/dx + dC/dz),  w = y C(x, z),
 * up to higher powers of y, whatever the flow, and a model whose eddy viscosity goes as y^n has to be seen
 * with the order n. Smagorinsky's: 0; QR's: 1 (Verstappen, J. Sci. Comput. 49 (2011) 94; numerics.md,
 * Turbulence); WALE's, of the gradient itself: 3 (Nicoud, Ducros 1999). And what a scalar has of it. Compiled
 * once for each model, with ORDER. */
#define WEIR_LATTICE D3Q19
#define WEIR_SCALAR D3Q7
#define WEIR_PRECISION double
#define WEIR_COLLISION bgk
#include "codelets/kernels/collision/collision.h"

#include "tests/unit/assert_close.h"

#define TAU 0.6
#define CONSTANT 0.39
#define FACTOR_OF_smagorinsky (18 * sqrt(2) * CONSTANT * CONSTANT)
#define FACTOR_OF_qr (18 * CONSTANT * CONSTANT)

/* Gradient of the velocity at x = z = 0; gradient[a][b] is du_a/dx_b. */
static void gradient_at(double y, double gradient[3][3]) {
    const double a = 2e-3, c = -1e-3, a_x = 3e-4, a_z = 1e-4, c_x = 2e-4, c_z = 4e-4;
    const double values[3][3] = {{y * a_x, a, y * a_z}, {0, -y * (a_x + c_z), 0}, {y * c_x, c, y * c_z}};
    memcpy(gradient, values, sizeof values);
}

#ifdef WEIR_KEPT_EDDIES

#include "codelets/kernels/collision/wale.h"

/* One that is kept in the cell. */
static void populations_at(double y, double f[POPULATIONS]) {
    memset(f, 0, POPULATIONS * sizeof *f);
    f[EDDIES_0] = 0.01 * y;
}

static double eddy_viscosity(double y) {
    struct gradient g;
    gradient_at(y, g.of);
    return CONSTANT * CONSTANT * strength_wale(&g);
}

static void is_nothing_in_shear(void **state) {
    (void)state;
    for (int axis = 0; axis < 3; axis++)
        for (int along = 0; along < 3; along++) {
            struct gradient g = {{{0}}};
            g.of[along][axis] = along == axis ? 0 : 0.01;
            assert_true(strength_wale(&g) == 0);
        }
}

/* In any unit: the strength has that of a gradient. */
static void has_no_scale(void **state) {
    (void)state;
    struct gradient g, small;
    gradient_at(0.5, g.of);
    for (int k = 0; k < 9; k++)
        small.of[k / 3][k % 3] = ldexp(g.of[k / 3][k % 3], -60);
    assert_true(strength_wale(&small) == ldexp(strength_wale(&g), -60));
}

#else

/* Of a fluid at rest, to which the stress does not matter: what is beyond equilibrium is -2 tau rho S / 3. */
static void populations_at(double y, double f[POPULATIONS]) {
    double gradient[3][3];
    memset(f, 0, POPULATIONS * sizeof *f);
    gradient_at(y, gradient);
#define PAIR(i, o, cx, cy, cz, w)                                                          \
    {                                                                                      \
        const int c[3] = {cx, cy, cz};                                                     \
        double sum = 0;                                                                    \
        for (int p = 0; p < 3; p++)                                                        \
            for (int q = 0; q < 3; q++)                                                    \
                sum += (c[p] * c[q] - (p == q) / 3.0) * (-2.0 / 3 * TAU) * gradient[p][q]; \
        f[i] = f[o] = 4.5 * (w)*sum;                                                       \
    }
    FOR_FLOW_PAIRS(PAIR)
#undef PAIR
    f[0] = 0; /* the trace of S is 0 */
}

static double eddy_viscosity(double y) {
    const struct relaxation r = {
        .omega_plus = 1 / TAU, .tau = TAU, .eddies = WEIR_JOIN(FACTOR_OF_, WEIR_TURBULENCE)};
    double f[POPULATIONS];
    populations_at(y, f);
    return (1 / relaxation_among_eddies(f, false, &r).omega_plus - TAU) / 3;
}

#endif

/* D + nu_t / Pr_t, with c_s^2 = 1/4, at the same magic parameter. */
static void mixes_a_scalar(void **state) {
    (void)state;
    const double tau = 0.53, magic = 0.2, prandtl = 0.7;
    const struct relaxation r = {.omega_plus = 1 / TAU,
                                 .tau = TAU,
#ifndef WEIR_KEPT_EDDIES
                                 .eddies = WEIR_JOIN(FACTOR_OF_, WEIR_TURBULENCE),
#endif
                                 .scalar_excess = tau - 0.5,
                                 .scalar_magic = magic,
                                 .scalar_mixing = 4 / prandtl};
    for (double y = 0.1; y < 2; y *= 2) {
        double f[POPULATIONS];
        populations_at(y, f);
        const struct relaxation local = relaxation_among_eddies(f, false, &r);
        const double viscosity = (1 / local.omega_plus - TAU) / 3;
        const double excess = 1 / local.scalar_minus - 0.5;
        assert_true(viscosity > 0);
        assert_close((excess - (tau - 0.5)) / 4, viscosity / prandtl, 1e-15);
        assert_close((1 / local.scalar_plus - 0.5) * excess, magic, 1e-14);
    }
}

static void falls_with_its_order(void **state) {
    (void)state;
    for (double y = 0.1; y > 1e-3; y /= 2) {
        const double viscosity = eddy_viscosity(y);
        assert_true(viscosity > 0);
        assert_close(log2(eddy_viscosity(2 * y) / viscosity), ORDER, 0.05);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
#ifdef WEIR_KEPT_EDDIES
        cmocka_unit_test(is_nothing_in_shear), cmocka_unit_test(has_no_scale),
#endif
        cmocka_unit_test(mixes_a_scalar), cmocka_unit_test(falls_with_its_order)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
