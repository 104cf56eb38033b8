/* The table of steps: valid XML at any moment, and written a few times over in all, however many steps. */
#include "graph/base/error.h"
#include "src/output/formats/xdmf.h"
#include "tests/unit/assert_close.h"
#include "tests/unit/output_fixture.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int __wrap_fdatasync(int descriptor);
ssize_t __real_pwrite64(int descriptor, const void *data, size_t bytes, off_t place);
ssize_t __wrap_pwrite64(int descriptor, const void *data, size_t bytes, off_t place);

enum { QUANTITIES = 1u << WEIR_DENSITY | 1u << WEIR_VELOCITY };

/* Set where the states of a file between the writes to it are looked at. */
static const char *watched;
static int steps_shown, looks;
static bool disk_full;

/* The text without processing instructions; the rest of it is what readers see. */
static void skip_instructions(char *text) {
    for (char *begin = text; (begin = strstr(begin, "<?weir"));) {
        char *end = strstr(begin, "?>");
        assert_non_null(end);
        memmove(begin, end + 2, strlen(end + 2) + 1);
    }
}

static int count(const char *text, const char *word) {
    int found = 0;
    for (; (text = strstr(text, word)); text += strlen(word))
        found++;
    return found;
}

/* Number of steps in the table, which must be whole. */
static int check_table(const char *path) {
    char *text = read_text(path);
    assert_non_null(text);
    assert_int_equal(strncmp(text, "<?xml ", 6), 0);
    skip_instructions(text);
    const int steps = count(text, "<Grid Name=\"step ");
    assert_int_equal(count(text, "</Grid>"), steps + 1);
    assert_int_equal(count(text, "<Attribute "), 2 * steps);
    assert_int_equal(count(text, "</Attribute>"), 2 * steps);
    assert_int_equal(count(text, "<?weir"), 0);
    const char end[] = "\n    </Grid>\n  </Domain>\n</Xdmf>\n";
    assert_string_equal(text + strlen(text) - strlen(end), end);
    char name[64];
    for (int k = 0; k < steps; k++) {
        snprintf(name, sizeof name, ">fields_%09d.h5:/velocity<", 10 * k);
        assert_int_equal(count(text, name), 1);
    }
    free(text);
    return steps;
}

static void look(void) {
    if (!watched)
        return;
    const int steps = check_table(watched);
    assert_true(steps == steps_shown || steps == steps_shown + 1);
    looks++;
}

/* Nothing: no test here outlives a loss of power. */
int __wrap_fdatasync(int descriptor) {
    (void)descriptor;
    look();
    return 0;
}

/* Half of what is to be written, and then the rest, as a kernel may do that is interrupted. */
ssize_t __wrap_pwrite64(int descriptor, const void *data, size_t bytes, off_t place) {
    if (disk_full) {
        errno = ENOSPC;
        return -1;
    }
    const size_t part = bytes > 8 ? bytes / 2 : bytes;
    const ssize_t written = __real_pwrite64(descriptor, data, part, place);
    look();
    return written;
}

static void is_whole_at_any_moment(void **state) {
    struct weir_case c;
    struct weir_xdmf *xdmf;
    fill_case(&c, 8, 8, 8, false);
    const struct weir_output output = fields_output(&c, QUANTITIES);
    const char *path = in_folder(*state, "fields.xmf");
    assert_int_equal(weir_xdmf_create(&c, &output, *state, &xdmf), 0);
    assert_int_equal(count_files(*state), 0);
    for (int step = 0; step < 60; step++) {
        steps_shown = step;
        watched = step > 0 ? path : NULL;
        assert_int_equal(weir_xdmf_add(xdmf, 10 * step), 0);
        watched = NULL;
        assert_int_equal(check_table(path), step + 1);
    }
    assert_true(looks > 4 * 40);
    assert_int_equal(count_files(*state), 1);
    weir_xdmf_destroy(xdmf);
}

static long bytes_written(void) {
    char *text = read_text("/proc/self/io");
    const char *line = text ? strstr(text, "wchar: ") : NULL;
    const long bytes = line ? atol(line + 7) : -1;
    free(text);
    return bytes;
}

static void many_steps_cost_as_much_each(void **state) {
    enum { STEPS = 600 };
    struct weir_case c;
    struct weir_xdmf *xdmf;
    fill_case(&c, 8, 8, 8, false);
    const struct weir_output output = fields_output(&c, QUANTITIES);
    if (bytes_written() < 0)
        skip();
    assert_int_equal(weir_xdmf_create(&c, &output, *state, &xdmf), 0);
    const long before = bytes_written();
    for (int step = 0; step < STEPS; step++)
        assert_int_equal(weir_xdmf_add(xdmf, 10 * step), 0);
    const long written = bytes_written() - before;
    const char *path = in_folder(*state, "fields.xmf");
    assert_int_equal(check_table(path), STEPS);
    FILE *file = fopen(path, "r");
    fseek(file, 0, SEEK_END);
    assert_true(written < 4 * ftell(file));
    fclose(file);
    weir_xdmf_destroy(xdmf);
}

static void finds_another_file_in_its_place(void **state) {
    struct weir_case c;
    struct weir_xdmf *xdmf;
    fill_case(&c, 8, 8, 8, false);
    const struct weir_output output = fields_output(&c, QUANTITIES);
    const char *path = in_folder(*state, "fields.xmf"), *other = in_folder(*state, "other");
    assert_int_equal(weir_xdmf_create(&c, &output, *state, &xdmf), 0);
    assert_int_equal(weir_xdmf_add(xdmf, 0), 0);
    unlink(path);
    assert_int_equal(weir_xdmf_add(xdmf, 10), 0);
    assert_int_equal(check_table(path), 2);
    FILE *file = fopen(other, "w");
    fputs("not a table", file);
    fclose(file);
    unlink(path);
    assert_int_equal(symlink(other, path), 0);
    assert_int_equal(weir_xdmf_add(xdmf, 20), 0);
    assert_int_equal(check_table(path), 3);
    char *text = read_text(other);
    assert_string_equal(text, "not a table");
    free(text);
    weir_xdmf_destroy(xdmf);
}

static void tells_full_disk(void **state) {
    struct weir_case c;
    struct weir_xdmf *xdmf;
    fill_case(&c, 8, 8, 8, false);
    const struct weir_output output = fields_output(&c, QUANTITIES);
    assert_int_equal(weir_xdmf_create(&c, &output, *state, &xdmf), 0);
    assert_int_equal(weir_xdmf_add(xdmf, 0), 0);
    disk_full = true;
    assert_int_equal(weir_xdmf_add(xdmf, 10), -WEIR_FAILED);
    disk_full = false;
    assert_non_null(strstr(weir_error_text(), "fields.xmf': No space left on device: free some space"));
    assert_int_equal(check_table(in_folder(*state, "fields.xmf")), 1);
    weir_xdmf_destroy(xdmf);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(is_whole_at_any_moment, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(many_steps_cost_as_much_each, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(finds_another_file_in_its_place, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(tells_full_disk, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
