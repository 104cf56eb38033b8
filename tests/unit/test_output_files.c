/* Files appear complete or not at all, and their errors say what to do. */
#include "graph/error.h"
#include "src/output_files.h"
#include "tests/unit/output_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void writes_whole_files(void **state) {
    const char *path = in_folder(*state, "a.txt");
    struct weir_output_file *file;
    assert_int_equal(weir_output_file_create(path, &file), 0);
    fputs("first", weir_output_file_stream(file));
    fflush(weir_output_file_stream(file));
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_equal(access(weir_output_file_part(file), F_OK), 0);
    assert_int_equal(weir_output_file_finish(file), 0);
    char *text = read_text(path);
    assert_string_equal(text, "first");
    free(text);
    assert_int_equal(count_files(*state), 1);

    assert_int_equal(weir_output_file_create(path, &file), 0);
    fputs("second", weir_output_file_stream(file));
    weir_output_file_discard(file);
    text = read_text(path);
    assert_string_equal(text, "first");
    free(text);
    assert_int_equal(count_files(*state), 1);
}

static void names_files_by_step(void **state) {
    (void)state;
    char *path;
    assert_int_equal(weir_output_path("out", "fields", 5000, ".h5", &path), 0);
    assert_string_equal(path, "out/fields_000005000.h5");
    free(path);
    assert_int_equal(weir_output_path("out", "series", -1, ".csv", &path), 0);
    assert_string_equal(path, "out/series.csv");
    free(path);
}

static void makes_folders(void **state) {
    const char *deep = in_folder(*state, "a/b//c/");
    assert_int_equal(weir_output_folder_create(deep), 0);
    assert_int_equal(access(deep, W_OK), 0);
    assert_int_equal(weir_output_folder_create(deep), 0);
    assert_int_equal(rmdir(in_folder(*state, "a/b/c")), 0);
    assert_int_equal(rmdir(in_folder(*state, "a/b")), 0);
    const char *file = in_folder(*state, "f");
    fclose(fopen(file, "w"));
    assert_int_equal(weir_output_folder_create(file), -WEIR_FAILED);
    assert_non_null(strstr(weir_error_text(), "Not a directory"));
}

static void tells_what_cannot_be_written(void **state) {
    struct weir_output_file *file;
    const char *missing = in_folder(*state, "missing/a.txt");
    assert_int_equal(weir_output_file_create(missing, &file), -WEIR_FAILED);
    assert_non_null(strstr(weir_error_text(), missing));
    assert_non_null(strstr(weir_error_text(), "No such file or directory"));
    assert_non_null(strstr(weir_error_text(), "create the folder"));
    assert_int_equal(weir_output_file_create("/dev/null", &file), -WEIR_FAILED);
    assert_non_null(strstr(weir_error_text(), "not a regular file"));
}

/* The superuser may write anywhere, so this is done as somebody else. */
static void tells_missing_permission(void **state) {
    struct weir_output_file *file;
    assert_int_equal(chmod(*state, 0555), 0);
    uid_t user = geteuid();
    if (user == 0)
        assert_int_equal(seteuid(65534), 0);
    int result = weir_output_file_create(in_folder(*state, "a.txt"), &file);
    if (user == 0)
        assert_int_equal(seteuid(0), 0);
    assert_int_equal(chmod(*state, 0755), 0);
    assert_int_equal(result, -WEIR_FAILED);
    assert_non_null(strstr(weir_error_text(), "Permission denied: make the folder writable"));
}

/* More than fits, written in pieces, on a file with that name which must survive. */
static int overfill(const char *path, size_t bytes) {
    struct weir_output_file *file;
    static const char piece[1000] = {'x'};
    WEIR_TRY(weir_output_file_create(path, &file));
    for (size_t written = 0; written < bytes; written += sizeof piece)
        fwrite(piece, 1, sizeof piece, weir_output_file_stream(file));
    return weir_output_file_finish(file);
}

static void tells_full_disk(void **state) {
    const char *path = in_folder(*state, "a.txt");
    if (!mount_small(*state, 1 << 20))
        skip();
    assert_int_equal(overfill(path, 100 << 10), 0);
    assert_int_equal(overfill(path, 2 << 20), -WEIR_FAILED);
    assert_non_null(strstr(weir_error_text(), "a.txt': No space left on device: free some space"));
    assert_int_equal(count_files(*state), 1);
    struct stat status;
    assert_int_equal(stat(path, &status), 0);
    assert_int_equal(status.st_size, 103000);

    struct weir_output_file *file;
    assert_int_equal(weir_output_file_create(path, &file), 0);
    assert_int_equal(weir_output_file_reserve(file, 3 << 20), -WEIR_FAILED);
    assert_non_null(strstr(weir_error_text(), "cannot reserve 3.15 MB for '"));
    assert_non_null(strstr(weir_error_text(), "a.txt': No space left on device: free some space"));
    weir_output_file_discard(file);
    assert_int_equal(count_files(*state), 1);
}

static void tells_file_size_limit(void **state) {
    const char *path = in_folder(*state, "a.txt");
    limit_file_size(64 << 10);
    int result = overfill(path, 100 << 10);
    limit_file_size(SIZE_MAX);
    assert_int_equal(result, -WEIR_FAILED);
    assert_non_null(strstr(weir_error_text(), "File too large: raise the limit"));
    assert_int_equal(count_files(*state), 0);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(writes_whole_files, make_folder, remove_folder),
        cmocka_unit_test(names_files_by_step),
        cmocka_unit_test_setup_teardown(makes_folders, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(tells_what_cannot_be_written, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(tells_missing_permission, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(tells_full_disk, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(tells_file_size_limit, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
