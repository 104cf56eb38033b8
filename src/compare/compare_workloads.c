#include "src/compare/compare_workloads.h"

#include "graph/base/error.h"
#include "src/case/bare_case.h"
#include "src/compare/vessel_workload.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

const char *const weir_workload_names[] = {"uniform", "skewed", "disturbed", "vessels", "dam_break", NULL};

/* Axis across which plates and channels lie: the first of y, z, x along which every block is thick enough for
 * both, else the one along which blocks are thickest. */
static int plate_axis(const struct weir_block_grid *grid) {
    static const int order[3] = {1, 2, 0};
    const int thin = (int)(1 / (1 - WEIR_SKEWED_SOLID) + 0.5);
    int best = 1;
    for (int k = 0; k < 3; k++)
        if (grid->block_cells[order[k]] >= thin)
            return order[k];
    for (int axis = 0; axis < 3; axis++)
        if (grid->block_cells[axis] > grid->block_cells[best])
            best = axis;
    return best;
}

/* Layers of a block that stay open: none where one would be too much. */
static int channel(int extent) {
    return (int)((1 - WEIR_SKEWED_SOLID) * extent + 1e-9);
}

int weir_workload_plates(const struct weir_block_grid *grid, struct weir_box **result) {
    const int axis = plate_axis(grid), filled = grid->total / 2;
    struct weir_box *boxes = malloc(sizeof *boxes * (size_t)(filled + 1));
    int count = 0;
    if (!boxes)
        return weir_fail(WEIR_FAILED, "out of memory for the plates of %d blocks", filled);
    for (int block = 0; block < filled; block++) {
        struct weir_box plate = weir_block_grid_box(grid, block);
        plate.extent[axis] -= channel(plate.extent[axis]);
        /* Blocks of a row along x share a plate, unless the channels lie across x. */
        struct weir_box *last = count > 0 ? &boxes[count - 1] : NULL;
        if (last && axis != 0 && last->origin[1] == plate.origin[1] && last->origin[2] == plate.origin[2])
            last->extent[0] += plate.extent[0];
        else
            boxes[count++] = plate;
    }
    *result = boxes;
    return count;
}

/* A corner of a box as a case file gives it, in the case's units. */
static json_t *corner(const struct weir_case *c, const int cell[3], const int extent[3]) {
    json_t *list = json_array();
    for (int axis = 0; axis < weir_lattice_dimensions(c->problem.lattice); axis++)
        json_array_append_new(list, json_real((cell[axis] + (extent ? extent[axis] : 0)) * c->units.length));
    return list;
}

static int add_plates(const struct weir_case *c, const struct weir_block_grid *grid, json_t *root) {
    struct weir_box *boxes = NULL;
    const int count = weir_workload_plates(grid, &boxes);
    WEIR_TRY(count);
    json_t *solids = json_object_get(root, "solids");
    if (!solids) {
        solids = json_array();
        json_object_set_new(root, "solids", solids);
    }
    for (int k = 0; k < count; k++)
        json_array_append_new(solids, json_pack("{s:s, s:{s:o, s:o}}", "name", "plates", "box", "from",
                                                corner(c, boxes[k].origin, NULL), "to",
                                                corner(c, boxes[k].origin, boxes[k].extent)));
    free(boxes);
    return 0;
}

/* Nothing else is solid then. */
static int put_vessels(const struct weir_case *c, json_t *root) {
    struct weir_vessel_tree_options tree;
    WEIR_TRY(weir_vessel_workload(&c->problem, &tree));
    json_object_set_new(root, "solids",
                        json_pack("[{s:s, s:{s:f, s:i, s:s, s:b, s:f, s:f, s:I}}]", "name", "vessels",
                                  "vessel_tree", "radius", tree.radius * c->units.length, "generations",
                                  tree.generations, "axis", (const char[]){"xyz"[tree.axis], 0}, "planar",
                                  (int)tree.planar, "asymmetry", tree.asymmetry, "irregularity",
                                  tree.irregularity, "seed", (json_int_t)tree.seed));
    return 0;
}

/* The case's domain, blocks and arithmetic, with nothing else than a column of liquid that falls: it fills
 * half of the box, across the axis along which blocks are numbered last, so that it is in half of the blocks.
 * Its weight, along another axis, makes it as fast as a tenth of a cell in a step. NULL: memory is short. */
static json_t *dam_of(const struct weir_case *c, const struct weir_block_grid *grid, const json_t *from) {
    static const char *const kept[] = {"name", "lattice", "collision", "precision", "placement", "output"};
    const int dimensions = weir_lattice_dimensions(c->problem.lattice);
    int across = 0;
    for (int axis = 1; axis < dimensions; axis++)
        across = grid->count[axis] > 1 ? axis : across;
    const int down = across == dimensions - 1 ? dimensions - 2 : dimensions - 1;
    json_t *cells = json_array(), *force = json_array();
    for (int axis = 0; axis < dimensions; axis++) {
        json_array_append_new(cells, json_integer(grid->cells[axis]));
        json_array_append_new(force, json_real(axis == down ? -0.005 / grid->cells[axis] : 0));
    }
    char liquid[16];
    snprintf(liquid, sizeof liquid, "n%c/2 - %c", "xyz"[across], "xyz"[across]);
    json_t *root =
        json_pack("{s:{s:o}, s:o, s:{s:f}, s:{s:s}, s:{s:f}, s:{s:O}}", "domain", "cells", cells, "force",
                  force, "fluid", "tau", 0.55, "free_surface", "liquid", liquid, "run", "check_every", 1e12,
                  "blocks", "cells", json_object_get(json_object_get(from, "blocks"), "cells"));
    for (size_t k = 0; root && k < sizeof kept / sizeof *kept; k++) {
        json_t *value = json_object_get(from, kept[k]);
        if (value)
            json_object_set(root, kept[k], value);
    }
    return root;
}

int weir_workload_write(const struct weir_case *c, enum weir_workload workload,
                        const struct weir_block_grid *grid, const char *path) {
    json_t *root = weir_bare_case(c, grid->block_cells);
    if (!root)
        return weir_fail(WEIR_FAILED, "out of memory for the case");
    json_object_del(weir_bare_case_object(root, "placement"), "policy");
    if (workload == WEIR_DAM_BREAK) {
        json_t *dam = dam_of(c, grid, root);
        json_decref(root);
        root = dam;
        if (!root)
            return weir_fail(WEIR_FAILED, "out of memory for the case");
    }
    int error = workload == WEIR_SKEWED    ? add_plates(c, grid, root)
                : workload == WEIR_VESSELS ? put_vessels(c, root)
                                           : 0;
    if (error == 0)
        error = weir_bare_case_write(root, path);
    json_decref(root);
    return error;
}
