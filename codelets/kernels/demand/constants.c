#include "codelets/kernels/demand/constants.h"

#include <stdio.h>
#include <string.h>

static const char *const extent_names[3] = {"WEIR_EXTENT_X", "WEIR_EXTENT_Y", "WEIR_EXTENT_Z"};
static const char stride_name[] = "WEIR_STRIDE", bodies_name[] = "WEIR_BODIES",
                  moving_name[] = "WEIR_MOVING_FACES";

struct weir_constants weir_constants_of(const int extent[3][3], const struct weir_block_layout *layout,
                                        const struct weir_fluid *fluid) {
    struct weir_constants constants = {.stride = (int64_t)layout->stride,
                                       .bodies = layout->bodies,
                                       .open = layout->flows > 0,
                                       .moving_faces = fluid->moving_faces};
    for (int axis = 0; axis < 3; axis++)
        for (int offset = 0; offset < 3; offset++)
            constants.extent[axis][offset] = extent[axis][offset];
    return constants;
}

/* What two values of a neighbour's extent have in common. */
static int join_extents(int a, int b) {
    const int cells_a = a < 0 ? -1 - a : a, cells_b = b < 0 ? -1 - b : b;
    if (a == b)
        return a;
    if (a == WEIR_DIFFERS || b == WEIR_DIFFERS || (cells_a != cells_b && cells_a != 0 && cells_b != 0))
        return WEIR_DIFFERS;
    return WEIR_OR_END(cells_a > cells_b ? cells_a : cells_b);
}

bool weir_constants_join(struct weir_constants *common, const struct weir_constants *others) {
    for (int axis = 0; axis < 3; axis++)
        if (common->extent[axis][1] != others->extent[axis][1])
            return false;
    if (common->open != others->open || common->moving_faces != others->moving_faces)
        return false;
    for (int axis = 0; axis < 3; axis++)
        for (int offset = 0; offset < 3; offset++)
            common->extent[axis][offset] =
                join_extents(common->extent[axis][offset], others->extent[axis][offset]);
    if (common->stride != others->stride)
        common->stride = WEIR_DIFFERS;
    if (common->bodies != others->bodies)
        common->bodies = WEIR_DIFFERS;
    return true;
}

/* A constant that all have, or one that differs, against a block's value. */
static bool fits(int64_t constant, int64_t value) {
    return constant == WEIR_DIFFERS || constant == value;
}

static bool fits_extent(int constant, int value) {
    return fits(constant, value) ||
           (constant < WEIR_DIFFERS && (value == 0 || constant == WEIR_OR_END(value)));
}

bool weir_constants_fit(const struct weir_constants *constants, const struct weir_block_view *view,
                        const struct weir_fluid *fluid) {
    bool all = fits(constants->stride, (int64_t)view->stride) && fits(constants->bodies, view->bodies) &&
               constants->open == (view->flow != NULL) && constants->moving_faces == fluid->moving_faces;
    for (int axis = 0; axis < 3; axis++)
        for (int offset = 0; offset < 3; offset++)
            all = all && fits_extent(constants->extent[axis][offset], view->extent[axis][offset]);
    return all;
}

void weir_constants_define(const struct weir_constants *constants, struct weir_definitions *definitions) {
    for (int axis = 0; axis < 3; axis++) {
        const int *const extent = constants->extent[axis];
        weir_define(definitions, extent_names[axis], "%d,%d,%d", extent[0], extent[1], extent[2]);
    }
    if (constants->stride != WEIR_DIFFERS)
        weir_define(definitions, stride_name, "%lld", (long long)constants->stride);
    if (constants->bodies != WEIR_DIFFERS)
        weir_define(definitions, bodies_name, "%d", constants->bodies);
    weir_define(definitions, moving_name, "%uu", constants->moving_faces);
}

bool weir_constants_have(const char *name) {
    const char *const names[] = {extent_names[0], extent_names[1], extent_names[2],
                                 stride_name,     bodies_name,     moving_name};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(name, names[k]) == 0)
            return true;
    return false;
}

void weir_constants_name(const struct weir_definitions *definitions, char name[WEIR_CONSTANTS_TEXT]) {
    int length = 0;
    name[0] = '\0';
    for (int axis = 0; axis < 3; axis++) {
        const char *const extent = weir_definition(definitions, extent_names[axis]);
        int own;
        if (extent && sscanf(extent, "%*d,%d", &own) == 1)
            length += snprintf(name + length, (size_t)(WEIR_CONSTANTS_TEXT - length), "%s%d",
                               axis > 0 ? "x" : "", own);
    }
}

void weir_constants_describe(const struct weir_constants *constants, char text[WEIR_CONSTANTS_TEXT]) {
    snprintf(text, WEIR_CONSTANTS_TEXT, "%d x %d x %d", constants->extent[0][1], constants->extent[1][1],
             constants->extent[2][1]);
}
