#include "src/output/formats/vtkhdf.h"

#include "graph/base/error.h"
#include "src/common/hdf5_access.h"
#include "src/common/hdf5_attributes.h"
#include "src/common/output_files.h"
#include "src/output/formats/field_arrays.h"
#include "src/output/formats/field_grid.h"
#include "src/output/formats/step_list.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    RANK = 5,           /* of an array with components: step, z, y, x, component */
    GROWTH = 64 * 1024, /* bytes by which the table grows in memory */
};

static const char arrays_group[] = "/Weir/fields", cells_group[] = "/VTKHDF/CellData",
                  steps_group[] = "/VTKHDF/Steps", offsets_group[] = "/VTKHDF/Steps/CellDataOffsets";

struct weir_vtkhdf {
    const struct weir_case *c;
    const struct weir_output *output;
    char *path;
    struct weir_step_list steps; /* complete so far */
    hid_t hdf5;                  /* while it is written */
};

int weir_vtkhdf_create(const struct weir_case *c, const struct weir_output *output, const char *directory,
                       struct weir_vtkhdf **result) {
    struct weir_vtkhdf *table = calloc(1, sizeof *table);
    if (!table)
        return weir_fail(WEIR_FAILED, "no memory left for the output '%s'", output->name);
    table->c = c;
    table->output = output;
    const int error = weir_output_path(directory, output->name, -1, ".vtkhdf", &table->path);
    if (error < 0) {
        weir_vtkhdf_destroy(table);
        return error;
    }
    *result = table;
    return 0;
}

void weir_vtkhdf_destroy(struct weir_vtkhdf *table) {
    if (!table)
        return;
    weir_step_list_free(&table->steps);
    free(table->path);
    free(table);
}

static bool close_if_good(hid_t object, herr_t (*close)(hid_t), bool good) {
    return object >= 0 && close(object) >= 0 && good;
}

static void name_of_array(const char *group, int array, char name[128]) {
    snprintf(name, 128, "%s/%s", group, weir_field_array_name(array));
}

/* Of an array with so many steps: its rank, and its size along each dimension. That of a step's file is
 * without the first. */
static int size_of_array(const struct weir_vtkhdf *table, int array, hsize_t steps, hsize_t size[RANK]) {
    const struct weir_field_grid grid = weir_field_grid(table->output);
    const int components = weir_field_array_components(array);
    size[0] = steps;
    for (int i = 0; i < 3; i++)
        size[1 + i] = (hsize_t)grid.count[2 - i];
    size[4] = (hsize_t)components;
    return components > 1 ? RANK : RANK - 1;
}

/* ---- what is in it ---------------------------------------------------------------------------------------
 */

