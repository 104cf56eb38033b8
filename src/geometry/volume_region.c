#include "src/geometry/volume_region.h"

#include "graph/base/error.h"

#include <math.h>
#include <stdlib.h>

struct volume_region {
    struct weir_region region; /* low: of the first voxel */
    double voxel;
    struct weir_volume *volume;
    uint8_t *solid;
};

static bool contains(const struct weir_region *region, const double point[3]) {
    const struct volume_region *own = (const struct volume_region *)region;
    int voxel[3];
    for (int axis = 0; axis < 3; axis++) {
        const double place = floor((point[axis] - region->low[axis]) / own->voxel);
        if (!(place >= 0 && place < own->volume->layout.cells[axis]))
            return false;
        voxel[axis] = (int)place;
    }
    return own->solid[weir_volume_bits(own->volume, voxel)];
}

static void destroy(struct weir_region *region) {
    struct volume_region *own = (struct volume_region *)region;
    weir_volume_close(own->volume);
    free(own->solid);
    free(own);
}

int weir_volume_region_create(struct weir_volume *volume, uint8_t *solid, const double origin[3],
                              double voxel, struct weir_region **region) {
    struct volume_region *own = calloc(1, sizeof *own);
    if (!own) {
        weir_volume_close(volume);
        free(solid);
        return weir_fail(WEIR_FAILED, "no memory left for a volume");
    }
    *own = (struct volume_region){{.contains = contains, .destroy = destroy}, voxel, volume, solid};
    for (int axis = 0; axis < 3; axis++) {
        own->region.low[axis] = origin[axis];
        own->region.high[axis] = origin[axis] + voxel * volume->layout.cells[axis];
    }
    *region = &own->region;
    return 0;
}
