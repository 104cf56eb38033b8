#include "src/output/vtkhdf.h"

#include "graph/base/error.h"
#include "src/common/hdf5_access.h"
#include "src/common/hdf5_attributes.h"
#include "src/common/output_files.h"
#include "src/output/field_grid.h"
#include "src/output/packed_chunk.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
    RANK = 5,          /* of an array with components: step, z, y, x, component */
    NUMBERS = 128,     /* one for each step, in a chunk of them */
    CHUNK_INDEX = 256, /* bytes at most that a chunk takes beside its own */
    HEADERS = 64 * 1024,
};

static const char values_name[] = "VTKHDF/Steps/Values", numbers_name[] = "Weir/steps",
                  arrays_group[] = "/Weir/fields", cells_group[] = "VTKHDF/CellData",
                  offsets_group[] = "VTKHDF/Steps/CellDataOffsets", steps_group[] = "VTKHDF/Steps";

struct weir_vtkhdf {
    const struct weir_case *c;
    const struct weir_output *output;
    struct weir_writer *writer;
    struct weir_agreeing who;
    int rank;
    char *path;
    hsize_t chunk[3];
    int64_t
        first;  /* steps of an earlier part of the run, from this one on, go; 0: there is no earlier part */
    bool there; /* the file is, with its name, and what is in it is known: */
    hsize_t steps; /* complete */
    bool own_chunks;

    /* of the step begun */
    struct weir_output_file *part; /* of the first */
    hid_t hdf5;
};

static bool is_shared(const struct weir_vtkhdf *file) {
    return file->who.ranks != MPI_COMM_NULL;
}

/* Of one that an earlier part of the run has left, until a step has gone to it. */
static bool is_old(const struct weir_vtkhdf *file) {
    return !file->there && !file->part;
}

int weir_vtkhdf_fail(const struct weir_vtkhdf *file) {
    return is_old(file) ? weir_hdf5_fail_old("go on with", file->path) : weir_hdf5_fail("write", file->path);
}

static int agree(const struct weir_vtkhdf *file, bool good) {
    return weir_agreement(&file->who, good ? 0 : weir_vtkhdf_fail(file), false);
}

static bool flush(const struct weir_vtkhdf *file) {
    weir_hdf5_enter(&file->who, file->path);
    const bool flushed = H5Fflush(file->hdf5, H5F_SCOPE_GLOBAL) >= 0;
    weir_hdf5_leave(&file->who);
    return flushed;
}

int weir_vtkhdf_create(const struct weir_case *c, const struct weir_output *output, const char *directory,
                       const hsize_t chunk[3], struct weir_writer *writer, struct weir_vtkhdf **result) {
    struct weir_vtkhdf *file = calloc(1, sizeof *file);
    if (!file)
        return weir_fail(WEIR_FAILED, "no memory left for the output '%s'", output->name);
    *file = (struct weir_vtkhdf){
        .c = c, .output = output, .writer = writer, .who = {.ranks = MPI_COMM_NULL}, .hdf5 = H5I_INVALID_HID};
    memcpy(file->chunk, chunk, sizeof file->chunk);
    const int error = weir_output_path(directory, output->name, -1, ".vtkhdf", &file->path);
    if (error < 0) {
        weir_vtkhdf_destroy(file);
        return error;
    }
    *result = file;
    return 0;
}

void weir_vtkhdf_destroy(struct weir_vtkhdf *file) {
    if (!file)
        return;
    weir_vtkhdf_abandon(file, false);
    free(file->path);
    free(file);
}

void weir_vtkhdf_share(struct weir_vtkhdf *file, const struct weir_agreeing *who) {
    file->who = *who;
    MPI_Comm_rank(who->ranks, &file->rank);
}

void weir_vtkhdf_continue(struct weir_vtkhdf *file, int64_t first) {
    file->first = first;
}

/* ---- sizes ----------------------------------------------------------------------------------------------
 */

