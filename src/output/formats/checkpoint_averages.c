#include "src/output/formats/checkpoint_averages.h"

#include "src/common/checksum.h"
#include "src/common/hdf5_access.h"
#include "src/output/formats/checkpoint_format.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NAME = 128,
    CHECKSUMS_MOST = WEIR_SUMS_OF_AVERAGES + 1
}; /* of each sum's bytes, and of the number of samples */

static size_t cells_of(const struct weir_averages_state *state) {
    return (size_t)state->cells[0] * (size_t)state->cells[1] * (size_t)state->cells[2];
}

double weir_checkpoint_averages_bytes(int count, const int cells[3]) {
    return count * (double)sizeof(double) * cells[0] * cells[1] * cells[2];
}

static bool write_dataset(hid_t file, const char *format, const char *name, hid_t type, int rank,
                          const hsize_t *size, const void *values) {
    char text[NAME];
    snprintf(text, sizeof text, format, name);
    hid_t space = H5Screate_simple(rank, size, NULL), creation = H5Pcreate(H5P_DATASET_CREATE);
    H5Pset_obj_track_times(creation, false);
    const hid_t dataset = H5Dcreate2(file, text, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    const bool good = dataset >= 0 && H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
    const bool closed = dataset < 0 || H5Dclose(dataset) >= 0;
    H5Pclose(creation);
    H5Sclose(space);
    return good && closed;
}

bool weir_checkpoint_averages_write(hid_t file, const struct weir_averages_state *state) {
    const hsize_t size[4] = {(hsize_t)state->count, (hsize_t)state->cells[2], (hsize_t)state->cells[1],
                             (hsize_t)state->cells[0]},
                  one = 1, checksum_count = size[0] + 1;
    const size_t cells = cells_of(state);
    uint64_t checksums[CHECKSUMS_MOST];
    for (size_t k = 0; k < size[0]; k++)
        checksums[k] = weir_checksum(state->sums + k * cells, cells * sizeof *state->sums);
    checksums[size[0]] = weir_checksum(&state->samples, sizeof state->samples);
    return write_dataset(file, WEIR_CHECKPOINT_AVERAGES, state->name, H5T_NATIVE_DOUBLE, 4, size,
                         state->sums) &&
           write_dataset(file, WEIR_CHECKPOINT_AVERAGES_SAMPLES, state->name, H5T_NATIVE_INT64, 1, &one,
                         &state->samples) &&
           write_dataset(file, WEIR_CHECKPOINT_AVERAGES_CHECKSUMS, state->name, H5T_NATIVE_UINT64, 1,
                         &checksum_count, checksums);
}

/* Opens a dataset that has so many values; negative where there is none. */
static hid_t open_dataset(hid_t file, const char *format, const char *name, size_t count) {
    char text[NAME];
    snprintf(text, sizeof text, format, name);
    if (H5Lexists(file, text, H5P_DEFAULT) <= 0)
        return H5I_INVALID_HID;
    hid_t dataset = H5Dopen2(file, text, H5P_DEFAULT);
    if (weir_hdf5_count(dataset) == (int64_t)count)
        return dataset;
    H5Dclose(dataset);
    return H5I_INVALID_HID;
}

static bool read_all(hid_t file, const char *format, const char *name, hid_t type, size_t count,
                     void *values) {
    const hid_t dataset = open_dataset(file, format, name, count);
    const bool good = dataset >= 0 && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0;
    if (dataset >= 0)
        H5Dclose(dataset);
    return good;
}

/* Cells of a box of sum number `number`. */
static bool read_sum(hid_t dataset, int number, const struct weir_box *box, double *values) {
    hsize_t from[4] = {(hsize_t)number}, count[4] = {1};
    for (int axis = 0; axis < 3; axis++) {
        from[3 - axis] = (hsize_t)box->origin[axis];
        count[3 - axis] = (hsize_t)box->extent[axis];
    }
    hid_t space = H5Dget_space(dataset), memory = H5Screate_simple(4, count, NULL);
    const bool good = H5Sget_simple_extent_ndims(space) == 4 &&
                      H5Sselect_hyperslab(space, H5S_SELECT_SET, from, NULL, count, NULL) >= 0 &&
                      H5Dread(dataset, H5T_NATIVE_DOUBLE, memory, space, H5P_DEFAULT, values) >= 0;
    H5Sclose(memory);
    H5Sclose(space);
    return good;
}

static bool verify_sums(hid_t file, const struct weir_averages_state *state,
                        const uint64_t checksums[CHECKSUMS_MOST]) {
    const size_t cells = cells_of(state);
    const struct weir_box all = {.extent = {state->cells[0], state->cells[1], state->cells[2]}};
    const hid_t dataset =
        open_dataset(file, WEIR_CHECKPOINT_AVERAGES, state->name, (size_t)state->count * cells);
    double *values = malloc(cells * sizeof *values);
    bool good = dataset >= 0 && values;
    for (int k = 0; k < state->count && good; k++)
        good = read_sum(dataset, k, &all, values) &&
               weir_checksum(values, cells * sizeof *values) == checksums[k];
    free(values);
    if (dataset >= 0)
        H5Dclose(dataset);
    return good;
}

bool weir_checkpoint_averages_read(hid_t file, const char *name, int number, const struct weir_box *box,
                                   double *values) {
    char text[NAME];
    snprintf(text, sizeof text, WEIR_CHECKPOINT_AVERAGES, name);
    const hid_t dataset = H5Dopen2(file, text, H5P_DEFAULT);
    const bool good = dataset >= 0 && read_sum(dataset, number, box, values);
    if (dataset >= 0)
        H5Dclose(dataset);
    return good;
}

bool weir_checkpoint_averages_samples(hid_t file, const char *name, int64_t *samples) {
    return read_all(file, WEIR_CHECKPOINT_AVERAGES_SAMPLES, name, H5T_NATIVE_INT64, 1, samples);
}

int weir_checkpoint_averages_count(hid_t file, const char *name) {
    char text[NAME];
    snprintf(text, sizeof text, WEIR_CHECKPOINT_AVERAGES, name);
    if (H5Lexists(file, text, H5P_DEFAULT) <= 0)
        return 0;
    const hid_t dataset = H5Dopen2(file, text, H5P_DEFAULT);
    if (dataset < 0)
        return 0;
    const hid_t space = H5Dget_space(dataset);
    hsize_t size[4] = {0};
    if (H5Sget_simple_extent_ndims(space) == 4)
        H5Sget_simple_extent_dims(space, size, NULL);
    H5Sclose(space);
    H5Dclose(dataset);
    return size[0] <= WEIR_SUMS_OF_AVERAGES ? (int)size[0] : 0;
}

bool weir_checkpoint_averages_verify(hid_t file, const struct weir_averages_state *state) {
    uint64_t checksums[CHECKSUMS_MOST];
    int64_t samples;
    return state->count > 0 &&
           read_all(file, WEIR_CHECKPOINT_AVERAGES_CHECKSUMS, state->name, H5T_NATIVE_UINT64,
                    (size_t)state->count + 1, checksums) &&
           weir_checkpoint_averages_samples(file, state->name, &samples) &&
           weir_checksum(&samples, sizeof samples) == checksums[state->count] &&
           verify_sums(file, state, checksums);
}
