#include "src/output/checkpoint_file.h"

#include "graph/base/error.h"
#include "src/common/checksum.h"
#include "src/common/hdf5_access.h"
#include "src/output/formats/checkpoint_format.h"
#include "src/output/formats/packed_chunk.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What HDF5 keeps of the file: neighbouring blocks need the same chunks. */
enum { CACHE_BYTES = 256 << 20, CACHE_SLOTS = 10007 };

struct set {
    char name[32];
    int populations;
    size_t value_size;
    hid_t values, checksums;
    int chunk[3], chunks[3]; /* x, y, z */
    bool compressed;
};

struct weir_checkpoint_file {
    char *path;
    json_t *about;
    int64_t step;
    int cells[3];
    bool periodic[3];
    hid_t hdf5;
    struct set sets[WEIR_CHECKPOINT_SETS];
    int set_count;
};

static int fail_damaged(const struct weir_checkpoint_file *file, const char *what) {
    return weir_fail(WEIR_USAGE,
                     "%s: the checkpoint is damaged: %s; give an earlier one with --resume FILE, or run the "
                     "case anew",
                     file->path, what);
}

/* Whether the system lets us read it at all, which HDF5 does not tell apart. */
static int check_there(const char *path) {
    if (access(path, R_OK) == 0)
        return 0;
    return weir_fail(WEIR_USAGE,
                     "%s: cannot read the checkpoint: %m; give one that weir run wrote, such as "
                     "out/NAME/checkpoint_000001000.h5",
                     path);
}

static int open_hdf5(struct weir_checkpoint_file *file) {
    hid_t access = H5Pcreate(H5P_FILE_ACCESS);
    if (H5Pset_fapl_sec2(access) >= 0 && H5Pset_file_locking(access, false, true) >= 0 &&
        H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0)
        file->hdf5 = H5Fopen(file->path, H5F_ACC_RDONLY, access);
    H5Pclose(access);
    if (file->hdf5 >= 0)
        return 0;
    return weir_fail(WEIR_USAGE,
                     "%s: no whole HDF5 file: the checkpoint is cut short or damaged, or it is another "
                     "file; give one that weir run wrote",
                     file->path);
}

static int fail_foreign(const struct weir_checkpoint_file *file) {
    return weir_fail(WEIR_USAGE,
                     "%s: no checkpoint of Weir, though an HDF5 file (it has no \"%s\"); give one that weir "
                     "run wrote, such as out/NAME/checkpoint_000001000.h5",
                     file->path, WEIR_CHECKPOINT_ABOUT);
}

/* The text "about", which must have its checksum. *text: to be freed. */
static int read_text(struct weir_checkpoint_file *file, char **text) {
    enum { LONGEST = 1 << 28 };
    if (H5Lexists(file->hdf5, WEIR_CHECKPOINT_ABOUT, H5P_DEFAULT) <= 0)
        return fail_foreign(file);
    const hid_t dataset = H5Dopen2(file->hdf5, WEIR_CHECKPOINT_ABOUT, H5P_DEFAULT);
    const hid_t attribute = H5Aopen(dataset, WEIR_CHECKPOINT_CHECKSUM, H5P_DEFAULT);
    const int64_t length = dataset >= 0 ? weir_hdf5_count(dataset) : -1;
    uint64_t checksum = 0;
    const bool fits = length >= 0 && length <= LONGEST && (*text = calloc((size_t)length + 1, 1));
    const bool good = fits && H5Dread(dataset, H5T_NATIVE_UINT8, H5S_ALL, H5S_ALL, H5P_DEFAULT, *text) >= 0 &&
                      weir_hdf5_read_number(attribute, H5T_NATIVE_UINT64, &checksum) >= 0 &&
                      weir_checksum(*text, (size_t)length) == checksum;
    H5Aclose(attribute);
    H5Dclose(dataset);
    return good ? 0 : fail_damaged(file, "what it says of itself does not have its checksum");
}

static int read_about(struct weir_checkpoint_file *file) {
    char *text = NULL;
    int error = read_text(file, &text);
    if (error == 0 && !(file->about = json_loads(text, 0, NULL)))
        error = fail_damaged(file, "what it says of itself is no JSON");
    free(text);
    WEIR_TRY(error);
    json_int_t step = -1, version = 0;
    (void)json_unpack(file->about, "{s:I}", "format", &version);
    if (version != WEIR_CHECKPOINT_VERSION)
        return weir_fail(WEIR_USAGE,
                         "%s: a checkpoint of format %lld, and this version of Weir reads format %d; resume "
                         "with the version that wrote it",
                         file->path, (long long)version, WEIR_CHECKPOINT_VERSION);
    int periodic[3];
    if (json_unpack(file->about, "{s:I, s:[iii], s:[bbb]}", "step", &step, "cells", &file->cells[0],
                    &file->cells[1], &file->cells[2], "periodic", &periodic[0], &periodic[1],
                    &periodic[2]) < 0 ||
        step < 0 || file->cells[0] < 1 || file->cells[1] < 1 || file->cells[2] < 1)
        return fail_damaged(file, "it does not say which step and cells it is of");
    file->step = step;
    for (int axis = 0; axis < 3; axis++)
        file->periodic[axis] = periodic[axis];
    return 0;
}

