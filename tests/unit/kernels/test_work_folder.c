/* Folders in which compilers work: many processes make and remove them at once, as ranks and runs side by
 * side do, and each looks for those that others have left. */
#include "tests/unit/temporary.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

enum { PROCESSES = 8, FOLDERS = 60 };

/* In a process of its own: how many could not be made, or were not there when they had been. */
static int make_and_remove(void) {
    int lost = 0;
    for (int k = 0; k < FOLDERS; k++) {
        struct weir_work_folder folder;
        if (weir_work_folder_create(&folder) != 0) {
            perror("weir_work_folder_create");
            lost++;
            continue;
        }
        lost += access(folder.path, W_OK) != 0;
        weir_work_folder_remove(&folder);
    }
    return lost;
}

static void test_side_by_side(void **state) {
    pid_t children[PROCESSES];
    (void)state;
    for (int k = 0; k < PROCESSES; k++) {
        children[k] = fork();
        assert_true(children[k] >= 0);
        if (children[k] == 0)
            _exit(make_and_remove());
    }
    for (int k = 0; k < PROCESSES; k++) {
        int status;
        assert_int_equal(waitpid(children[k], &status, 0), children[k]);
        assert_true(WIFEXITED(status));
        assert_int_equal(WEXITSTATUS(status), 0);
    }
}

/* In a folder of the test's own, where nobody else's folders are left. */
static int set_up(void **state) {
    char *const path = malloc(TEMPORARY_PATH);
    *state = path;
    return path && make_temporary_folder(path) ? setenv("TMPDIR", path, 1) : -1;
}

/* The folder must be empty. */
static int tear_down(void **state) {
    const int result = rmdir(*state);
    free(*state);
    return result;
}

int main(void) {
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(test_side_by_side, set_up, tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
