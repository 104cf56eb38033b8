/* Solids that are asked cell by cell: formulas and heaps of balls, as cases give them. */
#include "graph/base/error.h"
#include "graph/problem/fluid_estimate.h"
#include "graph/problem/fluid_search.h"
#include "graph/problem/geometry.h"
#include "graph/problem/region.h"
#include "src/case/case.h"
#include "src/geometry/ball_heap.h"
#include "src/geometry/minimal_surface.h"
#include "tests/unit/temporary.h"

#include <math.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* A case in a domain with these solids, "domain" and further keys being JSON. */
static struct weir_case *read_solids(const char *domain, const char *solids) {
    char path[TEMPORARY_PATH], text[2000];
    struct weir_case *c = NULL;
    const int descriptor = make_temporary_file(path);
    assert_true(descriptor >= 0);
    const int length =
        snprintf(text, sizeof text, "{%s, \"run\": {\"steps\": 1}, \"solids\": [%s]}", domain, solids);
    assert_int_equal(write(descriptor, text, (size_t)length), length);
    close(descriptor);
    const int error = weir_case_read(path, NULL, 0, &c);
    remove(path);
    if (error < 0)
        fail_msg("%s", weir_error_text());
    return c;
}

static struct weir_box domain_of(const struct weir_problem *problem) {
    return (struct weir_box){.extent = {problem->cells[0], problem->cells[1], problem->cells[2]}};
}

/* Fluid cells of the domain, counted in blocks of 11 cells, through their flags, and cell by cell: all must
 * agree. */
static int64_t count_fluid(const struct weir_problem *problem) {
    const struct weir_box domain = domain_of(problem);
    int64_t singly = 0, by_flags = 0;
    uint8_t flags[13 * 13 * 13];
    for (int z = 0; z < problem->cells[2]; z++)
        for (int y = 0; y < problem->cells[1]; y++)
            for (int x = 0; x < problem->cells[0]; x++)
                singly += weir_geometry_wall(problem, (const int[3]){x, y, z}) == 0;
    for (int z = 0; z < problem->cells[2]; z += 11)
        for (int y = 0; y < problem->cells[1]; y += 11)
            for (int x = 0; x < problem->cells[0]; x += 11) {
                struct weir_box block = {.origin = {x, y, z}};
                for (int axis = 0; axis < 3; axis++) {
                    const int left = problem->cells[axis] - block.origin[axis];
                    block.extent[axis] = left < 11 ? left : 11;
                }
                by_flags += weir_geometry_flags(problem, &block, flags);
            }
    assert_int_equal(by_flags, singly);
    assert_int_equal(weir_geometry_count(problem, &domain), singly);
    assert_true(weir_fluid_estimate(problem, &domain, 1) == (double)singly);
    return singly;
}

static void test_formula(void **state) {
    (void)state;
    struct weir_case *c = read_solids("\"domain\": {\"cells\": [24, 20, 16]}, \"fluid\": {\"tau\": 1}",
                                      "{\"formula\": \"(x-9)^2 + y^2/4 < 30 && z < nz/2 || x > nx - pi\"}");
    int64_t fluid = 0;
    for (int z = 0; z < 16; z++)
        for (int y = 0; y < 20; y++)
            for (int x = 0; x < 24; x++)
                fluid +=
                    !((pow(x - 8.5, 2) + pow(y + 0.5, 2) / 4 < 30 && z + 0.5 < 8) || x + 0.5 > 24 - M_PI);
    assert_int_equal(count_fluid(&c->problem), fluid);
    weir_case_destroy(c);

    /* In SI x, y and z are metres. */
    c = read_solids("\"units\": \"si\", \"si\": {\"cell_size\": 0.5, \"time_step\": 0.25}, "
                    "\"domain\": {\"cells\": [24, 20, 16]}, \"fluid\": {\"viscosity\": 0.1}",
                    "{\"formula\": \"(2*x-9)^2 + y^2 < 30 && z < nz/2 || 2*x > 2*nx - pi\"}");
    assert_int_equal(count_fluid(&c->problem), fluid);
    weir_case_destroy(c);
}

static void *count_in_thread(void *context) {
    const struct weir_problem *problem = context;
    const struct weir_box domain = domain_of(problem);
    int64_t fluid = 0;
    for (int k = 0; k < 4; k++)
        fluid += weir_geometry_count(problem, &domain);
    return (void *)(intptr_t)fluid;
}

