/* The vorticity of a plane: exact for rotation and shear, one-sided beside solids and edges. */
#include "src/output/vorticity.h"
#include "tests/unit/assert_close.h"

enum { WIDTH = 5, HEIGHT = 5 };

static void fill(double *across, double *up, int solid) {
    for (int i = 0; i < WIDTH * HEIGHT; i++) {
        double x = i % WIDTH, y = i / WIDTH;
        across[i] = i == solid ? NAN : 0.1 * x - 0.3 * y;
        up[i] = i == solid ? NAN : 0.5 * x + 0.2 * y;
    }
}

/* Solids on even places leave every fluid cell a neighbour on both axes. */
static void is_exact_for_linear_flow(void **state) {
    (void)state;
    double across[WIDTH * HEIGHT], up[WIDTH * HEIGHT], vorticity[WIDTH * HEIGHT];
    for (int solid = 0; solid < WIDTH * HEIGHT; solid++) {
        if (solid % WIDTH % 2 || solid / WIDTH % 2)
            continue;
        fill(across, up, solid);
        weir_vorticity(across, up, WIDTH, HEIGHT, 1.0, vorticity);
        for (int i = 0; i < WIDTH * HEIGHT; i++)
            if (i == solid)
                assert_true(isnan(vorticity[i]));
            else
                assert_close(vorticity[i], 0.8, 1e-12);
    }
    fill(across, up, -1);
    weir_vorticity(across, up, WIDTH, HEIGHT, -1.0, vorticity);
    assert_close(vorticity[7], -0.8, 1e-12);
}

static void lone_cells_do_not_turn(void **state) {
    (void)state;
    static const double across[3] = {NAN, 0.1, NAN}, up[3] = {NAN, 0.2, NAN};
    double vorticity[3];
    weir_vorticity(across, up, 3, 1, 1.0, vorticity);
    assert_true(vorticity[1] == 0.0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_exact_for_linear_flow),
        cmocka_unit_test(lone_cells_do_not_turn),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
