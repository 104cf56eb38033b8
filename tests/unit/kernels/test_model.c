/* Models: what blocks have and tell each other follows from them, and mistakes in them are found. */
#include "codelets/kernels/cells/layout.h"
#include "codelets/kernels/lattice/lattice.h"
#include "graph/problem/model.h"
#include "graph/problem/problem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void test_flow(void **state) {
    (void)state;
    static const struct weir_box box = {.origin = {3, 3, 3}, .extent = {7, 6, 5}};
    const struct weir_block_form form = weir_brick_form(&box);
    const int *const extent = box.extent;
    struct weir_datum data[WEIR_DATA_MAX];
    for (int lattice = 0; lattice < WEIR_ISOTHERMAL_COUNT; lattice++)
        for (int steady = 0; steady < 2; steady++) {
            struct weir_problem problem;
            struct weir_model model;
            weir_problem_default(&problem);
            problem.lattice = (enum weir_lattice)lattice;
            weir_model_make(&problem, steady, &model);
            assert_null(weir_model_mistake(&model));
            assert_int_equal(model.stage_count, 1);
            assert_int_equal(model.channel_count, 1);
            assert_int_equal(model.kept_count, 2 + steady);
            assert_int_equal(weir_model_find(&model, WEIR_LAST_VELOCITY), steady ? 2 : -1);
            assert_true(weir_model_remembers(&model, WEIR_FLOW));
            assert_int_equal(weir_model_lasting_channels(&model), 1);
            const int axes = weir_lattice_dimensions(problem.lattice);
            /* Alone, and with neighbours through the faces x+ and y-. */
            assert_int_equal(weir_model_data(&model, &form, 0, data), 2 + steady);
            assert_int_equal(weir_model_data(&model, &form, 1u << 1 | 1u << 2, data), 2 + steady + 4);
            for (int k = 0; k < 4; k++) {
                const struct weir_datum *message = &data[2 + steady + k];
                assert_true(message->message);
                assert_int_equal(message->number, 0);
                assert_int_equal(message->face, 1 + k / 2);
                assert_int_equal(message->parity, k % 2);
                assert_int_equal(message->bytes,
                                 weir_message_bytes(&model.channel[0].layout, extent, message->face / 2, 4));
            }
            assert_int_equal(weir_model_data(&model, &form, 63, data), 2 + steady + 4 * axes);
            if (steady)
                assert_int_equal(data[2].bytes, 12 * 7 * 6 * 5);
            assert_true(weir_bytes_per_update(&problem) ==
                        8.0 * weir_lattice_populations(problem.lattice) + 1);
        }
}

enum { SECOND_SET = 2, FIELD };

static void add_all(const struct weir_problem *problem, struct weir_model *model) {
    (void)problem;
    assert_int_equal(weir_model_add_set(model, "scalar", weir_lattice_table(WEIR_D2Q9), 4), SECOND_SET);
    assert_int_equal(weir_model_add_field(model, "density", 2, 8), FIELD);
    assert_int_equal(
        weir_message_add_set(&model->channel[0].layout, SECOND_SET, weir_lattice_table(WEIR_D2Q9)), 0);
    const int channel = weir_model_add_channel(model, 8);
    assert_int_equal(channel, 1);
    assert_int_equal(weir_message_add_field(&model->channel[channel].layout, FIELD, 2, 1, 3), 0);
    model->stage[0].access.updates |= 1u << SECOND_SET;
    model->stage[0].access.fills |= 1u << FIELD;
    model->stage[0].access.gives |= 1u << channel;
    weir_model_add_stage(
        model,
        &(struct weir_stage){.name = "look", .access = {.reads = 1u << FIELD, .takes_now = 1u << channel}});
}

