/* Flows with a temperature, on D2Q37: equilibrium and collisions as their articles have them, by plain sums
 * over velocities in double precision. */
#include "tests/unit/assert_close.h"
#include "tests/unit/block_harness.h"
#include "tests/unit/find_kernels.h"

#include <string.h>

enum { Q = 37, SIZE = 11, CELLS = SIZE * SIZE };

#define R 1.19697977039307435897239

struct state {
    double density, velocity[2], temperature; /* in units of xi = R c */
};

static const struct weir_lattice_table *lattice(void) {
    return weir_lattice_table(WEIR_D2Q37);
}

static double xi(int i, int axis) {
    return R * lattice()->velocity[i][axis];
}

static double power(double base, int exponent) {
    return exponent == 0 ? 1 : base * power(base, exponent - 1);
}

/* Shan, Yuan, Chen 2006, as one polynomial of the fourth order. */
static double equilibrium(int i, const struct state *s) {
    const double *u = s->velocity, x = xi(i, 0), y = xi(i, 1), square = x * x + y * y;
    const double k = x * u[0] + y * u[1], uu = u[0] * u[0] + u[1] * u[1], t = s->temperature - 1;
    return lattice()->weight[i] * s->density *
           (1 + k + (k * k - uu + t * (square - 2)) / 2 + k / 6 * (k * k - 3 * uu + 3 * t * (square - 4)) +
            (power(k, 4) - 6 * k * k * uu + 3 * uu * uu) / 24 +
            t / 4 * ((square - 4) * (k * k - uu) - 2 * k * k) +
            t * t / 8 * (square * square - 8 * square + 8));
}

static struct state state_of(const double f[Q]) {
    struct state s = {0, {0, 0}, 0};
    for (int i = 0; i < Q; i++)
        s.density += f[i];
    for (int i = 0; i < Q; i++)
        for (int axis = 0; axis < 2; axis++)
            s.velocity[axis] += xi(i, axis) * f[i] / s.density;
    for (int i = 0; i < Q; i++)
        for (int axis = 0; axis < 2; axis++)
            s.temperature += power(xi(i, axis) - s.velocity[axis], 2) * f[i] / (2 * s.density);
    return s;
}

/* Mean of v^n under Maxwell's distribution along an axis. */
static double maxwell(double u, double t, int n) {
    const double of_n[] = {1, u, u * u + t, u * u * u + 3 * u * t, power(u, 4) + 6 * u * u * t + 3 * t * t};
    return of_n[n];
}

static double hermite(double v, int n) {
    const double of_n[] = {1, v, v * v - 1, v * v * v - 3 * v, power(v, 4) - 6 * v * v + 3};
    return of_n[n];
}

static void set_up(struct weir_problem *problem, enum weir_collision collision) {
    weir_problem_default(problem);
    problem->lattice = WEIR_D2Q37;
    problem->precision = WEIR_DOUBLE;
    problem->cells[0] = problem->cells[1] = SIZE;
    memset(problem->periodic, true, sizeof problem->periodic);
    problem->relaxation_time = 0.8;
    weir_problem_collide_by(problem, collision);
}

static void place_of(int cell, int at[3]) {
    at[0] = cell % SIZE;
    at[1] = cell / SIZE;
    at[2] = 0;
}

/* What a run begins with: all moments to the fourth order are Maxwell's. */
static void test_moments_of_equilibrium(void **state) {
    (void)state;
    static const struct state states[] = {{1, {0, 0}, 1}, {0.7, {0.3, -0.2}, 1.3}, {1.4, {-0.1, 0.25}, 0.6}};
    for (size_t k = 0; k < sizeof states / sizeof *states; k++) {
        const struct state *s = &states[k];
        struct weir_problem problem;
        set_up(&problem, WEIR_NONE);
        problem.initial_density = s->density;
        problem.initial_temperature = s->temperature;
        for (int axis = 0; axis < 2; axis++)
            problem.initial_velocity[axis] = s->velocity[axis] / R;
        struct block_harness *h = block_harness_create(
            &problem, find_kernels(WEIR_D2Q37, WEIR_NONE, WEIR_DOUBLE), problem.cells, true);
        double f[Q];
        for (int i = 0; i < Q; i++) {
            f[i] = lattice()->weight[i] +
                   block_harness_read(h, block_harness_population(h, (const int[3]){4, 5, 0}, i));
            assert_close(f[i], equilibrium(i, s), 1e-15);
        }
        for (int m = 0; m <= 4; m++)
            for (int n = 0; m + n <= 4; n++) {
                double moment = 0;
                for (int i = 0; i < Q; i++)
                    moment += power(xi(i, 0), m) * power(xi(i, 1), n) * f[i];
                assert_close(moment,
                             s->density * maxwell(s->velocity[0], s->temperature, m) *
                                 maxwell(s->velocity[1], s->temperature, n),
                             3e-14);
            }
        block_harness_destroy(h);
    }
}