/* Sizes as they are in the file must be those that it says. */
static bool measure_set(const struct weir_checkpoint_file *file, struct set *set) {
    hsize_t size[4], chunk[4];
    hid_t space = H5Dget_space(set->values), creation = H5Dget_create_plist(set->values);
    bool good = H5Sget_simple_extent_ndims(space) == 4 && H5Sget_simple_extent_dims(space, size, NULL) == 4 &&
                H5Pget_layout(creation) == H5D_CHUNKED && H5Pget_chunk(creation, 4, chunk) == 4 &&
                size[0] == (hsize_t)set->populations && chunk[0] == size[0];
    set->compressed = H5Pget_nfilters(creation) > 0;
    hid_t type = H5Dget_type(set->values);
    good = good && H5Tget_size(type) == set->value_size &&
           H5Tget_class(type) == (set->value_size == sizeof(uint16_t) ? H5T_INTEGER : H5T_FLOAT);
    H5Tclose(type);
    H5Pclose(creation);
    H5Sclose(space);
    for (int axis = 0; axis < 3 && good; axis++) {
        good = size[3 - axis] == (hsize_t)file->cells[axis] && chunk[3 - axis] <= size[3 - axis];
        set->chunk[axis] = (int)chunk[3 - axis];
        set->chunks[axis] = good ? weir_checkpoint_chunks(file->cells[axis], set->chunk[axis]) : 0;
    }
    return good &&
           weir_hdf5_count(set->checksums) == (int64_t)set->chunks[0] * set->chunks[1] * set->chunks[2];
}

static int open_set(struct weir_checkpoint_file *file, const json_t *about) {
    const char *name;
    int bytes;
    char checksums[64];
    struct set *set = &file->sets[file->set_count];
    if (json_unpack((json_t *)about, "{s:s, s:i, s:i}", "name", &name, "populations", &set->populations,
                    "bytes", &bytes) < 0 ||
        set->populations < 1 || (bytes != 2 && bytes != 4 && bytes != 8))
        return fail_damaged(file, "it does not say which populations it has");
    set->value_size = (size_t)bytes;
    snprintf(set->name, sizeof set->name, "%s", name);
    snprintf(checksums, sizeof checksums, WEIR_CHECKPOINT_CHECKSUMS, set->name);
    hid_t access = H5Pcreate(H5P_DATASET_ACCESS);
    H5Pset_chunk_cache(access, CACHE_SLOTS, CACHE_BYTES, 1);
    set->values = H5Dopen2(file->hdf5, set->name, access);
    set->checksums = H5Dopen2(file->hdf5, checksums, H5P_DEFAULT);
    H5Pclose(access);
    if (set->values < 0 || set->checksums < 0 || !measure_set(file, set))
        return fail_damaged(file, "its populations are not of the size that it says");
    file->set_count++;
    return 0;
}

static int open_sets(struct weir_checkpoint_file *file) {
    const json_t *list = json_object_get(file->about, "sets");
    const size_t count = json_array_size(list);
    if (count < 1 || count > WEIR_CHECKPOINT_SETS)
        return fail_damaged(file, "it does not say which populations it has");
    for (size_t k = 0; k < count; k++)
        WEIR_TRY(open_set(file, json_array_get(list, k)));
    return 0;
}

int weir_checkpoint_file_open(const char *path, struct weir_checkpoint_file **result) {
    WEIR_TRY(check_there(path));
    struct weir_checkpoint_file *file = calloc(1, sizeof *file);
    if (!file || !(file->path = strdup(path))) {
        free(file);
        return weir_fail(WEIR_FAILED, "no memory left for a checkpoint");
    }
    file->hdf5 = H5I_INVALID_HID;
    weir_hdf5_lock();
    int error = open_hdf5(file);
    if (error == 0)
        error = read_about(file);
    if (error == 0)
        error = open_sets(file);
    weir_hdf5_unlock();
    if (error != 0)
        weir_checkpoint_file_close(file);
    else
        *result = file;
    return error;
}

