/* What the peak of arithmetic is measured with does all that is counted, on cores and on GPUs: so many
 * numbers have been multiplied and added to so often. */
#include "tests/unit/assert_close.h"

#include "codelets/kernels/cuda/shapes.h"
#include "codelets/kernels/demand/find.h"

enum { ROUNDS = 1000, GPU_THREADS = 3, GPU_TURNS = 5 };

static double first(int number) {
    return 1 + 0.01 * number;
}

/* In one rounding, or in two where the instruction set has no other way. GPUs have the former. */
#define CHECKS(precision, real, fused, number)                                                           \
    static real after_##precision(real x, int times, bool in_one) {                                      \
        const real factor = (real)-1e-7;                                                                 \
        for (int k = 0; k < times; k++) {                                                                \
            const volatile real product = x * factor;                                                    \
            x = in_one ? fused(x, factor, x) : x + product;                                              \
        }                                                                                                \
        return x;                                                                                        \
    }                                                                                                    \
    static void test_##precision##_on_cpu(void **state) {                                                \
        enum { ALL = WEIR_CHAINS_BYTES / sizeof(real) };                                                 \
        struct weir_kernel_news news;                                                                    \
        const struct weir_arithmetic_kernels *const kernels = weir_arithmetic_kernels_find(&news);       \
        _Alignas(64) real values[ALL];                                                                   \
        (void)state;                                                                                     \
        if (!kernels)                                                                                    \
            fail_msg("%s", news.error);                                                                  \
        for (int k = 0; k < ALL; k++)                                                                    \
            values[k] = (real)first(k);                                                                  \
        const double operations = kernels->multiply_adds[number](values, ROUNDS);                        \
        const int taken = (int)(operations / (2 * ROUNDS));                                              \
        assert_true(taken >= 8 && taken <= ALL && operations == 2.0 * ROUNDS * taken);                   \
        for (int k = 0; k < ALL; k++) {                                                                  \
            const int times = k < taken ? ROUNDS : 0;                                                    \
            const real begin = (real)first(k);                                                           \
            if (values[k] != after_##precision(begin, times, true) &&                                    \
                values[k] != after_##precision(begin, times, false))                                     \
                fail_msg("number %d of %d is %.17g", k, taken, (double)values[k]);                       \
        }                                                                                                \
    }                                                                                                    \
    void weir_gpu_multiply_adds_##precision(unsigned threads, unsigned thread, real *values, int turns); \
    static void test_##precision##_on_gpu(void **state) {                                                \
        enum { ALL = WEIR_CHAINS * GPU_THREADS };                                                        \
        real values[ALL];                                                                                \
        (void)state;                                                                                     \
        for (int k = 0; k < ALL; k++)                                                                    \
            values[k] = (real)first(k);                                                                  \
        for (unsigned thread = 0; thread < GPU_THREADS; thread++)                                        \
            weir_gpu_multiply_adds_##precision(GPU_THREADS, thread, values, GPU_TURNS);                  \
        for (int k = 0; k < ALL; k++)                                                                    \
            assert_true(values[k] ==                                                                     \
                        after_##precision((real)first(k), GPU_TURNS * WEIR_ROUNDS_OF_TURN, true));       \
    }
CHECKS(single, float, fmaf, WEIR_SINGLE)
CHECKS(double, double, fma, WEIR_DOUBLE)

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_single_on_cpu), cmocka_unit_test(test_double_on_cpu),
        cmocka_unit_test(test_single_on_gpu), cmocka_unit_test(test_double_on_gpu)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
