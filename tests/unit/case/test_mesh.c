/* Meshes as solids: shapes whose inside is known, in all formats, placed in all ways, with corners and edges
 * on rows of cells; surfaces that do not close; parts that overlap. */
#include "graph/base/error.h"
#include "graph/problem/geometry.h"
#include "graph/problem/surface.h"
#include "src/case/case.h"
#include "src/geometry/mesh_region.h"
#include "src/geometry/triangles.h"
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

enum { TRIANGLES_MOST = 400000 };

/* A surface that is being made. */
static struct weir_triangles surface(void) {
    struct weir_triangles triangles = {.corners = malloc(TRIANGLES_MOST * sizeof *triangles.corners)};
    assert_non_null(triangles.corners);
    return triangles;
}

static void add(struct weir_triangles *triangles, const double a[3], const double b[3], const double c[3]) {
    const double *corners[3] = {a, b, c};
    assert_true(triangles->count < TRIANGLES_MOST);
    for (int k = 0; k < 3; k++)
        memcpy(triangles->corners[triangles->count][k], corners[k], sizeof(double[3]));
    triangles->count++;
}

/* The six sides of a box, facing outwards. */
static void add_box(struct weir_triangles *triangles, const double low[3], const double high[3]) {
    for (int axis = 0; axis < 3; axis++)
        for (int side = 0; side < 2; side++) {
            const int p = (axis + 1) % 3, q = (axis + 2) % 3;
            double corner[4][3];
            for (int k = 0; k < 4; k++) {
                corner[k][axis] = side ? high[axis] : low[axis];
                corner[k][p] = k == 1 || k == 2 ? high[p] : low[p];
                corner[k][q] = k > 1 ? high[q] : low[q];
            }
            add(triangles, corner[0], corner[side ? 1 : 2], corner[side ? 2 : 1]);
            add(triangles, corner[0], corner[side ? 2 : 3], corner[side ? 3 : 2]);
        }
}

/* A ball of n x 2n patches about a point. */
static void add_ball(struct weir_triangles *triangles, const double center[3], double radius, int n) {
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 2 * n; j++) {
            double corner[4][3];
            for (int k = 0; k < 4; k++) {
                const int row = i + k / 2, column = (j + (k == 1 || k == 2)) % (2 * n);
                const double polar = M_PI * row / n, around = M_PI * column / n,
                             ring = row == 0 || row == n ? 0 : sin(polar);
                corner[k][0] = center[0] + radius * ring * cos(around);
                corner[k][1] = center[1] + radius * ring * sin(around);
                corner[k][2] = center[2] + radius * (row == 0 ? 1 : row == n ? -1 : cos(polar));
            }
            if (i > 0)
                add(triangles, corner[0], corner[2], corner[1]);
            if (i < n - 1)
                add(triangles, corner[0], corner[3], corner[2]);
        }
}

static struct weir_region *region_of(const struct weir_triangles *triangles, const int cells[3], bool vote) {
    struct weir_region *region;
    if (weir_mesh_region_create(triangles, cells, vote, &region) < 0)
        fail_msg("%s", weir_error_text());
    return region;
}

static const int cells[3] = {24, 20, 22};

/* Cells asked about together, every `step`-th of them, are inside where they are by themselves. */
static void compare_together(const struct weir_region *region, int step) {
    static bool inside[24 * 20 * 22];
    const int count[3] = {(cells[0] + step - 2) / step, (cells[1] + step - 2) / step,
                          (cells[2] + step - 2) / step};
    const bool *next = inside;
    region->contains_box(region, (const double[3]){1.5, 1.5, 1.5}, step, count, inside);
    for (int z = 0; z < count[2]; z++)
        for (int y = 0; y < count[1]; y++)
            for (int x = 0; x < count[0]; x++) {
                const double point[3] = {1.5 + x * step, 1.5 + y * step, 1.5 + z * step};
                assert_int_equal(*next++, region->contains(region, point));
            }
}

static int64_t count_inside(const struct weir_region *region) {
    int64_t count = 0;
    compare_together(region, 1);
    compare_together(region, 3);
    for (int z = 0; z < cells[2]; z++)
        for (int y = 0; y < cells[1]; y++)
            for (int x = 0; x < cells[0]; x++)
                count += region->contains(region, (const double[3]){x + 0.5, y + 0.5, z + 0.5});
    return count;
}

