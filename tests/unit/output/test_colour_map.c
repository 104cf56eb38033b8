/* Colour maps are even: lightness runs one way, and equal steps of a value are equal steps of colour, both
 * computed from the sRGB bytes that end up in pictures. */
#include "src/picture/colour_map.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

/* sRGB to CIELAB (IEC 61966-2-1 and CIE 15, white D65): not the space the maps were made in. */
static void lab_of(const uint8_t rgb[3], double lab[3]) {
    double linear[3], f[3];
    static const double to_xyz[3][3] = {{0.4124564, 0.3575761, 0.1804375},
                                        {0.2126729, 0.7151522, 0.0721750},
                                        {0.0193339, 0.1191920, 0.9503041}};
    static const double white[3] = {0.95047, 1.0, 1.08883};
    for (int i = 0; i < 3; i++) {
        double value = rgb[i] / 255.0;
        linear[i] = value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
    }
    for (int i = 0; i < 3; i++) {
        double t =
            (to_xyz[i][0] * linear[0] + to_xyz[i][1] * linear[1] + to_xyz[i][2] * linear[2]) / white[i];
        f[i] = t > 216.0 / 24389.0 ? cbrt(t) : (24389.0 / 27.0 * t + 16.0) / 116.0;
    }
    lab[0] = 116.0 * f[1] - 16.0;
    lab[1] = 500.0 * (f[0] - f[1]);
    lab[2] = 200.0 * (f[1] - f[2]);
}

static double lightness(const struct weir_colour_map *map, int i) {
    double lab[3];
    lab_of(map->rgb[i], lab);
    return lab[0];
}

/* Lightness is compared over some steps, as one step is about as large as the rounding to bytes. */
enum { STEP = 4 };

static void sequential_gets_lighter(void **state) {
    (void)state;
    struct weir_colour_map map;
    weir_colour_map_sequential(&map);
    double mean = (lightness(&map, WEIR_COLOURS - 1) - lightness(&map, 0)) / (WEIR_COLOURS - 1) * STEP;
    assert_true(lightness(&map, 0) < 20.0 && lightness(&map, WEIR_COLOURS - 1) > 88.0);
    for (int i = STEP; i < WEIR_COLOURS; i++) {
        double step = lightness(&map, i) - lightness(&map, i - STEP);
        assert_true(step > 0.3 * mean && step < 1.7 * mean);
    }
}

static void diverging_gets_darker_to_both_sides(void **state) {
    (void)state;
    struct weir_colour_map map;
    weir_colour_map_diverging(&map);
    int middle = WEIR_COLOURS / 2;
    double mean = (lightness(&map, middle) - lightness(&map, 0)) / middle * STEP;
    assert_true(lightness(&map, middle) > 94.0 && lightness(&map, 0) < 40.0);
    for (int i = STEP; i <= middle; i++) {
        double left = lightness(&map, middle - i + STEP) - lightness(&map, middle - i);
        double right = lightness(&map, middle + i - STEP) - lightness(&map, middle + i);
        assert_true(left > 0.6 * mean && left < 1.4 * mean);
        assert_true(right > 0.6 * mean && right < 1.4 * mean);
        assert_true(fabs(lightness(&map, middle - i) - lightness(&map, middle + i)) < 6.0);
    }
}

static void diverging_is_blue_white_red(void **state) {
    (void)state;
    struct weir_colour_map map;
    weir_colour_map_diverging(&map);
    const uint8_t *blue = weir_colour_map_at(&map, 0.0), *white = weir_colour_map_at(&map, 0.5),
                  *red = weir_colour_map_at(&map, 1.0);
    assert_true(blue[2] > blue[1] && blue[1] > blue[0]);
    assert_true(white[0] == white[1] && white[1] == white[2] && white[0] > 235);
    assert_true(red[0] > 4 * red[1] && red[0] > 4 * red[2]);
}

/* A colour that is pushed to the edge of sRGB, as clamping would, changes hue: no byte of an inner colour may
 * be 0 or 255. */
static void diverging_needs_no_clamping(void **state) {
    (void)state;
    struct weir_colour_map map;
    weir_colour_map_diverging(&map);
    for (int i = 0; i < WEIR_COLOURS; i++)
        for (int channel = 0; channel < 3; channel++)
            assert_true(map.rgb[i][channel] > 0 && map.rgb[i][channel] < 255);
}

static void positions_end_at_the_ends(void **state) {
    (void)state;
    struct weir_colour_map map;
    weir_colour_map_sequential(&map);
    assert_ptr_equal(weir_colour_map_at(&map, -3.0), map.rgb[0]);
    assert_ptr_equal(weir_colour_map_at(&map, 0.25), map.rgb[64]);
    assert_ptr_equal(weir_colour_map_at(&map, 7.0), map.rgb[WEIR_COLOURS - 1]);
    assert_int_equal(map.rgb[0][0], 0x44);
    assert_int_equal(map.rgb[WEIR_COLOURS - 1][0], 0xfd);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sequential_gets_lighter),     cmocka_unit_test(diverging_gets_darker_to_both_sides),
        cmocka_unit_test(diverging_is_blue_white_red), cmocka_unit_test(diverging_needs_no_clamping),
        cmocka_unit_test(positions_end_at_the_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
