/* Case files: what each key becomes in the struct, defaults, SI, --set, names; that broken files are refused
 * with a message is in tests/system/test_bad_cases.py. */
#include "graph/base/error.h"
#include "graph/base/nearest.h"
#include "src/case/case.h"
#include "tests/unit/temporary.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static char folder[TEMPORARY_PATH];

/* A case of one text, with `name`.json as its file; the caller destroys it. */
static int read_text(const char *text, const char *name, const char *const *sets, int set_count,
                     struct weir_case **c) {
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
    int result = weir_case_read(path, sets, set_count, c);
    remove(path);
    return result;
}

static struct weir_case *read_good(const char *text) {
    struct weir_case *c = NULL;
    if (read_text(text, "case.json", NULL, 0, &c) < 0)
        fail_msg("%s", weir_error_text());
    return c;
}

static bool near(double a, double b) {
    return fabs(a - b) <= 1e-12 * fmax(fabs(a), fabs(b));
}

static const char least[] =
    "{\"domain\": {\"cells\": [8, 16, 32]}, \"fluid\": {\"tau\": 0.75}, \"run\": {\"steps\": 5}}";

static void test_defaults(void **state) {
    (void)state;
    struct weir_case *c = read_good(least);
    assert_string_equal(c->name, "case");
    assert_string_equal(c->description, "");
    assert_int_equal(c->problem.lattice, WEIR_D3Q19);
    assert_int_equal(c->problem.collision, WEIR_TRT);
    assert_int_equal(c->problem.precision, WEIR_SINGLE);
    assert_true(c->problem.parameters[0] == 0.1875);
    assert_int_equal(c->problem.cells[0], 8);
    assert_int_equal(c->problem.cells[2], 32);
    assert_false(c->problem.periodic[0] || c->problem.periodic[1] || c->problem.periodic[2]);
    assert_true(c->problem.relaxation_time == 0.75);
    assert_true(c->problem.initial_density == 1 && c->problem.reference_density == 1);
    assert_null(c->problem.initial);
    assert_int_equal(c->problem.wall_count, WEIR_FIRST_BODY);
    assert_int_equal(c->problem.shape_count, 0);
    assert_false(c->units.si);
    assert_true(c->characteristic_velocity == 0 && c->characteristic_length == 0);
    assert_int_equal(c->block_cells[0], 0);
    assert_string_equal(c->policy, "");
    assert_string_equal(c->workers, "auto");
    assert_int_equal(c->steps, 5);
    assert_int_equal(c->check_every, 1000);
    assert_true(c->steady == 0);
    assert_int_equal(c->output_count, 0);
    weir_case_destroy(c);
}

static void test_every_key(void **state) {
    (void)state;
    struct weir_case *c = read_good(
        "{\"name\": \"all-of.it\", \"description\": \"everything\", \"units\": \"lattice\", \"lattice\": "
        "\"D3Q27\","
        " \"collision\": {\"operator\": \"bgk\"}, \"precision\": \"double\","
        " \"domain\": {\"cells\": [64, 32, 16], \"periodic\": [true, false, false]},"
        " \"fluid\": {\"viscosity\": 0.1},"
        " \"boundaries\": {\"y-\": {\"type\": \"wall\"}, \"z+\": {\"type\": \"wall\", \"velocity\": [0.03, "
        "0.04, 0]}},"
        " \"force\": [1e-5, 0, -1e-6],"
        " \"initial\": {\"density\": 1.5, \"velocity\": [0.01, 0, 0]},"
        " \"blocks\": {\"cells\": [16, 100, 8]},"
        " \"placement\": {\"policy\": \"starpu:dmdas\", \"workers\": \"cpu\"},"
        " \"run\": {\"steps\": 1e6, \"check_every\": 7, \"stop_when\": {\"steady\": 1e-7, \"every\": 50}}}");
    assert_string_equal(c->name, "all-of.it");
    assert_string_equal(c->description, "everything");
    assert_int_equal(c->problem.lattice, WEIR_D3Q27);
    assert_int_equal(c->problem.collision, WEIR_BGK);
    assert_int_equal(c->problem.precision, WEIR_DOUBLE);
    assert_true(c->problem.periodic[0] && !c->problem.periodic[1]);
    assert_true(near(c->problem.relaxation_time, 0.8));
    assert_true(c->problem.walls[6].velocity[0] == 0.03 && c->problem.walls[6].velocity[1] == 0.04);
    assert_true(c->problem.walls[3].velocity[0] == 0);
    assert_true(c->problem.force[0] == 1e-5 && c->problem.force[2] == -1e-6);
    assert_true(c->problem.initial_density == 1.5 && c->problem.reference_density == 1.5);
    assert_true(c->problem.initial_velocity[0] == 0.01);
    assert_null(c->problem.initial);
    assert_true(near(c->characteristic_velocity, 0.05));
    assert_int_equal(c->block_cells[0], 16);
    assert_int_equal(c->block_cells[1], 32); /* the whole axis */
    assert_string_equal(c->policy, "starpu:dmdas");
    assert_string_equal(c->workers, "cpu");
    assert_true(c->steps == 1000000);
    assert_int_equal(c->check_every, 7);
    assert_true(c->steady == 1e-7);
    assert_int_equal(c->steady_every, 50);
    weir_case_destroy(c);
}