/* Of an array with so many steps: its rank, and its size along each dimension. */
static int size_of_array(const struct weir_vtkhdf *file, int array, hsize_t steps, hsize_t size[RANK]) {
    const struct weir_field_grid grid = weir_field_grid(file->output);
    const int components = weir_field_array_components(array);
    size[0] = steps;
    for (int i = 0; i < 3; i++)
        size[1 + i] = (hsize_t)grid.count[2 - i];
    size[4] = (hsize_t)components;
    return components > 1 ? RANK : RANK - 1;
}

static void chunk_of_array(const struct weir_vtkhdf *file, int array, hsize_t chunk[RANK]) {
    size_of_array(file, array, 1, chunk);
    for (int i = 0; i < 3; i++) /* the library has none that are larger than the whole */
        if (chunk[1 + i] > file->chunk[i])
            chunk[1 + i] = file->chunk[i];
}

/* Bytes that one more step takes at most. */
static uint64_t step_bytes(const struct weir_vtkhdf *file) {
    uint64_t bytes = HEADERS;
    for (int array = 0; array < WEIR_FIELD_ARRAYS; array++) {
        hsize_t size[RANK], chunk[RANK];
        uint64_t chunks = 1, one = weir_field_array_value_bytes(file->c, array);
        if (!weir_field_array_wanted(file->c, file->output, array))
            continue;
        size_of_array(file, array, 1, size);
        chunk_of_array(file, array, chunk);
        for (int i = 0; i < RANK; i++) {
            chunks *= (size[i] + chunk[i] - 1) / chunk[i];
            one *= chunk[i];
        }
        bytes += chunks * (one + CHUNK_INDEX);
    }
    return bytes;
}

/* By rank 0: disk for one more step, behind what the file has, whose length stays. Of compressed ones nobody
 * knows how much that is. */
static int reserve(const struct weir_vtkhdf *file, const char *path) {
    if (file->rank > 0 || file->output->compressed)
        return 0;
    const int descriptor = open(path, O_WRONLY | O_CLOEXEC | O_NOFOLLOW);
    const off_t end = descriptor < 0 ? -1 : lseek(descriptor, 0, SEEK_END);
    int error = end < 0 ? errno : 0;
    if (error == 0 && fallocate(descriptor, FALLOC_FL_KEEP_SIZE, end, (off_t)step_bytes(file)) < 0 &&
        errno != EOPNOTSUPP && errno != ENOSYS)
        error = errno;
    if (descriptor >= 0)
        close(descriptor);
    return error == 0 ? 0 : weir_output_error("reserve room for a step in", file->path, error);
}

/* ---- opening, and making a file without steps ------------------------------------------------------------
 */

/* Nothing of what the library knows of the file goes to it before it is flushed: see the header. Many small
 * changes between ranks would else bring it there, too. */
static bool hold_back(hid_t access) {
    H5AC_cache_config_t cache = {.version = H5AC__CURR_CACHE_CONFIG_VERSION};
    if (H5Pget_mdc_config(access, &cache) < 0)
        return false;
    cache.evictions_enabled = false;
    cache.incr_mode = H5C_incr__off;
    cache.flash_incr_mode = H5C_flash_incr__off;
    cache.decr_mode = H5C_decr__off;
    cache.dirty_bytes_threshold = 32 << 20;
    return H5Pset_mdc_config(access, &cache) >= 0;
}

static hid_t open_hdf5(const struct weir_vtkhdf *file, const char *path, bool create) {
    const hid_t access = weir_hdf5_file_access(file->who.ranks);
    hid_t hdf5 = H5I_INVALID_HID;
    if (access < 0)
        return H5I_INVALID_HID;
    if (hold_back(access))
        hdf5 = create ? H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, access)
                      : H5Fopen(path, H5F_ACC_RDWR, access);
    H5Pclose(access);
    return hdf5;
}

static bool close_if_good(hid_t object, herr_t (*close)(hid_t), bool good) {
    return object >= 0 && close(object) >= 0 && good;
}