void weir_checkpoint_file_close(struct weir_checkpoint_file *file) {
    if (!file)
        return;
    weir_hdf5_lock();
    if (file->hdf5 >= 0)
        H5Fclose(file->hdf5);
    weir_hdf5_unlock();
    json_decref(file->about);
    free(file->path);
    free(file);
}

const char *weir_checkpoint_file_path(const struct weir_checkpoint_file *file) {
    return file->path;
}

const json_t *weir_checkpoint_file_about(const struct weir_checkpoint_file *file) {
    return file->about;
}

int64_t weir_checkpoint_file_step(const struct weir_checkpoint_file *file) {
    return file->step;
}

/* ---- verifying --------------------------------------------------------------------------------------- */

static int verify_chunk(const struct weir_checkpoint_file *file, const struct set *set, int64_t number,
                        uint64_t checksum, void *values, size_t bytes) {
    const hsize_t x = (hsize_t)(number % set->chunks[0]),
                  y = (hsize_t)(number / set->chunks[0] % set->chunks[1]),
                  z = (hsize_t)(number / set->chunks[0] / set->chunks[1]);
    const hsize_t place[4] = {0, z * (hsize_t)set->chunk[2], y * (hsize_t)set->chunk[1],
                              x * (hsize_t)set->chunk[0]};
    const bool read = weir_chunk_read(set->values, place, values, bytes, set->value_size, set->compressed);
    if (read && weir_checksum(values, bytes) == checksum)
        return 0;
    char what[160];
    snprintf(what, sizeof what, "%s in cells from (%llu, %llu, %llu) on %s", set->name,
             (unsigned long long)place[3], (unsigned long long)place[2], (unsigned long long)place[1],
             read ? "does not have its checksum" : "cannot be read");
    return fail_damaged(file, what);
}

static int verify_set(const struct weir_checkpoint_file *file, const struct set *set, int64_t first,
                      int64_t of) {
    const int64_t chunks = (int64_t)set->chunks[0] * set->chunks[1] * set->chunks[2];
    const size_t bytes = (size_t)set->chunk[0] * (size_t)set->chunk[1] * (size_t)set->chunk[2] *
                         (size_t)set->populations * set->value_size;
    uint64_t *checksums = malloc((size_t)chunks * sizeof *checksums);
    void *values = malloc(bytes);
    int error = checksums && values ? 0 : weir_fail(WEIR_FAILED, "no memory left for a checkpoint");
    weir_hdf5_lock();
    if (error == 0 &&
        H5Dread(set->checksums, H5T_NATIVE_UINT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, checksums) < 0)
        error = fail_damaged(file, "its checksums cannot be read");
    weir_hdf5_unlock();
    for (int64_t k = first; k < chunks && error == 0; k += of)
        error = verify_chunk(file, set, k, checksums[k], values, bytes);
    free(values);
    free(checksums);
    return error;
}

static int verify_averages(const struct weir_checkpoint_file *file) {
    const json_t *list = json_object_get(file->about, "averages");
    for (size_t k = 0; k < json_array_size(list); k++) {
        struct weir_averages_state state = {
            .name = json_string_value(json_object_get(json_array_get(list, k), "name"))};
        memcpy(state.cells, file->cells, sizeof state.cells);
        weir_hdf5_lock();
        state.count = state.name ? weir_checkpoint_averages_count(file->hdf5, state.name) : 0;
        const bool good = weir_checkpoint_averages_verify(file->hdf5, &state);
        weir_hdf5_unlock();
        if (!good)
            return fail_damaged(file, "sums of averages are not there or do not have their checksums");
    }
    return 0;
}

int weir_checkpoint_file_verify(struct weir_checkpoint_file *file, int64_t first, int64_t of) {
    if (first == 0)
        WEIR_TRY(verify_averages(file));
    for (int k = 0; k < file->set_count; k++)
        WEIR_TRY(verify_set(file, &file->sets[k], first, of));
    return 0;
}

int weir_checkpoint_file_check_sets(const struct weir_checkpoint_file *file,
                                    const struct weir_problem *problem) {
    struct weir_checkpoint_set wanted[WEIR_CHECKPOINT_SETS];
    const int count = weir_checkpoint_sets(problem, wanted);
    bool same = count == file->set_count;
    for (int k = 0; k < count && same; k++)
        same = strcmp(file->sets[k].name, wanted[k].name) == 0 &&
               file->sets[k].populations == wanted[k].populations &&
               file->sets[k].value_size == wanted[k].value_size;
    return same ? 0 : fail_damaged(file, "its populations are not those of the lattice that it names");
}

/* ---- averages ----------------------------------------------------------------------------------------- */

static int sums_in(const struct weir_checkpoint_file *file, const char *name) {
    weir_hdf5_lock();
    const int count = weir_checkpoint_averages_count(file->hdf5, name);
    weir_hdf5_unlock();
    return count;
}

