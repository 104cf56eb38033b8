/* Field files: what is read back is what was put, whatever the boxes; nothing half-written remains, whatever
 * fails. */
#include "graph/base/error.h"
#include "src/output/output_fields.h"
#include "tests/unit/assert_close.h"
#include "tests/unit/output_fixture.h"

#include <hdf5.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const int blocks_of_8[3] = {8, 8, 8};

static double *read_dataset(hid_t file, const char *name, size_t count) {
    double *values = malloc(count * sizeof *values);
    hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    assert_true(dataset >= 0);
    hid_t space = H5Dget_space(dataset);
    assert_int_equal(H5Sget_simple_extent_npoints(space), count);
    assert_true(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
    H5Sclose(space);
    H5Dclose(dataset);
    return values;
}

static size_t value_bytes(hid_t file, const char *name) {
    hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT), type = H5Dget_type(dataset);
    size_t bytes = H5Tget_size(type);
    H5Tclose(type);
    H5Dclose(dataset);
    return bytes;
}

/* Compares density and velocity of a file with what was fed, both in output units. */
static void check_fields(const struct weir_case *c, const char *path) {
    const int *n = c->problem.cells;
    size_t cells = (size_t)n[0] * (size_t)n[1] * (size_t)n[2], cell = 0;
    bool single = c->problem.precision == WEIR_SINGLE;
    double tolerance = single ? 1e-6 : 1e-14, speed = weir_units_velocity(&c->units);
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    assert_true(file >= 0);
    assert_int_equal(value_bytes(file, "density"), single ? 4 : 8);
    double *density = read_dataset(file, "density", cells),
           *velocity = read_dataset(file, "velocity", 3 * cells);
    double *solid = c->problem.shape_count > 0 ? read_dataset(file, "solid", cells) : NULL;
    for (int z = 0; z < n[2]; z++)
        for (int y = 0; y < n[1]; y++)
            for (int x = 0; x < n[0]; x++, cell++) {
                bool is_solid = solid_at(c, x, y, z);
                double rho = is_solid ? c->problem.reference_density : density_at(x, y, z);
                assert_close(density[cell] / c->units.density, rho, tolerance);
                for (int axis = 0; axis < 3; axis++)
                    assert_close(velocity[3 * cell + (size_t)axis] / speed,
                                 is_solid ? 0.0 : velocity_at(axis, x, y, z), tolerance);
                if (solid)
                    assert_true((solid[cell] == 1.0) == is_solid);
            }
    free(density);
    free(velocity);
    free(solid);
    H5Fclose(file);
}

static void check_case(const char *folder, struct weir_case *c, int edge) {
    struct weir_output output = fields_output(c, 1u << WEIR_DENSITY | 1u << WEIR_VELOCITY);
    struct weir_output_fields *fields;
    struct weir_writer *disk = start_writer();
    assert_int_equal(weir_output_fields_create(c, &output, folder, blocks_of_8, disk, &fields), 0);
    struct weir_sink sink = weir_output_fields_sink(fields);
    assert_int_equal(observe(disk, &sink, c, 5000, edge, true), 0);
    check_fields(c, in_folder(folder, "fields_000005000.h5"));
    weir_writer_destroy(disk);
    weir_output_fields_destroy(fields);
    assert_int_equal(count_files(folder), 2);
}

static void holds_what_was_put(void **state) {
    struct weir_case c;
    fill_case(&c, 21, 16, 11, false);
    check_case(*state, &c, 8);  /* boxes are chunks */
    check_case(*state, &c, 16); /* boxes are several chunks */
    c.problem.precision = WEIR_DOUBLE;
    check_case(*state, &c, 8);
    c.units = (struct weir_units){.si = true, .length = 0.002, .time = 0.0005, .density = 998.0};
    check_case(*state, &c, 64);
    fill_case(&c, 21, 16, 11, true);
    check_case(*state, &c, 8);
    fill_case(&c, 30, 20, 1, true);
    check_case(*state, &c, 8);
}

