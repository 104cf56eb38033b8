/* Voxels of some values of a volume as a solid. */
#ifndef WEIR_SRC_GEOMETRY_VOLUME_REGION_H
#define WEIR_SRC_GEOMETRY_VOLUME_REGION_H

#include "graph/problem/region.h"
#include "src/geometry/volume.h"

/* The region of the voxels with solid[bits] != 0, of which the first one's low corner is at `origin`, and
 * each is a cube of `voxel` cell widths. A cell is what the voxel at its centre is; beyond the volume there
 * is nothing. It takes volume and solid (65536 values, from malloc), on errors as well. Error: -WEIR_FAILED
 * when memory is short. */
int weir_volume_region_create(struct weir_volume *volume, uint8_t *solid, const double origin[3],
                              double voxel, struct weir_region **region);

#endif
