/* Volumes of labels or grey values from files, in memory as far as they are looked at: files are mapped, and
 * those that have to be unpacked are unpacked to a temporary file that is. */
#ifndef WEIR_SRC_GEOMETRY_VOLUME_H
#define WEIR_SRC_GEOMETRY_VOLUME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum weir_voxel_type { WEIR_VOXEL_UINT8, WEIR_VOXEL_INT8, WEIR_VOXEL_UINT16, WEIR_VOXEL_INT16 };

/* Names of these types as in case files; ends with NULL. */
extern const char *const weir_voxel_type_names[];

/* What of a file are its values, x running fastest. */
struct weir_voxel_layout {
    int cells[3];
    enum weir_voxel_type type;
    bool big_endian;
    size_t offset;     /* bytes before the first */
    double spacing[3]; /* from voxel to voxel, as the file says; 0: it does not */
    double unit;       /* m, of the spacings; 0: the file does not say */
};

struct weir_volume {
    struct weir_voxel_layout layout;
    const uint8_t *values; /* of the first voxel */
    void *mapping;
    size_t mapped;
};

/* Whether the layout of files of this name is not in them: they have none of the endings below. */
bool weir_volume_is_raw(const char *path);

/* Whether files of this name have several arrays, told apart by names: ".vti". */
bool weir_volume_has_arrays(const char *path);

/* Opens a file, by the ending of its name: ".npy", ".nrrd" (data in the same file, raw or gzip), ".vti"
 * (`array`: the name of one of its arrays, NULL for the first that can be read), ".png" (one slice), ".tif"
 * and ".tiff" (a slice for each page; of pictures, with "*" in the name, the slices of all files, in the
 * order of their names; y is upwards in the picture), or else raw values, little endian, whose layout is
 * given. *volume is the caller's (weir_volume_close). Errors: -WEIR_USAGE with the file, what is wrong with
 * it and what would be right; -WEIR_UNAVAILABLE for TIFF in a build without libtiff; -WEIR_FAILED. */
int weir_volume_open(const char *path, const char *array, const struct weir_voxel_layout *raw,
                     struct weir_volume **volume);
void weir_volume_close(struct weir_volume *volume);

/* Bytes of a value. */
static inline size_t weir_voxel_size(enum weir_voxel_type type) {
    return type == WEIR_VOXEL_UINT8 || type == WEIR_VOXEL_INT8 ? 1 : 2;
}

/* Bytes of all values; SIZE_MAX where there are more voxels than the largest domain has cells (2^48), which
 * no file has. */
size_t weir_volume_bytes(const struct weir_voxel_layout *layout);

/* The value of a type whose bits are these. */
static inline int weir_voxel_value(enum weir_voxel_type type, uint16_t bits) {
    return type == WEIR_VOXEL_INT8 ? (int8_t)bits : type == WEIR_VOXEL_INT16 ? (int16_t)bits : bits;
}

/* The bits of a voxel's value; from any thread. */
static inline uint16_t weir_volume_bits(const struct weir_volume *volume, const int voxel[3]) {
    const int *cells = volume->layout.cells;
    const size_t place =
        ((size_t)voxel[2] * (size_t)cells[1] + (size_t)voxel[1]) * (size_t)cells[0] + (size_t)voxel[0];
    if (weir_voxel_size(volume->layout.type) == 1)
        return volume->values[place];
    const uint8_t *bytes = volume->values + 2 * place;
    const int high = volume->layout.big_endian ? 0 : 1;
    return (uint16_t)(256u * bytes[high] + bytes[1 - high]);
}

#endif
