/* Of a folder of results only what its list names is ever removed, and one process at a time writes there. */
#include "graph/base/error.h"
#include "src/common/file_list.h"
#include "src/common/results_folder.h"
#include "tests/unit/output_fixture.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static bool is_result(const void *context, const char *name) {
    (void)context;
    return strncmp(name, "result", 6) == 0;
}

static const struct weir_results_use use = {
    .command = "run", .results = "the results of an earlier run", .writes = is_result};
static const struct weir_results_use forced = {
    .command = "run", .results = "the results of an earlier run", .force = true, .writes = is_result};

static void write_text(const char *path, const char *text) {
    FILE *stream = fopen(path, "w");
    fputs(text, stream);
    fclose(stream);
}

static bool there(const char *folder, const char *name) {
    struct stat status;
    return lstat(in_folder(folder, name), &status) == 0;
}

static struct weir_results_folder *opened(const char *path, const struct weir_results_use *how) {
    struct weir_results_folder *folder = NULL;
    const int error = weir_results_folder_open(path, how, &folder);
    if (error != 0)
        print_error("%s\n", weir_error_text());
    assert_int_equal(error, 0);
    return folder;
}

static void put(struct weir_results_folder *folder, const char *name) {
    char *path;
    assert_int_equal(weir_results_folder_file(folder, name, -1, ".csv", &path), 0);
    write_text(path, name);
    free(path);
}

/* Neither the check nor the opening takes this folder, and both say so. */
static void refused(const char *path, const struct weir_results_use *how, const char *words) {
    struct weir_results_folder *folder = NULL;
    assert_int_equal(weir_results_folder_check(path, how), -WEIR_USAGE);
    assert_non_null(strstr(weir_error_text(), words));
    assert_int_equal(weir_results_folder_open(path, how, &folder), -WEIR_USAGE);
    assert_non_null(strstr(weir_error_text(), words));
}

static void refuses_what_is_not_weirs(void **state) {
    write_text(in_folder(*state, "my.csv"), "1");
    refused(*state, &use, "is not empty (\"my.csv\")");
    refused(*state, &forced, "is not empty (\"my.csv\")");
    assert_int_equal(count_files(*state), 1);
    refused(in_folder(*state, "my.csv"), &forced, "is a file; give a folder");

    /* Lists of others. */
    write_text(in_folder(*state, WEIR_FILE_LIST_NAME), "my.csv\n");
    refused(*state, &forced, "is not empty");
    unlink(in_folder(*state, WEIR_FILE_LIST_NAME));
    assert_int_equal(symlink("my.csv", in_folder(*state, WEIR_FILE_LIST_NAME)), 0);
    assert_int_not_equal(weir_results_folder_check(*state, &forced), 0);
    assert_true(there(*state, "my.csv"));
}

static void replaces_what_is_listed_only(void **state) {
    struct weir_results_folder *folder = opened(*state, &use);
    put(folder, "result");
    put(folder, "result_2");
    weir_results_folder_close(folder);
    write_text(in_folder(*state, "my.csv"), "1");
    write_text(in_folder(*state, "result.csv.weir.part"), "what a killed process was writing");
    refused(*state, &use, "holds the results of an earlier run; give --force");
    const struct weir_results_use other = {
        .command = "trace", .results = "", .force = true, .writes = is_result};
    refused(*state, &other, "holds what weir run has written");
    assert_int_equal(count_files(*state), 5);

    folder = opened(*state, &forced);
    assert_int_equal(count_files(*state), 2);
    assert_true(there(*state, "my.csv"));
    put(folder, "result");
    weir_results_folder_close(folder);

    write_text(in_folder(*state, "result_9.csv"), "mine");
    refused(*state, &forced, "result_9.csv\" is not Weir's");
    unlink(in_folder(*state, "result_9.csv"));
    weir_results_folder_close(opened(*state, &forced));
    assert_int_equal(count_files(*state), 2);
    weir_results_folder_close(opened(*state, &use));
}

static void keeps_what_comes_to_be_there(void **state) {
    struct weir_results_folder *folder = opened(*state, &use);
    char *path;
    write_text(in_folder(*state, "result.csv"), "mine");
    assert_int_equal(weir_results_folder_file(folder, "result", -1, ".csv", &path), -WEIR_FAILED);
    assert_non_null(strstr(weir_error_text(), "has come to be there"));
    weir_results_folder_close(folder);
    char *text = read_text(in_folder(*state, "result.csv"));
    assert_string_equal(text, "mine");
    free(text);
}

