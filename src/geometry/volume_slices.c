#include "src/geometry/volume_slices.h"

#include "graph/base/error.h"
#include "src/geometry/unpacked_file.h"

#include <glob.h>
#include <string.h>

int weir_slices_add(struct weir_slices *slices, const char *path, const struct weir_slice *slice) {
    struct weir_voxel_layout *const all = slices->layout;
    const struct weir_voxel_layout *const own = &slice->layout;
    if (all->cells[2] == 0)
        *all = (struct weir_voxel_layout){
            .cells = {own->cells[0], own->cells[1]}, .type = own->type, .big_endian = own->big_endian};
    else if (own->cells[0] != all->cells[0] || own->cells[1] != all->cells[1] || own->type != all->type)
        return weir_fail(
            WEIR_USAGE,
            "'%s' has %d x %d pixels of %s and the first slice, of '%s', %d x %d of %s; give slices "
            "that are alike",
            path, own->cells[0], own->cells[1], weir_voxel_type_names[own->type], slices->first,
            all->cells[0], all->cells[1], weir_voxel_type_names[all->type]);
    all->cells[2]++;
    return weir_unpacked_file_append(slices->descriptor, slice->values,
                                     (size_t)own->cells[0] * (size_t)own->cells[1] *
                                         weir_voxel_size(own->type));
}

int weir_slices_unpack(const char *pattern, int (*read)(const char *path, struct weir_slices *slices),
                       struct weir_voxel_layout *layout, int *descriptor) {
    glob_t files;
    *layout = (struct weir_voxel_layout){.cells = {0}};
    WEIR_TRY(weir_unpacked_file_create(descriptor));
    struct weir_slices slices = {.layout = layout, .first = pattern, .descriptor = *descriptor};
    if (!strchr(pattern, '*'))
        return read(pattern, &slices);
    const int found = glob(pattern, 0, NULL, &files);
    if (found != 0)
        return weir_fail(found == GLOB_NOSPACE ? WEIR_FAILED : WEIR_USAGE, "cannot read '%s': no such file",
                         pattern);
    slices.first = files.gl_pathv[0];
    int error = 0;
    for (size_t k = 0; k < files.gl_pathc && error == 0; k++)
        error = read(files.gl_pathv[k], &slices);
    globfree(&files);
    return error;
}
