/* The tables of the lattices: moments of the weights, and opposites. */
#include "codelets/kernels/lattice/lattice.h"
#include "graph/problem/problem.h"
#include "tests/unit/assert_close.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FOR_LATTICES(table)                                       \
    for (int lattice = 0; lattice < WEIR_ALL_LATTICES; lattice++) \
        for (const struct weir_lattice_table *table = weir_lattice_table(lattice); table; table = NULL)

static void test_names_and_sizes(void **state) {
    (void)state;
    FOR_LATTICES(t) {
        if (lattice < WEIR_LATTICE_COUNT)
            assert_string_equal(t->name, weir_lattice_names[lattice]);
        assert_int_equal(t->no_flow == NULL, lattice < WEIR_LATTICE_COUNT);
        assert_int_equal(t->dimensions, weir_lattice_dimensions((enum weir_lattice)lattice));
        assert_int_equal(t->populations, weir_lattice_populations((enum weir_lattice)lattice));
        assert_in_range(t->populations, 1, WEIR_POPULATIONS_MAX);
    }
    assert_null(weir_lattice_names[WEIR_LATTICE_COUNT]);
}

static void test_directions_are_different(void **state) {
    (void)state;
    FOR_LATTICES(t)
    for (int i = 0; i < t->populations; i++)
        for (int j = 0; j < i; j++)
            assert_memory_not_equal(t->velocity[i], t->velocity[j], sizeof t->velocity[i]);
}

static void test_opposites(void **state) {
    (void)state;
    FOR_LATTICES(t) {
        assert_int_equal(t->opposite[0], 0);
        for (int i = 0; i < t->populations; i++) {
            const int o = t->opposite[i];
            assert_int_equal(t->opposite[o], i);
            assert_close(t->weight[o], t->weight[i], 0);
            for (int axis = 0; axis < 3; axis++)
                assert_int_equal(t->velocity[o][axis], -t->velocity[i][axis]);
        }
    }
}

static void test_reach(void **state) {
    (void)state;
    FOR_LATTICES(t) {
        int reach = 0;
        for (int i = 0; i < t->populations; i++)
            for (int axis = 0; axis < 3; axis++) {
                assert_true(axis < t->dimensions || t->velocity[i][axis] == 0);
                reach = abs(t->velocity[i][axis]) > reach ? abs(t->velocity[i][axis]) : reach;
            }
        assert_int_equal(t->reach, reach);
        assert_in_range(reach, 1, WEIR_REACH_MAX);
        for (int axis = 0; axis < 3; axis++)
            assert_int_equal(weir_lattice_ring(t, axis), axis < t->dimensions ? reach : 1);
    }
}

/* sum w c_x^a c_y^b c_z^d. */
static double moment(const struct weir_lattice_table *t, const int power[3]) {
    double sum = 0;
    for (int i = 0; i < t->populations; i++) {
        double term = t->weight[i];
        for (int axis = 0; axis < 3; axis++)
            for (int k = 0; k < power[axis]; k++)
                term *= t->velocity[i][axis];
        sum += term;
    }
    return sum;
}

/* The same of a Maxwell distribution at rest: products of 1, c_s^2, 3 c_s^4, 15 c_s^6 ... */
static double maxwell(const struct weir_lattice_table *t, const int power[3]) {
    double value = 1;
    for (int axis = 0; axis < 3; axis++) {
        if (power[axis] % 2 != 0 || (power[axis] > 0 && axis >= t->dimensions))
            return 0;
        for (int k = 1; k < power[axis]; k += 2)
            value *= k / t->inverse_cs2;
    }
    return value;
}

/* The order up to which all moments of the weights are those of a Maxwell distribution. */
static int exact_order(const struct weir_lattice_table *t) {
    for (int order = 0; order < 12; order++)
        for (int a = 0; a <= order; a++)
            for (int b = 0; a + b <= order; b++) {
                const int power[3] = {a, b, order - a - b};
                if (fabs(moment(t, power) - maxwell(t, power)) > 1e-13 * pow(9, order / 2.0))
                    return order - 1;
            }
    return 12;
}

/* Flows need orders up to 4 (stress isotropic), scalars 2; D2Q37 has 9, for temperature. D3Q13 has less, and
 * an equilibrium and collision that make up for it. Others that have less are said to carry no flow. */
static void test_moments_of_weights(void **state) {
    (void)state;
    FOR_LATTICES(t) {
        for (int i = 0; i < t->populations; i++)
            assert_true(t->weight[i] > 0);
        const int order = exact_order(t);
        assert_int_equal(order, t->thermal ? 9 : t->no_flow || lattice == WEIR_D3Q13 ? 3 : 5);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_and_sizes), cmocka_unit_test(test_directions_are_different),
        cmocka_unit_test(test_opposites),       cmocka_unit_test(test_moments_of_weights),
        cmocka_unit_test(test_reach),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
