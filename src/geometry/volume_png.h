/* Slices from PNG files. */
#ifndef WEIR_SRC_GEOMETRY_VOLUME_PNG_H
#define WEIR_SRC_GEOMETRY_VOLUME_PNG_H

#include "src/geometry/volume.h"

/* Unpacks a PNG file, or those that a pattern with "*" names in the order of their names, into a temporary
 * file without a name (in $TMPDIR, or /tmp): x along the rows of a picture, y from its lowest row upwards, z
 * from file to file. Grey values of 8 and 16 bits stay as they are, those of fewer bits are spread over 0 to
 * 255, and of pictures with a palette the places in it count. *descriptor is the caller's. Errors:
 * -WEIR_USAGE with the file and what is wrong; -WEIR_FAILED where the temporary file cannot be written. */
int weir_volume_unpack_png(const char *pattern, struct weir_voxel_layout *layout, int *descriptor);

#endif
