/* Rows of the table of collisions: complete, with defaults inside their own limits, and rates as numerics.md
 * has them. */
#include "codelets/kernels/collision/collisions.h"

#include "graph/problem/problem.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void rows_are_complete(void **state) {
    (void)state;
    for (int collision = 0; collision < WEIR_COLLISION_COUNT; collision++) {
        const struct weir_collision_row *row = weir_collision_row((enum weir_collision)collision);
        assert_string_equal(row->name, weir_collision_names[collision]);
        assert_true(row->about && row->large_tau && row->rates);
        assert_true(row->lattices == WEIR_FLOW_LATTICES || row->elsewhere);
        assert_true(!row->least_tau || !row->steady);
        for (int k = 0; k < WEIR_PARAMETERS_MAX && row->parameters[k].key; k++) {
            const struct weir_parameter *parameter = &row->parameters[k];
            assert_true(parameter->about && parameter->wanted && parameter->example);
            assert_true(parameter->fallback > 0);
            assert_true(parameter->most == 0 || parameter->fallback <= parameter->most);
            assert_true((parameter->lattices & ~row->lattices) == 0);
        }
    }
}

/* Any collision gives the viscosity that tau says; TRT's odd rate, the magic parameter (N7). */
static void rates_follow(void **state) {
    (void)state;
    for (int collision = 0; collision < WEIR_COLLISION_COUNT; collision++)
        for (double tau = 0.51; tau < 3; tau += 0.3) {
            struct weir_problem problem;
            weir_problem_default(&problem);
            weir_problem_collide_by(&problem, (enum weir_collision)collision);
            problem.relaxation_time = tau;
            problem.force[1] = 1e-5;
            const struct weir_fluid fluid = weir_problem_fluid(&problem);
            assert_true(fluid.omega_plus == 1 / tau && fluid.forced && fluid.force[1] == 1e-5);
            assert_false(fluid.walls_move);
            const double magic = (1 / fluid.omega_plus - 0.5) * (1 / fluid.omega_minus - 0.5),
                         odd_tau = collision == WEIR_BGK || collision == WEIR_THERMAL_BGK ? tau
                                   : collision == WEIR_THERMAL_HERMITE                    ? tau
                                   : collision == WEIR_MRT                                ? 1 / 1.2
                                                                                          : 1,
                         expected = collision == WEIR_TRT ? 3.0 / 16.0 : (tau - 0.5) * (odd_tau - 0.5);
            assert_true(fabs(magic - expected) < 1e-12);
        }
}

/* numerics.md, Stability near tau = 1/2. */
static void a_steadier_one_is_named(void **state) {
    (void)state;
    static const char *const names[WEIR_ISOTHERMAL_COUNT] = {[WEIR_D2Q9] = "recursive",
                                                             [WEIR_D3Q15] = "bgk",
                                                             [WEIR_D3Q19] = "recursive",
                                                             [WEIR_D3Q27] = "cumulant"};
    for (int lattice = 0; lattice < WEIR_ISOTHERMAL_COUNT; lattice++) {
        const char *name = weir_steadier_collision(WEIR_TRT, (enum weir_lattice)lattice);
        assert_int_equal(name == NULL, names[lattice] == NULL);
        assert_true(!name || strcmp(name, names[lattice]) == 0);
        assert_null(weir_steadier_collision(WEIR_RECURSIVE, (enum weir_lattice)lattice));
    }
    assert_null(weir_steadier_collision(WEIR_BGK, WEIR_D3Q15));
}

static void parameters_belong_to_their_collision(void **state) {
    (void)state;
    struct weir_problem problem;
    weir_problem_default(&problem);
    assert_true(problem.collision == WEIR_TRT && problem.parameters[0] == 3.0 / 16.0);
    problem.parameters[0] = 0.25;
    weir_problem_collide_by(&problem, WEIR_TRT);
    assert_true(problem.parameters[0] == 3.0 / 16.0);
    weir_problem_collide_by(&problem, WEIR_BGK);
    assert_true(problem.parameters[0] == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_are_complete),
        cmocka_unit_test(rates_follow),
        cmocka_unit_test(a_steadier_one_is_named),
        cmocka_unit_test(parameters_belong_to_their_collision),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