/* More threads than the machine has cores ask one formula. */
static void test_threads(void **state) {
    (void)state;
    enum { THREADS = 9 };
    struct weir_case *c = read_solids("\"domain\": {\"cells\": [24, 20, 16]}, \"fluid\": {\"tau\": 1}",
                                      "{\"formula\": \"sin(x)*cos(y) + sin(y)*cos(z) < 0\"}");
    const int64_t fluid = count_fluid(&c->problem);
    pthread_t threads[THREADS];
    for (int k = 0; k < THREADS; k++)
        assert_int_equal(pthread_create(&threads[k], NULL, count_in_thread, &c->problem), 0);
    for (int k = 0; k < THREADS; k++) {
        void *counted;
        pthread_join(threads[k], &counted);
        assert_int_equal((intptr_t)counted, 4 * fluid);
    }
    weir_case_destroy(c);
}

/* Overlapping balls leave exp(-n v / V) free, others 1 - n v / V. */
static void test_porosity(void **state) {
    (void)state;
    static const struct {
        double porosity;
        bool overlap;
        int dimensions;
    } heaps[] = {{0.9, true, 3}, {0.4, true, 3},  {0.1, true, 3},
                 {0.5, true, 2}, {0.7, false, 3}, {0.55, false, 2}};
    for (size_t k = 0; k < sizeof heaps / sizeof *heaps; k++) {
        char solid[200];
        const bool flat = heaps[k].dimensions == 2;
        snprintf(solid, sizeof solid,
                 "{\"spheres\": {\"radius\": 5.2, \"porosity\": %g, \"overlap\": %s, \"seed\": 3}}",
                 heaps[k].porosity, heaps[k].overlap ? "true" : "false");
        struct weir_case *c = read_solids(flat ? "\"lattice\": \"D2Q9\", \"domain\": {\"cells\": [700, 640], "
                                                 "\"periodic\": [true, true]}, \"fluid\": "
                                                 "{\"tau\": 1}"
                                               : "\"domain\": {\"cells\": [80, 77, 90], \"periodic\": [true, "
                                                 "true, true]}, \"fluid\": {\"tau\": 1}",
                                          solid);
        const struct weir_box domain = domain_of(&c->problem);
        const double share =
            (double)weir_geometry_count(&c->problem, &domain) / (double)weir_box_cells(&domain);
        if (fabs(share - heaps[k].porosity) > (heaps[k].overlap ? 0.025 : 0.004))
            fail_msg("porosity %g instead of %g", share, heaps[k].porosity);
        weir_case_destroy(c);
    }
}

/* As much as is wanted is free, of either kind; the halves of a gyroid at half of the volume are alike. */
static void test_minimal_surfaces(void **state) {
    (void)state;
    static const double porosities[] = {0.3, 0.5, 0.85};
    static const char *const surfaces[] = {"gyroid", "schwarz_p", "diamond"};
    for (size_t k = 0; k < 18; k++) {
        char solid[200];
        const double porosity = porosities[k % 3];
        snprintf(solid, sizeof solid,
                 "{\"minimal_surface\": {\"surface\": \"%s\", \"period\": 48, \"porosity\": %g, \"sheet\": "
                 "%s, \"origin\": [0.3, 0.4, 0.1]}}",
                 surfaces[k / 3 % 3], porosity, k < 9 ? "true" : "false");
        struct weir_case *c = read_solids("\"domain\": {\"cells\": [48, 48, 48], \"periodic\": [true, true, "
                                          "true]}, \"fluid\": {\"tau\": 1}",
                                          solid);
        const struct weir_box domain = domain_of(&c->problem);
        const double share =
            (double)weir_geometry_count(&c->problem, &domain) / (double)weir_box_cells(&domain);
        if (fabs(share - porosity) > 0.005)
            fail_msg("%s: porosity %g", solid, share);
        weir_case_destroy(c);
    }
}

/* Discs at the high face, whose areas Murray's law says, and one at the low face; one piece between them. */
static void test_vessels(void **state) {
    (void)state;
    static const double asymmetries[] = {0, 0.4};
    for (size_t k = 0; k < 2; k++) {
        char solid[200];
        snprintf(solid, sizeof solid,
                 "{\"vessel_tree\": {\"radius\": 9, \"generations\": 2, \"asymmetry\": %g, \"axis\": \"z\", "
                 "\"irregularity\": 0.3, \"seed\": %zu}}",
                 asymmetries[k], k);
        struct weir_case *c =
            read_solids("\"domain\": {\"cells\": [64, 64, 80]}, \"fluid\": {\"tau\": 1}", solid);
        const struct weir_box low = {.extent = {64, 64, 1}},
                              high = {.origin = {0, 0, 79}, .extent = {64, 64, 1}};
        double area = 0;
        for (int branch = 0; branch < 4; branch++)
            area += pow((1 + (branch & 1 ? 1 : -1) * asymmetries[k]) / 2 *
                            ((1 + (branch & 2 ? 1 : -1) * asymmetries[k]) / 2),
                        2.0 / 3);
        assert_true(fabs((double)weir_geometry_count(&c->problem, &low) / (M_PI * 81) - 1) < 0.03);
        assert_true(fabs((double)weir_geometry_count(&c->problem, &high) / (M_PI * 81 * area) - 1) < 0.03);
        weir_case_destroy(c);
    }
}

