/* cmocka, with the assertion it lacks: two doubles that differ by no more than a tolerance. NaN is close to
 * nothing. */
#ifndef WEIR_TESTS_ASSERT_CLOSE_H
#define WEIR_TESTS_ASSERT_CLOSE_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#define assert_close(value, expected, tolerance)                                  \
    do {                                                                          \
        const double is_ = (value), should_ = (expected), off_ = (tolerance);     \
        if (!(fabs(is_ - should_) <= off_))                                       \
            fail_msg("%s is %.17g, not %.17g +- %g", #value, is_, should_, off_); \
    } while (0)

#endif