static bool describe_image(const struct weir_vtkhdf *table, hid_t group) {
    static const char type_name[] = "ImageData";
    const struct weir_field_grid grid = weir_field_grid(table->output);
    const int64_t version[2] = {2, 0};
    int64_t extent[6];
    double origin[3], spacing[3], direction[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    for (int axis = 0; axis < 3; axis++) {
        extent[2 * axis] = 0;
        extent[2 * axis + 1] = grid.count[axis]; /* of points, which are cells' corners */
        origin[axis] = table->c->units.length * weir_field_grid_begin(&grid, axis);
        spacing[axis] = table->c->units.length * grid.stride[axis];
    }
    const hid_t type = H5Tcopy(H5T_C_S1); /* of fixed length, ASCII: readers take no other */
    const bool typed = H5Tset_size(type, sizeof type_name - 1) >= 0 &&
                       H5Tset_strpad(type, H5T_STR_NULLPAD) >= 0 &&
                       weir_hdf5_attribute(group, "Type", type, 1, type_name);
    H5Tclose(type);
    return typed && weir_hdf5_attribute(group, "Version", H5T_NATIVE_INT64, 2, version) &&
           weir_hdf5_attribute(group, "WholeExtent", H5T_NATIVE_INT64, 6, extent) &&
           weir_hdf5_attribute(group, "Origin", H5T_NATIVE_DOUBLE, 3, origin) &&
           weir_hdf5_attribute(group, "Spacing", H5T_NATIVE_DOUBLE, 3, spacing) &&
           weir_hdf5_attribute(group, "Direction", H5T_NATIVE_DOUBLE, 9, direction);
}

static bool describe_run(const struct weir_vtkhdf *table, hid_t group) {
    const struct weir_case *c = table->c;
    const struct weir_field_grid grid = weir_field_grid(table->output);
    return weir_hdf5_attribute(group, "cell_size", H5T_NATIVE_DOUBLE, 1, &c->units.length) &&
           weir_hdf5_attribute(group, "stride", H5T_NATIVE_INT, 3, grid.stride) &&
           weir_hdf5_text_attribute(group, "units", c->units.si ? "si" : "lattice") &&
           weir_hdf5_text_attribute(group, "lattice", weir_lattice_names[c->problem.lattice]) &&
           weir_hdf5_text_attribute(group, "case", c->name) &&
           weir_hdf5_text_attribute(group, "weir_version", WEIR_VERSION);
}

/* Numbers of the steps, one for each. */
static bool write_numbers(const struct weir_vtkhdf *table, const char *name, hid_t type, const void *values) {
    const hsize_t count = table->steps.count;
    const hid_t space = H5Screate_simple(1, &count, NULL),
                dataset = H5Dcreate2(table->hdf5, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    H5Sclose(space);
    return close_if_good(dataset, H5Dclose,
                         dataset >= 0 && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0);
}

/* Part of an array (`start`, `size`, of its space) is that array of a step's file, in the same folder. */
static bool map_step(const struct weir_vtkhdf *table, int array, int64_t step, hid_t creation, hid_t space,
                     const hsize_t *start, const hsize_t *size) {
    char *path;
    if (weir_output_path("", table->output->name, step, ".h5", &path) < 0)
        return false;
    hsize_t own[RANK];
    const int rank = size_of_array(table, array, 1, own);
    const hid_t there = H5Screate_simple(rank - 1, own + 1, NULL);
    const bool good = H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, size, NULL) >= 0 &&
                      H5Pset_virtual(creation, space, path + 1 /* past the "/" */,
                                     weir_field_array_name(array), there) >= 0;
    H5Sclose(there);
    free(path);
    return good;
}

/* What is shown of a file that is not there: no number, where the type has such a thing. */
static bool fill_with_nan(hid_t creation, hid_t type) {
    const double nothing = NAN;
    return H5Tget_class(type) != H5T_FLOAT || H5Pset_fill_value(creation, H5T_NATIVE_DOUBLE, &nothing) >= 0;
}

/* first: 0, or 1 of one step without the dimension of steps. */
static bool write_array(const struct weir_vtkhdf *table, const char *group, int array, int first) {
    hsize_t start[RANK] = {0}, size[RANK];
    char name[128];
    const int rank = size_of_array(table, array, table->steps.count, size) - first;
    const hid_t type = weir_field_array_type(table->c, array), creation = H5Pcreate(H5P_DATASET_CREATE),
                space = H5Screate_simple(rank, size + first, NULL);
    bool good = H5Pset_obj_track_times(creation, false) >= 0 && fill_with_nan(creation, type);
    size[0] = 1;
    for (size_t k = 0; k < table->steps.count; k++) {
        start[0] = k;
        good = good &&
               map_step(table, array, table->steps.steps[k], creation, space, start + first, size + first);
    }
    name_of_array(group, array, name);
    const hid_t dataset = good
                              ? H5Dcreate2(table->hdf5, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT)
                              : H5I_INVALID_HID;
    H5Sclose(space);
    H5Pclose(creation);
    return close_if_good(
        dataset, H5Dclose,
        dataset >= 0 && weir_hdf5_text_attribute(dataset, "units", weir_field_array_unit(table->c, array)));
}

/* VTK's readers (up to 9.6 at least) take a file of one step for one without time, whose arrays have no
 * dimension of steps; of more, they are the arrays. */
static bool show_array(const struct weir_vtkhdf *table, int array) {
    char name[128], shown[128];
    name_of_array(arrays_group, array, name);
    name_of_array(cells_group, array, shown);
    return table->steps.count == 1
               ? write_array(table, cells_group, array, 1)
               : H5Lcreate_hard(table->hdf5, name, table->hdf5, shown, H5P_DEFAULT, H5P_DEFAULT) >= 0;
}

static bool write_steps(const struct weir_vtkhdf *table) {
    const size_t count = table->steps.count;
    double *times = malloc(count * sizeof *times);
    bool good = times != NULL;
    for (size_t k = 0; good && k < count; k++)
        times[k] = (double)table->steps.steps[k] * table->c->units.time;
    good = good && write_numbers(table, "/VTKHDF/Steps/Values", H5T_NATIVE_DOUBLE, times) &&
           write_numbers(table, "/Weir/steps", H5T_NATIVE_INT64, table->steps.steps);
    free(times);
    return good;
}

static bool write_arrays(const struct weir_vtkhdf *table) {
    const size_t count = table->steps.count;
    int64_t *offsets = malloc(count * sizeof *offsets);
    bool good = offsets != NULL;
    for (size_t k = 0; good && k < count; k++)
        offsets[k] = (int64_t)k;
    for (int array = 0; array < WEIR_FIELD_ARRAYS; array++) {
        char name[128];
        if (!weir_field_array_wanted(table->c, table->output, array))
            continue;
        name_of_array(offsets_group, array, name);
        good = good && write_numbers(table, name, H5T_NATIVE_INT64, offsets) &&
               write_array(table, arrays_group, array, 0) && show_array(table, array);
    }
    free(offsets);
    return good;
}

static bool create_group(const struct weir_vtkhdf *table, const char *name,
                         bool (*describe)(const struct weir_vtkhdf *table, hid_t group)) {
    const hid_t group = H5Gcreate2(table->hdf5, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    return close_if_good(group, H5Gclose, group >= 0 && (!describe || describe(table, group)));
}

static bool describe_steps(const struct weir_vtkhdf *table, hid_t group) {
    const int64_t count = (int64_t)table->steps.count;
    return weir_hdf5_attribute(group, "NSteps", H5T_NATIVE_INT64, 1, &count);
}

static bool fill_in(const struct weir_vtkhdf *table) {
    return create_group(table, "/VTKHDF", describe_image) && create_group(table, cells_group, NULL) &&
           create_group(table, steps_group, describe_steps) && create_group(table, offsets_group, NULL) &&
           create_group(table, "/Weir", describe_run) && create_group(table, arrays_group, NULL) &&
           write_steps(table) && write_arrays(table);
}

/* ---- writing it ------------------------------------------------------------------------------------------
 */

static hid_t create_in_memory(const char *path) {
    const hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    hid_t hdf5 = H5I_INVALID_HID;
    if (H5Pset_fapl_core(access, GROWTH, false) >= 0 && H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0)
        hdf5 = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access);
    H5Pclose(access);
    return hdf5;
}

/* The bytes of the file; NULL: the library could not, or there is no memory. */
static void *copy_bytes(hid_t hdf5, size_t *length) {
    const ssize_t size = H5Fflush(hdf5, H5F_SCOPE_LOCAL) < 0 ? -1 : H5Fget_file_image(hdf5, NULL, 0);
    void *bytes = size <= 0 ? NULL : malloc((size_t)size);
    *length = size <= 0 ? 0 : (size_t)size;
    if (bytes && H5Fget_file_image(hdf5, bytes, *length) < 0) {
        free(bytes);
        return NULL;
    }
    return bytes;
}

/* The whole table in memory; *bytes are the caller's. */
static int make_bytes(struct weir_vtkhdf *table, void **bytes, size_t *length) {
    weir_hdf5_lock();
    table->hdf5 = create_in_memory(table->path);
    *bytes = table->hdf5 >= 0 && fill_in(table) ? copy_bytes(table->hdf5, length) : NULL;
    const int error = *bytes ? 0 : weir_hdf5_fail("write", table->path);
    if (table->hdf5 >= 0)
        H5Fclose(table->hdf5);
    weir_hdf5_unlock();
    return error;
}

int weir_vtkhdf_add(struct weir_vtkhdf *table, int64_t step) {
    void *bytes;
    size_t length = 0;
    struct weir_output_file *file;
    WEIR_TRY(weir_step_list_add(&table->steps, table->output->name, step));
    WEIR_TRY(make_bytes(table, &bytes, &length));
    int error = weir_output_file_create(table->path, &file);
    if (error == 0) {
        fwrite(bytes, 1, length, weir_output_file_stream(file));
        error = weir_output_file_finish(file);
    }
    free(bytes);
    return error;
}

/* ---- what an earlier part of the run has left ------------------------------------------------------------
 */

/* Whether a file of a step has an array as the output now writes it. */
static bool holds_array(const struct weir_vtkhdf *table, hid_t hdf5, int array) {
    hsize_t size[H5S_MAX_RANK], wanted[RANK];
    const int rank = size_of_array(table, array, 1, wanted) - 1;
    const char *name = weir_field_array_name(array);
    if (H5Lexists(hdf5, name, H5P_DEFAULT) <= 0)
        return false;
    const hid_t dataset = H5Dopen2(hdf5, name, H5P_DEFAULT);
    if (dataset < 0)
        return false;
    const hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset);
    bool good = H5Sget_simple_extent_dims(space, size, NULL) == rank &&
                H5Tequal(type, weir_field_array_type(table->c, array)) > 0;
    for (int i = 0; good && i < rank; i++)
        good = size[i] == wanted[1 + i];
    H5Tclose(type);
    H5Sclose(space);
    return close_if_good(dataset, H5Dclose, good);
}