static void test_reynolds(void **state) {
    (void)state;
    struct weir_case *c =
        read_good("{\"domain\": {\"cells\": [8, 8, 8]}, \"run\": {\"steps\": 0}, \"fluid\": "
                  "{\"reynolds\": {\"number\": 1000, \"velocity\": 0.1, \"length\": 128}}}");
    assert_true(near(c->problem.relaxation_time, 0.5 + 3 * 0.0128));
    assert_true(c->characteristic_velocity == 0.1 && c->characteristic_length == 128);
    weir_case_destroy(c);
}

static void test_boundaries(void **state) {
    (void)state;
    struct weir_case *c = read_good(
        "{\"units\": \"si\", \"si\": {\"cell_size\": 0.5, \"time_step\": 0.25, \"density\": 1000},"
        " \"domain\": {\"cells\": [8, 6, 4], \"periodic\": [false, false, true]}, \"fluid\": {\"tau\": 0.8},"
        " \"boundaries\": {\"x-\": {\"type\": \"velocity\", \"velocity\": [\"0.08*y/ny + x\", 0.02, 0]},"
        " \"x+\": {\"type\": \"pressure\", \"density\": 1010},"
        " \"y-\": {\"type\": \"velocity\", \"velocity\": [0, 0.04, 0]}, \"y+\": {\"type\": \"wall\"}},"
        " \"solids\": [{\"sphere\": {\"center\": [2, 1, 1], \"radius\": 0.5}, \"type\": \"velocity\","
        " \"velocity\": [0, 0, 0.06]}], \"run\": {\"steps\": 1}}");
    const struct weir_wall *walls = c->problem.walls;
    assert_true(walls[1].rule == WEIR_RULE_VELOCITY && walls[1].profile);
    assert_true(walls[2].rule == WEIR_RULE_PRESSURE && !walls[2].profile && near(walls[2].density, 1.01));
    assert_true(walls[3].rule == WEIR_RULE_VELOCITY && !walls[3].profile && near(walls[3].velocity[1], 0.02));
    assert_true(walls[4].rule == WEIR_RULE_WALL);
    assert_true(walls[WEIR_FIRST_BODY].rule == WEIR_RULE_VELOCITY &&
                near(walls[WEIR_FIRST_BODY].velocity[2], 0.03));
    /* Beside the cells of a column, of which the last is beyond the domain: at x = 0, in metres. */
    double value[4][7];
    const struct weir_profile_place column = {.face = 0, .origin = {0, 0, 3}, .extent = {1, 7, 1}};
    assert_int_equal(c->problem.profile(c->problem.profile_context, &column,
                                        (double *const[]){value[0], value[1], value[2], value[3]}),
                     0);
    for (int y = 0; y < 7; y++) {
        const int cell = y < 6 ? y : 5;
        assert_true(near(value[0][y], 0.5 * 0.08 * (cell + 0.5) / 6));
        assert_true(near(value[1][y], 0.01) && value[2][y] == 0);
    }
    weir_case_destroy(c);
}

