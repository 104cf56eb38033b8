/* The tables of the lattices: moments of the weights, and opposites. */
#include "codelets/kernels/lattice.h"
#include "graph/problem/problem.h"
#include "tests/unit/assert_close.h"

#include <string.h>

#define FOR_LATTICES(table)                                        \
    for (int lattice = 0; lattice < WEIR_LATTICE_COUNT; lattice++) \
        for (const struct weir_lattice_table *table = weir_lattice_table(lattice); table; table = NULL)

/* Components 0 .. dimensions - 1 have isotropic moments; further ones are all 0. */
static double delta(const struct weir_lattice_table *t, int a, int b) {
    return a == b && a < t->dimensions ? 1 : 0;
}

static void test_names_and_sizes(void **state) {
    (void)state;
    FOR_LATTICES(t) {
        assert_string_equal(t->name, weir_lattice_names[lattice]);
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

/* sum w = 1, sum w c_a c_b = c_s^2 d_ab, sum w c_a c_b c_c c_d = c_s^4 (d_ab d_cd + d_ac d_bd + d_ad d_bc);
 * odd ones vanish. */
static void test_moments_of_weights(void **state) {
    (void)state;
    const double square = 1.0 / 3.0, tolerance = 1e-15;
    FOR_LATTICES(t) {
        double sum = 0;
        for (int i = 0; i < t->populations; i++) {
            assert_true(t->weight[i] > 0);
            sum += t->weight[i];
        }
        assert_close(sum, 1, tolerance);
        for (int abcd = 0; abcd < 81; abcd++) {
            const int a = abcd % 3, b = abcd / 3 % 3, c = abcd / 9 % 3, d = abcd / 27;
            double moment[5] = {0};
            for (int i = 0; i < t->populations; i++) {
                const int *v = t->velocity[i];
                moment[1] += t->weight[i] * v[a];
                moment[2] += t->weight[i] * v[a] * v[b];
                moment[3] += t->weight[i] * v[a] * v[b] * v[c];
                moment[4] += t->weight[i] * v[a] * v[b] * v[c] * v[d];
            }
            assert_close(moment[1], 0, tolerance);
            assert_close(moment[2], square * delta(t, a, b), tolerance);
            assert_close(moment[3], 0, tolerance);
            assert_close(moment[4],
                         square * square *
                             (delta(t, a, b) * delta(t, c, d) + delta(t, a, c) * delta(t, b, d) +
                              delta(t, a, d) * delta(t, b, c)),
                         tolerance);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names_and_sizes),
        cmocka_unit_test(test_directions_are_different),
        cmocka_unit_test(test_opposites),
        cmocka_unit_test(test_moments_of_weights),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
