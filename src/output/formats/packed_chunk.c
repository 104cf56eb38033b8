#include "src/output/formats/packed_chunk.h"

#include "graph/base/error.h"
#include "src/common/hdf5_access.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

/* Higher levels take several times as long, and save a few per cent of a flow field. */
enum { LEVEL = 1, SHUFFLE_SKIPPED = 1, DEFLATE_SKIPPED = 2 };

bool weir_packed_chunks(hid_t creation) {
    return H5Pset_shuffle(creation) >= 0 && H5Pset_deflate(creation, LEVEL) >= 0 &&
           H5Pset_alloc_time(creation, H5D_ALLOC_TIME_INCR) >= 0;
}

/* First bytes of all numbers, then their second bytes ...: those of neighbours are alike. */
static void shuffle(const unsigned char *from, size_t size, size_t value_size, unsigned char *to) {
    const size_t count = size / value_size;
    for (size_t byte = 0; byte < value_size; byte++)
        for (size_t k = 0; k < count; k++)
            to[byte * count + k] = from[k * value_size + byte];
}

static void unshuffle(const unsigned char *from, size_t size, size_t value_size, unsigned char *to) {
    const size_t count = size / value_size;
    for (size_t byte = 0; byte < value_size; byte++)
        for (size_t k = 0; k < count; k++)
            to[k * value_size + byte] = from[byte * count + k];
}

/* A chunk as it is in the file. */
struct packed {
    void *bytes; /* to be freed */
    size_t size;
    uint32_t skipped; /* filters that it went past: both where it does not get smaller */
};

static bool pack(const void *values, size_t size, size_t value_size, struct packed *packed) {
    uLongf length = compressBound(size);
    unsigned char *shuffled = malloc(size);
    *packed = (struct packed){.bytes = malloc(length)};
    if (!shuffled || !packed->bytes) {
        free(shuffled);
        free(packed->bytes);
        return false;
    }
    shuffle(values, size, value_size, shuffled);
    if (compress2(packed->bytes, &length, shuffled, size, LEVEL) == Z_OK && length < size) {
        packed->size = length;
    } else {
        memcpy(packed->bytes, values, size);
        packed->size = size;
        packed->skipped = SHUFFLE_SKIPPED | DEFLATE_SKIPPED;
    }
    free(shuffled);
    return true;
}

static bool unpack(const struct packed *packed, void *values, size_t size, size_t value_size) {
    uLongf length = size;
    if (packed->skipped == (SHUFFLE_SKIPPED | DEFLATE_SKIPPED)) {
        if (packed->size == size)
            memcpy(values, packed->bytes, size);
        return packed->size == size;
    }
    unsigned char *shuffled = malloc(size);
    const bool good = shuffled && packed->skipped == 0 &&
                      uncompress(shuffled, &length, packed->bytes, packed->size) == Z_OK && length == size;
    if (good)
        unshuffle(shuffled, size, value_size, values);
    free(shuffled);
    return good;
}

static bool write_bytes(hid_t dataset, const hsize_t place[], const struct packed *packed) {
    weir_hdf5_lock();
    const bool good =
        H5Dwrite_chunk(dataset, H5P_DEFAULT, packed->skipped, place, packed->size, packed->bytes) >= 0;
    weir_hdf5_unlock();
    return good;
}

bool weir_chunk_write(hid_t dataset, const hsize_t place[], const void *values, size_t size,
                      size_t value_size, bool compressed) {
    if (!compressed)
        return write_bytes(dataset, place, &(struct packed){.bytes = (void *)values, .size = size});
    struct packed packed;
    if (!pack(values, size, value_size, &packed))
        return false;
    const bool good = write_bytes(dataset, place, &packed);
    free(packed.bytes);
    return good;
}

bool weir_chunk_address(hid_t dataset, const hsize_t place[], uint64_t *address) {
    unsigned skipped;
    haddr_t found = HADDR_UNDEF;
    hsize_t size;
    weir_hdf5_lock();
    const bool good =
        H5Dget_chunk_info_by_coord(dataset, place, &skipped, &found, &size) >= 0 && found != HADDR_UNDEF;
    weir_hdf5_unlock();
    *address = found;
    return good;
}

static bool read_bytes(hid_t dataset, const hsize_t place[], size_t most, struct packed *packed) {
    hsize_t size = 0;
    weir_hdf5_lock();
    const bool good = H5Dget_chunk_storage_size(dataset, place, &size) >= 0 && size > 0 && size <= most &&
                      (packed->bytes || (packed->bytes = malloc(size))) &&
                      H5Dread_chunk(dataset, H5P_DEFAULT, place, &packed->skipped, packed->bytes) >= 0;
    weir_hdf5_unlock();
    packed->size = size;
    return good;
}

bool weir_chunk_read(hid_t dataset, const hsize_t place[], void *values, size_t size, size_t value_size,
                     bool compressed) {
    struct packed packed = {.bytes = compressed ? NULL : values};
    if (!compressed)
        return read_bytes(dataset, place, size, &packed) && packed.size == size;
    const bool good =
        read_bytes(dataset, place, compressBound(size), &packed) && unpack(&packed, values, size, value_size);
    free(packed.bytes);
    return good;
}

int weir_chunk_refuse_together(const struct weir_case *c, const char *key) {
    return weir_fail(
        WEIR_USAGE,
        "%s: %s: files that several ranks write together cannot be compressed; leave it out, or start "
        "one process",
        c->file, key);
}
