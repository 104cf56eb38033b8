/* What of its cores' time a process lost to others. */
#include "graph/base/core_use.h"

#include "graph/base/clock.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void near(double value, double expected) {
    if (!(fabs(value - expected) <= 1e-9))
        fail_msg("%.12g is not %.12g", value, expected);
}

/* Ten seconds on so many cores from `first` on. */
static struct weir_core_span span(int first, int cores, double own, double busy, double waited) {
    struct weir_core_span span = {
        .seconds = 10, .own = own, .busy = busy, .waited = waited, .switches = 100, .cores = cores};
    for (int core = first; core < first + cores; core++)
        span.set[core / 64] |= (uint64_t)1 << core % 64;
    return span;
}

static void test_alone(void **state) {
    (void)state;
    struct weir_core_span s = span(0, 2, 15, 18, 2);
    struct weir_core_loss loss = weir_core_span_loss(&s, 0);
    near(loss.others, 3.0 / 20);
    near(loss.waited, 2.0 / 20);
    near(loss.lost, 2.0 / 20);
    near(loss.switches, 5);

    s = span(0, 2, 19, 19.015,
             30); /* threads of our own that wait for each other; ticks are not that exact */
    loss = weir_core_span_loss(&s, 0);
    near(loss.others, 0);
    near(loss.waited, 1.5);
    near(loss.lost, 0);

    s = span(0, 2, 15, 18, -0.1); /* a thread has ended */
    near(weir_core_span_loss(&s, 0).lost, 0);
    s.waited = NAN; /* not told: not known */
    assert_true(isnan(weir_core_span_loss(&s, 0).lost));
    near(weir_core_span_loss(&s, 0).others, 3.0 / 20);
    s = span(0, 0, 15, 18, 1);
    assert_true(isnan(weir_core_span_loss(&s, 0).others));
}

/* Ranks that share cores are no others to each other; those on other cores, or hosts, have no part in it. */
static void test_ranks(void **state) {
    (void)state;
    const struct weir_core_span together[] = {span(70, 2, 8, 19, 9), span(70, 2, 11, 19, 7)};
    const char *const here[] = {"a", "a", "a"}, *const apart[] = {"a", "b"};
    near(weir_core_spans_loss(together, here, 2).lost, 0);
    near(weir_core_spans_loss(together, apart, 2).lost, 9.0 / 20);

    const struct weir_core_span beside[] = {span(0, 2, 18, 18, 1), span(2, 2, 10, 18, 6),
                                            span(4, 2, 18, 19, 1)};
    near(weir_core_spans_loss(beside, here, 3).others, 8.0 / 20);
    near(weir_core_spans_loss(beside, here, 3).lost, 6.0 / 20);
}

/* Of this process: its own time grows while it computes, and a span of nothing has none. */
static void test_reading(void **state) {
    (void)state;
    static struct weir_core_use before, after;
    weir_core_use_read(&before);
    volatile double sum = 0;
    for (const double start = weir_seconds(); weir_seconds() - start < 0.05;)
        sum += 1;
    weir_core_use_read(&after);
    const struct weir_core_span s = weir_core_use_between(&before, &after);
    assert_true(s.seconds >= 0.05 && s.own > 0 && s.own <= s.seconds + 0.02);
    assert_true(s.cores >= 1);
    assert_true(isnan(s.waited) || s.waited >= 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alone),
        cmocka_unit_test(test_ranks),
        cmocka_unit_test(test_reading),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
