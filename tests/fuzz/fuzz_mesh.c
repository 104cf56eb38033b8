/* Meshes, in the format that their first bytes tell: their edges, and the solid that they enclose. */
#include "src/geometry/mesh_file.h"
#include "src/geometry/mesh_region.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

/* The leak sanitizer looks for this function. Where Assimp gives a file up, it leaves memory behind, and what
 * would tell that it is Assimp's often ends in the operator new. */
int __lsan_is_turned_off(void);

int __lsan_is_turned_off(void) {
    return 1;
}

static const char *name_of(const uint8_t *data, size_t size) {
    if (size >= 3 && memcmp(data, "ply", 3) == 0)
        return "mesh.ply";
    if ((size >= 5 && memcmp(data, "solid", 5) == 0) || (size > 84 && (size - 84) % 50 == 0))
        return "mesh.stl";
    return "mesh.obj";
}

/* What is inside of it, in a domain that it fills. */
static void fill(struct weir_triangles *triangles, bool vote) {
    static const int cells[3] = {12, 10, 8};
    const struct weir_mesh_placement placement = {
        .degrees = {0, 0, 30}, .fit = true, .fit_from = {1, 1, 1}, .fit_to = {11, 9, 7}};
    struct weir_region *region;
    if (!fuzz_judge(weir_mesh_place(triangles, &placement)) ||
        !fuzz_judge(weir_mesh_region_create(triangles, cells, vote, &region)))
        return;
    for (int k = 0; k < 8; k++)
        (void)region->contains(region, (double[3]){1.5 + k, 0.5 + k, 0.5 + k});
    if (region->share_outside)
        (void)region->share_outside(region, (double[3]){0.5, 0.5, 0.5}, (double[3]){5.5, 5.5, 4.5});
    region->destroy(region);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    char path[FUZZ_PATH];
    struct weir_triangles triangles;
    struct weir_triangle_edges edges;
    double low[3], high[3];
    fuzz_write(name_of(data, size), data, size, path);
    if (fuzz_judge(weir_mesh_file_read(path, "part", &triangles)))
        weir_triangles_free(&triangles);
    if (!fuzz_judge(weir_mesh_file_read(path, NULL, &triangles)))
        return 0;
    (void)fuzz_judge(weir_triangles_edges(&triangles, &edges));
    weir_triangles_bounds(&triangles, low, high);
    fill(&triangles, false);
    fill(&triangles, true);
    weir_triangles_free(&triangles);
    return 0;
}
