/* What NPY and NRRD files say of the values in them. */
#ifndef WEIR_SRC_GEOMETRY_VOLUME_HEADERS_H
#define WEIR_SRC_GEOMETRY_VOLUME_HEADERS_H

#include "src/geometry/volume.h"

/* Both read from the beginning of an open file. -WEIR_USAGE with the file, and what it would have to be,
 * where it is no such file, or of values or an arrangement that are not read. */

/* NumPy's format, versions 1 to 3 (numpy.lib.format): two or three axes, the one that runs fastest being x;
 * for arrays in C order that is the last. */
int weir_volume_read_npy_header(const char *path, int descriptor, struct weir_voxel_layout *layout);

/* Nearly raw raster data (teem.sourceforge.net/nrrd/format.html), data in the same file, two or three axes.
 * *packed: the encoding is gzip, else raw. */
int weir_volume_read_nrrd_header(const char *path, int descriptor, struct weir_voxel_layout *layout,
                                 bool *packed);

#endif
