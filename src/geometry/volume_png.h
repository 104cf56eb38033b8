/* Slices from PNG files. */
#ifndef WEIR_SRC_GEOMETRY_VOLUME_PNG_H
#define WEIR_SRC_GEOMETRY_VOLUME_PNG_H

#include "src/geometry/volume.h"

/* Unpacks PNG files as weir_slices_unpack does, each a slice. Grey values of 8 and 16 bits stay as they are,
 * those of fewer bits are spread over 0 to 255, and of pictures with a palette the places in it count. */
int weir_volume_unpack_png(const char *pattern, struct weir_voxel_layout *layout, int *descriptor);

#endif
