/* "volume" of a solid: a file, its layout where it does not tell, where it lies, and which values are solid.
 */
#include "graph/base/error.h"
#include "src/case/solids/case_regions.h"
#include "src/geometry/volume_region.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>

enum { VALUES_COUNT = 65536 };

enum { VOLUME_FILE, ARRAY, CELLS, VALUES, SOLID, FLUID, THRESHOLD, ORIGIN, VOXEL };
const struct weir_key weir_volume_keys[] = {
    [VOLUME_FILE] = {.name = "file",
                     .type = WEIR_KEY_TEXT,
                     .needed = true,
                     .about = "The file, as seen from this one. `.npy` (NumPy), `.nrrd` (one file, raw or "
                              "gzip), `.vti` (VTK), "
                              "`.png`, `.tif`, `.tiff` (with `*` in the name: slices of several files, in "
                              "the order of names); "
                              "any other holds raw values.",
                     .examples = "[\"labels.npy\"]",
                     .example = "\"scan/*.png\"",
                     .wanted = "the path of a file, such as \"rock.npy\""},
    [ARRAY] = {.name = "array",
               .type = WEIR_KEY_TEXT,
               .about = "Of the arrays of a `.vti` file that of this name.",
               .otherwise = "the first of whole numbers of 8 or 16 bits",
               .examples = "[\"labels\"]",
               .wanted = "the name of an array in the file"},
    [CELLS] = {.name = "cells",
               .type = WEIR_KEY_INTEGER,
               .per_axis = true,
               .about = "Voxels along x, y and z of raw values; x runs fastest. Other files tell themselves.",
               .least = 1,
               .most = 1000000,
               .otherwise = "needed for raw values",
               .examples = "[[16, 16, 16]]",
               .wanted = "a number of voxels"},
    [VALUES] = {.name = "values",
                .type = WEIR_KEY_CHOICE,
                .about = "Type of raw values; those of 16 bits are little endian.",
                .fallback = "\"uint8\"",
                .choices = weir_voxel_type_names,
                .wanted = "a type"},
    [SOLID] = {.name = "solid",
               .type = WEIR_KEY_INTEGER,
               .several = true,
               .alternative = true,
               .about = "Values that are this solid.",
               .least = -32768,
               .most = 65535,
               .examples = "[[1]]",
               .wanted = "a whole number from -32768 to 65535"},
    [FLUID] = {.name = "fluid",
               .type = WEIR_KEY_INTEGER,
               .several = true,
               .alternative = true,
               .about = "Values that are not; all others are.",
               .least = -32768,
               .most = 65535,
               .examples = "[[0]]",
               .wanted = "a whole number from -32768 to 65535"},
    [THRESHOLD] = {.name = "threshold",
                   .type = WEIR_KEY_INTEGER,
                   .alternative = true,
                   .about = "The lowest value that is.",
                   .least = -32768,
                   .most = 65535,
                   .examples = "[128]",
                   .wanted = "a whole number from -32768 to 65535"},
    [ORIGIN] = {.name = "origin",
                .type = WEIR_KEY_NUMBER,
                .per_axis = true,
                .about = "Where the low corner of the first voxel lies.",
                .fallback = "[0, 0, 0]",
                .examples = "[[2, 2, 0]]",
                .quantity = {"the low corner", WEIR_DIMENSION_LENGTH, "0"}},
    [VOXEL] = {.name = "voxel_size",
               .type = WEIR_KEY_NUMBER,
               .positive = true,
               .about = "Edge of a voxel in cell widths (SI: m).",
               .otherwise = "what the file says with its unit, else a cell's",
               .examples = "[0.5]",
               .quantity = {"the edge of a voxel", WEIR_DIMENSION_LENGTH, "1"}},
    {.name = NULL},
};

