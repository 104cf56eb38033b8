/* Volumes of voxels, in the format that their first bytes tell: all voxels at the edges are read. */
#include "src/geometry/volume.h"
#include "tests/fuzz/fuzz.h"

#include <stdbool.h>
#include <string.h>

static bool begins(const uint8_t *data, size_t size, const char *with, size_t length) {
    return size >= length && memcmp(data, with, length) == 0;
}

static const char *name_of(const uint8_t *data, size_t size) {
    if (begins(data, size, "\x93NUMPY", 6))
        return "volume.npy";
    if (begins(data, size, "NRRD", 4))
        return "volume.nrrd";
    if (begins(data, size, "\x89PNG", 4))
        return "slice.png";
    if (begins(data, size, "II", 2) || begins(data, size, "MM", 2))
        return "slices.tif";
    return begins(data, size, "<", 1) ? "volume.vti" : "volume.raw";
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    static const struct weir_voxel_layout raw = {.cells = {3, 2, 2}, .type = WEIR_VOXEL_INT16, .offset = 1};
    char path[FUZZ_PATH];
    struct weir_volume *volume = NULL;
    fuzz_write(name_of(data, size), data, size, path);
    if (weir_volume_has_arrays(path) && fuzz_judge(weir_volume_open(path, "labels", &raw, &volume)))
        weir_volume_close(volume);
    volume = NULL;
    if (!fuzz_judge(weir_volume_open(path, NULL, &raw, &volume)))
        return 0;
    const int *cells = volume->layout.cells;
    long long sum = 0;
    for (int corner = 0; corner < 8; corner++) {
        const int voxel[3] = {corner & 1 ? cells[0] - 1 : 0, corner & 2 ? cells[1] - 1 : 0,
                              corner & 4 ? cells[2] - 1 : 0};
        sum += weir_voxel_value(volume->layout.type, weir_volume_bits(volume, voxel));
    }
    volatile long long used = sum;
    (void)used;
    weir_volume_close(volume);
    return 0;
}
