/* Units: SI scales against hand-computed values, and the names and defaults of a problem. */
#include "codelets/kernels/cells/precisions.h"
#include "graph/problem/problem.h"
#include "src/case/units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void test_lattice_units_are_one(void **state) {
    (void)state;
    struct weir_units units = weir_units_lattice();
    assert_false(units.si);
    assert_true(weir_units_velocity(&units) == 1.0);
    assert_true(weir_units_pressure(&units) == 1.0);
    assert_true(weir_units_viscosity(&units) == 1.0);
    assert_true(weir_units_force_density(&units) == 1.0);
    assert_true(weir_units_force(&units) == 1.0);
}

static void test_si_units(void **state) {
    (void)state;
    const struct weir_units units = {.si = true, .length = 0.5, .time = 0.25, .density = 1000};
    assert_true(weir_units_velocity(&units) == 2.0);         /* m/s */
    assert_true(weir_units_pressure(&units) == 4000.0);      /* Pa */
    assert_true(weir_units_viscosity(&units) == 1.0);        /* m^2/s */
    assert_true(weir_units_force_density(&units) == 8000.0); /* N/m^3 */
    assert_true(weir_units_force(&units) == 1000.0);         /* N */
}

static void test_forces_agree(void **state) {
    (void)state;
    const struct weir_units units = {.si = true, .length = 0.5, .time = 0.125, .density = 8};
    double volume = units.length * units.length * units.length;
    assert_true(weir_units_force(&units) == weir_units_force_density(&units) * volume);
}

static void test_problem_tables(void **state) {
    (void)state;
    for (int lattice = 0; lattice < WEIR_LATTICE_COUNT; lattice++) {
        const char *name = weir_lattice_names[lattice]; /* DdQq */
        assert_int_equal(weir_lattice_dimensions((enum weir_lattice)lattice), name[1] - '0');
        assert_int_equal(weir_lattice_populations((enum weir_lattice)lattice), atoi(name + 3));
    }
    assert_null(weir_lattice_names[WEIR_LATTICE_COUNT]);
    assert_null(weir_collision_names[WEIR_COLLISION_COUNT]);
    assert_null(weir_precision_names[WEIR_PRECISION_COUNT]);
    for (int precision = 0; precision < WEIR_PRECISION_COUNT; precision++) {
        const struct weir_precision_row *row = weir_precision_row((enum weir_precision)precision);
        assert_string_equal(row->name, weir_precision_names[precision]);
        assert_int_equal(weir_precision_find(row->arithmetic, row->storage), precision);
    }
    assert_int_equal(weir_precision_find("double", "half"), -1);
    assert_int_equal(weir_precision_find("double", "mixed_moments"), -1);
    assert_null(weir_face_names[WEIR_FACES]);
}

static void test_problem_default(void **state) {
    (void)state;
    struct weir_problem problem;
    memset(&problem, 0xff, sizeof problem);
    weir_problem_default(&problem);
    assert_int_equal(problem.lattice, WEIR_D3Q19);
    assert_int_equal(problem.collision, WEIR_TRT);
    assert_int_equal(problem.precision, WEIR_SINGLE);
    assert_true(problem.relaxation_time == 1.0 && problem.parameters[0] == 0.1875);
    assert_true(problem.initial_density == 1.0 && problem.reference_density == 1.0);
    assert_int_equal(problem.wall_count, WEIR_FIRST_BODY);
    for (int face = 0; face < WEIR_FACES; face++)
        assert_string_equal(problem.walls[1 + face].name, weir_face_names[face]);
    for (int axis = 0; axis < 3; axis++) {
        assert_int_equal(problem.cells[axis], 1);
        assert_false(problem.periodic[axis]);
        assert_true(problem.force[axis] == 0);
    }
    assert_null(problem.shapes);
    assert_null(problem.initial);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lattice_units_are_one), cmocka_unit_test(test_si_units),
        cmocka_unit_test(test_forces_agree),          cmocka_unit_test(test_problem_tables),
        cmocka_unit_test(test_problem_default),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
