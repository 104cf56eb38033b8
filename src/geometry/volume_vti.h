/* Images of VTK (.vti): XML around values that are raw, in base64 or numbers in words, compressed or not. */
#ifndef WEIR_SRC_GEOMETRY_VOLUME_VTI_H
#define WEIR_SRC_GEOMETRY_VOLUME_VTI_H

#include "src/geometry/volume.h"

/* Finds the values of one array of whole numbers of 8 or 16 bits, of cells or of points, each of which is a
 * voxel then: that of this name, or where `array` is NULL the first such. They stay where they are (offset)
 * where that can be, else they are unpacked into a temporary file that *descriptor is open for afterwards, in
 * place of the file. The origin is not read. Errors: -WEIR_USAGE with the file and what is wrong;
 * -WEIR_FAILED where the temporary file cannot be written. */
int weir_volume_read_vti(const char *path, const char *array, int *descriptor,
                         struct weir_voxel_layout *layout);

#endif
