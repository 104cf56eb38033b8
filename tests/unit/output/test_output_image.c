/* Pictures: the plane asked for lands where it belongs, in its colours; complete or not there. */
#include "graph/base/error.h"
#include "src/output/output_image.h"
#include "src/picture/colour_map.h"
#include "tests/unit/assert_close.h"
#include "tests/unit/output_fixture.h"

#include <png.h>
#include <stdlib.h>
#include <string.h>

struct pixels {
    int width, height;
    uint8_t *rgb;
};

static struct pixels read_png(const char *path) {
    png_image image = {.version = PNG_IMAGE_VERSION};
    assert_true(png_image_begin_read_from_file(&image, path));
    image.format = PNG_FORMAT_RGB;
    struct pixels pixels = {(int)image.width, (int)image.height, malloc(PNG_IMAGE_SIZE(image))};
    assert_true(png_image_finish_read(&image, NULL, pixels.rgb, 0, NULL));
    return pixels;
}

static const uint8_t *at(const struct pixels *pixels, int x, int y) {
    return pixels->rgb + 3 * (y * pixels->width + x);
}

static struct pixels observed(const char *folder, const struct weir_case *c,
                              const struct weir_output *output) {
    struct weir_output_image *image;
    struct weir_writer *disk = start_writer();
    assert_int_equal(weir_output_image_create(c, output, folder, disk, &image), 0);
    struct weir_sink sink = weir_output_image_sink(image);
    assert_int_equal(sink.region.extent[output->axis], 1);
    assert_int_equal(observe(disk, &sink, c, 999, 5, false), 0);
    assert_int_equal(count_files(folder), 0);
    assert_int_equal(observe(disk, &sink, c, 1000, 5, true), 0);
    weir_writer_destroy(disk);
    weir_output_image_destroy(image);
    assert_int_equal(count_files(folder), 1);
    struct pixels pixels = read_png(in_folder(folder, "plane_000001000.png"));
    remove(in_folder(folder, "plane_000001000.png"));
    return pixels;
}

static struct weir_output image_output(enum weir_quantity quantity, int axis, double position) {
    return (struct weir_output){.type = WEIR_OUTPUT_IMAGE,
                                .name = "plane",
                                .quantities = 1u << quantity,
                                .axis = axis,
                                .position = position,
                                .range = {NAN, NAN}};
}

/* Finds the plane's corners: the frame is the picture's longest dark line. */
static void find_plane(const struct pixels *pixels, int *left, int *top, int *right, int *bottom) {
    int best = 0;
    *left = *top = *right = *bottom = 0;
    for (int y = 0; y < pixels->height; y++)
        for (int x = 0, run = 0; x < pixels->width; x++) {
            run = at(pixels, x, y)[0] == 0x22 && at(pixels, x, y)[2] == 0x2b ? run + 1 : 0;
            if (run > best) {
                best = run;
                *left = x - run + 2;
                *top = y + 1;
                *right = x - 1;
            }
            if (run == best)
                *bottom = y - 1;
        }
}

static bool alike(const uint8_t *a, const uint8_t *b) {
    return abs(a[0] - b[0]) <= 6 && abs(a[1] - b[1]) <= 6 && abs(a[2] - b[2]) <= 6;
}

/* A linear field, largest in one corner and least in the opposite one. */
static void values_lie_where_they_belong(void **state) {
    struct weir_case c;
    struct weir_colour_map map;
    int left, top, right, bottom;
    fill_case(&c, 40, 30, 20, false);
    weir_colour_map_sequential(&map);
    for (int axis = 0; axis < 3; axis++) {
        /* density grows with x and z and falls with y */
        struct weir_output output = image_output(WEIR_DENSITY, axis, 7.9);
        struct pixels pixels = observed(*state, &c, &output);
        int width = c.problem.cells[axis == 0 ? 1 : 0], height = c.problem.cells[axis == 2 ? 1 : 2];
        find_plane(&pixels, &left, &top, &right, &bottom);
        assert_close((double)(right - left + 1) / (bottom - top + 1), (double)width / height, 0.02);
        assert_int_equal(right - left + 1, width >= height ? 400 : 400 * width / height);
        const uint8_t *lowest =
            axis == 2 ? at(&pixels, left, top) : at(&pixels, axis == 0 ? right : left, bottom);
        const uint8_t *highest =
            axis == 2 ? at(&pixels, right, bottom) : at(&pixels, axis == 0 ? left : right, top);
        assert_true(alike(lowest, map.rgb[0]));
        assert_true(alike(highest, map.rgb[WEIR_COLOURS - 1]));
        free(pixels.rgb);
    }
}

static void signed_values_diverge_from_zero(void **state) {
    struct weir_case c;
    struct weir_colour_map map;
    int left, top, right, bottom;
    fill_case(&c, 40, 30, 1, true);
    weir_colour_map_diverging(&map);
    /* the linear flow turns with 0.0001 - 0.0002 everywhere */
    struct weir_output output = image_output(WEIR_VORTICITY, 2, 0.5);
    output.range[0] = -0.0002;
    output.range[1] = 0.0002;
    struct pixels pixels = observed(*state, &c, &output);
    find_plane(&pixels, &left, &top, &right, &bottom);
    assert_true(alike(at(&pixels, left + 5, top + 5), weir_colour_map_at(&map, 0.5 - 0.25)));
    /* the sphere in the middle is grey */
    const uint8_t *solid = at(&pixels, (left + right) / 2, (top + bottom) / 2);
    assert_true(abs(solid[0] - solid[2]) < 12 && solid[0] > 0x70 && solid[0] < 0xa0);
    free(pixels.rgb);
}

