/* Volumes from pictures, slice by slice: from files of many slices, or of one each. */
#ifndef WEIR_SRC_GEOMETRY_VOLUME_SLICES_H
#define WEIR_SRC_GEOMETRY_VOLUME_SLICES_H

#include "src/geometry/volume.h"

/* The slices so far. */
struct weir_slices {
    struct weir_voxel_layout *layout; /* cells[2]: how many there are; all else is that of the first */
    const char *first;                /* file of the first */
    int descriptor;                   /* to which values go */
};

/* A slice of a file: layout.cells[0] x layout.cells[1] values, the picture's lowest row first. */
struct weir_slice {
    struct weir_voxel_layout layout;
    uint8_t *values;
};

/* Adds a slice, which must be like the first. Errors: -WEIR_USAGE, -WEIR_FAILED. */
int weir_slices_add(struct weir_slices *slices, const char *path, const struct weir_slice *slice);

/* Unpacks a file, or those that a pattern with "*" names in the order of their names, into a temporary file
 * without a name: x along the rows of a picture, y from its lowest row upwards, z from slice to slice. `read`
 * adds all slices of a file. *descriptor is the caller's. Errors: -WEIR_USAGE with the file and what is
 * wrong; -WEIR_FAILED where the temporary file cannot be written. */
int weir_slices_unpack(const char *pattern, int (*read)(const char *path, struct weir_slices *slices),
                       struct weir_voxel_layout *layout, int *descriptor);

#endif
