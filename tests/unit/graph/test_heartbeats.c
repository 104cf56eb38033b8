/* What follows from what ranks tell of themselves. */
#include "graph/ranks/heartbeats.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

enum { RANKS = 4 };
static const double timeout = 10, now = 1000;

/* All heard a second ago, computing, after 50 steps. */
static void all_well(struct weir_heartbeat heartbeats[RANKS]) {
    for (int rank = 0; rank < RANKS; rank++)
        heartbeats[rank] = (struct weir_heartbeat){.heard = now - 1, .done = 50, .promised = -1};
}

/* wanted: one message per rank, x for a culprit. */
static void check(const struct weir_heartbeat *heartbeats, enum weir_rank_trouble trouble,
                  const char *wanted) {
    bool culprit[RANKS];
    char got[RANKS + 1] = "";
    memset(culprit, 1, sizeof culprit);
    assert_int_equal(weir_heartbeats_judge(heartbeats, RANKS, now, timeout, culprit), trouble);
    for (int rank = 0; rank < RANKS && trouble != WEIR_RANKS_WELL; rank++)
        got[rank] = culprit[rank] ? 'x' : '.';
    assert_string_equal(got, wanted);
    assert_int_equal(weir_heartbeats_judge(heartbeats, RANKS, now, 0, culprit), WEIR_RANKS_WELL);
}

static void who_gives_signs_is_well(void **state) {
    (void)state;
    struct weir_heartbeat heartbeats[RANKS];
    all_well(heartbeats);
    check(heartbeats, WEIR_RANKS_WELL, "");
    heartbeats[2].heard = now - timeout; /* late, but in time */
    check(heartbeats, WEIR_RANKS_WELL, "");
}

static void the_silent_are_named_not_those_who_wait_for_them(void **state) {
    (void)state;
    struct weir_heartbeat heartbeats[RANKS];
    all_well(heartbeats);
    for (int rank = 0; rank < RANKS; rank++)
        heartbeats[rank].idle = timeout + 2;
    heartbeats[0].done = 48; /* the fewest, and not to blame */
    heartbeats[2].heard = now - timeout - 1;
    check(heartbeats, WEIR_RANKS_SILENT, "..x.");
    heartbeats[3].heard = now - timeout - 5;
    check(heartbeats, WEIR_RANKS_SILENT, "..xx");
}

static void the_dead_are_named_first_and_without_a_timeout(void **state) {
    (void)state;
    struct weir_heartbeat heartbeats[RANKS];
    bool culprit[RANKS];
    all_well(heartbeats);
    heartbeats[1].heard = now - timeout - 1;
    heartbeats[3].dead = true;
    for (int never = 0; never < 2; never++) {
        assert_int_equal(weir_heartbeats_judge(heartbeats, RANKS, now, never ? 0 : timeout, culprit),
                         WEIR_RANKS_DEAD);
        for (int rank = 0; rank < RANKS; rank++)
            assert_int_equal(culprit[rank], rank == 3);
    }
}

static void slow_ranks_are_well(void **state) {
    (void)state;
    struct weir_heartbeat heartbeats[RANKS];
    all_well(heartbeats);
    for (int rank = 0; rank < RANKS; rank++)
        heartbeats[rank].idle = rank == 1 ? 0 : 100 * timeout; /* all wait for rank 1, which computes */
    check(heartbeats, WEIR_RANKS_WELL, "");
    heartbeats[1].idle = timeout; /* it has just begun to wait */
    check(heartbeats, WEIR_RANKS_WELL, "");
}

static void ranks_that_all_wait_are_stuck(void **state) {
    (void)state;
    struct weir_heartbeat heartbeats[RANKS];
    all_well(heartbeats);
    for (int rank = 0; rank < RANKS; rank++)
        heartbeats[rank].idle = timeout + 1 + rank;
    heartbeats[1].done = heartbeats[3].done = 49;
    check(heartbeats, WEIR_RANKS_STUCK, ".x.x");
}

static void who_slept_himself_blames_nobody(void **state) {
    (void)state;
    struct weir_heartbeat heartbeats[RANKS];
    all_well(heartbeats);
    for (int rank = 0; rank < RANKS; rank++)
        heartbeats[rank].heard = now - 3601; /* an hour's sleep after the last heartbeat */
    heartbeats[3].heard -= timeout;          /* had been silent before */
    weir_heartbeats_excuse(heartbeats, RANKS, 3600);
    check(heartbeats, WEIR_RANKS_SILENT, "...x");
}

static void the_stop_is_where_the_fastest_is(void **state) {
    (void)state;
    struct weir_heartbeat heartbeats[RANKS];
    all_well(heartbeats);
    const int64_t promised[RANKS] = {60, 52, 77, 51};
    for (int rank = 0; rank < RANKS; rank++) {
        assert_int_equal(weir_heartbeats_stop(heartbeats, RANKS), -1);
        heartbeats[rank].promised = promised[rank];
    }
    assert_int_equal(weir_heartbeats_stop(heartbeats, RANKS), 77);
    for (int rank = 0; rank < RANKS; rank++)
        heartbeats[rank].promised = 0; /* interrupted before the first step */
    assert_int_equal(weir_heartbeats_stop(heartbeats, RANKS), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_gives_signs_is_well),
        cmocka_unit_test(the_silent_are_named_not_those_who_wait_for_them),
        cmocka_unit_test(the_dead_are_named_first_and_without_a_timeout),
        cmocka_unit_test(slow_ranks_are_well),
        cmocka_unit_test(ranks_that_all_wait_are_stuck),
        cmocka_unit_test(who_slept_himself_blames_nobody),
        cmocka_unit_test(the_stop_is_where_the_fastest_is),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