/* Corners, edges and diagonals of boxes lie on rows of cell centres: of such cells a box has one of each two
 * sides. */
static void test_box(void **state) {
    (void)state;
    for (int k = 0; k < 4; k++) {
        const double low[3] = {3.5, 2 + 0.5 * (k & 1), 4.5},
                     high[3] = {14.5, 13 + 0.5 * (k & 1), 10 + 0.5 * (k >> 1)};
        struct weir_triangles triangles = surface();
        add_box(&triangles, low, high);
        struct weir_region *region = region_of(&triangles, cells, false);
        assert_int_equal(count_inside(region), 11 * 11 * 6);
        region->destroy(region);
        weir_triangles_free(&triangles);
    }
}

/* A fine ball has the cells of a ball, but for those that its facets cut off; it may stick out of the domain.
 */
static void test_ball(void **state) {
    (void)state;
    for (int k = 0; k < 3; k++) {
        const double center[3] = {k == 2 ? 2.5 : 11.5, 10, 11.25}, radius = 8.3;
        struct weir_triangles triangles = surface();
        add_ball(&triangles, center, radius, k == 1 ? 300 : 120);
        struct weir_region *region = region_of(&triangles, cells, false);
        for (int z = 0; z < cells[2]; z++)
            for (int y = 0; y < cells[1]; y++)
                for (int x = 0; x < cells[0]; x++) {
                    const double point[3] = {x + 0.5, y + 0.5, z + 0.5};
                    const double distance = sqrt(pow(point[0] - center[0], 2) + pow(point[1] - center[1], 2) +
                                                 pow(point[2] - center[2], 2));
                    if (fabs(distance - radius) > 0.004)
                        assert_int_equal(region->contains(region, point), distance < radius);
                }
        region->destroy(region);
        weir_triangles_free(&triangles);
    }
}

static const double low_one[3] = {2, 2, 2}, high_one[3] = {12, 12, 12}, low_two[3] = {8, 8, 8},
                    high_two[3] = {18, 18, 18};

/* Parts that overlap are one body where triangles face outwards, in any order; where one is turned, places
 * within both are outside, by parity. A hollow in a body is a surface that faces into it. */
static void test_overlap(void **state) {
    (void)state;
    struct weir_triangles triangles = surface();
    struct weir_triangle_edges edges;
    add_box(&triangles, low_one, high_one);
    add_box(&triangles, low_two, high_two);
    assert_int_equal(weir_triangles_edges(&triangles, &edges), 0);
    assert_int_equal(edges.edges, 36);
    assert_int_equal(edges.open, 0);
    assert_true(edges.oriented);
    struct weir_region *region = region_of(&triangles, cells, false);
    assert_int_equal(count_inside(region), 2 * 1000 - 64);
    region->destroy(region);

    double kept[3];
    memcpy(kept, triangles.corners[0][1], sizeof kept);
    memcpy(triangles.corners[0][1], triangles.corners[0][2], sizeof kept);
    memcpy(triangles.corners[0][2], kept, sizeof kept);
    assert_int_equal(weir_triangles_edges(&triangles, &edges), 0);
    assert_false(edges.oriented);
    assert_int_equal(edges.open, 0);
    region = region_of(&triangles, cells, false);
    assert_int_equal(count_inside(region), 2 * (1000 - 64));
    region->destroy(region);
    weir_triangles_free(&triangles);

    triangles = surface();
    add_box(&triangles, low_one, high_one);
    add_box(&triangles, (const double[3]){9, 9, 9}, (const double[3]){5, 5, 5}); /* inside out */
    region = region_of(&triangles, cells, false);
    assert_int_equal(count_inside(region), 1000 - 64);
    region->destroy(region);
    weir_triangles_free(&triangles);
}

/* A surface with a hole is refused with the number of open edges; by vote it is what it would be without the
 * hole. */