/* Deviations without order, some tenths of the weights. */
static double disturbed(int cell, int i) {
    const unsigned mixed = (unsigned)(cell * Q + i) * 2654435761u;
    return lattice()->weight[i] * (1 + 0.3 * ((double)(mixed >> 8) / (1 << 24) - 0.5));
}

/* Sbragaglia et al. 2009: gravity g moves what populations relax to by tau g, and its temperature. */
static void collide_bgk(const struct weir_problem *p, const double f[Q], double after[Q]) {
    const double tau = p->relaxation_time;
    struct state s = state_of(f);
    double square = 0;
    for (int axis = 0; axis < 2; axis++) {
        s.velocity[axis] += tau * R * p->force[axis];
        square += power(R * p->force[axis], 2);
    }
    s.temperature += tau * (1 - tau) / 2 * square;
    for (int i = 0; i < Q; i++)
        after[i] = f[i] + (equilibrium(i, &s) - f[i]) / tau;
}

/* By orders of the Hermite coefficients of what is beyond equilibrium; the third without what the second
 * makes of it by the velocity. */
static void collide_hermite(const struct weir_problem *p, const double f[Q], double after[Q]) {
    static const double factorial[] = {1, 1, 2, 6, 24};
    const double second = 1 - 1 / p->relaxation_time,
                 third = 1 - 1 / (0.5 + (p->relaxation_time - 0.5) / p->parameters[0]),
                 fourth = 1 - p->parameters[1];
    struct state s = state_of(f);
    const double *u = s.velocity;
    double beyond[5][5] = {{0}}, kept[5][5] = {{0}};
    for (int m = 0; m <= 4; m++)
        for (int n = 0; m + n <= 4; n++)
            for (int i = 0; i < Q; i++)
                beyond[m][n] += hermite(xi(i, 0), m) * hermite(xi(i, 1), n) * (f[i] - equilibrium(i, &s));
    for (int m = 0; m <= 4; m++)
        for (int n = 0; m + n <= 4; n++) {
            const double carried =
                (m >= 1 ? m * u[0] * beyond[m - 1][n] : 0) + (n >= 1 ? n * u[1] * beyond[m][n - 1] : 0);
            kept[m][n] = m + n == 2   ? second * beyond[m][n]
                         : m + n == 3 ? second * carried + third * (beyond[m][n] - carried)
                         : m + n == 4 ? fourth * beyond[m][n]
                                      : 0;
        }
    for (int axis = 0; axis < 2; axis++)
        s.velocity[axis] += R * p->force[axis];
    for (int i = 0; i < Q; i++) {
        after[i] = equilibrium(i, &s);
        for (int m = 0; m <= 4; m++)
            for (int n = 0; m + n <= 4; n++)
                after[i] += lattice()->weight[i] * kept[m][n] * hermite(xi(i, 0), m) * hermite(xi(i, 1), n) /
                            (factorial[m] * factorial[n]);
    }
}

/* Density and temperature stay, and the velocity changes by g. */
static void check_conservation(const struct weir_problem *p, const double f[Q], const double after[Q]) {
    const struct state a = state_of(f), b = state_of(after);
    assert_close(b.density, a.density, 1e-14);
    assert_close(b.temperature, a.temperature, 1e-14);
    for (int axis = 0; axis < 2; axis++)
        assert_close(b.velocity[axis], a.velocity[axis] + R * p->force[axis], 1e-14);
}