static bool holds_step(const struct weir_vtkhdf *table, hid_t hdf5) {
    H5G_info_t group;
    hsize_t count = 0;
    bool good = true;
    for (int array = 0; array < WEIR_FIELD_ARRAYS; array++)
        if (weir_field_array_wanted(table->c, table->output, array)) {
            good = good && holds_array(table, hdf5, array);
            count++;
        }
    return good && H5Gget_info(hdf5, &group) >= 0 && group.nlinks == count;
}

/* Whether an array has values of its own. */
static bool has_values(hid_t hdf5, const char *name) {
    if (H5Lexists(hdf5, name, H5P_DEFAULT) <= 0)
        return false;
    const hid_t dataset = H5Dopen2(hdf5, name, H5P_DEFAULT), creation = H5Dget_create_plist(dataset);
    const bool virtual = H5Pget_layout(creation) == H5D_VIRTUAL;
    H5Pclose(creation);
    H5Dclose(dataset);
    return !virtual;
}

/* Until 27 November 2026 the values of all steps were in this file; they would go with it. */
static bool is_table(const struct weir_vtkhdf *table, hid_t hdf5) {
    bool good = true;
    for (int array = 0; array < WEIR_FIELD_ARRAYS; array++) {
        char name[128];
        name_of_array(arrays_group, array, name);
        if (weir_field_array_wanted(table->c, table->output, array))
            good = good && !has_values(hdf5, name);
    }
    return good;
}