static void size_is_what_is_asked_for(void **state) {
    struct weir_case c;
    fill_case(&c, 40, 30, 1, false);
    for (int pixels_asked = 320; pixels_asked <= 2400; pixels_asked += 520) {
        struct weir_output output = image_output(WEIR_SPEED, 2, 0.5);
        output.pixels = pixels_asked;
        struct pixels pixels = observed(*state, &c, &output);
        int longer = pixels.width > pixels.height ? pixels.width : pixels.height;
        assert_true(abs(longer - pixels_asked) <= 2);
        assert_int_equal(pixels.width % 2, 0);
        assert_int_equal(pixels.height % 2, 0);
        free(pixels.rgb);
    }
}

/* Where the size is left open, small planes make small pictures: a run of few cells takes no longer to be
 * seen than to be computed. */
static void size_follows_the_cells(void **state) {
    struct weir_case c;
    int left, top, right, bottom;
    static const int cells_and_pixels[][2] = {{64, 400}, {150, 600}, {300, 880}, {1000, 1000}, {2000, 1600}};
    for (size_t i = 0; i < sizeof cells_and_pixels / sizeof *cells_and_pixels; i++) {
        const int cells = cells_and_pixels[i][0];
        fill_case(&c, cells, cells / 2, 1, false);
        struct weir_output output = image_output(WEIR_SPEED, 2, 0.5);
        struct pixels pixels = observed(*state, &c, &output);
        find_plane(&pixels, &left, &top, &right, &bottom);
        assert_int_equal(right - left + 1, cells_and_pixels[i][1]);
        assert_true(abs(bottom - top + 1 - cells_and_pixels[i][1] / 2) <= 1);
        free(pixels.rgb);
    }
}

static void planes_stay_in_the_domain(void **state) {
    (void)state;
    struct weir_case c;
    struct weir_output_image *image;
    struct weir_writer *disk = start_writer();
    fill_case(&c, 8, 8, 8, false);
    static const struct {
        double position;
        int layer;
    } cases[] = {{0.0, 0}, {3.999, 3}, {4.0, 4}, {8.0, 7}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct weir_output output = image_output(WEIR_SPEED, 1, cases[i].position);
        assert_int_equal(weir_output_image_create(&c, &output, ".", disk, &image), 0);
        assert_int_equal(weir_output_image_sink(image).region.origin[1], cases[i].layer);
        weir_output_image_destroy(image);
    }
    weir_writer_destroy(disk);
}

static void tells_full_disk(void **state) {
    struct weir_case c;
    struct weir_output_image *image;
    if (!mount_small(*state, 8 << 10))
        skip();
    struct weir_writer *disk = start_writer(); /* sees what is mounted by now */
    fill_case(&c, 40, 30, 1, false);
    struct weir_output output = image_output(WEIR_SPEED, 2, 0.5);
    assert_int_equal(weir_output_image_create(&c, &output, *state, disk, &image), 0);
    struct weir_sink sink = weir_output_image_sink(image);
    assert_int_equal(observe(disk, &sink, &c, 1, 5, true), -WEIR_FAILED);
    assert_non_null(
        strstr(weir_error_text(), "plane_000000001.png': No space left on device: free some space"));
    assert_int_equal(count_files(*state), 0);
    weir_writer_destroy(disk);
    weir_output_image_destroy(image);
}

/* Streamlines are over the colours, and not over solids. */
static void streamlines_go_around_solids(void **state) {
    struct weir_case c;
    int left, top, right, bottom, other = 0, grey = 0;
    fill_case(&c, 40, 30, 1, true);
    struct weir_output output = image_output(WEIR_SPEED, 2, 0.5);
    struct pixels plain = observed(*state, &c, &output);
    output.streamlines = 12;
    struct pixels lined = observed(*state, &c, &output), again = observed(*state, &c, &output);
    assert_memory_equal(again.rgb, lined.rgb, 3 * (size_t)lined.width * (size_t)lined.height);
    find_plane(&plain, &left, &top, &right, &bottom);
    for (int y = 0; y < plain.height; y++)
        for (int x = 0; x < plain.width; x++) {
            const bool same = memcmp(at(&plain, x, y), at(&lined, x, y), 3) == 0,
                       inside = x >= left && x <= right && y >= top && y <= bottom,
                       solid =
                           inside && memcmp(at(&plain, x, y), (const uint8_t[]){0x8f, 0x93, 0x98}, 3) == 0;
            assert_true(same || (inside && !solid));
            other += !same;
            grey += solid;
        }
    assert_true(grey > 100);
    const int area = (right - left + 1) * (bottom - top + 1);
    assert_true(other > area / 20 && other < area / 2);
    free(again.rgb);
    free(lined.rgb);
    free(plain.rgb);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(streamlines_go_around_solids, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(values_lie_where_they_belong, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(signed_values_diverge_from_zero, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(size_is_what_is_asked_for, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(size_follows_the_cells, make_folder, remove_folder),
        cmocka_unit_test(planes_stay_in_the_domain),
        cmocka_unit_test_setup_teardown(tells_full_disk, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