static void check_collision(enum weir_collision collision, bool forced) {
    struct weir_problem problem;
    set_up(&problem, collision);
    if (forced)
        memcpy(problem.force, (const double[3]){0.01, -0.02, 0}, sizeof problem.force);
    if (collision == WEIR_THERMAL_HERMITE) {
        problem.parameters[0] = 0.7;
        problem.parameters[1] = 1.3;
    }
    struct block_harness *h =
        block_harness_create(&problem, find_kernels(WEIR_D2Q37, collision, WEIR_DOUBLE), problem.cells, true);
    for (int cell = 0; cell < CELLS; cell++) {
        int at[3];
        place_of(cell, at);
        for (int i = 0; i < Q; i++)
            block_harness_write(h, block_harness_population(h, at, i),
                                disturbed(cell, i) - lattice()->weight[i]);
    }
    block_harness_run_to(h, 1);
    for (int cell = 0; cell < CELLS; cell++) {
        double f[Q], expected[Q], after[Q];
        int at[3];
        place_of(cell, at);
        for (int i = 0; i < Q; i++)
            f[i] = disturbed(cell, i);
        (collision == WEIR_THERMAL_BGK ? collide_bgk : collide_hermite)(&problem, f, expected);
        for (int i = 0; i < Q; i++) {
            const int *c = lattice()->velocity[i];
            const int there[3] = {(at[0] + c[0] + SIZE) % SIZE, (at[1] + c[1] + SIZE) % SIZE, 0};
            after[i] = lattice()->weight[i] + block_harness_read(h, block_harness_population(h, there, i));
            assert_close(after[i], expected[i], 1e-15);
        }
        check_conservation(&problem, f, after);
    }
    block_harness_destroy(h);
}

static void test_collisions(void **state) {
    (void)state;
    for (int forced = 0; forced < 2; forced++) {
        check_collision(WEIR_THERMAL_BGK, forced != 0);
        check_collision(WEIR_THERMAL_HERMITE, forced != 0);
    }
}

/* What is seen of a cell, and of all: with gravity the velocity is that in the middle of the step, and the
 * temperature of the start is the one that was asked for. */
static void test_what_is_seen(void **state) {
    (void)state;
    struct weir_problem problem;
    set_up(&problem, WEIR_THERMAL_BGK);
    problem.initial_density = 1.2;
    problem.initial_temperature = 0.9;
    memcpy(problem.initial_velocity, (const double[3]){0.1, 0.05, 0}, sizeof problem.initial_velocity);
    memcpy(problem.force, (const double[3]){0.01, -0.02, 0}, sizeof problem.force);
    struct block_harness *h = block_harness_create(
        &problem, find_kernels(WEIR_D2Q37, WEIR_THERMAL_BGK, WEIR_DOUBLE), problem.cells, true);
    for (int step = 0; step < 3; step++) {
        const struct weir_block_view view = block_harness_view(h, 0);
        const struct weir_local_box all = {.extent = {SIZE, SIZE, 1}};
        double values[5][CELLS];
        struct weir_partial_totals totals;
        h->kernels->cpu.macroscopic(&view, &h->fluid, step % 2, &all, values);
        h->kernels->cpu.totals(&view, &h->fluid, step % 2, 10, 0, SIZE, &totals);
        const double u[2] = {0.1 + 0.01 * step, 0.05 - 0.02 * step};
        for (int cell = 0; cell < CELLS; cell++) {
            assert_close(values[0][cell], 1.2, 1e-14);
            assert_close(values[1][cell], u[0], 1e-14);
            assert_close(values[2][cell], u[1], 1e-14);
            assert_close(values[4][cell], 0.9, 1e-14);
        }
        assert_close(weir_exact_sum_value(&totals.fifth), CELLS * 1.2 * 0.9 / (R * R), 1e-11);
        assert_close(weir_exact_sum_value(&totals.kinetic_energy), CELLS * 0.6 * (u[0] * u[0] + u[1] * u[1]),
                     1e-11);
        block_harness_run_to(h, step + 1);
    }
    block_harness_destroy(h);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moments_of_equilibrium),
        cmocka_unit_test(test_collisions),
        cmocka_unit_test(test_what_is_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