/* Values in time: t in seconds, a ramp, and the scalar's. */
static void test_boundaries_in_time(void **state) {
    (void)state;
    struct weir_case *c = read_good(
        "{\"units\": \"si\", \"si\": {\"cell_size\": 0.5, \"time_step\": 0.25, \"density\": 1000},"
        " \"domain\": {\"cells\": [8, 6, 4], \"periodic\": [false, false, true]}, \"fluid\": {\"tau\": 0.8},"
        " \"scalar\": {\"diffusivity\": 0.1},"
        " \"boundaries\": {\"x-\": {\"type\": \"velocity\", \"velocity\": [\"0.01*(t < 2 ? t : 2)\", 0, 0],"
        " \"scalar\": \"y\"}, \"x+\": {\"type\": \"pressure\", \"density\": 1010, \"ramp\": 2.5},"
        " \"y-\": {\"type\": \"wall\", \"scalar_flux\": \"x + t\"}}, \"run\": {\"steps\": 1}}");
    const struct weir_wall *walls = c->problem.walls;
    assert_true(walls[1].varies_until == HUGE_VAL && walls[1].scalar_profile);
    assert_true(walls[2].varies_until == 10 && walls[2].profile && !walls[2].scalar_profile);
    assert_true(walls[3].scalar_profile && walls[3].scalar_rule == WEIR_SCALAR_FLUX);
    assert_true(weir_problem_varies(&c->problem, 1e9));
    double value[4][1];
    double *const values[] = {value[0], value[1], value[2], value[3]};
    const double step[] = {0, 5, 10, 20}, density[] = {1, 1.005, 1.01, 1.01};
    for (int k = 0; k < 4; k++) {
        struct weir_profile_place place = {
            .face = 0, .time = step[k], .origin = {0, 2, 0}, .extent = {1, 1, 1}};
        assert_int_equal(c->problem.profile(c->problem.profile_context, &place, values), 0);
        assert_true(near(value[0][0], 0.5 * 0.01 * fmin(0.25 * step[k], 2)) && near(value[3][0], 1.25));
        place.face = 1;
        assert_int_equal(c->problem.profile(c->problem.profile_context, &place, values), 0);
        assert_true(near(value[0][0], density[k]));
        place.face = 2;
        assert_int_equal(c->problem.profile(c->problem.profile_context, &place, values), 0);
        assert_true(value[0][0] == 0 && near(value[3][0], 0.5 * (0.25 + 0.25 * step[k])));
    }
    weir_case_destroy(c);
}

/* Against gravity, in lattice units; kernels take it per volume, of the reference density. */
static void test_buoyancy(void **state) {
    (void)state;
    struct weir_case *c = read_good(
        "{\"units\": \"si\", \"si\": {\"cell_size\": 0.5, \"time_step\": 0.25, \"density\": 1000},"
        " \"domain\": {\"cells\": [8, 6, 4]}, \"fluid\": {\"tau\": 0.8}, \"initial\": {\"density\": 1100},"
        " \"scalar\": {\"diffusivity\": 0.1, \"buoyancy\": {\"expansion\": 0.01, \"gravity\": [0, -9.81, 2],"
        " \"reference\": 20}}, \"run\": {\"steps\": 1}}");
    const struct weir_scalar *const scalar = &c->problem.scalar;
    const double unit = 0.25 * 0.25 / 0.5;
    assert_true(scalar->buoyancy[0] == 0 && near(scalar->buoyancy[1], 0.0981 * unit) &&
                near(scalar->buoyancy[2], -0.02 * unit) && scalar->reference == 20);
    const struct weir_fluid fluid = weir_problem_fluid(&c->problem);
    assert_true(fluid.forced && fluid.buoyancy_reference == 20 &&
                near(fluid.buoyancy[1], 1.1 * 0.0981 * unit));
    weir_case_destroy(c);
}

static void test_flat(void **state) {
    (void)state;
    struct weir_case *c =
        read_good("{\"lattice\": \"D2Q9\", \"domain\": {\"cells\": [64, 32], \"periodic\": [true, false]},"
                  " \"fluid\": {\"tau\": 0.8}, \"force\": [1e-5, 0],"
                  " \"boundaries\": {\"y+\": {\"type\": \"wall\", \"velocity\": [0.1, 0, 0]}},"
                  " \"solids\": [{\"sphere\": {\"center\": [16, 16], \"radius\": 4}}, {\"box\": {\"from\": "
                  "[30, 0], \"to\": [34, 8]}},"
                  "              {\"cylinder\": {\"center\": [48, 16], \"radius\": 4}}],"
                  " \"blocks\": {\"cells\": [16, 16]}, \"run\": {\"steps\": 1},"
                  " \"output\": [{\"type\": \"image\"}, {\"type\": \"profile\", \"from\": [16, 0], \"to\": "
                  "[16, 32]}]}");
    assert_int_equal(c->problem.cells[2], 1);
    assert_true(c->problem.periodic[2]);
    assert_true(c->problem.walls[4].velocity[0] == 0.1);
    assert_true(c->problem.shapes[0].sphere.center[2] == 0.5);
    assert_true(c->problem.shapes[1].box.from[2] == 0 && c->problem.shapes[1].box.to[2] == 1);
    assert_int_equal(c->problem.shapes[2].cylinder.axis, 2);
    assert_true(isinf(c->problem.shapes[2].cylinder.length));
    assert_int_equal(c->block_cells[2], 1);
    assert_int_equal(c->outputs[0].axis, 2);
    assert_true(c->outputs[0].position == 0.5);
    assert_true(c->outputs[1].from[2] == 0.5 && c->outputs[1].to[1] == 32);
    weir_case_destroy(c);
}