static void test_holes(void **state) {
    (void)state;
    struct weir_triangles triangles = surface();
    struct weir_region *region;
    add_ball(&triangles, (const double[3]){11.3, 10.1, 11.25}, 8.3, 40);
    struct weir_region *whole = region_of(&triangles, cells, false);
    triangles.count--;
    for (int64_t k = 0; k < 3; k++) /* and one in another place */
        memcpy(triangles.corners[1200 + k], triangles.corners[triangles.count - 1 - k],
               sizeof *triangles.corners);
    triangles.count -= 3;
    assert_int_equal(weir_mesh_region_create(&triangles, cells, false, &region), -WEIR_USAGE);
    assert_non_null(strstr(weir_error_text(), "are open"));
    assert_non_null(strstr(weir_error_text(), "\"vote\""));
    region = region_of(&triangles, cells, true);
    const int64_t difference = count_inside(region) - count_inside(whole);
    assert_true(count_inside(whole) > 2000 && llabs(difference) <= 3);
    region->destroy(region);
    whole->destroy(whole);
    weir_triangles_free(&triangles);
}

/* All links from a ball's outside into it, along axes and diagonals. */
static void test_distances(void **state) {
    (void)state;
    const double center[3] = {12.3, 10.1, 10.8}, radius = 7.4;
    struct weir_triangles triangles = surface();
    add_ball(&triangles, center, radius, 200);
    struct weir_region *region = region_of(&triangles, cells, false);
    struct weir_shape shapes[2] = {{.type = WEIR_REGION, .region = region, .wall = WEIR_FIRST_BODY},
                                   {.type = WEIR_SPHERE, .wall = WEIR_FIRST_BODY}};
    memcpy(shapes[1].sphere.center, center, sizeof center);
    shapes[1].sphere.radius = radius;
    struct weir_problem mesh, ball;
    weir_problem_default(&mesh);
    memcpy(mesh.cells, cells, sizeof mesh.cells);
    mesh.shape_count = 1;
    ball = mesh;
    mesh.shapes = &shapes[0];
    ball.shapes = &shapes[1];
    const struct weir_shapes of_mesh = {.problem = &mesh, .count = 1},
                             of_ball = {.problem = &ball, .count = 1};
    int links = 0;
    double furthest = 0;
    for (int z = 1; z < cells[2] - 1; z++)
        for (int y = 1; y < cells[1] - 1; y++)
            for (int x = 1; x < cells[0] - 1; x++)
                for (int k = 0; k < 27; k++) {
                    const int c[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1}, end[3] = {x, y, z};
                    const double inside[3] = {x + 0.5, y + 0.5, z + 0.5},
                                 outside[3] = {x + 0.5 - c[0], y + 0.5 - c[1], z + 0.5 - c[2]};
                    if (!region->contains(region, inside) || region->contains(region, outside) ||
                        !weir_geometry_wall(&ball, end))
                        continue;
                    const double share = weir_surface_share(&of_mesh, WEIR_FIRST_BODY, end, c);
                    furthest =
                        fmax(furthest, fabs(share - weir_surface_share(&of_ball, WEIR_FIRST_BODY, end, c)));
                    links++;
                }
    assert_true(links > 3000);
    /* A facet lies r (pi / 200)^2 / 8 below the ball, and a link may meet it at an angle. */
    assert_true(furthest > 1e-5 && furthest < 0.02);
    region->destroy(region);
    weir_triangles_free(&triangles);
}

/* Where a surface is not met the wall is half-way. */
static void test_no_distance(void **state) {
    (void)state;
    struct weir_triangles triangles = surface();
    add_box(&triangles, (const double[3]){4.2, 4.2, 4.2}, (const double[3]){14, 14, 14});
    struct weir_region *region = region_of(&triangles, cells, false);
    const double inside[3] = {4.5, 8.5, 8.5};
    assert_true(fabs(region->share_outside(region, (const double[3]){3.5, 8.5, 8.5}, inside) - 0.7) < 1e-12);
    assert_true(fabs(region->share_outside(region, (const double[3]){3.5, 7.5, 9.5}, inside) - 0.7) < 1e-12);
    assert_true(region->share_outside(region, (const double[3]){5.5, 8.5, 8.5}, inside) == 0.5);
    region->destroy(region);
    weir_triangles_free(&triangles);
}