static void holds_scalars_in_output_units(void **state) {
    struct weir_case c;
    fill_case(&c, 6, 5, 4, false);
    c.problem.precision = WEIR_DOUBLE;
    c.units = (struct weir_units){.si = true, .length = 0.002, .time = 0.0005, .density = 998.0};
    struct weir_output output =
        fields_output(&c, 1u << WEIR_PRESSURE | 1u << WEIR_VELOCITY_Y | 1u << WEIR_SPEED);
    struct weir_output_fields *fields;
    struct weir_writer *disk = start_writer();
    assert_int_equal(weir_output_fields_create(&c, &output, *state, blocks_of_8, disk, &fields), 0);
    struct weir_sink sink = weir_output_fields_sink(fields);
    assert_int_equal(observe(disk, &sink, &c, 1, 8, true), 0);
    hid_t file = H5Fopen(in_folder(*state, "fields_000000001.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
    double *pressure = read_dataset(file, "pressure", 120), *vy = read_dataset(file, "velocity_y", 120),
           *speed = read_dataset(file, "speed", 120);
    size_t cell = (2 * 5 + 3) * 6 + 4; /* (4, 3, 2) */
    double u = velocity_at(0, 4, 3, 2), v = velocity_at(1, 4, 3, 2), w = velocity_at(2, 4, 3, 2);
    assert_close(pressure[cell], density_at(4, 3, 2) / 3.0 * 998.0 * 16.0, 1e-9);
    assert_close(vy[cell], 4.0 * v, 1e-14);
    assert_close(speed[cell], 4.0 * sqrt(u * u + v * v + w * w), 1e-14);

    double time, cell_size;
    int64_t step;
    char *text;
    hid_t attribute = H5Aopen(file, "time", H5P_DEFAULT);
    assert_true(H5Aread(attribute, H5T_NATIVE_DOUBLE, &time) >= 0);
    H5Aclose(attribute);
    attribute = H5Aopen(file, "cell_size", H5P_DEFAULT);
    assert_true(H5Aread(attribute, H5T_NATIVE_DOUBLE, &cell_size) >= 0);
    H5Aclose(attribute);
    attribute = H5Aopen(file, "step", H5P_DEFAULT);
    assert_true(H5Aread(attribute, H5T_NATIVE_INT64, &step) >= 0);
    H5Aclose(attribute);
    hid_t dataset = H5Dopen2(file, "pressure", H5P_DEFAULT);
    attribute = H5Aopen(dataset, "units", H5P_DEFAULT);
    hid_t type = H5Aget_type(attribute);
    assert_true(H5Aread(attribute, type, &text) >= 0);
    H5Tclose(type);
    H5Aclose(attribute);
    H5Dclose(dataset);
    assert_close(time, 0.0005, 0);
    assert_close(cell_size, 0.002, 0);
    assert_int_equal(step, 1);
    assert_string_equal(text, "Pa");
    H5free_memory(text);
    free(pressure);
    free(vy);
    free(speed);
    H5Fclose(file);
    weir_writer_destroy(disk);
    weir_output_fields_destroy(fields);
}

static void lists_sound_steps_only(void **state) {
    struct weir_case c;
    fill_case(&c, 8, 8, 8, false);
    struct weir_output output = fields_output(&c, 1u << WEIR_DENSITY);
    struct weir_output_fields *fields;
    struct weir_writer *disk = start_writer();
    assert_int_equal(weir_output_fields_create(&c, &output, *state, blocks_of_8, disk, &fields), 0);
    struct weir_sink sink = weir_output_fields_sink(fields);
    assert_int_equal(observe(disk, &sink, &c, 10, 8, false), 0);
    assert_int_equal(count_files(*state), 0);
    assert_int_equal(observe(disk, &sink, &c, 20, 8, true), 0);
    assert_int_equal(observe(disk, &sink, &c, 30, 8, true), 0);
    assert_int_equal(observe(disk, &sink, &c, 40, 8, false), 0);
    assert_int_equal(count_files(*state), 3);
    assert_int_equal(sink.begin(sink.context, 50), 0);
    assert_int_equal(count_files(*state), 4);
    weir_writer_destroy(disk);
    weir_output_fields_destroy(fields);
    assert_int_equal(count_files(*state), 3);
    char *table = read_text(in_folder(*state, "fields.xmf"));
    assert_null(strstr(table, "fields_000000010.h5"));
    assert_non_null(strstr(table, ">fields_000000020.h5:/density<"));
    assert_non_null(strstr(table, ">fields_000000030.h5:/density<"));
    assert_null(strstr(table, "fields_000000040.h5"));
    free(table);
}

/* Whether a file of all steps has these, and in the last of them the densities that were put. */
static bool has_steps(const struct weir_case *c, const char *path, int64_t count, const int64_t *expected) {
    const int *n = c->problem.cells;
    const size_t cells = (size_t)n[0] * (size_t)n[1] * (size_t)n[2];
    int64_t steps[8], noted = -1;
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    if (file < 0 || count > 8)
        return false;
    hid_t dataset = H5Dopen2(file, "Weir/steps", H5P_DEFAULT), space = H5Dget_space(dataset);
    bool good = H5Sget_simple_extent_npoints(space) == count &&
                H5Dread(dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, steps) >= 0 &&
                memcmp(steps, expected, (size_t)count * sizeof *steps) == 0;
    hid_t group = H5Gopen2(file, "VTKHDF/Steps", H5P_DEFAULT),
          attribute = H5Aopen(group, "NSteps", H5P_DEFAULT);
    good = good && H5Aread(attribute, H5T_NATIVE_INT64, &noted) >= 0 && noted == count;
    double *density = read_dataset(file, "Weir/fields/density", (size_t)count * cells);
    const double *last = density + (size_t)(count - 1) * cells;
    for (size_t cell = 0; cell < cells; cell++) {
        const int row = (int)(cell / (size_t)n[0]);
        good =
            good && fabs(last[cell] - density_at((int)(cell % (size_t)n[0]), row % n[1], row / n[1])) < 1e-6;
    }
    free(density);
    H5Aclose(attribute);
    H5Gclose(group);
    H5Sclose(space);
    H5Dclose(dataset);
    H5Fclose(file);
    return good;
}

static void shows_sound_steps_as_one(void **state) {
    static const int64_t expected[] = {20, 30, 50};
    struct weir_case c;
    fill_case(&c, 21, 16, 11, false);
    struct weir_output output = fields_output(&c, 1u << WEIR_DENSITY | 1u << WEIR_VELOCITY);
    output.format = WEIR_VTKHDF;
    struct weir_output_fields *fields;
    struct weir_writer *disk = start_writer();
    assert_int_equal(weir_output_fields_create(&c, &output, *state, blocks_of_8, disk, &fields), 0);
    struct weir_sink sink = weir_output_fields_sink(fields);
    const char *path = in_folder(*state, "fields.vtkhdf");
    assert_int_equal(observe(disk, &sink, &c, 10, 8, false), 0);
    assert_int_equal(count_files(*state), 0);
    assert_int_equal(observe(disk, &sink, &c, 20, 8, true), 0);
    assert_true(has_steps(&c, path, 1, expected));
    assert_int_equal(observe(disk, &sink, &c, 30, 16, true), 0);
    assert_int_equal(observe(disk, &sink, &c, 40, 8, false), 0);
    assert_true(has_steps(&c, path, 2, expected));
    assert_int_equal(observe(disk, &sink, &c, 50, 8, true), 0);
    assert_true(has_steps(&c, path, 3, expected));
    assert_int_equal(sink.begin(sink.context, 60), 0);
    weir_writer_destroy(disk);
    weir_output_fields_destroy(fields);
    assert_true(has_steps(&c, path, 3, expected));
    assert_int_equal(count_files(*state), 4);
}

static void tells_missing_folder(void **state) {
    struct weir_case c;
    fill_case(&c, 8, 8, 8, false);
    struct weir_output output = fields_output(&c, 1u << WEIR_DENSITY);
    struct weir_output_fields *fields;
    struct weir_writer *disk = start_writer();
    const char *folder = in_folder(*state, "missing");
    assert_int_equal(weir_output_fields_create(&c, &output, folder, blocks_of_8, disk, &fields), 0);
    struct weir_sink sink = weir_output_fields_sink(fields);
    assert_int_equal(sink.begin(sink.context, 1), -WEIR_FAILED);
    assert_non_null(
        strstr(weir_error_text(), "missing/fields_000000001.h5.weir.part': No such file or directory"));
    assert_int_equal(sink.finish(sink.context, false), 0);
    weir_writer_destroy(disk);
    weir_output_fields_destroy(fields);
}

/* Runs body in a process of its own, whose end has to go well too: there HDF5 cleans up, and 1.10 crashes
 * when closing a file has failed before. */
static void in_process(void (*body)(const char *folder), const char *folder) {
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        for (int number = 1; number < NSIG; number++)
            signal(number, SIG_DFL); /* cmocka would go on with the next test after a crash */
        body(folder);
        exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

static void require(bool good) {
    if (good)
        return;
    fprintf(stderr, "last error: %s\n", weir_error_text());
    _exit(1);
}

/* 32 * 32 * 32 * 4 * 8 bytes are 1 MiB: fits once. */
static void overfill_twice(const char *folder) {
    struct weir_case c;
    fill_case(&c, 32, 32, 32, false);
    c.problem.precision = WEIR_DOUBLE;
    struct weir_output output = fields_output(&c, 1u << WEIR_DENSITY | 1u << WEIR_VELOCITY);
    struct weir_output_fields *fields;
    struct weir_writer *disk = start_writer();
    require(weir_output_fields_create(&c, &output, folder, blocks_of_8, disk, &fields) == 0);
    struct weir_sink sink = weir_output_fields_sink(fields);
    require(observe(disk, &sink, &c, 1, 8, true) == 0);
    require(observe(disk, &sink, &c, 2, 8, true) == -WEIR_FAILED);
    require(strstr(weir_error_text(), "fields_000000002.h5': No space left on device: free some space"));
    require(count_files(folder) == 2);
    require(access(in_folder(folder, "fields_000000001.h5"), R_OK) == 0);
    weir_writer_destroy(disk);
    weir_output_fields_destroy(fields);
}

static void tells_full_disk(void **state) {
    if (!mount_small(*state, 3 << 19))
        skip();
    in_process(overfill_twice, *state);
}

static void exceed_limit(const char *folder) {
    struct weir_case c;
    fill_case(&c, 32, 32, 32, false);
    struct weir_output output = fields_output(&c, 1u << WEIR_DENSITY);
    struct weir_output_fields *fields;
    struct weir_writer *disk = start_writer();
    require(weir_output_fields_create(&c, &output, folder, blocks_of_8, disk, &fields) == 0);
    struct weir_sink sink = weir_output_fields_sink(fields);
    limit_file_size(100 << 10);
    require(observe(disk, &sink, &c, 1, 8, true) == -WEIR_FAILED);
    limit_file_size(SIZE_MAX);
    require(strstr(weir_error_text(), "fields_000000001.h5': File too large: raise the limit"));
    require(count_files(folder) == 0);
    weir_writer_destroy(disk);
    weir_output_fields_destroy(fields);
}

/* Half a MiB each: two fit, and the table shows them. */
static void overfill_with_steps(const char *folder) {
    struct weir_case c;
    fill_case(&c, 32, 32, 32, false);
    struct weir_output output = fields_output(&c, 1u << WEIR_DENSITY | 1u << WEIR_VELOCITY);
    output.format = WEIR_VTKHDF;
    struct weir_output_fields *fields;
    struct weir_writer *disk = start_writer();
    require(weir_output_fields_create(&c, &output, folder, blocks_of_8, disk, &fields) == 0);
    struct weir_sink sink = weir_output_fields_sink(fields);
    require(observe(disk, &sink, &c, 1, 8, true) == 0);
    require(observe(disk, &sink, &c, 2, 8, true) == 0);
    require(observe(disk, &sink, &c, 3, 8, true) == -WEIR_FAILED);
    require(strstr(weir_error_text(), "fields_000000003.h5': No space left on device: free some space"));
    weir_writer_destroy(disk);
    weir_output_fields_destroy(fields);
    require(count_files(folder) == 3);
    require(has_steps(&c, in_folder(folder, "fields.vtkhdf"), 2, (const int64_t[]){1, 2}));
}

static void keeps_steps_on_a_full_disk(void **state) {
    if (!mount_small(*state, 3 << 19))
        skip();
    in_process(overfill_with_steps, *state);
}

static void exceed_limit_with_a_step(const char *folder) {
    struct weir_case c;
    fill_case(&c, 32, 32, 32, false);
    struct weir_output output = fields_output(&c, 1u << WEIR_DENSITY);
    output.format = WEIR_VTKHDF;
    struct weir_output_fields *fields;
    struct weir_writer *disk = start_writer();
    require(weir_output_fields_create(&c, &output, folder, blocks_of_8, disk, &fields) == 0);
    struct weir_sink sink = weir_output_fields_sink(fields);
    require(observe(disk, &sink, &c, 1, 8, true) == 0);
    limit_file_size(100 << 10);
    require(observe(disk, &sink, &c, 2, 8, true) == -WEIR_FAILED);
    limit_file_size(SIZE_MAX);
    require(strstr(weir_error_text(), "fields_000000002.h5': File too large: raise the limit"));
    weir_writer_destroy(disk);
    weir_output_fields_destroy(fields);
}

static void keeps_steps_at_a_file_size_limit(void **state) {
    struct weir_case c;
    in_process(exceed_limit_with_a_step, *state);
    fill_case(&c, 32, 32, 32, false);
    assert_true(has_steps(&c, in_folder(*state, "fields.vtkhdf"), 1, (const int64_t[]){1}));
}

static void tells_file_size_limit(void **state) {
    in_process(exceed_limit, *state);
}

/* Stands in for a disk that fails late, which reserving its space cannot show: the file's descriptor, found
 * by its name, is replaced by one that cannot be written. */
static void break_file(const char *path) {
    for (int descriptor = 3; descriptor < 64; descriptor++) {
        char link[64], name[512];
        snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
        ssize_t length = readlink(link, name, sizeof name - 1);
        if (length < 0)
            continue;
        name[length] = '\0';
        if (strcmp(name, path) != 0)
            continue;
        FILE *full = fopen("/dev/full", "w");
        require(full && dup2(fileno(full), descriptor) == descriptor);
        fclose(full);
    }
}

/* A file of densities whose disk is full: from before its values come, or once they are there. */
static void break_file_of(const char *folder, bool before_values) {
    struct weir_case c;
    fill_case(&c, 32, 32, 32, false);
    struct weir_output output = fields_output(&c, 1u << WEIR_DENSITY);
    struct weir_output_fields *fields;
    struct weir_writer *disk = start_writer();
    require(weir_output_fields_create(&c, &output, folder, blocks_of_8, disk, &fields) == 0);
    struct weir_sink sink = weir_output_fields_sink(fields);
    require(sink.begin(sink.context, 1) == 0);
    if (!before_values)
        require(feed(&sink, &c, 8) == 0);
    break_file(in_folder(folder, "fields_000000001.h5.weir.part"));
    if (before_values) {
        require(feed(&sink, &c, 8) == -WEIR_FAILED);
        require(sink.finish(sink.context, false) == 0);
        require(strstr(weir_error_text(), "cannot write '"));
    } else
        require(sink.finish(sink.context, true) == -WEIR_FAILED || weir_writer_wait(disk) == -WEIR_FAILED);
    require(strstr(weir_error_text(), "fields_000000001.h5': No space left on device: free some space"));
    require(count_files(folder) == 0);
    weir_writer_destroy(disk);
    weir_output_fields_destroy(fields);
}

static void break_while_putting(const char *folder) {
    break_file_of(folder, true);
}

static void break_before_finishing(const char *folder) {
    break_file_of(folder, false);
}

static void survives_failing_disk(void **state) {
    in_process(break_while_putting, *state);
    in_process(break_before_finishing, *state);
}

struct writer {
    const char *folder;
    char name; /* in place of the output's first letter */
    int result;
};

static void *write_steps(void *argument) {
    struct writer *writer = argument;
    struct weir_case c;
    struct weir_output_fields *fields;
    struct weir_writer *disk = start_writer();
    fill_case(&c, 24, 24, 24, false);
    struct weir_output output = fields_output(&c, 1u << WEIR_DENSITY | 1u << WEIR_VELOCITY);
    output.name[0] = writer->name;
    writer->result = weir_output_fields_create(&c, &output, writer->folder, blocks_of_8, disk, &fields);
    struct weir_sink sink = weir_output_fields_sink(fields);
    for (int step = 0; step < 5 && writer->result == 0; step++)
        writer->result = observe(disk, &sink, &c, step, 8, true);
    weir_writer_destroy(disk);
    weir_output_fields_destroy(fields);
    return NULL;
}

static void serves_threads_at_once(void **state) {
    struct writer writers[2];
    pthread_t threads[2];
    struct weir_case c;
    for (int i = 0; i < 2; i++) {
        writers[i].folder = *state;
        writers[i].name = (char)('a' + i);
        assert_int_equal(pthread_create(&threads[i], NULL, write_steps, &writers[i]), 0);
    }
    for (int i = 0; i < 2; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(writers[i].result, 0);
    }
    fill_case(&c, 24, 24, 24, false);
    check_fields(&c, in_folder(*state, "aields_000000004.h5"));
    check_fields(&c, in_folder(*state, "bields_000000000.h5"));
}

/* Parts of blocks, as large as is convenient and no larger than HDF5 takes. */
static void chunks_divide_blocks(void **state) {
    (void)state;
    static const int blocks[][3] = {{64, 64, 64},       {256, 128, 96},    {8, 8, 8},     {127, 127, 127},
                                    {1021, 1021, 1021}, {65521, 16381, 1}, {1, 1, 65521}, {32749, 1, 32749}};
    for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) {
        int chunk[3];
        weir_output_fields_chunk(blocks[k], (const int[3]){65536, 65536, 65536}, chunk);
        double cells = 1;
        for (int axis = 0; axis < 3; axis++) {
            assert_int_equal(blocks[k][axis] % chunk[axis], 0);
            cells *= chunk[axis];
        }
        assert_true(3 * sizeof(double) * cells <= 64 << 20);
        if (k == 0 || k == 3)
            assert_memory_equal(chunk, blocks[k], sizeof chunk);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(chunks_divide_blocks),
        cmocka_unit_test_setup_teardown(tells_full_disk, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(tells_file_size_limit, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(survives_failing_disk, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(holds_what_was_put, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(holds_scalars_in_output_units, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(lists_sound_steps_only, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(shows_sound_steps_as_one, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(keeps_steps_on_a_full_disk, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(keeps_steps_at_a_file_size_limit, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(tells_missing_folder, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(serves_threads_at_once, make_folder, remove_folder),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