static void test_bodies(void **state) {
    (void)state;
    struct weir_case *c = read_good(
        "{\"domain\": {\"cells\": [32, 32, 32]}, \"fluid\": {\"tau\": 0.8}, \"run\": {\"steps\": 1}, "
        "\"solids\": ["
        "{\"sphere\": {\"center\": [8, 8, 8], \"radius\": 4}, \"name\": \"ball\", \"velocity\": [0.1, 0, 0]},"
        "{\"box\": {\"from\": [0, 0, 0], \"to\": [4, 4, 4]}},"
        "{\"sphere\": {\"center\": [16, 8, 8], \"radius\": 4}, \"name\": \"ball\", \"velocity\": [0.1, 0, "
        "0]},"
        "{\"cylinder\": {\"center\": [16, 16, 16], \"axis\": \"y\", \"radius\": 3, \"length\": 10}}]}");
    const struct weir_problem *problem = &c->problem;
    assert_int_equal(problem->shape_count, 4);
    assert_int_equal(problem->wall_count, WEIR_FIRST_BODY + 2);
    assert_string_equal(problem->walls[WEIR_FIRST_BODY].name, "ball");
    assert_true(problem->walls[WEIR_FIRST_BODY].velocity[0] == 0.1);
    assert_string_equal(problem->walls[WEIR_FIRST_BODY + 1].name, "solids");
    assert_int_equal(problem->shapes[0].wall, WEIR_FIRST_BODY);
    assert_int_equal(problem->shapes[1].wall, WEIR_FIRST_BODY + 1);
    assert_int_equal(problem->shapes[2].wall, WEIR_FIRST_BODY);
    assert_int_equal(problem->shapes[3].wall, WEIR_FIRST_BODY + 1);
    assert_int_equal(problem->shapes[3].type, WEIR_CYLINDER);
    assert_int_equal(problem->shapes[3].cylinder.axis, 1);
    assert_true(problem->shapes[3].cylinder.length == 10);
    weir_case_destroy(c);
}

static void test_si(void **state) {
    (void)state;
    struct weir_case *c = read_good(
        "{\"units\": \"si\", \"si\": {\"cell_size\": 0.5, \"time_step\": 0.25, \"density\": 500},"
        " \"domain\": {\"cells\": [32, 32, 32], \"periodic\": [true, false, false]}, \"fluid\": "
        "{\"viscosity\": 0.1},"
        " \"boundaries\": {\"z+\": {\"type\": \"wall\", \"velocity\": [0.5, 0, 0]}}, \"force\": [4, 0, 0],"
        " \"initial\": {\"density\": 600, \"velocity\": [0, \"0.02*x\", 0.125]},"
        " \"solids\": [{\"sphere\": {\"center\": [4, 5, 6], \"radius\": 1}}], \"run\": {\"steps\": 1},"
        " \"output\": [{\"type\": \"profile\", \"from\": [1, 2, 0], \"to\": [1, 2, 16]},"
        "              {\"type\": \"image\", \"plane\": \"x=0.25\", \"range\": [0, 3], \"every\": \"2.6 "
        "s\"}]}");
    assert_int_equal(c->outputs[1].every, 10);
    assert_true(c->units.si && c->units.length == 0.5 && c->units.time == 0.25 && c->units.density == 500);
    assert_true(near(c->problem.relaxation_time, 0.5 + 3 * 0.1));
    assert_true(c->problem.walls[6].velocity[0] == 0.25);
    assert_true(near(c->problem.force[0], 4.0 / 4000));
    assert_true(near(c->problem.initial_density, 1.2));
    assert_true(c->problem.initial_velocity[2] == 0.0625);
    assert_true(c->problem.shapes[0].sphere.center[1] == 10 && c->problem.shapes[0].sphere.radius == 2);
    assert_true(c->outputs[0].to[2] == 32 && c->outputs[0].from[0] == 2);
    assert_true(c->outputs[1].position == 8 && c->outputs[1].range[1] == 3);

    const int origin[3] = {9, 0, 0}, extent[3] = {1, 1, 1};
    double values[4];
    double *const arrays[4] = {&values[0], &values[1], &values[2], &values[3]};
    assert_non_null(c->problem.initial);
    assert_int_equal(c->problem.initial(c->problem.initial_context, origin, extent, arrays), 0);
    assert_true(near(values[0], 1.2));
    assert_true(near(values[2], 0.02 * 4.75 / 2));
    assert_true(near(values[3], 0.0625));
    weir_case_destroy(c);
}