static struct weir_ball_heap_options small_heap(void) {
    return (struct weir_ball_heap_options){.dimensions = 3,
                                           .cells = {40, 40, 40},
                                           .periodic = {true, false, true},
                                           .to = {40, 40, 40},
                                           .radius = 4,
                                           .count = 90,
                                           .seed = 1};
}

/* Places are those of the seed, on any machine, and balls go on across seams, and nowhere else. */
static void test_places(void **state) {
    (void)state;
    struct weir_ball_heap_options options = small_heap();
    struct weir_ball_heap_facts facts;
    struct weir_region *one, *other;
    assert_int_equal(weir_ball_heap_create(&options, &one, &facts), 0);
    assert_int_equal(facts.count, 90);
    assert_true(fabs(facts.porosity - (1 - 90 * 4 * M_PI / 3 * 64 / 64000)) < 1e-12);
    options.seed = 2;
    assert_int_equal(weir_ball_heap_create(&options, &other, NULL), 0);
    int64_t inside = 0, different = 0;
    for (int z = 0; z < 40; z++)
        for (int y = 0; y < 40; y++)
            for (int x = 0; x < 40; x++) {
                const double point[3] = {x + 0.5, y + 0.5, z + 0.5}, image[3] = {x + 40.5, y + 0.5, z - 39.5};
                inside += one->contains(one, point);
                different += one->contains(one, point) != other->contains(other, point);
                assert_true(one->contains(one, point) == one->contains(one, image));
            }
    assert_int_equal(inside, 22158); /* as counted by another program */
    assert_true(different > 10000);
    one->destroy(one);
    other->destroy(other);
}

/* Denser than random places one after the other: none overlap, and the bed is that of the seed. */
static void test_packed(void **state) {
    (void)state;
    struct weir_ball_heap_options options = {.dimensions = 3,
                                             .cells = {40, 44, 48},
                                             .periodic = {true, false, true},
                                             .from = {0, 4, 0},
                                             .to = {40, 40, 48},
                                             .radius = 4,
                                             .porosity = 0.42,
                                             .seed = 7};
    struct weir_ball_heap_facts facts;
    struct weir_region *bed;
    assert_int_equal(weir_ball_heap_create(&options, &bed, &facts), 0);
    assert_int_equal(facts.count, 150);
    /* Each ball counts by itself only where none overlap: samples of the volume, eight to a cell. */
    int64_t inside = 0;
    for (int z = 0; z < 96; z++)
        for (int y = 0; y < 88; y++)
            for (int x = 0; x < 80; x++) {
                const double point[3] = {(x + 0.5) / 2, (y + 0.5) / 2, (z + 0.5) / 2};
                inside += bed->contains(bed, point);
            }
    const double volume = 150 * 4 * M_PI / 3 * 64;
    assert_true(fabs((double)inside / 8 / volume - 1) < 0.002);
    bed->destroy(bed);
}

/* Cells of the domain, every `step`-th, from one on, together and one by one. */
static void compare_box(const struct weir_region *region, const int cells[3], const int from[3], int step) {
    enum { MOST = 9 };
    bool inside[MOST * MOST * MOST], *next = inside;
    int count[3];
    for (int axis = 0; axis < 3; axis++) {
        const int left = (cells[axis] - from[axis] + step - 1) / step;
        count[axis] = left < MOST ? left : MOST;
    }
    region->contains_box(region, (const double[3]){from[0] + 0.5, from[1] + 0.5, from[2] + 0.5}, step, count,
                         inside);
    for (int z = 0; z < count[2]; z++)
        for (int y = 0; y < count[1]; y++)
            for (int x = 0; x < count[0]; x++) {
                const double point[3] = {from[0] + x * step + 0.5, from[1] + y * step + 0.5,
                                         from[2] + z * step + 0.5};
                assert_int_equal(*next++, region->contains(region, point));
            }
}

