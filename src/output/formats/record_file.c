#include "src/output/formats/record_file.h"

#include "graph/base/error.h"
#include "src/common/hdf5_access.h"
#include "src/common/output_files.h"
#include "src/common/version.h"

#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* Raised when a column changes its meaning. */
static const int format_version = 1;

/* A column: one member of every row of a table, `width` values of it. Its kind says how it is in memory; in
 * the file integers are as in memory and truth values are bytes. */
enum kind { INTEGER32, INTEGER64, REAL, TRUTH, TEXT };
struct column {
    const char *name;
    enum kind kind;
    size_t offset; /* in the row */
    hsize_t width;
    bool optional; /* all zero where a file has no such column */
};
struct table {
    const char *name;
    const struct column *columns; /* closed by a name of NULL */
    size_t row_bytes;
};

#define COLUMN(row, kind, member, width) \
    { #member, kind, offsetof(struct row, member), width, false }

static const struct column task_columns[] = {
    COLUMN(weir_recorded_task, INTEGER32, block, 1),
    COLUMN(weir_recorded_task, INTEGER64, step, 1),
    COLUMN(weir_recorded_task, INTEGER32, worker, 1),
    COLUMN(weir_recorded_task, INTEGER32, home, 1),
    COLUMN(weir_recorded_task, REAL, start, 1),
    COLUMN(weir_recorded_task, REAL, end, 1),
    {"stage", INTEGER32, offsetof(struct weir_recorded_task, stage), 1, true}, /* the newest */
    {0},
};
static const struct column worker_columns[] = {
    COLUMN(weir_recorded_worker, INTEGER32, id, 1),
    COLUMN(weir_recorded_worker, TEXT, name, 1),
    COLUMN(weir_recorded_worker, TRUTH, cuda, 1),
    COLUMN(weir_recorded_worker, TRUTH, steps, 1),
    COLUMN(weir_recorded_worker, INTEGER32, device, 1),
    COLUMN(weir_recorded_worker, INTEGER32, cores, 1),
    COLUMN(weir_recorded_worker, INTEGER32, core, 1),
    COLUMN(weir_recorded_worker, INTEGER32, memory_node, 1),
    {0},
};
static const struct column block_columns[] = {
    COLUMN(weir_recorded_block, INTEGER32, origin, 3),
    COLUMN(weir_recorded_block, INTEGER32, extent, 3),
    COLUMN(weir_recorded_block, INTEGER64, fluid_cells, 1),
    COLUMN(weir_recorded_block, INTEGER64, cells, 1),
    COLUMN(weir_recorded_block, INTEGER64, bytes, 1),
    COLUMN(weir_recorded_block, INTEGER64, message_bytes, WEIR_RECORD_FACES),
    COLUMN(weir_recorded_block, INTEGER32, neighbour, WEIR_RECORD_OFFSETS),
    {0},
};
static const struct table task_table = {"tasks", task_columns, sizeof(struct weir_recorded_task)};
static const struct table worker_table = {"workers", worker_columns, sizeof(struct weir_recorded_worker)};
static const struct table block_table = {"blocks", block_columns, sizeof(struct weir_recorded_block)};

enum { NAME_BYTES = sizeof((struct weir_recorded_worker){0}.name) };

static size_t value_bytes(enum kind kind) {
    switch (kind) {
    case INTEGER32:
        return sizeof(int32_t);
    case INTEGER64:
        return sizeof(int64_t);
    case REAL:
        return sizeof(double);
    case TRUTH:
        return sizeof(bool);
    default:
        return NAME_BYTES;
    }
}

/* The caller closes it. */
static hid_t type_of(enum kind kind) {
    switch (kind) {
    case INTEGER32:
        return H5Tcopy(H5T_NATIVE_INT32);
    case INTEGER64:
        return H5Tcopy(H5T_NATIVE_INT64);
    case REAL:
        return H5Tcopy(H5T_NATIVE_DOUBLE);
    case TRUTH:
        return H5Tcopy(H5T_NATIVE_UINT8);
    default: {
        hid_t type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, NAME_BYTES);
        H5Tset_cset(type, H5T_CSET_UTF8);
        return type;
    }
    }
}

/* Between rows and the column's values, packed. */
static void gather(const struct column *column, const void *rows, size_t row_bytes, hsize_t count,
                   char *values) {
    const size_t bytes = value_bytes(column->kind) * column->width;
    for (hsize_t k = 0; k < count; k++)
        memcpy(values + k * bytes, (const char *)rows + k * row_bytes + column->offset, bytes);
}

/* A truth value may be any byte in a file that Weir did not write. */
static void spread(const struct column *column, char *values, hsize_t count, void *rows, size_t row_bytes) {
    const size_t bytes = value_bytes(column->kind) * column->width;
    for (hsize_t k = 0; column->kind == TRUTH && k < count * column->width; k++)
        values[k] = values[k] != 0;
    for (hsize_t k = 0; k < count; k++)
        memcpy((char *)rows + k * row_bytes + column->offset, values + k * bytes, bytes);
}

