/* What a run tells that does not begin for some time, or a check that is not over: nothing at first, then
 * what it is doing, ever less often, and nothing once it has begun. */
#include "src/common/set_up_notice.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

enum { SECOND = 1000000 };

/* Standard error goes to the file until weir_set_up_notice_end. */
static FILE *file;
static int kept;

static void listen(void) {
    file = tmpfile();
    assert_non_null(file);
    fflush(stderr);
    kept = dup(STDERR_FILENO);
    dup2(fileno(file), STDERR_FILENO);
}

static void hear(char *text, size_t size) {
    fflush(stderr);
    dup2(kept, STDERR_FILENO);
    close(kept);
    rewind(file);
    text[fread(text, 1, size - 1, file)] = '\0';
    fclose(file);
}

static int lines_of(const char *text) {
    int lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

static void test_short(void **state) {
    (void)state;
    char text[512];
    struct weir_set_up_notice notice;
    listen();
    weir_set_up_notice_begin(&notice, "setting up", "reading", 60, 60);
    weir_set_up_notice_stage(&notice, "thinking");
    weir_set_up_notice_end(&notice); /* does not wait for the minute */
    weir_set_up_notice_end(&notice);
    hear(text, sizeof text);
    assert_string_equal(text, "");
}

/* Lines are due after 0.3, 0.6, 1.2 and 2.4 seconds, late ones on a machine that has other things to do. */
static void test_long(void **state) {
    (void)state;
    char text[1024];
    struct weir_set_up_notice notice;
    listen();
    weir_set_up_notice_begin(&notice, "checking", "reading", 0.3, 60);
    usleep(SECOND * 9 / 10);
    weir_set_up_notice_stage(&notice, "thinking");
    usleep(SECOND);
    weir_set_up_notice_end(&notice);
    usleep(SECOND);
    hear(text, sizeof text);
    assert_in_range(lines_of(text), 2, 3);
    const char *reading = "checking for 0:00: reading\n", *thinking = strstr(text, ": thinking\n");
    assert_memory_equal(text, reading, strlen(reading));
    assert_non_null(thinking);
    assert_null(strstr(thinking, "reading"));
}

static void test_nobody(void **state) {
    (void)state;
    weir_set_up_notice_stage(NULL, "reading");
    weir_set_up_notice_end(NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_short), cmocka_unit_test(test_long),
                                       cmocka_unit_test(test_nobody)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