/* What the case says of a raw file's layout. */
static int read_layout(const struct weir_json *json, const struct weir_case *c, bool raw,
                       struct weir_voxel_layout *layout) {
    const struct weir_json cells = weir_json_member(json, weir_volume_keys[CELLS].name),
                           values = weir_json_member(json, weir_volume_keys[VALUES].name);
    const int dimensions = weir_lattice_dimensions(c->problem.lattice);
    const char *wanted = dimensions == 2 ? "its voxels along x and y, such as [400, 300]"
                                         : "its voxels along x, y and z, such as [400, 300, 200]";
    int count, type = WEIR_VOXEL_UINT8;
    *layout = (struct weir_voxel_layout){.cells = {1, 1, 1}};
    if (!raw && (weir_json_present(&cells) || weir_json_present(&values)))
        return weir_json_fail(weir_json_present(&cells) ? &cells : &values,
                              "is given, and the file tells itself; remove it");
    if (!raw)
        return 0;
    if (!weir_json_present(&cells))
        return weir_json_fail_missing(&cells, wanted);
    WEIR_TRY(weir_json_array(&cells, wanted, dimensions, 3, &count));
    for (int axis = 0; axis < count; axis++) {
        const struct weir_json item = weir_json_item(&cells, axis);
        int64_t number;
        WEIR_TRY(weir_key_read(&item, &weir_volume_keys[CELLS], &c->units, &number));
        layout->cells[axis] = (int)number;
    }
    if (weir_json_present(&values))
        WEIR_TRY(weir_key_read(&values, &weir_volume_keys[VALUES], &c->units, &type));
    layout->type = (enum weir_voxel_type)type;
    return 0;
}

/* Gives the values of a list their mark in solid[VALUES_COUNT]. */
static int mark_values(const struct weir_json *list, const struct weir_key *key, uint8_t mark,
                       uint8_t *solid) {
    int count;
    WEIR_TRY(weir_json_array(list, "a list of values such as [1, 2]", 1, VALUES_COUNT, &count));
    for (int k = 0; k < count; k++) {
        const struct weir_json item = weir_json_item(list, k);
        int64_t value;
        WEIR_TRY(weir_key_read(&item, key, NULL, &value));
        solid[(uint16_t)value] = mark;
    }
    return 0;
}

/* Which values of a type are solid: solid[VALUES_COUNT], by their bits. */
static int read_values(const struct weir_json *json, enum weir_voxel_type type, uint8_t *solid) {
    const struct weir_key *given = NULL;
    for (int k = SOLID; k <= THRESHOLD; k++) {
        const struct weir_json member = weir_json_member(json, weir_volume_keys[k].name);
        if (!weir_json_present(&member))
            continue;
        if (given)
            return weir_json_fail(json, "has both \"%s\" and \"%s\"; give one of them", given->name,
                                  weir_volume_keys[k].name);
        given = &weir_volume_keys[k];
    }
    if (!given)
        return weir_json_fail(
            json, "says not which values are solid; give one of \"solid\", \"fluid\" and \"threshold\"");
    const struct weir_json value = weir_json_member(json, given->name);
    int64_t threshold = 0;
    if (given == &weir_volume_keys[THRESHOLD])
        WEIR_TRY(weir_key_read(&value, given, NULL, &threshold));
    for (int bits = 0; bits < VALUES_COUNT; bits++)
        solid[bits] =
            given == &weir_volume_keys[FLUID] ||
            (given == &weir_volume_keys[THRESHOLD] && weir_voxel_value(type, (uint16_t)bits) >= threshold);
    if (given == &weir_volume_keys[THRESHOLD])
        return 0;
    WEIR_TRY(mark_values(&value, given, given == &weir_volume_keys[SOLID], solid));
    if (type == WEIR_VOXEL_INT8) /* its bits are read without the sign's */
        for (int bits = 0; bits < 128; bits++)
            solid[128 + bits] = solid[VALUES_COUNT - 128 + bits];
    return 0;
}

/* Whether two lengths are the same, but for the digits that files keep. */
static bool alike(double a, double b) {
    return fabs(a - b) <= 1e-3 * fmax(a, b);
}

/* The edge of a voxel in cell widths, where the case does not say it: a cell's, but in SI what the file says.
 * Voxels are cubes. */