/* A buffer for one column. */
static int buffer_for(const struct column *column, hsize_t count, char **values) {
    *values = malloc(value_bytes(column->kind) * column->width * (count > 0 ? count : 1));
    return *values ? 0
                   : weir_fail(WEIR_FAILED, "no memory left for a record of %llu rows",
                               (unsigned long long)count);
}

/* ---- writing ----------------------------------------------------------------------------------------- */

static bool attribute(hid_t file, const char *name, hid_t type, const void *value) {
    const hid_t space = H5Screate(H5S_SCALAR);
    const hid_t handle = H5Acreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    const bool good = H5Awrite(handle, type, value) >= 0;
    H5Aclose(handle);
    H5Sclose(space);
    return good;
}

static bool text_attribute(hid_t file, const char *name, const char *text) {
    const hid_t type = H5Tcopy(H5T_C_S1);
    const bool good = H5Tset_size(type, H5T_VARIABLE) >= 0 && H5Tset_cset(type, H5T_CSET_UTF8) >= 0 &&
                      attribute(file, name, type, &text);
    H5Tclose(type);
    return good;
}

static int write_column(hid_t group, const struct column *column, const void *rows, size_t row_bytes,
                        hsize_t count, const char *path) {
    char *values;
    WEIR_TRY(buffer_for(column, count, &values));
    gather(column, rows, row_bytes, count, values);
    const hsize_t size[2] = {count, column->width};
    const hid_t type = type_of(column->kind);
    const hid_t space = H5Screate_simple(column->width > 1 ? 2 : 1, size, NULL);
    const hid_t dataset = H5Dcreate2(group, column->name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    const bool good = dataset >= 0 && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0 &&
                      H5Dclose(dataset) >= 0;
    const int error = good ? 0 : weir_hdf5_fail("write", path);
    H5Sclose(space);
    H5Tclose(type);
    free(values);
    return error;
}

static int write_table(hid_t file, const struct table *table, const void *rows, int64_t count,
                       const char *path) {
    const hid_t group = H5Gcreate2(file, table->name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    int error = group < 0 ? weir_hdf5_fail("write", path) : 0;
    for (const struct column *column = table->columns; error == 0 && column->name; column++)
        error = write_column(group, column, rows, table->row_bytes, (hsize_t)count, path);
    if (group >= 0)
        H5Gclose(group);
    return error;
}

/* Nobody else opens the temporary file, and some network file systems have no locks. */
static hid_t create(const char *part) {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    const hid_t file = H5Pset_file_locking(access, false, true) >= 0
                           ? H5Fcreate(part, H5F_ACC_TRUNC, H5P_DEFAULT, access)
                           : H5I_INVALID_HID;
    H5Pclose(access);
    return file;
}

static int write_locked(const char *part, const char *path, const struct weir_run_record *record,
                        const struct weir_record_labels *labels) {
    const hid_t file = create(part);
    if (file < 0)
        return weir_hdf5_fail("write", path);
    int error = 0;
    if (!attribute(file, "record_version", H5T_NATIVE_INT, &format_version) ||
        !text_attribute(file, "weir_version", weir_version) ||
        !text_attribute(file, "case", labels->case_name) || !text_attribute(file, "policy", labels->policy) ||
        !attribute(file, "steps", H5T_NATIVE_INT64, &record->steps) ||
        !attribute(file, "stages", H5T_NATIVE_INT, &record->stage_count) ||
        !attribute(file, "wall_seconds", H5T_NATIVE_DOUBLE, &record->wall_seconds) ||
        !attribute(file, "load_start", H5T_NATIVE_DOUBLE, &record->load_start) ||
        !attribute(file, "load_end", H5T_NATIVE_DOUBLE, &record->load_end) ||
        !attribute(file, "load_from", H5T_NATIVE_INT64, &record->load_from) ||
        !attribute(file, "load_to", H5T_NATIVE_INT64, &record->load_to) ||
        !attribute(file, "load_threads", H5T_NATIVE_INT, &record->load_threads))
        error = weir_hdf5_fail("write", path);
    if (error == 0)
        error = write_table(file, &task_table, record->tasks, record->task_count, path);
    if (error == 0)
        error = write_table(file, &worker_table, record->workers, record->worker_count, path);
    if (error == 0)
        error = write_table(file, &block_table, record->blocks, record->block_count, path);
    if (H5Fclose(file) < 0 && error == 0)
        error = weir_hdf5_fail("write", path);
    return error;
}

int weir_record_file_write(const char *path, const struct weir_run_record *record,
                           const struct weir_record_labels *labels) {
    struct weir_output_file *file = NULL;
    WEIR_TRY(weir_output_file_create(path, &file));
    weir_hdf5_lock();
    const int error = write_locked(weir_output_file_part(file), path, record, labels);
    weir_hdf5_unlock();
    if (error != 0) {
        weir_output_file_discard(file);
        return error;
    }
    return weir_output_file_finish(file);
}

/* ---- reading ----------------------------------------------------------------------------------------- */

static int fail_format(const char *path, const char *what) {
    return weir_fail(WEIR_FAILED, "'%s': %s: not a record of weir run --record; write it anew", path, what);
}

/* More than any run has, and so few that no product with the size of a row wraps. */
static const int64_t TASKS_MOST = (int64_t)1 << 40;

static bool read_attribute(hid_t file, const char *name, hid_t type, void *value) {
    const hid_t handle = H5Aopen(file, name, H5P_DEFAULT);
    if (handle < 0)
        return false;
    const bool good = weir_hdf5_read_number(handle, type, value) >= 0;
    H5Aclose(handle);
    return good;
}

/* Rows that a table has, by its first column; negative: none. */
static int64_t rows_of(hid_t file, const struct table *table) {
    char name[64];
    snprintf(name, sizeof name, "%s/%s", table->name, table->columns->name);
    const hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    if (dataset < 0)
        return -1;
    hsize_t size[2] = {0, 0};
    const hid_t space = H5Dget_space(dataset);
    const int rank = H5Sget_simple_extent_ndims(space);
    const bool good = (rank == 1 || rank == 2) && H5Sget_simple_extent_dims(space, size, NULL) >= 0;
    H5Sclose(space);
    H5Dclose(dataset);
    return good ? (int64_t)size[0] : -1;
}

static int read_column(hid_t file, const struct table *table, const struct column *column, void *rows,
                       int64_t count, const char *path) {
    char name[64], *values;
    snprintf(name, sizeof name, "%s/%s", table->name, column->name);
    if (column->optional && H5Lexists(file, name, H5P_DEFAULT) == 0)
        return 0;
    const hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    if (dataset < 0)
        return fail_format(path, name);
    const hid_t type = type_of(column->kind);
    const bool fits = weir_hdf5_count(dataset) == count * (int64_t)column->width;
    int error = fits ? buffer_for(column, (hsize_t)count, &values) : fail_format(path, name);
    if (error == 0) {
        if (H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
            error = weir_hdf5_fail("read", path);
        else
            spread(column, values, (hsize_t)count, rows, table->row_bytes);
        free(values);
    }
    H5Tclose(type);
    H5Dclose(dataset);
    return error;
}

static int read_table(hid_t file, const struct table *table, void *rows, int64_t count, const char *path) {
    for (const struct column *column = table->columns; column->name; column++)
        WEIR_TRY(read_column(file, table, column, rows, count, path));
    return 0;
}

static int read_open(hid_t file, const char *path, struct weir_run_record *record) {
    int version = 0;
    if (!read_attribute(file, "record_version", H5T_NATIVE_INT, &version) || version != format_version)
        return fail_format(path, "record_version");
    const int64_t tasks = rows_of(file, &task_table), workers = rows_of(file, &worker_table),
                  blocks = rows_of(file, &block_table);
    if (tasks < 0 || tasks > TASKS_MOST || workers < 0 || workers > INT_MAX || blocks < 0 || blocks > INT_MAX)
        return fail_format(path, "tables");
    WEIR_TRY(weir_run_record_create(record, tasks, (int)workers, (int)blocks));
    if (!read_attribute(file, "steps", H5T_NATIVE_INT64, &record->steps) ||
        !read_attribute(file, "wall_seconds", H5T_NATIVE_DOUBLE, &record->wall_seconds) ||
        !read_attribute(file, "load_start", H5T_NATIVE_DOUBLE, &record->load_start) ||
        !read_attribute(file, "load_end", H5T_NATIVE_DOUBLE, &record->load_end) ||
        !read_attribute(file, "load_from", H5T_NATIVE_INT64, &record->load_from) ||
        !read_attribute(file, "load_to", H5T_NATIVE_INT64, &record->load_to) ||
        !read_attribute(file, "load_threads", H5T_NATIVE_INT, &record->load_threads))
        return fail_format(path, "attributes");
    if (H5Aexists(file, "stages") > 0 &&
        (!read_attribute(file, "stages", H5T_NATIVE_INT, &record->stage_count) || record->stage_count < 1 ||
         record->stage_count > WEIR_STAGES_MAX))
        return fail_format(path, "stages");
    WEIR_TRY(read_table(file, &task_table, record->tasks, tasks, path));
    WEIR_TRY(read_table(file, &worker_table, record->workers, workers, path));
    return read_table(file, &block_table, record->blocks, blocks, path);
}

int weir_record_file_read(const char *path, struct weir_run_record *record) {
    *record = (struct weir_run_record){0};
    weir_hdf5_lock();
    const hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    int error = file < 0 ? weir_hdf5_fail("read", path) : read_open(file, path, record);
    if (file >= 0)
        H5Fclose(file);
    weir_hdf5_unlock();
    if (error != 0)
        weir_run_record_release(record);
    return error;
}
