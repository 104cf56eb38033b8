/* Submitting tasks, under StarPU: what becomes of a task's argument, and what is said where memory is short.
 */
#include "codelets/task_kind.h"
#include "graph/base/error.h"
#include "graph/domain.h"
#include "graph/runtime/allocations.h"
#include "tests/unit/assert_close.h"
#include "tests/unit/find_kernels.h"

#include <errno.h>
#include <string.h>

/* StarPU knows its model until it stops. */
static struct weir_task_kind kind;

struct argument {
    int *seen;
    int value;
};

static void see(void *buffers[], void *argument) {
    (void)buffers;
    const struct argument *a = argument;
    *a->seen = a->value;
}

static void test_argument_is_copied(void **state) {
    (void)state;
    int seen = 0;
    struct argument argument = {&seen, 7};
    const starpu_data_handle_t handle = weir_register_bytes(8);
    assert_int_equal(starpu_data_acquire(handle, STARPU_W), 0);
    struct weir_buffers buffers = {.count = 0};
    weir_buffers_add(&buffers, handle, STARPU_R);
    const struct weir_task_options options = {.argument = &argument, .argument_size = sizeof argument};
    assert_int_equal(weir_task_submit(&kind, &buffers, &options), 0);
    argument.value = 8; /* the task waits for the data */
    assert_int_equal(seen, 0);
    starpu_data_release(handle);
    starpu_task_wait_for_all();
    assert_int_equal(seen, 7);
    starpu_data_unregister(handle);
}

static void test_out_of_memory(void **state) {
    (void)state;
    int seen = 0;
    struct argument argument = {&seen, 7};
    const struct weir_buffers none = {.count = 0};
    const struct weir_task_options options = {.argument = &argument, .argument_size = SIZE_MAX / 4};
    const int result = weir_task_submit(&kind, &none, &options);
    assert_int_equal(result, -ENOMEM);
    assert_int_equal(weir_check_submitted(result, &kind), -WEIR_FAILED);
    assert_non_null(strstr(weir_error_text(), "out of memory while submitting the task see"));
    starpu_task_wait_for_all();
    assert_int_equal(seen, 0);
}

/* Which stops the program instead of returning NULL, unless it is told. */
const char *__asan_default_options(void);
const char *__asan_default_options(void) {
    return "allocator_may_return_null=1";
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_argument_is_copied),
                                       cmocka_unit_test(test_out_of_memory)};
    if (starpu_init(NULL) != 0)
        return 77;
    weir_task_kind_init(&kind, "see", find_kernels(WEIR_D2Q9, WEIR_BGK, WEIR_SINGLE), see, NULL);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    starpu_shutdown();
    return failed;
}
