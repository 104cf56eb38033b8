/* Gradients of what is observed: exact for a linear flow, one-sided beside solids and where the domain ends,
 * the same whether neighbours are in the box or in the layers beside it. */
#include "graph/sink.h"
#include "tests/unit/assert_close.h"

#include <string.h>

enum { EDGE = 4, CELLS = EDGE * EDGE * EDGE, LAYER = EDGE * EDGE };

static const double slopes[3][3] = {{0.1, -0.3, 0.7}, {0.5, 0.2, -0.4}, {-0.6, 0.9, -0.3}};

static double velocity_at(int component, const int place[3]) {
    double sum = 0.01;
    for (int axis = 0; axis < 3; axis++)
        sum += slopes[component][axis] * place[axis];
    return sum;
}

/* A box of the linear flow, with all layers beside it. */
struct flow {
    double velocity[3][CELLS], beside[6][3][LAYER];
    struct weir_observation observation;
};

static void fill(struct flow *flow) {
    flow->observation =
        (struct weir_observation){.box = {{0, 0, 0}, {EDGE, EDGE, EDGE}}, .density = flow->velocity[0]};
    for (int component = 0; component < 3; component++) {
        flow->observation.velocity[component] = flow->velocity[component];
        for (int cell = 0; cell < CELLS; cell++)
            flow->velocity[component][cell] =
                velocity_at(component, (const int[3]){cell % EDGE, cell / EDGE % EDGE, cell / EDGE / EDGE});
        for (int face = 0; face < 6; face++)
            for (int cell = 0; cell < LAYER; cell++) {
                const int axis = face / 2, along[2] = {axis == 0, axis == 2 ? 1 : 2};
                int place[3];
                place[axis] = face % 2 ? EDGE : -1;
                place[along[0]] = cell % EDGE;
                place[along[1]] = cell / EDGE;
                flow->beside[face][component][cell] = velocity_at(component, place);
            }
    }
    for (int face = 0; face < 6; face++)
        flow->observation.beside[face] = flow->beside[face][0];
}

static void expect_slopes(const struct flow *flow, const int place[3]) {
    double gradient[3][3];
    weir_observation_gradient(&flow->observation, place, gradient);
    for (int a = 0; a < 3; a++)
        for (int b = 0; b < 3; b++)
            assert_close(gradient[a][b], slopes[a][b], 1e-12);
}

static void is_exact_for_linear_flow(void **state) {
    (void)state;
    static struct flow flow;
    fill(&flow);
    for (int ends = 0; ends < 2; ends++) { /* with neighbours around, then without */
        for (int cell = 0; cell < CELLS; cell++)
            expect_slopes(&flow, (const int[3]){cell % EDGE, cell / EDGE % EDGE, cell / EDGE / EDGE});
        memset(flow.observation.beside, 0, sizeof flow.observation.beside);
    }
}

/* u = x²: central differences have the slope 2x, one-sided ones are off by a half of the second derivative.
 */
static void is_central_where_it_can_be(void **state) {
    (void)state;
    static struct flow flow;
    double gradient[3][3];
    fill(&flow);
    for (int cell = 0; cell < CELLS; cell++)
        flow.velocity[0][cell] = (cell % EDGE) * (cell % EDGE);
    for (int cell = 0; cell < LAYER; cell++) {
        flow.beside[0][0][cell] = 1;
        flow.beside[1][0][cell] = EDGE * EDGE;
    }
    for (int x = 0; x < EDGE; x++) {
        weir_observation_gradient(&flow.observation, (const int[3]){x, 1, 2}, gradient);
        assert_close(gradient[0][0], 2 * x, 1e-12);
    }
    flow.observation.beside[1] = NULL;
    weir_observation_gradient(&flow.observation, (const int[3]){EDGE - 1, 1, 2}, gradient);
    assert_close(gradient[0][0], 2 * (EDGE - 1) - 1, 1e-12);
}

/* A solid cell has none; what is beside it looks to its other side, and what is amid solids sees no slope. */
static void looks_away_from_solids(void **state) {
    (void)state;
    static struct flow flow;
    double gradient[3][3];
    fill(&flow);
    const int solid = (1 * EDGE + 2) * EDGE + 1, other = solid + 2;
    for (int component = 0; component < 3; component++)
        flow.velocity[component][solid] = NAN;
    expect_slopes(&flow, (const int[3]){0, 2, 1});
    expect_slopes(&flow, (const int[3]){1, 3, 1});
    weir_observation_gradient(&flow.observation, (const int[3]){1, 2, 1}, gradient);
    assert_true(isnan(gradient[1][2]));
    for (int component = 0; component < 3; component++)
        flow.velocity[component][other] = NAN;
    weir_observation_gradient(&flow.observation, (const int[3]){2, 2, 1}, gradient);
    for (int component = 0; component < 3; component++) {
        assert_close(gradient[component][0], 0, 0);
        assert_close(gradient[component][1], slopes[component][1], 1e-12);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_exact_for_linear_flow),
        cmocka_unit_test(is_central_where_it_can_be),
        cmocka_unit_test(looks_away_from_solids),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
