/* What follows from what ranks tell of themselves. */
#include "graph/ranks/rank_signs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

enum { RANKS = 4 };
static const double timeout = 10, now = 1000;

/* All heard a second ago, computing, after 50 steps. */
static void all_well(struct weir_rank_sign signs[RANKS]) {
    for (int rank = 0; rank < RANKS; rank++)
        signs[rank] = (struct weir_rank_sign){.heard = now - 1, .done = 50, .promised = -1};
}

/* wanted: one letter per rank, x for a culprit. */
static void check(const struct weir_rank_sign *signs, enum weir_rank_trouble trouble, const char *wanted) {
    bool culprit[RANKS];
    char got[RANKS + 1] = "";
    memset(culprit, 1, sizeof culprit);
    assert_int_equal(weir_rank_signs_judge(signs, RANKS, now, timeout, culprit), trouble);
    for (int rank = 0; rank < RANKS && trouble != WEIR_RANKS_WELL; rank++)
        got[rank] = culprit[rank] ? 'x' : '.';
    assert_string_equal(got, wanted);
    assert_int_equal(weir_rank_signs_judge(signs, RANKS, now, 0, culprit), WEIR_RANKS_WELL);
}

static void who_gives_signs_is_well(void **state) {
    (void)state;
    struct weir_rank_sign signs[RANKS];
    all_well(signs);
    check(signs, WEIR_RANKS_WELL, "");
    signs[2].heard = now - timeout; /* late, but in time */
    check(signs, WEIR_RANKS_WELL, "");
}

static void the_silent_are_named_not_those_who_wait_for_them(void **state) {
    (void)state;
    struct weir_rank_sign signs[RANKS];
    all_well(signs);
    for (int rank = 0; rank < RANKS; rank++)
        signs[rank].idle = timeout + 2;
    signs[0].done = 48; /* the fewest, and not to blame */
    signs[2].heard = now - timeout - 1;
    check(signs, WEIR_RANKS_SILENT, "..x.");
    signs[3].heard = now - timeout - 5;
    check(signs, WEIR_RANKS_SILENT, "..xx");
}

static void the_dead_are_named_first_and_without_a_timeout(void **state) {
    (void)state;
    struct weir_rank_sign signs[RANKS];
    bool culprit[RANKS];
    all_well(signs);
    signs[1].heard = now - timeout - 1;
    signs[3].dead = true;
    for (int never = 0; never < 2; never++) {
        assert_int_equal(weir_rank_signs_judge(signs, RANKS, now, never ? 0 : timeout, culprit),
                         WEIR_RANKS_DEAD);
        for (int rank = 0; rank < RANKS; rank++)
            assert_int_equal(culprit[rank], rank == 3);
    }
}

static void slow_ranks_are_well(void **state) {
    (void)state;
    struct weir_rank_sign signs[RANKS];
    all_well(signs);
    for (int rank = 0; rank < RANKS; rank++)
        signs[rank].idle = rank == 1 ? 0 : 100 * timeout; /* all wait for rank 1, which computes */
    check(signs, WEIR_RANKS_WELL, "");
    signs[1].idle = timeout; /* it has just begun to wait */
    check(signs, WEIR_RANKS_WELL, "");
}

static void ranks_that_all_wait_are_stuck(void **state) {
    (void)state;
    struct weir_rank_sign signs[RANKS];
    all_well(signs);
    for (int rank = 0; rank < RANKS; rank++)
        signs[rank].idle = timeout + 1 + rank;
    signs[1].done = signs[3].done = 49;
    check(signs, WEIR_RANKS_STUCK, ".x.x");
}

static void who_slept_himself_blames_nobody(void **state) {
    (void)state;
    struct weir_rank_sign signs[RANKS];
    all_well(signs);
    for (int rank = 0; rank < RANKS; rank++)
        signs[rank].heard = now - 3601; /* an hour's sleep after the last sign */
    signs[3].heard -= timeout;          /* had been silent before */
    weir_rank_signs_excuse(signs, RANKS, 3600);
    check(signs, WEIR_RANKS_SILENT, "...x");
}

static void the_stop_is_where_the_fastest_is(void **state) {
    (void)state;
    struct weir_rank_sign signs[RANKS];
    all_well(signs);
    const int64_t promised[RANKS] = {60, 52, 77, 51};
    for (int rank = 0; rank < RANKS; rank++) {
        assert_int_equal(weir_rank_signs_stop(signs, RANKS), -1);
        signs[rank].promised = promised[rank];
    }
    assert_int_equal(weir_rank_signs_stop(signs, RANKS), 77);
    for (int rank = 0; rank < RANKS; rank++)
        signs[rank].promised = 0; /* interrupted before the first step */
    assert_int_equal(weir_rank_signs_stop(signs, RANKS), 0);
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
