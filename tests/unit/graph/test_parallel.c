/* Work at set-up is shared among the cores of the process, wherever the thread is bound that hands it out. */
#include "graph/base/parallel.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

enum { ITEMS = 40 };

struct items {
    atomic_int done[ITEMS];
    atomic_int wide; /* done by threads that may run on several cores */
};

static void work(void *context, int k) {
    struct items *items = context;
    cpu_set_t mine;
    if (sched_getaffinity(0, sizeof mine, &mine) == 0 && CPU_COUNT(&mine) > 1)
        atomic_fetch_add(&items->wide, 1);
    atomic_fetch_add(&items->done[k], 1);
    usleep(2000); /* so that others come to it */
}

/* How many items such threads have done. */
static int share(int threads) {
    struct items items = {.wide = 0};
    weir_parallel(threads, ITEMS, work, &items);
    for (int k = 0; k < ITEMS; k++)
        assert_int_equal(items.done[k], 1);
    return items.wide;
}

/* Leaves the thread on the first of its cores. */
static void bind(const cpu_set_t *all) {
    cpu_set_t one;
    size_t core = 0;
    while (!CPU_ISSET(core, all))
        core++;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
}

static void test_bound(void **state) {
    (void)state;
    cpu_set_t all;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    if (CPU_COUNT(&all) < 2)
        skip();
    assert_int_equal(share(3), ITEMS);
    bind(&all); /* not noted: others are where this one is */
    assert_int_equal(weir_parallel_cores(), 1);
    assert_int_equal(share(3), 0);
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
    weir_parallel_note_cores();
    bind(&all);
    assert_int_equal(weir_parallel_cores(), CPU_COUNT(&all));
    assert_in_range(share(3), 1, ITEMS - 1);
    assert_int_equal(share(1), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_bound)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