static void test_outputs(void **state) {
    (void)state;
    struct weir_case *c =
        read_good("{\"domain\": {\"cells\": [64, 32, 16]}, \"fluid\": {\"tau\": 0.8}, \"run\": {\"steps\": "
                  "1}, \"output\": ["
                  "{\"type\": \"fields\", \"every\": 500}, {\"type\": \"fields\", \"fields\": [\"pressure\", "
                  "\"speed\"]},"
                  "{\"type\": \"image\", \"plane\": \"y = 0.5\"},"
                  "{\"type\": \"image\", \"plane\": \"y=0.25\", \"field\": \"vorticity\", \"range\": [-1, "
                  "1], \"pixels\": 640},"
                  "{\"type\": \"image\", \"plane\": \"y=1\"}, {\"type\": \"series\", \"name\": \"fields_2\", "
                  "\"faces\": true},"
                  "{\"type\": \"profile\", \"from\": [8, 8, 15], \"to\": [8, 8, 1.5]}]}");
    const struct weir_output *outputs = c->outputs;
    assert_int_equal(c->output_count, 7);
    assert_string_equal(outputs[0].name, "fields");
    assert_int_equal(outputs[0].every, 500);
    assert_int_equal(outputs[0].quantities, 1u << WEIR_DENSITY | 1u << WEIR_VELOCITY);
    assert_string_equal(outputs[1].name, "fields_3"); /* fields_2 is the series' own name */
    assert_int_equal(outputs[1].every, 0);
    assert_int_equal(outputs[1].quantities, 1u << WEIR_PRESSURE | 1u << WEIR_SPEED);
    assert_string_equal(outputs[2].name, "image_speed_y");
    assert_int_equal(outputs[2].axis, 1);
    assert_true(outputs[2].position == 16 && isnan(outputs[2].range[0]) && outputs[2].pixels == 0);
    assert_int_equal(outputs[2].quantities, 1u << WEIR_SPEED);
    assert_string_equal(outputs[3].name, "image_vorticity_y");
    assert_true(outputs[3].position == 8 && outputs[3].range[0] == -1 && outputs[3].pixels == 640);
    assert_string_equal(outputs[4].name, "image_speed_y_2");
    assert_int_equal(outputs[5].type, WEIR_OUTPUT_SERIES);
    assert_int_equal(outputs[5].every, 100);
    assert_true(outputs[5].faces && !outputs[4].faces);
    assert_string_equal(outputs[6].name, "profile");
    assert_true(outputs[6].from[2] == 1.5 && outputs[6].to[2] == 15); /* turned round */
    weir_case_destroy(c);
}

static void test_names_from_files(void **state) {
    (void)state;
    static const char *const names[][2] = {
        {"plain.json", "plain"},           {"two.dots.json", "two.dots"}, {"no_ending", "no_ending"},
        {"with space.json", "with_space"}, {".hidden", "_hidden"},
    };
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct weir_case *c;
        assert_int_equal(read_text(least, names[i][0], NULL, 0, &c), 0);
        assert_string_equal(c->name, names[i][1]);
        weir_case_destroy(c);
    }
}

