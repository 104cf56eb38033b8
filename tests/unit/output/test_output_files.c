/* Files appear complete or not at all, and their errors say what to do. */
#include "graph/base/error.h"
#include "src/common/output_files.h"
#include "tests/unit/output_fixture.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static void write_text(const char *path, const char *text) {
    FILE *stream = fopen(path, "w");
    fputs(text, stream);
    fclose(stream);
}

static void expect_text(const char *path, const char *expected) {
    char *text = read_text(path);
    assert_string_equal(text, expected);
    free(text);
}

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

/* Past the system's cache where the file system can do it; and where it cannot, which to numbers that do not
 * lie as they should none can. */
static void writes_at_places(void **state) {
    enum { SIZE = 3 * WEIR_DIRECT_ALIGNMENT, END = 100, PLACES = 2 };
    const char *path = in_folder(*state, "places");
    char *values = aligned_alloc(WEIR_DIRECT_ALIGNMENT, 2 * SIZE), found[SIZE + END];
    struct weir_output_file *file;
    for (int k = 0; k < 2 * SIZE; k++)
        values[k] = (char)(k / 7 + k % 251);
    for (int shift = 0; shift < 2; shift++) {
        assert_int_equal(weir_output_file_create(path, &file), 0);
        assert_int_equal(weir_output_file_reserve(file, PLACES * 2 * SIZE), 0);
        for (int k = PLACES - 1; k >= 0; k--)
            assert_int_equal(weir_output_file_write_at(file, (uint64_t)k * 2 * SIZE,
                                                       values + k * WEIR_DIRECT_ALIGNMENT + shift,
                                                       SIZE + END),
                             0);
        assert_int_equal(weir_output_file_finish(file), 0);
        const int descriptor = open(path, O_RDONLY);
        for (int k = 0; k < PLACES; k++) {
            assert_int_equal(pread(descriptor, found, sizeof found, (off_t)k * 2 * SIZE), sizeof found);
            assert_memory_equal(found, values + k * WEIR_DIRECT_ALIGNMENT + shift, sizeof found);
        }
        close(descriptor);
    }
    free(values);
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

/* What a killed process was writing is replaced; what somebody else has put there is neither written through
 * nor removed. The name itself may be a link: it is replaced. */
static void writes_through_no_link(void **state) {
    struct weir_output_file *file;
    char path[256], victim[256], part[512];
    snprintf(path, sizeof path, "%s", in_folder(*state, "a.txt"));
    snprintf(victim, sizeof victim, "%s", in_folder(*state, "victim"));
    snprintf(part, sizeof part, "%s%s", path, WEIR_PART_SUFFIX);
    write_text(victim, "precious");
    write_text(part, "left by a killed process");
    assert_int_equal(weir_output_file_create(path, &file), 0);
    assert_int_equal(weir_output_file_finish(file), 0);

    assert_int_equal(symlink(victim, part), 0);
    assert_int_equal(weir_output_file_create(path, &file), -WEIR_FAILED);
    assert_non_null(strstr(weir_error_text(), "a.txt.weir.part': File exists"));
    assert_int_equal(weir_output_file_join(path, &file), -WEIR_FAILED);
    assert_int_equal(unlink(part), 0);

    assert_int_equal(unlink(path), 0);
    assert_int_equal(symlink(victim, path), 0);
    assert_int_equal(weir_output_file_create(path, &file), 0);
    fputs("new", weir_output_file_stream(file));
    assert_int_equal(weir_output_file_finish(file), 0);
    expect_text(victim, "precious");
    expect_text(path, "new");
}

/* Two that write to one name at once: the first to end does not give it the other's half. */
static void gives_names_to_whole_files_only(void **state) {
    struct weir_output_file *first, *second;
    const char *path = in_folder(*state, "a.txt");
    assert_int_equal(weir_output_file_create(path, &first), 0);
    assert_int_equal(weir_output_file_create(path, &second), 0);
    assert_int_equal(weir_output_file_finish(first), -WEIR_FAILED);
    assert_int_not_equal(access(path, F_OK), 0);
    fputs("whole", weir_output_file_stream(second));
    assert_int_equal(weir_output_file_finish(second), 0);
    expect_text(path, "whole");
}

static void writes_to_what_is_open(void **state) {
    struct weir_output_file *file;
    char path[64], target[512];
    snprintf(target, sizeof target, "%s", in_folder(*state, "a.txt"));
    const int descriptor = open(target, O_WRONLY | O_CREAT, 0666);
    assert_int_equal(write(descriptor, "before ", 7), 7);
    snprintf(path, sizeof path, "/dev/fd/%d", descriptor);
    assert_int_equal(weir_output_file_create(path, &file), -WEIR_FAILED);
    assert_int_equal(weir_output_file_try_anywhere(path), 0);
    assert_int_equal(weir_output_file_create_anywhere(path, &file), 0);
    fputs("after", weir_output_file_stream(file));
    assert_int_equal(weir_output_file_finish(file), 0);
    close(descriptor);
    expect_text(target, "before after");
    assert_int_equal(count_files(*state), 1);

    assert_int_equal(weir_output_file_create_anywhere("/dev/full", &file), 0);
    fputs("x", weir_output_file_stream(file));
    assert_int_equal(weir_output_file_finish(file), -WEIR_FAILED);
    assert_non_null(strstr(weir_error_text(), "No space left on device"));
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
        cmocka_unit_test_setup_teardown(writes_at_places, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(tells_what_cannot_be_written, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(writes_through_no_link, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(gives_names_to_whole_files_only, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(writes_to_what_is_open, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(tells_missing_permission, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(tells_full_disk, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(tells_file_size_limit, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