bool weir_checkpoint_file_has_averages(const struct weir_checkpoint_file *file,
                                       const struct weir_output *output, int sums) {
    const json_t *list = json_object_get(file->about, "averages");
    for (size_t k = 0; k < json_array_size(list); k++) {
        const char *name;
        json_int_t start, every;
        if (json_unpack(json_array_get(list, k), "{s:s, s:I, s:I}", "name", &name, "start", &start, "every",
                        &every) == 0 &&
            strcmp(name, output->name) == 0 && start == output->start && every == output->every)
            return sums_in(file, name) == sums;
    }
    return false;
}

int weir_checkpoint_file_samples(struct weir_checkpoint_file *file, const char *name, int64_t *samples) {
    weir_hdf5_lock();
    const bool good = weir_checkpoint_averages_samples(file->hdf5, name, samples);
    weir_hdf5_unlock();
    return good ? 0 : weir_hdf5_fail("read", file->path);
}

int weir_checkpoint_file_sum(struct weir_checkpoint_file *file, const char *name, int number,
                             const struct weir_box *box, double *values) {
    weir_hdf5_lock();
    const bool good = weir_checkpoint_averages_read(file->hdf5, name, number, box, values);
    weir_hdf5_unlock();
    return good ? 0 : weir_hdf5_fail("read", file->path);
}

/* ---- reading ----------------------------------------------------------------------------------------- */

/* Cells along an axis that follow each other in the file and in the box. */
struct stretch {
    int to, from, count; /* in the box, in the file */
};

/* Divides a box's extent along an axis into stretches. Returns how many there are. A ring is narrow, so that
 * there are few; but a domain may be narrower. */
enum { STRETCHES = 16 };
static int divide(const struct weir_checkpoint_file *file, int axis, int origin, int extent,
                  struct stretch stretch[STRETCHES]) {
    const int cells = file->cells[axis];
    int count = 0;
    for (int k = 0; k < extent && count < STRETCHES;) {
        int from = origin + k;
        if (file->periodic[axis])
            from = (from % cells + cells) % cells;
        if (from < 0 || from >= cells) {
            k++;
            continue;
        }
        const int left = extent - k, there = cells - from, length = left < there ? left : there;
        stretch[count++] = (struct stretch){k, from, length};
        k += length;
    }
    return count;
}

static bool read_part(const struct set *set, const int extent[3], const struct stretch *x,
                      const struct stretch *y, const struct stretch *z, char *values) {
    const hsize_t size[4] = {(hsize_t)set->populations, (hsize_t)extent[2], (hsize_t)extent[1],
                             (hsize_t)extent[0]},
                  count[4] = {size[0], (hsize_t)z->count, (hsize_t)y->count, (hsize_t)x->count},
                  to[4] = {0, (hsize_t)z->to, (hsize_t)y->to, (hsize_t)x->to},
                  from[4] = {0, (hsize_t)z->from, (hsize_t)y->from, (hsize_t)x->from};
    hid_t memory = H5Screate_simple(4, size, NULL), space = H5Dget_space(set->values),
          type = H5Dget_type(set->values);
    const bool good = H5Sselect_hyperslab(memory, H5S_SELECT_SET, to, NULL, count, NULL) >= 0 &&
                      H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, count, NULL) >= 0 &&
                      H5Dread(set->values, type, memory, space, H5P_DEFAULT, values) >= 0;
    H5Tclose(type);
    H5Sclose(space);
    H5Sclose(memory);
    return good;
}

int weir_checkpoint_file_read(void *context, const int origin[3], const int extent[3], void *populations) {
    struct weir_checkpoint_file *file = context;
    struct stretch stretch[3][STRETCHES];
    int count[3];
    for (int axis = 0; axis < 3; axis++)
        count[axis] = divide(file, axis, origin[axis], extent[axis], stretch[axis]);
    const size_t cells = (size_t)extent[0] * (size_t)extent[1] * (size_t)extent[2];
    char *values = populations;
    bool good = true;
    weir_hdf5_lock();
    for (int k = 0; k < file->set_count; k++) {
        const struct set *set = &file->sets[k];
        const size_t bytes = cells * (size_t)set->populations * set->value_size;
        memset(values, 0, bytes);
        for (int z = 0; z < count[2]; z++)
            for (int y = 0; y < count[1]; y++)
                for (int x = 0; x < count[0]; x++)
                    good = good &&
                           read_part(set, extent, &stretch[0][x], &stretch[1][y], &stretch[2][z], values);
        values += bytes;
    }
    const int error = good ? 0 : weir_hdf5_fail("read", file->path);
    weir_hdf5_unlock();
    return error;
}
