/* Formulas: their values against C's, what is refused, and initial states filled from several threads at
 * once. */
#include "graph/base/error.h"
#include "src/case/expression.h"
#include "src/case/initial_formulas.h"

#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/* In a domain of 16 x 32 x 64; without time. */
#define TERMS(of_position)                              \
    &(struct weir_expression_terms) {                   \
        .position = of_position, .size = { 16, 32, 64 } \
    }

static double value_at(const char *text, double x, double y, double z) {
    double position[3] = {x, y, z};
    struct weir_expression *expression;
    assert_int_equal(weir_expression_create(text, TERMS(position), &expression), 0);
    double value = weir_expression_value(expression);
    weir_expression_destroy(expression);
    return value;
}

static void test_values(void **state) {
    (void)state;
    assert_true(value_at("1.5", 0, 0, 0) == 1.5);
    assert_true(value_at("x + 10*y + 100*z", 1, 2, 3) == 321);
    assert_true(value_at("nx + 100*ny + 10000*nz", 0, 0, 0) == 643216);
    assert_true(fabs(value_at("sin(2*pi*x/nx)", 3, 0, 0) - sin(2 * M_PI * 3 / 16)) < 1e-15);
    assert_true(fabs(value_at("0.08*4*z*(nz-z)/nz^2", 0, 0, 16) - 0.06) < 1e-15);
    assert_true(value_at("x <= 3 && y != 1 ? 5 : 7", 3, 2, 0) == 5);
    assert_true(value_at("x == 3 ? max(y, z) : sqrt(y)", 2, 9, 0) == 3);
    assert_true(isinf(value_at("1/x", 0, 0, 0)));
}

/* Numbers of a seed are the same wherever they are asked for, and fill the unit interval evenly. */
static void test_random(void **state) {
    (void)state;
    double sum = 0, squares = 0;
    enum { COUNT = 1000 };
    assert_true(value_at("random(7, 3)", 0, 0, 0) == value_at("random(x, y)", 7, 3, 0));
    assert_true(value_at("random(7, 3)", 0, 0, 0) != value_at("random(3, 7)", 0, 0, 0));
    assert_true(isnan(value_at("random(7, 0.5)", 0, 0, 0)));
    for (int k = 0; k < COUNT; k++) {
        const double value = value_at("random(-2, x)", k, 0, 0);
        assert_true(value >= 0 && value < 1);
        sum += value;
        squares += value * value;
    }
    assert_true(fabs(sum / COUNT - 1.0 / 2) < 0.03);
    assert_true(fabs(squares / COUNT - 1.0 / 3) < 0.03);
}

static void test_position_is_read_each_time(void **state) {
    (void)state;
    double position[3] = {1, 0, 0};
    struct weir_expression *expression;
    assert_int_equal(weir_expression_create("2*x", TERMS(position), &expression), 0);
    assert_true(weir_expression_value(expression) == 2);
    position[0] = 21;
    assert_true(weir_expression_value(expression) == 42);
    weir_expression_destroy(expression);
}

static void test_time(void **state) {
    (void)state;
    double position[3] = {2, 0, 0}, time = 3;
    const struct weir_expression_terms terms = {.position = position, .time = &time, .size = {1, 1, 1}};
    struct weir_expression *expression;
    assert_int_equal(weir_expression_create("x * t", &terms, &expression), 0);
    assert_true(weir_expression_uses(expression, WEIR_TIME) && !weir_expression_uses(expression, 1));
    time = 5;
    assert_true(weir_expression_value(expression) == 10);
    weir_expression_destroy(expression);
    assert_int_equal(weir_expression_create("x * t", TERMS(position), &expression), -WEIR_USAGE);
}

static void test_refusals(void **state) {
    (void)state;
    const char *const wrong[] = {"",    " ",     "sin(x",  "sin x", "1 +",  "foo(x)", "speed", "x, y",
                                 "2 x", "x = 1", "y=z<=1", "\"x\"", "1..2", "x; y",   "é",     "()"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        double position[3] = {1, 1, 1};
        struct weir_expression *expression = NULL;
        assert_int_equal(weir_expression_create(wrong[i], TERMS(position), &expression), -WEIR_USAGE);
        assert_non_null(strstr(weir_error_text(), wrong[i]));
        assert_null(expression);
    }
}