static void test_set(void **state) {
    (void)state;
    const char *const sets[] = {
        "run.steps=100",
        "lattice=D3Q27",
        "domain.cells[0]=64",
        "boundaries.z+.velocity=[0.1, 0.05, 0]",
        "boundaries.z+.type=wall",
        "boundaries.z+.velocity[0]=0.2",
        "output[0].type=series",
        "output[1]={\"type\": \"fields\"}",
        "output[1].every=10",
        "description=\"5\"",
        "name=a=b",
        "fluid={\"viscosity\": 0.1}",
        "name=set",
        "initial.velocity=[\"0.1*sin(x)\", 0, 0]",
        "domain.periodic=[true, false, false]",
    };
    struct weir_case *c;
    if (read_text(least, "case.json", sets, sizeof sets / sizeof sets[0], &c) < 0)
        fail_msg("%s", weir_error_text());
    assert_int_equal(c->steps, 100);
    assert_int_equal(c->problem.lattice, WEIR_D3Q27);
    assert_int_equal(c->problem.cells[0], 64);
    assert_int_equal(c->problem.cells[1], 16);
    assert_true(c->problem.walls[6].velocity[0] == 0.2 && c->problem.walls[6].velocity[1] == 0.05);
    assert_int_equal(c->output_count, 2);
    assert_int_equal(c->outputs[1].every, 10);
    assert_string_equal(c->description, "5");
    assert_string_equal(c->name, "set");
    assert_true(near(c->problem.relaxation_time, 0.8));
    assert_non_null(c->problem.initial);
    assert_true(c->problem.periodic[0]);
    weir_case_destroy(c);
}

/* The text kept beside the results is the case again, with numbers as people write them. */
static void test_text_reads_back(void **state) {
    (void)state;
    const char *const sets[] = {"force=[1.6276041666666667e-5, 0, 0]", "fluid={\"viscosity\": 0.1}"};
    struct weir_case *c, *again;
    assert_int_equal(read_text(least, "case.json", sets, 2, &c), 0);
    assert_int_equal(read_text(c->text, "case.json", NULL, 0, &again), 0);
    assert_true(again->problem.force[0] == c->problem.force[0]);
    assert_string_equal(again->text, c->text);
    weir_case_destroy(again);
    weir_case_destroy(c);

    assert_int_equal(read_text(least, "case.json", sets + 1, 1, &c), 0);
    assert_non_null(strstr(c->text, "\"viscosity\": 0.1\n"));
    weir_case_destroy(c);
}

static void test_failure_leaves_no_case(void **state) {
    (void)state;
    struct weir_case *c = NULL;
    const char *const sets[] = {"name=from_set"};
    assert_int_equal(read_text("{} trailing", "case.json", sets, 1, &c), -WEIR_USAGE);
    assert_null(c);
    assert_non_null(strstr(weir_error_text(), "case.json: line 1"));
}

static void test_nearest(void **state) {
    (void)state;
    const char *const names[] = {"collision", "domain", "fluid", "x-", "tau", NULL};
    assert_int_equal(weir_edit_distance("", "abc"), 3);
    assert_int_equal(weir_edit_distance("kitten", "sitting"), 3);
    assert_int_equal(weir_edit_distance("tpye", "type"), 1); /* neighbours swapped */
    assert_int_equal(weir_edit_distance("TRT", "trt"), 0);
    assert_string_equal(weir_nearest("colision", names), "collision");
    assert_string_equal(weir_nearest("flud", names), "fluid");
    assert_string_equal(weir_nearest("Tau", names), "tau");
    assert_null(weir_nearest("turbulence", names));
    assert_null(weir_nearest("w", names));
    char endless[1000];
    memset(endless, 'a', sizeof endless - 1);
    endless[sizeof endless - 1] = '\0';
    assert_null(weir_nearest(endless, names));
}

static int make_folder(void **state) {
    (void)state;
    return make_temporary_folder(folder) ? 0 : -1;
}

static int remove_folder(void **state) {
    (void)state;
    return rmdir(folder);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_defaults),
        cmocka_unit_test(test_every_key),
        cmocka_unit_test(test_reynolds),
        cmocka_unit_test(test_boundaries),
        cmocka_unit_test(test_boundaries_in_time),
        cmocka_unit_test(test_buoyancy),
        cmocka_unit_test(test_flat),
        cmocka_unit_test(test_bodies),
        cmocka_unit_test(test_si),
        cmocka_unit_test(test_outputs),
        cmocka_unit_test(test_names_from_files),
        cmocka_unit_test(test_set),
        cmocka_unit_test(test_text_reads_back),
        cmocka_unit_test(test_failure_leaves_no_case),
        cmocka_unit_test(test_nearest),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
