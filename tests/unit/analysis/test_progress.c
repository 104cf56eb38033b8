/* What is told while a run goes on. */
#include "graph/simulation.h"
#include "src/run/progress.h"
#include "tests/unit/assert_close.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* What weir_progress_moves writes to standard error. */
static void told(struct weir_progress *progress, int64_t step, const struct weir_rank_moves *moves,
                 struct weir_warnings *warnings, char *text, size_t size) {
    FILE *file = tmpfile();
    assert_non_null(file);
    fflush(stderr);
    const int error_output = dup(STDERR_FILENO);
    dup2(fileno(file), STDERR_FILENO);
    weir_progress_moves(progress, step, moves, warnings);
    fflush(stderr);
    dup2(error_output, STDERR_FILENO);
    close(error_output);
    rewind(file);
    text[fread(text, 1, size - 1, file)] = '\0';
    fclose(file);
}

static void test_moves_are_told_once(void **state) {
    (void)state;
    char text[512];
    struct weir_warnings warnings = {.quiet = false};
    struct weir_progress progress;
    struct weir_rank_moves moves = {0};
    weir_progress_start(&progress, false, 0, 100, 1000, 153, 0);
    told(&progress, 3, &moves, &warnings, text, sizeof text);
    assert_string_equal(text, "");
    moves = (struct weir_rank_moves){.blocks = 12, .times = 1, .last_blocks = 12, .last_seconds = 0.25};
    told(&progress, 40, &moves, &warnings, text, sizeof text);
    assert_string_equal(text, "step 40: 12 blocks moved between ranks in 0.25 s\n");
    told(&progress, 41, &moves, &warnings, text, sizeof text);
    assert_string_equal(text, "");
    moves.times++;
    moves.last_blocks = 1;
    told(&progress, 80, &moves, &warnings, text, sizeof text);
    assert_string_equal(text, "step 80: 1 block moved between ranks in 0.25 s\n");
    assert_null(warnings.list);
}

static void test_a_refusal_is_told_once(void **state) {
    (void)state;
    char text[512];
    struct weir_warnings warnings = {.quiet = false};
    struct weir_progress progress;
    const int64_t gib = 1 << 30;
    struct weir_rank_moves moves = {.refusals = 1,
                                    .lacking = {.wanted = 3 * gib, .there = gib / 2, .rank = 5}};
    weir_progress_start(&progress, false, 0, 100, 1000, 153, 0);
    told(&progress, 40, &moves, &warnings, text, sizeof text);
    assert_non_null(strstr(text, "rank 5 needs 3.0 GiB of main memory for them and has 0.5 GiB\n"));
    moves.refusals = 2;
    told(&progress, 80, &moves, &warnings, text, sizeof text);
    assert_string_equal(text, "");
    assert_int_equal(json_array_size(warnings.list), 1);
    weir_warnings_release(&warnings);
}

/* But kept for the summary. */
static void test_quiet(void **state) {
    (void)state;
    char text[512];
    struct weir_warnings warnings = {.quiet = true};
    struct weir_progress progress;
    const struct weir_rank_moves moves = {.times = 1, .refusals = 1};
    weir_progress_start(&progress, true, 0, 100, 1000, 153, 0);
    told(&progress, 40, &moves, &warnings, text, sizeof text);
    assert_string_equal(text, "");
    assert_int_equal(json_array_size(warnings.list), 1);
    weir_warnings_release(&warnings);
}

/* A run that goes on from step 900 has done 10 steps at 910, not 910. */
static void test_time_left_is_that_of_steps_done_here(void **state) {
    (void)state;
    struct weir_progress progress;
    weir_progress_start(&progress, true, 900, 1000, 1000, 153, 0);
    progress.older.seconds -= 20;
    const double left = weir_progress_left(&progress, 910);
    assert_true(left >= 180 && left < 180 + 9 * 10);
}

/* What was slow at the beginning does not count for ever. */
static void test_time_left_is_by_the_speed_of_late(void **state) {
    (void)state;
    struct weir_progress progress;
    weir_progress_start(&progress, true, 0, 1000, 1000, 153, 0);
    progress.start -= 1000;
    progress.older = (struct weir_progress_mark){progress.older.seconds - 20, 400};
    const double left = weir_progress_left(&progress, 600);
    assert_true(left >= 40 && left < 40 + 2 * 10);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_moves_are_told_once),
        cmocka_unit_test(test_a_refusal_is_told_once),
        cmocka_unit_test(test_quiet),
        cmocka_unit_test(test_time_left_is_that_of_steps_done_here),
        cmocka_unit_test(test_time_left_is_by_the_speed_of_late),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