/* Turning by quarters is exact, and its sense is that of a right hand; fitting fills the box along its
 * tightest axis. */
static void test_placement(void **state) {
    (void)state;
    struct weir_triangles triangles = surface();
    double low[3], high[3];
    add_box(&triangles, (const double[3]){1, 2, 3}, (const double[3]){2, 4, 7});
    assert_int_equal(weir_mesh_place(&triangles, &(struct weir_mesh_placement){.degrees = {90, 0, -270},
                                                                               .scale = 2,
                                                                               .move = {20, 0, 1}}),
                     0);
    weir_triangles_bounds(&triangles, low, high);
    /* (x, y, z) -> (x, -z, y) -> (z, x, y) */
    const double expected[2][3] = {{20 + 2 * 3, 2 * 1, 1 + 2 * 2}, {20 + 2 * 7, 2 * 2, 1 + 2 * 4}};
    for (int axis = 0; axis < 3; axis++) {
        assert_true(low[axis] == expected[0][axis]);
        assert_true(high[axis] == expected[1][axis]);
    }
    assert_int_equal(weir_mesh_place(&triangles, &(struct weir_mesh_placement){.fit = true,
                                                                               .fit_from = {2, 2, 2},
                                                                               .fit_to = {18, 4, 22}}),
                     0);
    weir_triangles_bounds(&triangles, low, high);
    assert_true(fabs(low[0] - 6) < 1e-12 && fabs(high[0] - 14) < 1e-12);
    assert_true(fabs(low[1] - 2) < 1e-12 && fabs(high[1] - 4) < 1e-12);
    assert_true(fabs(low[2] - 10) < 1e-12 && fabs(high[2] - 14) < 1e-12);
    weir_triangles_free(&triangles);
}

static char folder[TEMPORARY_PATH];

static void write_text(const char *name, const char *text) {
    char path[TEMPORARY_PATH + 32];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    fputs(text, file);
    assert_int_equal(fclose(file), 0);
}

/* A tetrahedron with corners at 0 and at 10 along each axis; in the OBJ file beside a box. */
static int write_files(void **state) {
    (void)state;
    static const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    char stl[2000] = "solid tetrahedron\n", path[TEMPORARY_PATH + 32];
    unsigned char binary[84 + 4 * 50] = {0};
    if (!make_temporary_folder(folder))
        return -1;
    binary[80] = 4;
    for (int k = 0; k < 4; k++) {
        strcat(stl, "facet normal 0 0 0\nouter loop\n");
        for (int corner = 0; corner < 3; corner++) {
            const int place = faces[k][corner];
            const float point[3] = {place == 1 ? 10 : 0, place == 2 ? 10 : 0, place == 3 ? 10 : 0};
            snprintf(stl + strlen(stl), 100, "vertex %g %g %g\n", point[0], point[1], point[2]);
            memcpy(binary + 84 + 50 * k + 12 + 12 * corner, point, sizeof point);
        }
        strcat(stl, "endloop\nendfacet\n");
    }
    strcat(stl, "endsolid tetrahedron\n");
    write_text("ascii.stl", stl);
    snprintf(path, sizeof path, "%s/binary.stl", folder);
    FILE *file = fopen(path, "wb");
    fwrite(binary, 1, sizeof binary, file);
    fclose(file);
    write_text("two.obj",
               "o tetrahedron\nv 0 0 0\nv 10 0 0\nv 0 10 0\nv 0 0 10\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
               "o box\nv 11 11 11\nv 13 11 11\nv 11 13 11\nv 13 13 11\nv 11 11 14\nv 13 11 14\nv 11 13 14\nv "
               "13 13 14\n"
               "f 5 7 8 6\nf 9 10 12 11\nf 5 6 10 9\nf 7 11 12 8\nf 5 9 11 7\nf 6 8 12 10\n");
    write_text(
        "ascii.ply",
        "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
        "element face 4\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n10 0 0\n0 10 0\n0 0 10\n"
        "3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n");
    write_text(
        "open.ply",
        "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
        "element face 3\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n10 0 0\n0 10 0\n0 0 10\n"
        "3 0 2 1\n3 0 1 3\n3 0 3 2\n");
    write_text("words.stl", "nothing of the kind");
    return 0;
}