static void test_more(void **state) {
    (void)state;
    static const struct weir_box box = {.origin = {3, 3, 3}, .extent = {7, 6, 5}};
    const struct weir_block_form form = weir_brick_form(&box);
    const int *const extent = box.extent;
    struct weir_problem problem;
    struct weir_model plain, model;
    struct weir_datum data[WEIR_DATA_MAX];
    weir_problem_default(&problem);
    weir_model_make(&problem, false, &plain);
    problem.extend = add_all;
    weir_model_make(&problem, true, &model);
    assert_null(weir_model_mistake(&model));
    assert_int_equal(weir_model_find(&model, "density"), FIELD);
    assert_int_equal(weir_model_find(&model, WEIR_LAST_VELOCITY), FIELD + 1);
    assert_false(weir_model_remembers(&model, FIELD));
    assert_true(weir_model_remembers(&model, FIELD + 1));
    assert_int_equal(weir_model_lasting_channels(&model), 1);
    const int count = weir_model_data(&model, &form, 63, data);
    assert_int_equal(count, 5 + 2 * 2 * 6);
    assert_int_equal(data[FIELD].bytes, 2 * 8 * 7 * 6 * 5);
    for (int axis = 0; axis < 3; axis++) {
        const size_t face = (size_t)extent[(axis + 1) % 3] * (size_t)extent[(axis + 2) % 3];
        /* Three directions of D2Q9 more, but none along z; the field's two values in the other channel. */
        assert_int_equal(weir_model_message_bytes(&model, 0, extent, axis),
                         weir_model_message_bytes(&plain, 0, extent, axis) + (axis < 2 ? 3 * 4 * face : 0));
        assert_int_equal(weir_model_message_bytes(&model, 1, extent, axis), 2 * 8 * face);
    }
    /* What a corner takes: of D3Q19 nothing, of the field two values. */
    const struct weir_offset corner = {{1, -1, 1}};
    assert_int_equal(weir_model_crossing_bytes(&plain, extent, corner), 0);
    assert_int_equal(weir_model_crossing_bytes(&model, extent, corner), 16);
    /* The set is read and written, the field written in one stage and read in the other. */
    assert_true(weir_bytes_per_update(&problem) == 2 * 4 * (19 + 9) + 1 + 2 * 16);
}

/* A scalar is one more set in the flow's messages, which its kernels advance. */
static void test_scalar(void **state) {
    (void)state;
    struct weir_problem problem;
    struct weir_model model;
    weir_problem_default(&problem);
    problem.scalar.present = true;
    weir_model_make(&problem, false, &model);
    assert_null(weir_model_mistake(&model));
    assert_int_equal(weir_model_find(&model, "scalar"), WEIR_FURTHER_SET);
    assert_int_equal(weir_model_with_flow(&model), 1u << WEIR_FURTHER_SET);
    for (int axis = 0; axis < 3; axis++) {
        assert_int_equal(model.channel[0].layout.count[axis], 5 + 1);
        assert_int_equal(weir_message_first_layer(&model.channel[0].layout, WEIR_FURTHER_SET, axis), 5);
    }
    assert_true(weir_bytes_per_update(&problem) == 209);
    problem.lattice = WEIR_D2Q9;
    assert_true(weir_bytes_per_update(&problem) == 2 * 4 * (9 + 5) + 1);
}

static void test_mistakes(void **state) {
    (void)state;
    struct weir_problem problem;
    struct weir_model good;
    weir_problem_default(&problem);
    problem.extend = add_all;
    weir_model_make(&problem, false, &good);
    assert_null(weir_model_mistake(&good));
    const struct {
        int stage;
        struct weir_access access;
        const char *word;
    } mistakes[] = {
        {1, {.reads = 1u << 9}, "does not have"},
        {1, {.takes = 1u << 2}, "does not have"},
        {1, {.reads = 1u << FIELD, .updates = 1u << FIELD}, "twice"},
        {0, {.takes_now = 1u << 1, .gives = 3}, "no stage before it gave"},
        {1, {.gives = 1u << 1}, "two stages"},
        {0, {.takes = 1, .gives = 2}, "none gives"},
        {0, {.takes = 1, .gives = 3, .gives_last = 1}, "last step"},
    };
    for (size_t k = 0; k < sizeof mistakes / sizeof *mistakes; k++) {
        struct weir_model model = good;
        model.stage[mistakes[k].stage].access = mistakes[k].access;
        const char *mistake = weir_model_mistake(&model);
        assert_non_null(mistake);
        assert_non_null(strstr(mistake, mistakes[k].word));
    }
}

