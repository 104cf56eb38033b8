/* Planes at the size of pictures: linear fields stay linear, averages stay, and solids stay apart. */
#include "src/picture/resample.h"
#include "tests/unit/assert_close.h"

static void resample(const double *values, int width, int height, double *pixels, int columns, int rows) {
    struct weir_resampling *resampling;
    assert_int_equal(weir_resampling_create(values, width, height, columns, rows, &resampling), 0);
    for (int row = 0; row < rows; row++)
        weir_resampling_row(resampling, row, pixels + row * columns);
    weir_resampling_destroy(resampling);
}

static void same_size_copies(void **state) {
    (void)state;
    static const double values[6] = {1, 2, NAN, 4, 5, 6};
    double pixels[6];
    resample(values, 3, 2, pixels, 3, 2);
    for (int i = 0; i < 6; i++)
        assert_true(i == 2 ? isnan(pixels[i]) : pixels[i] == values[i]);
}

static void magnifying_is_linear(void **state) {
    (void)state;
    double values[4 * 3], pixels[40 * 30];
    for (int i = 0; i < 12; i++)
        values[i] = 2.0 * (i % 4 + 0.5) - 3.0 * (i / 4 + 0.5);
    resample(values, 4, 3, pixels, 40, 30);
    for (int row = 0; row < 30; row++)
        for (int column = 0; column < 40; column++) {
            double x = fmin(fmax((column + 0.5) / 10, 0.5), 3.5), y = fmin(fmax((row + 0.5) / 10, 0.5), 2.5);
            assert_close(pixels[row * 40 + column], 2.0 * x - 3.0 * y, 1e-12);
        }
}

static void reducing_keeps_the_mean(void **state) {
    (void)state;
    double values[30 * 20], pixels[7 * 9], sum = 0.0, pixel_sum = 0.0;
    for (int i = 0; i < 600; i++)
        sum += values[i] = sin(i * 0.37) + i % 7;
    resample(values, 30, 20, pixels, 7, 9);
    for (int i = 0; i < 63; i++)
        pixel_sum += pixels[i];
    assert_close(pixel_sum / 63, sum / 600, 1e-12);
}

static void solids_stay_apart(void **state) {
    (void)state;
    static const double values[3] = {NAN, 1.0, 3.0};
    double pixels[9];
    resample(values, 3, 1, pixels, 9, 1);
    for (int i = 0; i < 9; i++)
        assert_true(isnan(pixels[i]) == (i < 3));
    assert_close(pixels[3], 1.0, 1e-12);
    assert_close(pixels[5], 1.0 + 2.0 / 3.0, 1e-12);
    resample(values, 3, 1, pixels, 2, 1);
    assert_true(isnan(pixels[0]));
    assert_close(pixels[1], (0.5 * 1.0 + 3.0) / 1.5, 1e-12);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(same_size_copies),
        cmocka_unit_test(magnifying_is_linear),
        cmocka_unit_test(reducing_keeps_the_mean),
        cmocka_unit_test(solids_stay_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