/* Density is a formula, velocity x a formula in double units, y and z constants. */
static struct weir_initial_formulas example(void) {
    return (struct weir_initial_formulas){
        .file = "example.json",
        .cells = {16, 32, 64},
        .least_density = 1e-9,
        .most_density = 100,
        .periodic = {true, false, false},
        .cell_size = 1,
        .components = {{.formula = "1 + x/1000 + y/10000 + z/100000", .scale = 1, .label = "initial.density"},
                       {.formula = "z/nz", .scale = 0.5, .label = "initial.velocity[0]"},
                       {.constant = 0.25},
                       {.constant = -0.125}},
    };
}

/* muParser writes what it says of a formula into a buffer of 2048 letters. */
static void test_long_formulas(void **state) {
    (void)state;
    enum { LETTERS = 20000 };
    static char name[LETTERS + 1], sum[2 * LETTERS];
    double position[3] = {1, 1, 1};
    struct weir_expression *expression = NULL;
    memset(name, 'a', LETTERS);
    assert_int_equal(weir_expression_create(name, TERMS(position), &expression), -WEIR_USAGE);
    assert_non_null(strstr(weir_error_text(), "(20000 letters) is not a formula"));
    strcpy(sum, "x");
    for (int i = 0; i < 3000; i++)
        memcpy(sum + 1 + 4 * i, " + x", 5);
    assert_true(value_at(sum, 2, 0, 0) == 6002);
    strcat(sum, " + nonsense(y)");
    assert_int_equal(weir_expression_create(sum, TERMS(position), &expression), -WEIR_USAGE);
    assert_non_null(strstr(weir_error_text(), "nonsense(y)\""));
}

static void test_fill_wraps_and_clamps(void **state) {
    (void)state;
    struct weir_initial_formulas initial = example();
    const int origin[3] = {-1, -1, 63}, extent[3] = {3, 2, 2};
    double values[4][12];
    double *const arrays[4] = {values[0], values[1], values[2], values[3]};
    assert_int_equal(weir_initial_formulas_fill(&initial, origin, extent, arrays), 0);

    const double x[3] = {15.5, 0.5,
                         1.5}; /* x = -1 is cell 15 of a periodic axis; y = -1 is cell 0, z = 64 cell 63 */
    for (int place = 0; place < 12; place++) {
        double density = 1 + x[place % 3] / 1000 + 0.5 / 10000 + 63.5 / 100000;
        assert_true(fabs(values[0][place] - density) < 1e-15);
        assert_true(fabs(values[1][place] - 0.5 * 63.5 / 64) < 1e-15);
        assert_true(values[2][place] == 0.25 && values[3][place] == -0.125);
    }
}

static void test_si_positions_and_values(void **state) {
    (void)state;
    struct weir_initial_formulas initial = example();
    initial.cell_size = 0.01; /* m */
    initial.components[0].formula = "1000 * (nx - x)";
    initial.components[0].scale = 1.0 / 1000;
    const int origin[3] = {3, 0, 0}, extent[3] = {1, 1, 1};
    double values[4];
    double *const arrays[4] = {&values[0], &values[1], &values[2], &values[3]};
    assert_int_equal(weir_initial_formulas_fill(&initial, origin, extent, arrays), 0);
    assert_true(fabs(values[0] - (0.16 - 0.035)) < 1e-15);
}

static void check_refused(const char *density, const char *velocity, const char *word) {
    struct weir_initial_formulas initial = example();
    initial.components[0].formula = (char *)density;
    initial.components[1].formula = (char *)velocity;
    const int origin[3] = {0, 0, 0}, extent[3] = {16, 1, 1};
    double values[4][16];
    double *const arrays[4] = {values[0], values[1], values[2], values[3]};
    assert_int_equal(weir_initial_formulas_fill(&initial, origin, extent, arrays), -WEIR_USAGE);
    assert_non_null(strstr(weir_error_text(), "example.json: initial."));
    assert_non_null(strstr(weir_error_text(), word));
}

