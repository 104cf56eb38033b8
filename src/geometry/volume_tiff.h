/* Slices from TIFF files. */
#ifndef WEIR_SRC_GEOMETRY_VOLUME_TIFF_H
#define WEIR_SRC_GEOMETRY_VOLUME_TIFF_H

#include "src/geometry/volume.h"

/* Unpacks TIFF files as weir_slices_unpack does; each page is a slice. Grey values, labels and places in a
 * palette of 8 and 16 bits stay as they are, bilevel pictures have 0 and 255. Error besides:
 * -WEIR_UNAVAILABLE where this build has no libtiff. */
int weir_volume_unpack_tiff(const char *pattern, struct weir_voxel_layout *layout, int *descriptor);

#endif
