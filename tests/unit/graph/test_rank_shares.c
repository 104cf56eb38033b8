/* Cores and GPUs of a host, divided among its ranks. */
#include "graph/plan/rank_shares.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>

enum { RANKS_MAX = 16, THINGS_MAX = 64 };

/* Sets are written as one letter per thing: x may be used or is got, . not. */
static void check(int ranks, const char *const *may_text, const char *const *wanted) {
    bool may[RANKS_MAX * THINGS_MAX], gets[RANKS_MAX * THINGS_MAX];
    const int count = (int)strlen(may_text[0]);
    for (int rank = 0; rank < ranks; rank++)
        for (int thing = 0; thing < count; thing++)
            may[rank * count + thing] = may_text[rank][thing] == 'x';
    memset(gets, 1, sizeof gets);
    assert_int_equal(weir_rank_shares(ranks, count, may, gets), 0);
    for (int rank = 0; rank < ranks; rank++) {
        char got[THINGS_MAX + 1] = "";
        for (int thing = 0; thing < count; thing++)
            got[thing] = gets[rank * count + thing] ? 'x' : '.';
        assert_string_equal(got, wanted[rank]);
    }
}

static void who_shares_nothing_keeps_all(void **state) {
    (void)state;
    const char *const apart[] = {"x..x....", ".xx.....", ".....xx."};
    check(3, apart, apart);
    const char *const alone[] = {".xx.xxxx"};
    check(1, alone, alone);
}

static void all_is_divided_evenly(void **state) {
    (void)state;
    check(2, (const char *const[]){"xxxxxxxx", "xxxxxxxx"}, (const char *const[]){"xxxx....", "....xxxx"});
    check(3, (const char *const[]){"xxxxxxxx", "xxxxxxxx", "xxxxxxxx"},
          (const char *const[]){"xxx.....", "...xxx..", "......xx"});
    /* What nobody may use stays out. */
    check(2, (const char *const[]){".xx..xx.", ".xx..xx."}, (const char *const[]){".xx.....", ".....xx."});
}

/* As mpirun --map-by socket --bind-to socket leaves them. */
static void groups_are_divided_apart(void **state) {
    (void)state;
    check(4, (const char *const[]){"xxxx....", "....xxxx", "xxxx....", "....xxxx"},
          (const char *const[]){"xx......", "....xx..", "..xx....", "......xx"});
}

static void sharing_goes_through_others(void **state) {
    (void)state;
    check(3, (const char *const[]){"xxx...", "..xxx.", "....xx"},
          (const char *const[]){"xx....", "..xx..", "....xx"});
    /* The last joins two groups that were apart. */
    check(3, (const char *const[]){"xx....", "....xx", ".xxxx."},
          (const char *const[]){"xx....", "..xx..", "....xx"});
}

static void too_few_are_spread(void **state) {
    (void)state;
    check(4, (const char *const[]){"xx", "xx", "xx", "xx"}, (const char *const[]){"x.", "..", ".x", ".."});
    check(2, (const char *const[]){"..", ".."}, (const char *const[]){"..", ".."});
    check(3, (const char *const[]){"x", "x", "x"}, (const char *const[]){"x", ".", "."});
}

/* Any sets: nothing twice, nothing lost, within a group as even as can be. */
static void random_sets_are_divided_once(void **state) {
    (void)state;
    bool may[RANKS_MAX * THINGS_MAX], gets[RANKS_MAX * THINGS_MAX];
    srand(1);
    for (int round = 0; round < 500; round++) {
        const int ranks = 1 + rand() % RANKS_MAX, count = 1 + rand() % THINGS_MAX, rarity = 1 + rand() % 40;
        for (int k = 0; k < ranks * count; k++)
            may[k] = rand() % rarity == 0;
        assert_int_equal(weir_rank_shares(ranks, count, may, gets), 0);
        for (int thing = 0; thing < count; thing++) {
            int wanted = 0, owners = 0;
            for (int rank = 0; rank < ranks; rank++) {
                wanted += may[rank * count + thing];
                owners += gets[rank * count + thing];
            }
            assert_int_equal(owners, wanted > 0);
        }
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_shares_nothing_keeps_all), cmocka_unit_test(all_is_divided_evenly),
        cmocka_unit_test(groups_are_divided_apart),     cmocka_unit_test(sharing_goes_through_others),
        cmocka_unit_test(too_few_are_spread),           cmocka_unit_test(random_sets_are_divided_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