/* Of lists, all that blocks keep per cell is kept of fluid cells only; messages are those of bricks. */
static void test_lists(void **state) {
    (void)state;
    static const struct weir_box box = {.origin = {0, 0, 0}, .extent = {40, 6, 5}};
    struct weir_shape solid = {.type = WEIR_BOX, .wall = WEIR_FIRST_BODY};
    struct weir_problem problem;
    struct weir_model model;
    struct weir_datum brick[WEIR_DATA_MAX], list[WEIR_DATA_MAX];
    struct weir_block_form form;
    weir_problem_default(&problem);
    memcpy(problem.cells, (const int[3]){80, 6, 5}, sizeof problem.cells);
    memcpy(solid.box.to, (const double[3]){30, 6, 5}, sizeof solid.box.to);
    problem.wall_count = WEIR_FIRST_BODY + 1;
    problem.shapes = &solid;
    problem.shape_count = 1;
    weir_model_make(&problem, true, &model);
    for (int k = 0; k < 3; k++) {
        problem.list_up_to = (const double[]){0, 0.249, 0.25}[k];
        assert_int_equal(weir_block_form_count(&problem, &box, &form), 0);
        assert_int_equal(form.kept.kind, k < 2 ? WEIR_BRICK : WEIR_LIST);
        assert_int_equal(form.kept.count, k < 2 ? 40 * 6 * 5 : 10 * 6 * 5);
        const struct weir_block_form estimate = weir_block_form(&problem, &box);
        assert_int_equal(estimate.kept.kind, form.kept.kind);
        assert_int_equal(estimate.kept.count, form.kept.count);
        assert_int_equal(weir_model_data(&model, &form, 63, k < 2 ? brick : list), 3 + 2 * 6);
    }
    assert_int_equal(list[WEIR_FLOW].bytes,
                     19 * WEIR_LISTED_TOGETHER * (size_t)weir_list_groups(10 * 6 * 5) * 4);
    assert_int_equal(list[2].bytes, 12 * 10 * 6 * 5);
    /* Two segments for each row and those around the block; positions, and marks of groups. */
    const size_t tables = 2 * (6 + 2) * (5 + 2) * 8 + 10 * WEIR_LISTED_TOGETHER * 4 + 10;
    assert_in_range(list[WEIR_GEOMETRY].bytes, brick[WEIR_GEOMETRY].bytes + tables,
                    brick[WEIR_GEOMETRY].bytes + tables + 3 * 127);
    for (int k = 3; k < 3 + 2 * 6; k++)
        assert_int_equal(list[k].bytes, brick[k].bytes);
    /* The rule is for models whose stages all take lists. */
    assert_null(weir_model_mistake(&model));
    model.stage[0].any_cells = false;
    assert_non_null(weir_model_mistake(&model));
}

/* A free surface: what a step of it is, and what blocks have of it; the gas is the last of the walls. */
static void test_free_surface(void **state) {
    (void)state;
    const struct weir_block_form form = weir_brick_form(&(struct weir_box){.extent = {10, 6, 5}});
    struct weir_problem problem;
    struct weir_model model;
    weir_problem_default(&problem);
    problem.surface = (struct weir_surface){.present = true, .gas_density = 1.5};
    assert_true(weir_problem_add_gas(&problem));
    assert_int_equal(problem.surface.gas, problem.wall_count - 1);
    assert_true(weir_wall_is_counted(&problem.walls[problem.surface.gas]));
    assert_false(weir_wall_is_open(&problem.walls[problem.surface.gas]));
    weir_model_make(&problem, false, &model);
    assert_null(weir_model_mistake(&model));
    assert_int_equal(model.stage_count, 5);
    assert_int_equal(model.channel_count, 3);
    /* Two stages of even steps, four of odd ones, which alone use the channels of the surface. */
    assert_int_equal(weir_model_stages_of_pair(&model), 2 + 4);
    assert_string_equal(model.stage[weir_model_last_stage(&model, 0)].name, "surface_mass");
    assert_string_equal(model.stage[weir_model_last_stage(&model, 1)].name, "surface_flags");
    assert_int_equal(weir_model_channel_uses(&model, 0), 2);
    assert_int_equal(weir_model_channel_uses(&model, WEIR_SURFACE_STATES_CHANNEL), 1);
    assert_int_equal(weir_model_channel_uses(&model, WEIR_SURFACE_LEVELS_CHANNEL), 1);
    struct weir_model wrong = model;
    wrong.stage[3].steps = WEIR_ALL_STEPS;
    assert_string_equal(weir_model_mistake(&wrong), "a stage takes now what no stage before it gave");
    assert_true(weir_model_is_saved(&model, WEIR_FURTHER_SET));
    assert_int_equal(weir_model_cell_bytes(&model), (19 + 2) * 4);
    assert_int_equal(weir_model_kept_bytes(&model, WEIR_SURFACE_STATES, &form), 5 * 10 * 6 * 5 * 4);
    assert_int_equal(weir_model_kept_bytes(&model, WEIR_SURFACE_LEVELS, &form), 12 * 8 * 7 * 4);
    assert_int_equal(weir_model_kept_bytes(&model, WEIR_SURFACE_ROWS, &form), 8 * 7 * 8 + 6 * 5 * 16);
    assert_true(weir_model_remembers(&model, WEIR_SURFACE_ROWS)); /* goes with blocks that move */
    problem.surface.tension = 0.01; /* one number more of each cell, and nothing more that travels */
    weir_model_make(&problem, false, &model);
    assert_null(weir_model_mistake(&model));
    assert_int_equal(model.stage_count, 5);
    assert_int_equal(model.channel_count, 3);
    assert_int_equal(weir_model_cell_bytes(&model), (19 + 3) * 4);
    problem.surface.bubbles = true; /* two numbers more, labels, a table, and what joins pieces of gas */
    weir_model_make(&problem, false, &model);
    assert_null(weir_model_mistake(&model));
    assert_int_equal(model.stage_count, 8);
    assert_int_equal(model.channel_count, 4);
    assert_int_equal(weir_model_find(&model, "gas labels"), WEIR_GAS_LABELS);
    assert_int_equal(weir_model_find(&model, "gas table"), WEIR_GAS_TABLE);
    assert_string_equal(model.stage[weir_model_last_stage(&model, 1)].name, "gas_spread");
    assert_true(model.stage[weir_model_last_stage(&model, 1)].joins_gas);
    assert_false(weir_model_remembers(&model, WEIR_GAS_LABELS)); /* found anew after odd steps */
    assert_false(weir_model_remembers(&model, WEIR_GAS_TABLE));
    assert_int_equal(weir_model_cell_bytes(&model), (19 + 5) * 4);
    problem.wall_count = WEIR_WALLS_MAX;
    assert_false(weir_problem_add_gas(&problem));
}

