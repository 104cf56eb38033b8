#include "tests/fuzz/hdf5_edits.h"

#include "src/common/hdf5_access.h"

#include <hdf5.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { EDITS_MOST = 16, VALUES_MOST = 1 << 16 };

static size_t length_of(const char *const *list) {
    size_t count = 0;
    while (list[count])
        count++;
    return count;
}

/* The caller closes it. */
static hid_t type_of(unsigned byte) {
    hid_t type;
    switch (byte % 10) {
    case 0:
        return H5Tcopy(H5T_NATIVE_INT8);
    case 1:
        return H5Tcopy(H5T_NATIVE_INT32);
    case 2:
        return H5Tcopy(H5T_NATIVE_INT64);
    case 3:
        return H5Tcopy(H5T_NATIVE_UINT64);
    case 4:
        return H5Tcopy(H5T_NATIVE_FLOAT);
    case 5:
        return H5Tcopy(H5T_NATIVE_DOUBLE);
    case 6:
        return H5Tcopy(H5T_IEEE_F64BE);
    case 7:
        type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, H5T_VARIABLE);
        return type;
    case 8:
        type = H5Tcopy(H5T_C_S1);
        H5Tset_size(type, 64);
        return type;
    default:
        type = H5Tcreate(H5T_COMPOUND, 8);
        H5Tinsert(type, "a", 0, H5T_NATIVE_INT32);
        H5Tinsert(type, "b", 4, H5T_NATIVE_INT32);
        return type;
    }
}

/* Overwrites some bytes of the values. */
static void change_values(hid_t file, const char *name, struct fuzz_bytes *bytes) {
    const hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
    if (dataset < 0)
        return;
    const hid_t type = H5Dget_type(dataset);
    const int64_t points = weir_hdf5_count(dataset);
    const size_t width = H5Tget_size(type);
    const bool few = points > 0 && (size_t)points <= VALUES_MOST / width;
    const size_t count = few ? (size_t)points * width : 0;
    const htri_t text = H5Tis_variable_str(type); /* of which the bytes are pointers */
    uint8_t *values = few && text == 0 ? calloc(count, 1) : NULL;
    if (values && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0) {
        const size_t place = (size_t)fuzz_byte(bytes) * width % count, room = count - place;
        size_t size = width * (1 + fuzz_byte(bytes) % 4);
        size = size < room ? size : room;
        fuzz_take(bytes, values + place, size);
        H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values);
    }
    free(values);
    H5Tclose(type);
    H5Dclose(dataset);
}

/* Another dataset of this name, of which nothing is written. */
static void replace(hid_t file, const char *name, struct fuzz_bytes *bytes) {
    hsize_t size[4], chunk[4];
    const unsigned how = fuzz_byte(bytes);
    const int rank = (int)(how % 5);
    for (int k = 0; k < rank; k++) {
        size[k] = fuzz_size(bytes);
        chunk[k] = 1 + fuzz_byte(bytes) % 8;
        chunk[k] = chunk[k] < size[k] || size[k] == 0 ? chunk[k] : size[k];
    }
    const hid_t type = type_of(fuzz_byte(bytes)), creation = H5Pcreate(H5P_DATASET_CREATE);
    const hid_t space =
        rank == 0 ? H5Screate(how & 64 ? H5S_NULL : H5S_SCALAR) : H5Screate_simple(rank, size, NULL);
    if (how & 128 && rank > 0)
        H5Pset_chunk(creation, rank, chunk);
    H5Ldelete(file, name, H5P_DEFAULT);
    const hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
    H5Dclose(dataset);
    H5Pclose(creation);
    H5Sclose(space);
    H5Tclose(type);
}

static void change_attribute(hid_t file, const char *holder, const char *name, struct fuzz_bytes *bytes) {
    const unsigned how = fuzz_byte(bytes);
    char value[64];
    fuzz_take(bytes, value, 8);
    const hid_t object = H5Oopen(file, holder, H5P_DEFAULT);
    if (how % 4 == 0) {
        H5Adelete(object, name);
    } else if (how % 4 == 1) {
        const hid_t type = type_of(fuzz_byte(bytes));
        const hsize_t many = 2 + fuzz_byte(bytes);
        const hid_t space =
            how & 32 ? H5Screate_simple(1, &many, NULL) : H5Screate(how & 64 ? H5S_NULL : H5S_SCALAR);
        H5Adelete(object, name);
        H5Aclose(H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT));
        H5Sclose(space);
        H5Tclose(type);
    } else {
        const hid_t attribute = H5Aopen(object, name, H5P_DEFAULT), type = H5Aget_type(attribute);
        if (H5Aget_storage_size(attribute) <= 8 && H5Tget_class(type) != H5T_STRING)
            H5Awrite(attribute, type, value);
        H5Tclose(type);
        H5Aclose(attribute);
    }
    H5Oclose(object);
}

void fuzz_edit_hdf5(const char *path, const char *const *datasets, const char *holder,
                    const char *const *attributes, struct fuzz_bytes *bytes) {
    H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* what cannot be changed stays */
    const hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    for (int k = 0; k < EDITS_MOST && bytes->at < bytes->end; k++) {
        const unsigned how = fuzz_byte(bytes), which = fuzz_byte(bytes);
        const char *name = datasets[which % length_of(datasets)];
        switch (how % 8) {
        case 0:
            H5Ldelete(file, name, H5P_DEFAULT);
            break;
        case 1:
        case 2:
            replace(file, name, bytes);
            break;
        case 3:
        case 4:
            if (attributes[0])
                change_attribute(file, holder, attributes[which % length_of(attributes)], bytes);
            break;
        default:
            change_values(file, name, bytes);
        }
    }
    H5Fclose(file);
}