static bool describe_image(const struct weir_vtkhdf *file, hid_t group) {
    static const char type_name[] = "ImageData";
    const struct weir_field_grid grid = weir_field_grid(file->output);
    const int64_t version[2] = {2, 0};
    int64_t extent[6];
    double origin[3], spacing[3], direction[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    for (int axis = 0; axis < 3; axis++) {
        extent[2 * axis] = 0;
        extent[2 * axis + 1] = grid.count[axis]; /* of points, which are cells' corners */
        origin[axis] = file->c->units.length * weir_field_grid_begin(&grid, axis);
        spacing[axis] = file->c->units.length * grid.stride[axis];
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

static bool describe_run(const struct weir_vtkhdf *file, hid_t group) {
    const struct weir_case *c = file->c;
    const struct weir_field_grid grid = weir_field_grid(file->output);
    return weir_hdf5_attribute(group, "cell_size", H5T_NATIVE_DOUBLE, 1, &c->units.length) &&
           weir_hdf5_attribute(group, "stride", H5T_NATIVE_INT, 3, grid.stride) &&
           weir_hdf5_text_attribute(group, "units", c->units.si ? "si" : "lattice") &&
           weir_hdf5_text_attribute(group, "lattice", weir_lattice_names[c->problem.lattice]) &&
           weir_hdf5_text_attribute(group, "case", c->name) &&
           weir_hdf5_text_attribute(group, "weir_version", WEIR_VERSION);
}

/* Without steps, [0] ...; negative where that failed. */
static hid_t create_dataset(hid_t hdf5, const char *name, hid_t type, int rank, const hsize_t *size,
                            const hsize_t *chunk, bool compressed) {
    hsize_t most[RANK];
    memcpy(most, size, (size_t)rank * sizeof *most);
    most[0] = H5S_UNLIMITED;
    const hid_t space = H5Screate_simple(rank, size, most), creation = H5Pcreate(H5P_DATASET_CREATE);
    hid_t dataset = H5I_INVALID_HID;
    if (H5Pset_obj_track_times(creation, false) >= 0 && H5Pset_chunk(creation, rank, chunk) >= 0 &&
        H5Pset_alloc_time(creation, H5D_ALLOC_TIME_EARLY) >= 0 &&
        H5Pset_fill_time(creation, H5D_FILL_TIME_NEVER) >= 0 && (!compressed || weir_packed_chunks(creation)))
        dataset = H5Dcreate2(hdf5, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    H5Pclose(creation);
    H5Sclose(space);
    return dataset;
}

/* Of one number for each step. */
static bool create_numbers(hid_t hdf5, const char *name, hid_t type) {
    const hsize_t none = 0, chunk = NUMBERS;
    return close_if_good(create_dataset(hdf5, name, type, 1, &none, &chunk, false), H5Dclose, true);
}

static void name_of_array(const char *group, int array, char name[128]) {
    snprintf(name, 128, "%s/%s", group, weir_field_array_name(array));
}

static bool create_array(const struct weir_vtkhdf *file, int array) {
    hsize_t size[RANK], chunk[RANK];
    char name[128];
    const int rank = size_of_array(file, array, 0, size);
    chunk_of_array(file, array, chunk);
    name_of_array(arrays_group, array, name);
    const hid_t dataset = create_dataset(file->hdf5, name, weir_field_array_type(file->c, array), rank, size,
                                         chunk, file->output->compressed);
    const bool good =
        dataset >= 0 && weir_hdf5_text_attribute(dataset, "units", weir_field_array_unit(file->c, array));
    name_of_array(offsets_group, array, name);
    return close_if_good(dataset, H5Dclose, good) && create_numbers(file->hdf5, name, H5T_NATIVE_INT64);
}

static bool create_group(const struct weir_vtkhdf *file, const char *name,
                         bool (*describe)(const struct weir_vtkhdf *file, hid_t group)) {
    const hid_t group = H5Gcreate2(file->hdf5, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    return close_if_good(group, H5Gclose, group >= 0 && (!describe || describe(file, group)));
}

static bool describe_steps(const struct weir_vtkhdf *file, hid_t group) {
    const int64_t none = 0;
    (void)file;
    return weir_hdf5_attribute(group, "NSteps", H5T_NATIVE_INT64, 1, &none);
}

static bool fill_in(const struct weir_vtkhdf *file) {
    bool good = create_group(file, "VTKHDF", describe_image) && create_group(file, cells_group, NULL) &&
                create_group(file, steps_group, describe_steps) && create_group(file, offsets_group, NULL) &&
                create_group(file, "Weir", describe_run) && create_group(file, arrays_group, NULL) &&
                create_numbers(file->hdf5, values_name, H5T_NATIVE_DOUBLE) &&
                create_numbers(file->hdf5, numbers_name, H5T_NATIVE_INT64);
    for (int array = 0; array < WEIR_FIELD_ARRAYS; array++)
        if (weir_field_array_wanted(file->c, file->output, array))
            good = good && create_array(file, array);
    return good;
}

/* By rank 0, and then by the others: who does not find it would be waited for in vain by HDF5. */
static int create_part(struct weir_vtkhdf *file) {
    int error = file->rank == 0 ? weir_output_file_create(file->path, &file->part) : 0;
    error = weir_agreement(&file->who, error, false);
    if (error == 0 && file->rank > 0)
        error = weir_output_file_join(file->path, &file->part);
    return weir_agreement(&file->who, error, false);
}

static int create_file(struct weir_vtkhdf *file) {
    WEIR_TRY(create_part(file));
    weir_hdf5_lock();
    file->hdf5 = open_hdf5(file, weir_output_file_part(file->part), true);
    int error = agree(file, file->hdf5 >= 0);
    if (error < 0)
        file->hdf5 = H5I_INVALID_HID; /* where one rank has it not open, the others cannot close it */
    else
        error = weir_agreement(&file->who, reserve(file, weir_output_file_part(file->part)), false);
    if (error == 0)
        error = agree(file, fill_in(file));
    weir_hdf5_unlock();
    file->steps = 0;
    file->own_chunks = true;
    return error;
}

/* ---- what VTK sees of the arrays -------------------------------------------------------------------------
 */

/* The first step of an array, without the dimension of steps: a dataset that has no values of its own. */
static bool create_view(const struct weir_vtkhdf *file, int array, const char *view, const char *name) {
    hsize_t size[RANK], start[RANK] = {0};
    const int rank = size_of_array(file, array, 1, size);
    const hid_t type = weir_field_array_type(file->c, array), creation = H5Pcreate(H5P_DATASET_CREATE),
                space = H5Screate_simple(rank - 1, size + 1, NULL),
                whole = H5Screate_simple(rank, size, NULL);
    hid_t dataset = H5I_INVALID_HID;
    if (H5Sselect_hyperslab(whole, H5S_SELECT_SET, start, NULL, size, NULL) >= 0 &&
        H5Pset_obj_track_times(creation, false) >= 0 &&
        H5Pset_virtual(creation, space, ".", name, whole) >= 0)
        dataset = H5Dcreate2(file->hdf5, view, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    H5Sclose(whole);
    H5Sclose(space);
    H5Pclose(creation);
    return close_if_good(
        dataset, H5Dclose,
        dataset >= 0 && weir_hdf5_text_attribute(dataset, "units", weir_field_array_unit(file->c, array)));
}

/* VTK's readers (up to 9.6 at least) take a file of one step for one without time, whose arrays have no
 * dimension of steps; of more, they are the arrays. */
static bool show_arrays(const struct weir_vtkhdf *file, hsize_t steps) {
    bool good = true;
    for (int array = 0; array < WEIR_FIELD_ARRAYS; array++) {
        char view[128], name[128];
        if (!good || !weir_field_array_wanted(file->c, file->output, array))
            continue;
        name_of_array(cells_group, array, view);
        name_of_array(arrays_group, array, name);
        const htri_t there = H5Lexists(file->hdf5, view, H5P_DEFAULT);
        good = there == 0 || (there > 0 && H5Ldelete(file->hdf5, view, H5P_DEFAULT) >= 0);
        good = good && (steps == 1 ? create_view(file, array, view, name)
                                   : H5Lcreate_hard(file->hdf5, name, file->hdf5, view, H5P_DEFAULT,
                                                    H5P_DEFAULT) >= 0);
    }
    return good;
}

/* ---- a file that is there --------------------------------------------------------------------------------
 */

/* Whether a dataset of the file is one of this output, of any number of steps; notes whether it has its
 * chunks. */
static bool is_array_of(struct weir_vtkhdf *file, int array) {
    hsize_t size[RANK], chunk[RANK], wanted[RANK], wanted_chunk[RANK];
    char name[128];
    const int rank = size_of_array(file, array, 0, wanted);
    chunk_of_array(file, array, wanted_chunk);
    name_of_array(arrays_group, array, name);
    const hid_t dataset = H5Dopen2(file->hdf5, name, H5P_DEFAULT);
    if (dataset < 0)
        return false;
    const hid_t space = H5Dget_space(dataset), type = H5Dget_type(dataset),
                creation = H5Dget_create_plist(dataset);
    bool good = H5Sget_simple_extent_ndims(space) == rank &&
                H5Sget_simple_extent_dims(space, size, NULL) == rank &&
                H5Tequal(type, weir_field_array_type(file->c, array)) > 0 &&
                H5Pget_chunk(creation, rank, chunk) == rank &&
                (H5Pget_nfilters(creation) > 0) == file->output->compressed;
    for (int i = 1; good && i < rank; i++) {
        good = size[i] == wanted[i];
        file->own_chunks = file->own_chunks && chunk[i] == wanted_chunk[i];
    }
    H5Pclose(creation);
    H5Tclose(type);
    H5Sclose(space);
    return close_if_good(dataset, H5Dclose, good);
}

static bool holds_arrays(struct weir_vtkhdf *file) {
    char name[128];
    H5G_info_t group;
    hsize_t count = 0;
    file->own_chunks = true;
    for (int array = 0; array < WEIR_FIELD_ARRAYS; array++) {
        if (!weir_field_array_wanted(file->c, file->output, array))
            continue;
        name_of_array(arrays_group, array, name);
        if (H5Lexists(file->hdf5, name, H5P_DEFAULT) <= 0 || !is_array_of(file, array))
            return false;
        count++;
    }
    return H5Gget_info_by_name(file->hdf5, arrays_group, &group, H5P_DEFAULT) >= 0 && group.nlinks == count;
}

static bool has_groups(const struct weir_vtkhdf *file) {
    return H5Lexists(file->hdf5, "VTKHDF", H5P_DEFAULT) > 0 &&
           H5Lexists(file->hdf5, cells_group, H5P_DEFAULT) > 0 &&
           H5Lexists(file->hdf5, steps_group, H5P_DEFAULT) > 0 &&
           H5Lexists(file->hdf5, "Weir", H5P_DEFAULT) > 0 &&
           H5Lexists(file->hdf5, arrays_group, H5P_DEFAULT) > 0 &&
           H5Lexists(file->hdf5, numbers_name, H5P_DEFAULT) > 0;
}

/* How many of the file's steps come before the one that the run goes on with. */
static bool count_steps(struct weir_vtkhdf *file) {
    const hid_t dataset = H5Dopen2(file->hdf5, numbers_name, H5P_DEFAULT);
    const int64_t count = dataset < 0 ? -1 : weir_hdf5_count(dataset);
    int64_t *numbers =
        count < 0 || count > INT64_MAX / 16 ? NULL : malloc(((size_t)count + 1) * sizeof *numbers);
    const bool good = numbers && (count == 0 || H5Dread(dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL,
                                                        H5P_DEFAULT, numbers) >= 0);
    file->steps = 0;
    while (good && file->steps < (hsize_t)count && numbers[file->steps] < file->first)
        file->steps++;
    free(numbers);
    return close_if_good(dataset, H5Dclose, good);
}

static bool write_step_count(const struct weir_vtkhdf *file, hsize_t steps) {
    const int64_t count = (int64_t)steps;
    const hid_t group = H5Gopen2(file->hdf5, steps_group, H5P_DEFAULT),
                attribute = group < 0 ? H5I_INVALID_HID : H5Aopen(group, "NSteps", H5P_DEFAULT);
    const bool written = attribute >= 0 && H5Awrite(attribute, H5T_NATIVE_INT64, &count) >= 0,
               closed = close_if_good(attribute, H5Aclose, written);
    return close_if_good(group, H5Gclose, closed);
}

static bool resize(const struct weir_vtkhdf *file, const char *name, const hsize_t *size) {
    const hid_t dataset = H5Dopen2(file->hdf5, name, H5P_DEFAULT);
    return close_if_good(dataset, H5Dclose, dataset >= 0 && H5Dset_extent(dataset, size) >= 0);
}

/* Cuts arrays and numbers to the steps that stay. */
static bool cut(const struct weir_vtkhdf *file) {
    bool good = write_step_count(file, file->steps) && resize(file, values_name, &file->steps) &&
                resize(file, numbers_name, &file->steps);
    for (int array = 0; array < WEIR_FIELD_ARRAYS; array++) {
        hsize_t size[RANK];
        char name[128];
        if (!weir_field_array_wanted(file->c, file->output, array))
            continue;
        size_of_array(file, array, file->steps, size);
        name_of_array(arrays_group, array, name);
        good = good && resize(file, name, size);
        name_of_array(offsets_group, array, name);
        good = good && resize(file, name, &file->steps);
    }
    return good && show_arrays(file, file->steps);
}

/* What an earlier part of the run has left: its later steps go, for good before their room is used again. */
static int take_over(struct weir_vtkhdf *file) {
    int error = 0;
    if (!has_groups(file) || !holds_arrays(file))
        error = weir_fail(
            WEIR_FAILED,
            "cannot go on with '%s': it holds other fields, cells or numbers than output \"%s\" "
            "of the case now writes; give the output another name, or the run another folder with --out",
            file->path, file->output->name);
    WEIR_TRY(weir_agreement(&file->who, error, true));
    WEIR_TRY(agree(file, count_steps(file)));
    return agree(file, cut(file) && flush(file));
}

static int open_file(struct weir_vtkhdf *file) {
    WEIR_TRY(weir_agreement(&file->who, reserve(file, file->path), false));
    weir_hdf5_lock();
    file->hdf5 = open_hdf5(file, file->path, false);
    int error = agree(file, file->hdf5 >= 0);
    if (error < 0)
        file->hdf5 = H5I_INVALID_HID;
    else if (!file->there)
        error = take_over(file);
    weir_hdf5_unlock();
    return error;
}

/* Whether an earlier part of the run has left one, as rank 0 sees it. */
static bool is_left(const struct weir_vtkhdf *file) {
    int left = file->first > 0 && access(file->path, F_OK) == 0;
    if (is_shared(file)) {
        weir_agreeing_enter(&file->who);
        MPI_Bcast(&left, 1, MPI_INT, 0, file->who.ranks);
        weir_agreeing_leave(&file->who);
    }
    return left != 0;
}

/* ---- steps ------------------------------------------------------------------------------------------------
 */

static bool lengthen_arrays(const struct weir_vtkhdf *file, struct weir_vtkhdf_frame *frame) {
    bool good = true;
    for (int array = 0; array < WEIR_FIELD_ARRAYS; array++) {
        hsize_t size[RANK];
        char name[128];
        frame->arrays[array] = H5I_INVALID_HID;
        if (!good || !weir_field_array_wanted(file->c, file->output, array))
            continue;
        size_of_array(file, array, file->steps + 1, size);
        name_of_array(arrays_group, array, name);
        frame->arrays[array] = H5Dopen2(file->hdf5, name, H5P_DEFAULT);
        good = frame->arrays[array] >= 0 && H5Dset_extent(frame->arrays[array], size) >= 0;
    }
    return good;
}

int weir_vtkhdf_begin(struct weir_vtkhdf *file, struct weir_vtkhdf_frame *frame) {
    int error = file->there || is_left(file) ? open_file(file) : create_file(file);
    if (error == 0) {
        weir_hdf5_lock();
        error = agree(file, lengthen_arrays(file, frame));
        weir_hdf5_unlock();
    }
    frame->number = file->steps;
    frame->own_chunks = file->own_chunks;
    if (error < 0)
        weir_vtkhdf_abandon(file, true);
    return error;
}

/* One more number: all ranks make room for it, one writes it. */
static bool append_number(const struct weir_vtkhdf *file, const char *name, hid_t type, const void *value) {
    const hsize_t count = file->steps + 1, one = 1;
    const hid_t dataset = H5Dopen2(file->hdf5, name, H5P_DEFAULT);
    bool good = dataset >= 0 && H5Dset_extent(dataset, &count) >= 0;
    if (good && file->rank == 0) {
        const hid_t memory = H5Screate_simple(1, &one, NULL), place = H5Dget_space(dataset);
        good = H5Sselect_hyperslab(place, H5S_SELECT_SET, &file->steps, NULL, &one, NULL) >= 0 &&
               H5Dwrite(dataset, type, memory, place, H5P_DEFAULT, value) >= 0;
        H5Sclose(place);
        H5Sclose(memory);
    }
    return close_if_good(dataset, H5Dclose, good);
}

static bool append_numbers(const struct weir_vtkhdf *file, int64_t step) {
    const double time = (double)step * file->c->units.time;
    const int64_t offset = (int64_t)file->steps;
    bool good = append_number(file, values_name, H5T_NATIVE_DOUBLE, &time) &&
                append_number(file, numbers_name, H5T_NATIVE_INT64, &step);
    for (int array = 0; array < WEIR_FIELD_ARRAYS; array++) {
        char name[128];
        name_of_array(offsets_group, array, name);
        if (weir_field_array_wanted(file->c, file->output, array))
            good = good && append_number(file, name, H5T_NATIVE_INT64, &offset);
    }
    good = good && (file->steps > 1 || show_arrays(file, file->steps + 1));
    return good && write_step_count(file, file->steps + 1);
}

static bool close_file(struct weir_vtkhdf *file) {
    const hid_t hdf5 = file->hdf5;
    file->hdf5 = H5I_INVALID_HID;
    weir_hdf5_enter(&file->who, file->path);
    const bool closed = H5Fclose(hdf5) >= 0;
    weir_hdf5_leave(&file->who);
    return closed;
}

/* Job of the writer. */
static int synchronise(void *context) {
    const char *path = context;
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    int error = descriptor < 0 || fdatasync(descriptor) < 0 ? errno : 0;
    if (descriptor >= 0)
        close(descriptor);
    return error == 0 ? 0 : weir_output_error("write", path, error);
}

/* Gives the file its name, with its first step; later ones are brought to the disk while the run goes on. */
static int settle(struct weir_vtkhdf *file) {
    struct weir_output_file *part = file->part;
    file->part = NULL;
    if (part)
        return file->rank == 0 ? weir_output_file_finish(part) : weir_output_file_leave(part);
    if (file->rank > 0)
        return 0;
    char *path = strdup(file->path);
    if (!path)
        return weir_fail(WEIR_FAILED, "no memory left for the output '%s'", file->output->name);
    return weir_writer_add(file->writer,
                           &(struct weir_job){.run = synchronise, .release = free, .context = path});
}

int weir_vtkhdf_commit(struct weir_vtkhdf *file, int64_t step) {
    weir_hdf5_lock();
    /* Arrays with all that finds their values are in the file before it says that there is one step more. */
    int error = agree(file, flush(file));
    if (error == 0)
        error = agree(file, append_numbers(file, step));
    if (error == 0)
        error = close_file(file) ? 0 : weir_vtkhdf_fail(file);
    weir_hdf5_unlock();
    if (error == 0)
        error = settle(file);
    error = weir_agreement(&file->who, error, false);
    if (error < 0) {
        weir_vtkhdf_abandon(file, true);
        return error;
    }
    file->there = true;
    file->steps++;
    return 0;
}

void weir_vtkhdf_abandon(struct weir_vtkhdf *file, bool failed) {
    weir_hdf5_lock();
    if (file->hdf5 >= 0 && !failed && !is_shared(file)) {
        if (!file->part)
            cut(file);
        H5Fclose(file->hdf5);
    }
    file->hdf5 = H5I_INVALID_HID;
    weir_hdf5_unlock();
    weir_output_file_discard(file->part);
    file->part = NULL;
}