static void test_bad_values_name_formula_and_cell(void **state) {
    (void)state;
    check_refused("1/(x - 4.5)", "0*x", "\"1/(x - 4.5)\" gives -0.25 at x = 0.5");
    check_refused("1/abs(x - 4.5)", "0*x", "\"1/abs(x - 4.5)\" gives inf at x = 4.5");
    check_refused("1 + 0*x", "sqrt(x - 1)", "\"sqrt(x - 1)\" gives nan at x = 0.5");
    check_refused("1 + 0*x", "x", "\"x\" gives 1.5 at x = 1.5"); /* 0.75 after scaling */
}

static void test_survey(void **state) {
    (void)state;
    struct weir_initial_formulas initial = example();
    struct weir_initial_survey survey;
    assert_int_equal(weir_initial_formulas_survey(&initial, &survey), 0);
    double mean = 1 + 8.0 / 1000 + 16.0 / 10000 + 32.0 / 100000;
    assert_true(fabs(survey.mean_density - mean) < 1e-4);
    assert_true(survey.greatest_speed > 0.5 && survey.greatest_speed < 0.577);
}

/* The survey looks at a sample of cells, which misses these; the check does not. */
static void test_check_finds_single_cells(void **state) {
    (void)state;
    struct weir_initial_formulas initial = example();
    int64_t looked = 0, all = 0;
    assert_int_equal(weir_initial_formulas_check(&initial, &looked, &all), 0);
    assert_true(looked == 16 * 32 * 64 && all == looked);
    initial.components[0].formula = "y == 13.5 && z == 17.5 ? 1e9 : 1";
    struct weir_initial_survey survey;
    assert_int_equal(weir_initial_formulas_survey(&initial, &survey), 0);
    assert_int_equal(weir_initial_formulas_check(&initial, &looked, &all), -WEIR_USAGE);
    assert_non_null(
        strstr(weir_error_text(), "gives 1e+09 at x = 0.5, y = 13.5, z = 17.5; it must lie between"));
    initial.components[0].formula = "1/(z - 63.5)";
    assert_int_equal(weir_initial_formulas_check(&initial, &looked, &all), -WEIR_USAGE);
}

/* An axis that no formula names is not walked along. */
static void test_check_of_a_large_domain(void **state) {
    (void)state;
    struct weir_initial_formulas initial = example();
    int64_t looked, all;
    memcpy(initial.cells, (const int[3]){65536, 4, 65536}, sizeof initial.cells);
    initial.components[0].formula = "1 + x/nx";
    initial.components[1].formula = NULL;
    assert_int_equal(weir_initial_formulas_check(&initial, &looked, &all), 0);
    assert_true(looked == 65536 && all == 65536);
    initial.components[1].formula = "x == 65535.5 && z == 65535.5 ? 9 : z/nz";
    assert_int_equal(weir_initial_formulas_check(&initial, &looked, &all), -WEIR_USAGE);
    assert_true(all == INT64_C(65536) * 65536 && looked <= 1 << 21 && looked > 1 << 18);
}

static void *fill_often(void *context) {
    static const int origin[3] = {0, 4, 8}, extent[3] = {16, 8, 4};
    double *values = context;
    double *const arrays[4] = {values, values + 512, values + 1024, values + 1536};
    struct weir_initial_formulas initial = example();
    for (int i = 0; i < 50; i++)
        if (weir_initial_formulas_fill(&initial, origin, extent, arrays) < 0)
            return context;
    return NULL;
}

static void test_threads(void **state) {
    (void)state;
    static double values[4][4 * 512];
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, fill_often, values[i]), 0);
    for (int i = 0; i < 4; i++) {
        void *failed;
        assert_int_equal(pthread_join(threads[i], &failed), 0);
        assert_null(failed);
        assert_memory_equal(values[i], values[0], sizeof values[0]);
    }
    assert_true(values[0][0] > 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_random),
        cmocka_unit_test(test_position_is_read_each_time),
        cmocka_unit_test(test_time),
        cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_long_formulas),
        cmocka_unit_test(test_fill_wraps_and_clamps),
        cmocka_unit_test(test_si_positions_and_values),
        cmocka_unit_test(test_bad_values_name_formula_and_cell),
        cmocka_unit_test(test_survey),
        cmocka_unit_test(test_check_finds_single_cells),
        cmocka_unit_test(test_check_of_a_large_domain),
        cmocka_unit_test(test_threads),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