/* A list that somebody has written into names nothing outside its folder; links in it lead nowhere. */
static void stays_inside(void **state) {
    const char *inner = in_folder(*state, "inner");
    char list[512];
    struct weir_results_folder *folder = opened(inner, &use);
    put(folder, "result");
    weir_results_folder_close(folder);
    write_text(in_folder(*state, "my.csv"), "1");
    mkdir(in_folder(*state, "other"), 0777);
    write_text(in_folder(*state, "other/result.csv"), "1");
    write_text(in_folder(*state, "other/" WEIR_FILE_LIST_NAME), "#weir-files 1 run\nresult.csv\n");
    symlink("../my.csv", in_folder(*state, "inner/link.csv"));
    symlink("../other", in_folder(*state, "inner/sub"));
    symlink("../other", in_folder(*state, "inner/temporary"));
    snprintf(list, sizeof list,
             "#weir-files 1 run\n../my.csv\n%s\n..\n.\n../other/\nresult.csv\nlink.csv\nsub/\ntemporary/*\n",
             in_folder(*state, "my.csv"));
    write_text(in_folder(*state, "inner/" WEIR_FILE_LIST_NAME), list);

    weir_results_folder_close(opened(in_folder(*state, "inner"), &forced));
    assert_true(there(*state, "my.csv"));
    assert_true(there(*state, "other/result.csv"));
    assert_true(there(*state, "other/" WEIR_FILE_LIST_NAME));
    assert_false(there(*state, "inner/result.csv"));
    assert_false(there(*state, "inner/link.csv"));

    const char *const all[] = {"other/result.csv", "other/" WEIR_FILE_LIST_NAME, "inner/sub",
                               "inner/" WEIR_FILE_LIST_NAME};
    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        unlink(in_folder(*state, all[k]));
}

static void knows_what_a_killed_process_left(void **state) {
    const pid_t child = fork();
    if (child == 0) {
        struct weir_results_folder *folder;
        char *path;
        if (weir_results_folder_open(*state, &use, &folder) != 0 ||
            weir_results_folder_temporary(folder, "runs", &path) != 0)
            _exit(1);
        write_text(in_folder(path, "record"), "");
        put(folder, "result");
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
    assert_int_equal(count_files(*state), 3);
    const struct weir_results_use keeping = {
        .command = "run", .results = "", .force = true, .keep = true, .writes = is_result};
    struct weir_results_folder *folder = opened(*state, &keeping);
    assert_false(there(*state, "runs"));
    assert_true(there(*state, "result.csv"));
    weir_results_folder_close(folder);
    weir_results_folder_close(opened(*state, &forced));
    assert_int_equal(count_files(*state), 0);
}

static void lets_one_process_write(void **state) {
    int ready[2], done[2];
    char byte;
    assert_int_equal(pipe(ready) | pipe(done), 0);
    const pid_t child = fork();
    if (child == 0) {
        struct weir_results_folder *folder;
        if (weir_results_folder_open(*state, &use, &folder) != 0)
            _exit(1);
        put(folder, "result");
        if (write(ready[1], "", 1) != 1 || read(done[0], &byte, 1) != 1)
            _exit(1);
        _exit(0); /* as if it had been killed */
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    char words[64];
    snprintf(words, sizeof words, "is being written to by process %ld on ", (long)child);
    refused(*state, &forced, words);
    assert_non_null(strstr(weir_error_text(), " since 20"));
    assert_true(there(*state, "result.csv"));
    assert_int_equal(write(done[1], "", 1), 1);
    waitpid(child, NULL, 0);
    weir_results_folder_close(opened(*state, &forced));
}

static void folders_with_lists_of_their_own(void **state) {
    char *path;
    struct weir_results_folder *folder = opened(*state, &use);
    assert_int_equal(weir_results_folder_subfolder(folder, "inner", &path), 0);
    struct weir_results_folder *inner = opened(path, &use);
    put(inner, "result");
    weir_results_folder_close(inner);
    weir_results_folder_close(folder);
    assert_int_equal(weir_results_folder_check_removal(*state, "inner"), 0);
    write_text(in_folder(path, "my.csv"), "1");
    assert_int_equal(weir_results_folder_check_removal(*state, "inner"), -WEIR_USAGE);
    assert_non_null(strstr(weir_error_text(), "inner/my.csv"));

    folder = opened(*state, &forced);
    assert_true(there(path, "my.csv"));
    assert_false(there(path, "result.csv"));
    unlink(in_folder(path, "my.csv"));
    assert_int_equal(weir_results_folder_remove(folder, "inner"), 0);
    assert_false(there(*state, "inner"));
    weir_results_folder_close(folder);
    assert_int_equal(count_files(*state), 0);
    free(path);
}

static void nothing_is_left_of_nothing(void **state) {
    weir_results_folder_close(opened(in_folder(*state, "new"), &use));
    weir_results_folder_close(opened(*state, &use));
    assert_int_equal(count_files(*state), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(refuses_what_is_not_weirs, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(replaces_what_is_listed_only, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(keeps_what_comes_to_be_there, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(stays_inside, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(knows_what_a_killed_process_left, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(lets_one_process_write, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(folders_with_lists_of_their_own, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(nothing_is_left_of_nothing, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