static int edge_in_file(const struct weir_json *json, const struct weir_case *c,
                        const struct weir_voxel_layout *layout, double *voxel) {
    const double *spacing = layout->spacing, unit = layout->unit, length = c->units.length;
    *voxel = 1;
    if (!(spacing[0] > 0))
        return 0;
    for (int axis = 1; axis < weir_lattice_dimensions(c->problem.lattice); axis++)
        if (layout->cells[axis] > 1 && spacing[axis] > 0 && !alike(spacing[axis], spacing[0]))
            return weir_json_fail(
                json,
                "has voxels that are no cubes: by its file they are %g apart along x, and "
                "%g along %c; resample it, or give \"voxel_size\" to have cubes all the same",
                spacing[0], spacing[axis], "xyz"[axis]);
    if (!c->units.si || (unit == 0 && (spacing[0] == 1 || alike(spacing[0], length))))
        return 0;
    if (unit == 0)
        return weir_json_fail(
            json,
            "has voxels that by its file are %g apart, in a unit that it does not name, and cells are %g m "
            "wide; give the edge of a voxel in m, such as \"voxel_size\": %g",
            spacing[0], length, length);
    *voxel = spacing[0] * unit / length;
    return 0;
}

/* Where the volume lies; some of it must be in the domain. */
static int read_place(const struct weir_json *json, const struct weir_case *c,
                      const struct weir_volume *volume, double origin[3], double *voxel) {
    const struct weir_json origin_json = weir_json_member(json, weir_volume_keys[ORIGIN].name),
                           voxel_json = weir_json_member(json, weir_volume_keys[VOXEL].name);
    if (weir_json_present(&origin_json))
        WEIR_TRY(weir_case_read_vector(&origin_json, c, &weir_volume_keys[ORIGIN].quantity, origin));
    if (weir_json_present(&voxel_json))
        WEIR_TRY(weir_case_read_positive(&voxel_json, &c->units, &weir_volume_keys[VOXEL].quantity, voxel));
    else
        WEIR_TRY(edge_in_file(json, c, &volume->layout, voxel));
    if (weir_lattice_dimensions(c->problem.lattice) == 2)
        origin[2] = 0.5 * (1 - *voxel); /* around the only layer of cells */
    for (int axis = 0; axis < weir_lattice_dimensions(c->problem.lattice); axis++) {
        const double end = origin[axis] + *voxel * volume->layout.cells[axis];
        if (origin[axis] >= c->problem.cells[axis] || end <= 0)
            return weir_json_fail(json,
                                  "lies outside the domain: along %c it goes from %g to %g, the domain from "
                                  "0 to %g; move it inside",
                                  "xyz"[axis], origin[axis] * c -> units.length, end * c->units.length,
                                  c->problem.cells[axis] * c->units.length);
    }
    return 0;
}

static int use_volume(const struct weir_json *json, const struct weir_case *c, struct weir_volume *volume,
                      uint8_t *solid, struct weir_shape *shape) {
    double origin[3] = {0}, voxel = 1;
    struct weir_region *region;
    int error = solid ? read_values(json, volume->layout.type, solid)
                      : weir_fail(WEIR_FAILED, "no memory left for the values of a volume");
    if (error == 0)
        error = read_place(json, c, volume, origin, &voxel);
    if (error < 0) {
        weir_volume_close(volume);
        free(solid);
        return error;
    }
    WEIR_TRY(weir_volume_region_create(volume, solid, origin, voxel, &region));
    return weir_shape_use_region(shape, region);
}

int weir_case_read_volume_solid(const struct weir_json *json, const struct weir_case *c,
                                struct weir_shape *shape) {
    const struct weir_json file = weir_json_member(json, weir_volume_keys[VOLUME_FILE].name),
                           array_json = weir_json_member(json, weir_volume_keys[ARRAY].name);
    struct weir_voxel_layout layout;
    struct weir_volume *volume;
    const char *path, *array = NULL;
    if (!weir_json_present(&file))
        return weir_json_fail_missing(&file, weir_volume_keys[VOLUME_FILE].wanted);
    WEIR_TRY(weir_key_read(&file, &weir_volume_keys[VOLUME_FILE], &c->units, &path));
    if (weir_json_present(&array_json) && !weir_volume_has_arrays(path))
        return weir_json_fail(&array_json, "is for .vti files, and \"file\" is none; remove it");
    if (weir_json_present(&array_json))
        WEIR_TRY(weir_key_read(&array_json, &weir_volume_keys[ARRAY], &c->units, &array));
    WEIR_TRY(read_layout(json, c, weir_volume_is_raw(path), &layout));
    WEIR_TRY(weir_case_name_key(&file, weir_volume_open(path, array, &layout, &volume)));
    return use_volume(json, c, volume, malloc(VALUES_COUNT), shape);
}
