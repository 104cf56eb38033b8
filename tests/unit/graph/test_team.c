/* Teams: everything is done once, by as many threads as there are, again and again, after rests too. */
#include "codelets/team.h"
#include "tests/unit/assert_close.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

enum { COUNT = 37 };

struct work {
    atomic_int done[COUNT];
    atomic_int calls;
};

static void mark(void *context, int begin, int end) {
    struct work *work = context;
    atomic_fetch_add(&work->calls, 1);
    for (int k = begin; k < end; k++)
        atomic_fetch_add(&work->done[k], 1);
}

static atomic_int bound;

static void bind(void *context, int thread) {
    (void)context;
    atomic_fetch_add(&bound, thread);
}

static void test_all_is_done_once(void **state) {
    (void)state;
    struct weir_team *team = weir_team_create(4, bind, NULL);
    assert_non_null(team);
    weir_team_wait_started(team);
    assert_int_equal(bound, 1 + 2 + 3);
    weir_team_lead(team);
    static struct work work;
    enum { ROUNDS = 300 };
    for (int round = 0; round < ROUNDS; round++) {
        if (round % 100 == 99) /* long enough that helpers go to sleep */
            nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
        weir_team_divide(mark, &work, COUNT);
        for (int k = 0; k < COUNT; k++)
            assert_int_equal(work.done[k], round + 1);
    }
    assert_true(work.calls >= ROUNDS);
    weir_team_lead(NULL);
    weir_team_destroy(team);
}

static void count_call(void *context) {
    atomic_fetch_add(&((struct work *)context)->calls, 1);
}

static void test_each_thread_once(void **state) {
    (void)state;
    struct work work = {.calls = 0};
    struct weir_team *team = weir_team_create(3, bind, NULL);
    weir_team_all(count_call, &work);
    assert_int_equal(work.calls, 1);
    weir_team_lead(team);
    weir_team_all(count_call, &work);
    assert_int_equal(work.calls, 4);
    weir_team_lead(NULL);
    weir_team_destroy(team);
}

static void test_fewer_pieces_than_threads(void **state) {
    (void)state;
    struct weir_team *team = weir_team_create(3, bind, NULL);
    weir_team_lead(team);
    struct work work = {.calls = 0};
    weir_team_divide(mark, &work, 1);
    assert_int_equal(work.done[0], 1);
    weir_team_divide(mark, &work, 0);
    assert_int_equal(work.calls, 1);
    weir_team_lead(NULL);
    weir_team_destroy(team);
}

static atomic_bool may_come;

static void keep_away(void *context, int thread) {
    (void)context;
    (void)thread;
    while (!may_come)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
}

/* As where something else has the helpers' cores: the leader does it all. */
static void test_who_does_not_come_is_not_waited_for(void **state) {
    (void)state;
    struct weir_team *team = weir_team_create(3, keep_away, NULL);
    weir_team_lead(team);
    struct work work = {.calls = 0};
    for (int round = 0; round < 10; round++)
        weir_team_divide(mark, &work, COUNT);
    for (int k = 0; k < COUNT; k++)
        assert_int_equal(work.done[k], 10);
    may_come = true;
    weir_team_divide(mark, &work, COUNT);
    weir_team_lead(NULL);
    weir_team_destroy(team);
    for (int k = 0; k < COUNT; k++)
        assert_int_equal(work.done[k], 11);
}

static void test_without_team(void **state) {
    (void)state;
    struct work work = {.calls = 0};
    weir_team_divide(mark, &work, COUNT);
    assert_int_equal(work.calls, 1);
    for (int k = 0; k < COUNT; k++)
        assert_int_equal(work.done[k], 1);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_is_done_once),
        cmocka_unit_test(test_each_thread_once),
        cmocka_unit_test(test_fewer_pieces_than_threads),
        cmocka_unit_test(test_who_does_not_come_is_not_waited_for),
        cmocka_unit_test(test_without_team),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