/* What cells of a fluid with phases attract by is a field that the next step begins with, and its messages;
 * the force is nothing that is kept. Of two components there is a scalar before it. */
static void test_phases(void **state) {
    (void)state;
    struct weir_problem problem;
    struct weir_model model;
    weir_problem_default(&problem);
    for (int components = 0; components < 2; components++) {
        const int number = WEIR_FURTHER_SET + components;
        problem.phases = weir_phases_default(components ? WEIR_TWO_COMPONENTS : WEIR_CARNAHAN_STARLING);
        problem.scalar.present = components > 0;
        weir_model_make(&problem, false, &model);
        assert_null(weir_model_mistake(&model));
        assert_int_equal(weir_model_find(&model, WEIR_POTENTIALS), number);
        assert_int_equal(model.stage_count, 2);
        assert_true(
            weir_model_remembers(&model, number)); /* goes with blocks that move, as its messages do */
        assert_int_equal(weir_model_lasting_channels(&model), 1 | 1u << WEIR_PSEUDOPOTENTIAL_CHANNEL);
        assert_false(weir_model_is_saved(&model, number));
        assert_int_equal(weir_model_cell_bytes(&model), (19 + components * 7) * 4);
        assert_int_equal(weir_model_with_flow(&model), (unsigned)components << WEIR_FURTHER_SET);
        assert_true(weir_bytes_per_update(&problem) == (components ? 330 : 238));
    }
}

/* Lists where a tenth of the domain or more is solid and they have steps of their own; else bricks. */
static void test_fastest_lists(void **state) {
    (void)state;
    struct weir_shape solid = {.type = WEIR_BOX, .wall = WEIR_FIRST_BODY};
    struct weir_problem problem;
    weir_problem_default(&problem);
    memcpy(problem.cells, (const int[3]){80, 6, 5}, sizeof problem.cells);
    problem.wall_count = WEIR_FIRST_BODY + 1;
    assert_true(weir_fastest_list_up_to(&problem, true) == 0);
    problem.shapes = &solid;
    problem.shape_count = 1;
    for (int length = 7; length <= 9; length++) {
        memcpy(solid.box.to, (const double[3]){length, 6, 5}, sizeof solid.box.to);
        assert_true(weir_fastest_list_up_to(&problem, true) == (length < 8 ? 0 : 0.9));
    }
    problem.precision = WEIR_HALF;
    for (int length = 39; length <= 40; length++) {
        solid.box.to[0] = length;
        assert_true(weir_fastest_list_up_to(&problem, true) == (length < 40 ? 0 : 0.5));
    }
    problem.precision = WEIR_SINGLE;
    problem.lattice = WEIR_D2Q37;
    assert_true(weir_fastest_list_up_to(&problem, true) == 0);
    problem.lattice = WEIR_D2Q9;
    problem.cells[2] = 1;
    assert_true(weir_fastest_list_up_to(&problem, true) == 0.9);
    assert_true(weir_fastest_list_up_to(&problem, false) == 0);
    problem.lattice = WEIR_D3Q19;
    problem.cells[2] = 5;
    assert_true(weir_fastest_list_up_to(&problem, false) == 0.9);
    problem.walls[WEIR_WALL_OF_FACE(2)].rule = WEIR_RULE_SLIP;
    assert_true(weir_problem_mirrors(&problem));
    assert_true(weir_fastest_list_up_to(&problem, true) == 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_flow),         cmocka_unit_test(test_lists),
        cmocka_unit_test(test_free_surface), cmocka_unit_test(test_fastest_lists),
        cmocka_unit_test(test_more),         cmocka_unit_test(test_scalar),
        cmocka_unit_test(test_mistakes),     cmocka_unit_test(test_phases)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
