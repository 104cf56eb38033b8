/* What StarPU takes for handles, measured, against what is said of blocks. */
#include "codelets/task_kind.h"
#include "graph/problem/problem.h"
#include "graph/runtime/allocations.h"
#include "graph/runtime/bookkeeping.h"

#include <malloc.h>
#include <setjmp.h>
#include <starpu.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

enum { HANDLES = 2000, OF_A_BLOCK = 16 /* in D3Q27 */ };

static double memory_now(void) {
    const struct mallinfo2 memory = mallinfo2();
    return (double)memory.uordblks + (double)memory.hblkhd;
}

/* The books of a block are those of its handles and of some tasks of 5 to 6 kB. */
static void test_books_are_as_large_as_said(void **state) {
    (void)state;
    static starpu_data_handle_t handles[HANDLES];
    struct weir_problem problem;
    weir_problem_default(&problem);
    problem.lattice = WEIR_D3Q27;
    const double before = memory_now();
    for (int k = 0; k < HANDLES; k++)
        handles[k] = weir_register_bytes(64);
    const double of_handles = OF_A_BLOCK * (memory_now() - before) / HANDLES,
                 said = weir_bookkeeping_bytes(&problem, false);
    assert_true(of_handles > 0);
    assert_true(said > of_handles);
    assert_true(said < 1.1 * of_handles + 70e3);
    for (int k = 0; k < HANDLES; k++)
        starpu_data_unregister_no_coherency(handles[k]);
}

static int start(void **state) {
    struct starpu_conf options;
    (void)state;
    starpu_conf_init(&options);
    options.ncpus = 1;
    return starpu_init(&options);
}

static int stop(void **state) {
    (void)state;
    starpu_shutdown();
    return 0;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_books_are_as_large_as_said)};
    return cmocka_run_group_tests(tests, start, stop);
}