static int remove_files(void **state) {
    (void)state;
    char command[TEMPORARY_PATH + 32];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    return system(command);
}

static int read_mesh(const char *mesh, struct weir_case **c) {
    char path[TEMPORARY_PATH + 32], text[1000];
    snprintf(text, sizeof text,
             "{\"domain\": {\"cells\": [16, 16, 16]}, \"fluid\": {\"tau\": 1}, \"run\": {\"steps\": 1}, "
             "\"solids\": "
             "[{\"mesh\": {%s}}]}",
             mesh);
    write_text("case.json", text);
    snprintf(path, sizeof path, "%s/case.json", folder);
    return weir_case_read(path, NULL, 0, c);
}

/* Solid cells of a case. */
static int64_t count_solid(const char *mesh) {
    struct weir_case *c;
    const struct weir_box domain = {.extent = {16, 16, 16}};
    if (read_mesh(mesh, &c) < 0)
        fail_msg("%s", weir_error_text());
    const int64_t solid = 4096 - weir_geometry_count(&c->problem, &domain);
    weir_case_destroy(c);
    return solid;
}

static void test_files(void **state) {
    (void)state;
    int64_t within =
        0; /* cells whose centres have x + y + z < 10.25, the tetrahedron standing at 0.125 off */
    for (int z = 0; z < 10; z++)
        for (int y = 0; y < 10; y++)
            for (int x = 0; x < 10; x++)
                within += x + y + z + 1.5 < 10 + 3 * 0.125;
    assert_int_equal(within, 165);
    static const char *const names[] = {"ascii.stl", "binary.stl", "ascii.ply"};
    char mesh[200];
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        snprintf(mesh, sizeof mesh, "\"file\": \"%s\", \"translate\": [0.125, 0.125, 0.125]", names[k]);
        assert_int_equal(count_solid(mesh), within);
    }
    assert_int_equal(count_solid("\"file\": \"two.obj\", \"translate\": [0.125, 0.125, 0.125]"), within + 12);
    assert_int_equal(count_solid("\"file\": \"two.obj\", \"part\": \"box\""), 12);
    assert_int_equal(count_solid("\"file\": \"two.obj\", \"part\": \"box\", \"fit\": {\"margin\": 2}"),
                     8 * 8 * 12);
    assert_int_equal(
        count_solid("\"file\": \"open.ply\", \"holes\": \"vote\", \"translate\": [0.125, 0.125, 0.125]") > 0,
        1);
}

static void test_refused(void **state) {
    (void)state;
    static const char *const wrong[][2] = {
        {"\"file\": \"none.stl\"", "solids[0].mesh.file"},
        {"\"file\": \"words.stl\"", "STL, OBJ or PLY"},
        {"\"file\": \"two.obj\", \"part\": \"wheel\"", "its parts are \"tetrahedron\", \"box\""},
        {"\"file\": \"open.ply\"", "of 6 edges 3 are open"},
        {"\"file\": \"ascii.stl\", \"scale\": 3, \"fit\": {}", "has \"fit\" and \"scale\""},
        {"\"file\": \"ascii.stl\", \"fit\": {\"margin\": 8}", "leaves no room along x"},
        {"\"file\": \"ascii.stl\", \"translate\": [0, 17, 0]", "along y it goes from 17 to 27"},
    };
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        struct weir_case *c;
        assert_int_equal(read_mesh(wrong[k][0], &c), -WEIR_USAGE);
        if (!strstr(weir_error_text(), wrong[k][1]))
            fail_msg("\"%s\" does not say \"%s\"", weir_error_text(), wrong[k][1]);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_box),
        cmocka_unit_test(test_ball),
        cmocka_unit_test(test_overlap),
        cmocka_unit_test(test_holes),
        cmocka_unit_test(test_distances),
        cmocka_unit_test(test_no_distance),
        cmocka_unit_test(test_placement),
#if WEIR_WITH_ASSIMP
        cmocka_unit_test(test_files),
        cmocka_unit_test(test_refused),
#endif
    };
    return cmocka_run_group_tests(tests, write_files, remove_files);
}
