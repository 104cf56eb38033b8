/* The worker groups of a machine, and shares given by name. */
#include "graph/base/error.h"
#include "graph/plan/worker_groups.h"
#include "tests/unit/assert_close.h"

/* Two GPUs of two workers each, and two teams; workers in the order in which StarPU might list them. */
static void mixed(struct weir_worker_groups *groups) {
    groups->count = 0;
    weir_worker_groups_add(groups, WEIR_WORKER_GROUP_TEAM, 1, 5, 7);
    weir_worker_groups_add(groups, WEIR_WORKER_GROUP_GPU, 0, 0, 0);
    weir_worker_groups_add(groups, WEIR_WORKER_GROUP_GPU, 1, 1, 0);
    weir_worker_groups_add(groups, WEIR_WORKER_GROUP_GPU, 0, 2, 0);
    weir_worker_groups_add(groups, WEIR_WORKER_GROUP_TEAM, 2, 6, 6);
    weir_worker_groups_add(groups, WEIR_WORKER_GROUP_GPU, 1, 3, 0);
}

static void test_list(void **state) {
    (void)state;
    static struct weir_worker_groups groups;
    mixed(&groups);
    assert_int_equal(groups.count, 4);
    const char *const names[] = {"cuda0", "cuda1", "team0", "team1"};
    for (int k = 0; k < 4; k++)
        assert_string_equal(groups.group[k].name, names[k]);
    assert_int_equal(groups.group[0].worker_count, 2);
    assert_int_equal(weir_worker_groups_of_worker(&groups, 3), 1);
    assert_int_equal(weir_worker_groups_of_worker(&groups, 6), 3);
    assert_int_equal(weir_worker_groups_of_worker(&groups, 4), -1);
    char text[WEIR_WORKER_GROUPS_TEXT];
    weir_worker_groups_describe(&groups, text);
    assert_string_equal(text, "2 GPUs and 2 teams of 13 cores in all");
}

static void test_shares_of_kinds(void **state) {
    (void)state;
    static struct weir_worker_groups groups;
    double share[WEIR_WORKER_GROUPS_MAX];
    mixed(&groups);
    const struct weir_named_share named[] = {{"cuda", 0.9}, {"cpu", 0.1}};
    assert_int_equal(weir_worker_groups_shares(&groups, named, 2, share), 0);
    const double expected[] = {0.45, 0.45, 0.05, 0.05};
    for (int k = 0; k < 4; k++)
        assert_true(share[k] > expected[k] - 1e-12 && share[k] < expected[k] + 1e-12);
}

static void test_share_of_a_group_comes_first(void **state) {
    (void)state;
    static struct weir_worker_groups groups;
    double share[WEIR_WORKER_GROUPS_MAX];
    mixed(&groups);
    const struct weir_named_share named[] = {{"cuda", 3}, {"cuda1", 1}};
    assert_int_equal(weir_worker_groups_shares(&groups, named, 2, share), 0);
    assert_true(share[0] == 3 && share[1] == 1 && share[2] == 0 && share[3] == 0);
}

static void test_absent_kinds_leave_their_share(void **state) {
    (void)state;
    static struct weir_worker_groups groups;
    double share[WEIR_WORKER_GROUPS_MAX];
    groups.count = 0;
    weir_worker_groups_add(&groups, WEIR_WORKER_GROUP_CORE, 0, 0, 1);
    weir_worker_groups_add(&groups, WEIR_WORKER_GROUP_CORE, 1, 1, 1);
    const struct weir_named_share named[] = {{"cuda", 9}, {"cpu", 1}};
    assert_int_equal(weir_worker_groups_shares(&groups, named, 2, share), 0);
    assert_true(share[0] == 0.5 && share[1] == 0.5);
    assert_int_equal(weir_worker_groups_shares(&groups, named, 1, share), -WEIR_USAGE);
    const struct weir_named_share alone[] = {{"cpu7", 1}};
    assert_int_equal(weir_worker_groups_shares(&groups, alone, 1, share), -WEIR_USAGE);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_shares_of_kinds),
        cmocka_unit_test(test_share_of_a_group_comes_first),
        cmocka_unit_test(test_absent_kinds_leave_their_share),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