/* All of the domain. */
static void compare_boxes(const struct weir_region *region, const int cells[3]) {
    for (int step = 1; step <= 3; step += 2)
        for (int z = 0; z < cells[2]; z += 8)
            for (int y = 0; y < cells[1]; y += 8)
                for (int x = 0; x < cells[0]; x += 8)
                    compare_box(region, cells, (const int[3]){x, y, z}, step);
}

/* Points up to a cell away from others, by what is near these. Returns of how many of these that was not too
 * much. */
static int compare_parts(const struct weir_region *region, const int cells[3]) {
    const double reach = 1;
    int found = 0;
    for (int k = 0; k < cells[0] * cells[1] * cells[2]; k += 11) {
        const double middle[3] = {k % cells[0], k / cells[0] % cells[1], k / cells[0] / cells[1]};
        struct weir_region_part part;
        if (!region->find_part(region, middle, reach, &part))
            continue;
        found++;
        for (int point = 0; point < 12; point++) {
            double at[3];
            for (int axis = 0; axis < 3; axis++)
                at[axis] = middle[axis] + (axis == point % 3) * reach * (point / 3 - 1.5) / 1.5;
            assert_int_equal(region->part_contains(region, &part, at), region->contains(region, at));
        }
    }
    return found;
}

/* Few balls and many, smaller than a tile and larger than the domain, across seams and not, in space and in a
 * plane: whether cells are inside is the same whichever way it is asked. */
static void test_ways_to_ask(void **state) {
    (void)state;
    static const double radii[] = {1.3, 4, 25};
    for (int k = 0; k < 12; k++) {
        const int dimensions = k % 2 ? 2 : 3, cells[3] = {40, 33, dimensions == 3 ? 21 : 1};
        const bool periodic = k / 2 % 2;
        struct weir_region *heap;
        struct weir_ball_heap_options options = {.dimensions = dimensions,
                                                 .periodic = {periodic, periodic, false},
                                                 .radius = radii[k / 4],
                                                 .porosity = 0.5,
                                                 .overlap = true,
                                                 .seed = (uint64_t)k};
        if (radii[k / 4] > 10)
            options.count = 1;
        for (int axis = 0; axis < 3; axis++)
            options.to[axis] = options.cells[axis] = cells[axis];
        assert_int_equal(weir_ball_heap_create(&options, &heap, NULL), 0);
        compare_boxes(heap, cells);
        assert_true(compare_parts(heap, cells) > 0);
        heap->destroy(heap);
    }
    for (int k = 0; k < 6; k++) {
        const struct weir_minimal_surface_options options = {.surface = (enum weir_minimal_surface)(k % 3),
                                                             .sheet = k > 2,
                                                             .cells = {40, 33, 21},
                                                             .origin = {0.3, 0.4, 0.1},
                                                             .period = 19.7,
                                                             .porosity = 0.6};
        struct weir_region *surface;
        assert_int_equal(weir_minimal_surface_create(&options, &surface), 0);
        compare_boxes(surface, options.cells);
        surface->destroy(surface);
    }
}

static void test_full(void **state) {
    (void)state;
    struct weir_ball_heap_options options = small_heap();
    struct weir_region *region;
    options.count = 160;
    assert_int_equal(weir_ball_heap_create(&options, &region, NULL), -WEIR_USAGE);
    assert_non_null(strstr(weir_error_text(), "160 balls"));
    options.count = 0;
    options.overlap = true;
    options.porosity = 0.5;
    options.radius = 1e-3;
    assert_int_equal(weir_ball_heap_create(&options, &region, NULL), -WEIR_USAGE);
    assert_non_null(strstr(weir_error_text(), "make them larger"));
}

/* A domain that regions fill is told to be full, one that they all but fill is not. */
static void test_search(void **state) {
    (void)state;
    static const struct {
        const char *formula;
        int found;
    } cases[] = {{"{\"formula\": \"x > -1\"}", -WEIR_USAGE},
                 {"{\"formula\": \"x < 20 || y > 3 || z > 1\"}", 0},
                 {"{\"formula\": \"x < 20\"}, {\"formula\": \"x > 20\"}", -WEIR_USAGE}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct weir_case *c =
            read_solids("\"domain\": {\"cells\": [24, 20, 16]}, \"fluid\": {\"tau\": 1}", cases[k].formula);
        assert_int_equal(weir_fluid_search(&c->problem), cases[k].found);
        weir_case_destroy(c);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_formula),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_porosity),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_minimal_surfaces),
        cmocka_unit_test(test_vessels),
        cmocka_unit_test(test_packed),
        cmocka_unit_test(test_ways_to_ask),
        cmocka_unit_test(test_full),
        cmocka_unit_test(test_search),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
