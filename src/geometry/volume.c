#include "src/geometry/volume.h"

#include "graph/base/error.h"
#include "src/geometry/unpacked_file.h"
#include "src/geometry/volume_headers.h"
#include "src/geometry/volume_png.h"
#include "src/geometry/volume_tiff.h"
#include "src/geometry/volume_vti.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

const char *const weir_voxel_type_names[] = {"uint8", "int8", "uint16", "int16", NULL};

static bool ends_on(const char *path, const char *ending) {
    const size_t length = strlen(path), end = strlen(ending);
    return length >= end && strcasecmp(path + length - end, ending) == 0;
}

static bool is_tiff(const char *path) {
    return ends_on(path, ".tif") || ends_on(path, ".tiff");
}

bool weir_volume_has_arrays(const char *path) {
    return ends_on(path, ".vti");
}

bool weir_volume_is_raw(const char *path) {
    return !ends_on(path, ".npy") && !ends_on(path, ".nrrd") && !ends_on(path, ".png") && !is_tiff(path) &&
           !weir_volume_has_arrays(path);
}

size_t weir_volume_bytes(const struct weir_voxel_layout *layout) {
    const size_t most = (size_t)1 << 48;
    size_t voxels = 1;
    for (int axis = 0; axis < 3; axis++) {
        if ((size_t)layout->cells[axis] > most / voxels)
            return SIZE_MAX;
        voxels *= (size_t)layout->cells[axis];
    }
    return voxels * weir_voxel_size(layout->type);
}

/* The file must have all values; a raw one nothing else, as its layout may be wrong. */
static int check_size(const char *path, const struct weir_voxel_layout *layout, size_t size) {
    const size_t needed = weir_volume_bytes(layout),
                 there = size > layout->offset ? size - layout->offset : 0;
    if (weir_volume_is_raw(path) ? there == needed : there >= needed)
        return 0;
    return weir_fail(
        WEIR_USAGE,
        "'%s' has %zu bytes of values, where %d x %d x %d of %s are %zu; give the file's own sizes", path,
        there, layout->cells[0], layout->cells[1], layout->cells[2], weir_voxel_type_names[layout->type],
        needed);
}

/* Maps what the descriptor is open for. */
static int map(const char *path, int descriptor, const struct weir_voxel_layout *layout,
               struct weir_volume **result) {
    struct stat status;
    if (fstat(descriptor, &status) < 0)
        return weir_fail(WEIR_USAGE, "cannot read '%s': %s", path, strerror(errno));
    if (!S_ISREG(status.st_mode))
        return weir_fail(WEIR_USAGE, "'%s' is a folder or a device; give a file", path);
    WEIR_TRY(check_size(path, layout, (size_t)status.st_size));
    struct weir_volume *volume = malloc(sizeof *volume);
    if (!volume)
        return weir_fail(WEIR_FAILED, "no memory left for '%s'", path);
    volume->layout = *layout;
    volume->mapped = layout->offset + weir_volume_bytes(layout);
    volume->mapping = mmap(NULL, volume->mapped, PROT_READ, MAP_SHARED, descriptor, 0);
    if (volume->mapping == MAP_FAILED) {
        free(volume);
        return weir_fail(WEIR_FAILED, "cannot map '%s' into memory: %s", path, strerror(errno));
    }
    volume->values = (const uint8_t *)volume->mapping + layout->offset;
    *result = volume;
    return 0;
}

/* Unpacks what lies behind the header of a file into a temporary one, which takes its place. */
static int unpack(const char *path, struct weir_voxel_layout *layout, int *descriptor) {
    struct stat status;
    int unpacked = -1;
    if (fstat(*descriptor, &status) < 0 || (size_t)status.st_size <= layout->offset)
        return weir_fail(WEIR_USAGE, "'%s' is cut off; write it again", path);
    const size_t size = (size_t)status.st_size;
    size_t left = weir_volume_bytes(layout);
    uint8_t *bytes = mmap(NULL, size, PROT_READ, MAP_PRIVATE, *descriptor, 0);
    if (bytes == MAP_FAILED)
        return weir_fail(WEIR_FAILED, "cannot map '%s' into memory: %s", path, strerror(errno));
    int error = weir_unpacked_file_create(&unpacked);
    if (error == 0)
        error =
            weir_unpacked_file_inflate(unpacked, path, bytes + layout->offset, size - layout->offset, &left);
    munmap(bytes, size);
    if (unpacked < 0)
        return error;
    close(*descriptor);
    *descriptor = unpacked;
    layout->offset = 0;
    return error;
}

static int open_nrrd(const char *path, struct weir_voxel_layout *layout, int *descriptor) {
    bool packed = false;
    WEIR_TRY(weir_volume_read_nrrd_header(path, *descriptor, layout, &packed));
    return packed ? unpack(path, layout, descriptor) : 0;
}

static int open_file(const char *path, const char *array, const struct weir_voxel_layout *raw,
                     struct weir_voxel_layout *layout, int *descriptor) {
    if (ends_on(path, ".png"))
        return weir_volume_unpack_png(path, layout, descriptor);
    if (is_tiff(path))
        return weir_volume_unpack_tiff(path, layout, descriptor);
    *descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (*descriptor < 0)
        return weir_fail(WEIR_USAGE, "cannot read '%s': %s", path, strerror(errno));
    if (ends_on(path, ".npy"))
        return weir_volume_read_npy_header(path, *descriptor, layout);
    if (ends_on(path, ".nrrd"))
        return open_nrrd(path, layout, descriptor);
    if (weir_volume_has_arrays(path))
        return weir_volume_read_vti(path, array, descriptor, layout);
    *layout = *raw;
    return 0;
}

int weir_volume_open(const char *path, const char *array, const struct weir_voxel_layout *raw,
                     struct weir_volume **volume) {
    struct weir_voxel_layout layout = {.offset = 0};
    int descriptor = -1, error = open_file(path, array, raw, &layout, &descriptor);
    if (error == 0)
        error = map(path, descriptor, &layout, volume);
    if (descriptor >= 0)
        close(descriptor);
    return error;
}

void weir_volume_close(struct weir_volume *volume) {
    if (!volume)
        return;
    munmap(volume->mapping, volume->mapped);
    free(volume);
}
