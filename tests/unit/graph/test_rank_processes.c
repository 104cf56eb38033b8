/* What the system says of the processes of other ranks of this host. */
#include "graph/ranks/rank_processes.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

/* A process that does nothing, or turns in a circle: by its main thread. */
static pid_t start(bool busy) {
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        for (;;)
            if (!busy)
                pause();
    return child;
}

static void end(pid_t child) {
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

/* It takes the system a moment to come to it. */
static void wait_for(int number, enum weir_process_state state) {
    const struct weir_rank_processes processes = {.count = 1, .number = &number};
    enum weir_process_state got = weir_rank_process_state(&processes, 0);
    for (int tick = 0; got != state && tick < 3000; tick++, got = weir_rank_process_state(&processes, 0))
        usleep(10000);
    assert_int_equal(got, state);
    for (int tick = 0; weir_rank_process_state_in_handler(&processes, 0) != state && tick < 3000; tick++)
        usleep(10000);
    assert_int_equal(weir_rank_process_state_in_handler(&processes, 0), state);
}

static void who_turns_in_a_circle_is_runnable(void **state) {
    (void)state;
    const pid_t child = start(true);
    wait_for(child, WEIR_PROCESS_RUNNABLE);
    end(child);
}

static void who_does_nothing_waits(void **state) {
    (void)state;
    const pid_t child = start(false);
    wait_for(child, WEIR_PROCESS_WAITS);
    end(child);
}

static void who_was_stopped_is_not_runnable(void **state) {
    (void)state;
    const pid_t child = start(true);
    kill(child, SIGSTOP);
    wait_for(child, WEIR_PROCESS_STOPPED);
    end(child);
}

static void who_has_gone_is_not_runnable(void **state) {
    (void)state;
    const pid_t child = start(true);
    end(child);
    wait_for(child, WEIR_PROCESS_WAITS);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_turns_in_a_circle_is_runnable),
        cmocka_unit_test(who_does_nothing_waits),
        cmocka_unit_test(who_was_stopped_is_not_runnable),
        cmocka_unit_test(who_has_gone_is_not_runnable),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