static int look_into(const struct weir_vtkhdf *table, const char *path,
                     bool (*fits)(const struct weir_vtkhdf *table, hid_t hdf5), const char *reason) {
    weir_hdf5_lock();
    const hid_t access = weir_hdf5_file_access(MPI_COMM_NULL), hdf5 = H5Fopen(path, H5F_ACC_RDONLY, access);
    int error = 0;
    if (hdf5 < 0)
        error = weir_hdf5_fail_old("go on with", path);
    else if (!fits(table, hdf5))
        error = weir_fail(WEIR_FAILED, "cannot go on with '%s': %s", path, reason);
    H5Pclose(access);
    if (hdf5 >= 0)
        H5Fclose(hdf5);
    weir_hdf5_unlock();
    return error;
}

int weir_vtkhdf_continue(struct weir_vtkhdf *table, const char *directory, int64_t first) {
    int error = weir_step_list_add_earlier(&table->steps, directory, table->output->name, ".h5", first);
    for (size_t k = 0; error == 0 && k < table->steps.count; k++) {
        char *path;
        WEIR_TRY(weir_output_path(directory, table->output->name, table->steps.steps[k], ".h5", &path));
        error = look_into(table, path, holds_step,
                          "it holds other fields, cells or numbers than its output of the case now writes; "
                          "give the output another name, or the run another folder with --out");
        free(path);
    }
    if (error == 0 && access(table->path, F_OK) == 0)
        error = look_into(table, table->path, is_table,
                          "it has values of its own, which earlier versions of Weir kept there; move it "
                          "away, and it begins anew");
    return error;
}
