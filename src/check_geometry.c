#include "src/check_geometry.h"

#include "graph/base/error.h"
#include "graph/problem/geometry.h"
#include "graph/rank_pieces.h"
#include "src/case/case_pockets.h"
#include "src/common/output_files.h"
#include "src/picture/picture.h"

#include <stdio.h>
#include <stdlib.h>

/* Cells of the largest domain in which pieces are looked for: some minutes of a core, shared among all. */
static const double LOOKED_AT = 4e9;

/* Openings from which the fluid leads nowhere. */
static void warn_of_dead_ends(const struct weir_problem *problem, const struct weir_fluid_pieces *pieces) {
    if (pieces->openings > 1 && !pieces->leads_through)
        printf("  warning: no fluid leads from one of the %d openings to another: solids close all ways\n",
               pieces->openings);
    else if (pieces->dead_ends > 0)
        printf("  warning: no fluid leads from opening \"%s\"%s to another one\n",
               problem->walls[pieces->dead_end].name, pieces->dead_ends > 1 ? ", and from others," : "");
}

static double cells_of(const struct weir_case *c) {
    const int *n = c->problem.cells;
    return (double)n[0] * n[1] * n[2];
}

int weir_check_look(const struct weir_case *c, struct weir_world *world, struct weir_fluid_pieces *pieces,
                    bool *looked) {
    *looked = c->looked || (c->problem.shape_count > 0 && cells_of(c) <= LOOKED_AT);
    if (c->looked)
        *pieces = c->left;
    return *looked && !c->looked ? weir_rank_pieces_find(world, &c->problem, NULL, pieces) : 0;
}

void weir_check_geometry(const struct weir_case *c, const struct weir_fluid_pieces *pieces) {
    if (c->problem.shape_count == 0)
        return;
    if (!pieces) {
        printf("  solids        not looked at: the domain is large\n");
        return;
    }
    printf("  solids        %.4g %% of the cells are fluid%s, in %lld piece%s",
           100 * (double)pieces->fluid / cells_of(c),
           c->problem.conductor_count > 0 ? " or conduct the scalar" : "", (long long)pieces->pieces,
           pieces->pieces == 1 ? "" : "s");
    if (pieces->pockets > 0)
        printf(", %lld of them pockets with %lld cells, closed off from the others",
               (long long)pieces->pockets, (long long)pieces->pocket_cells);
    if (c->pockets > 0)
        printf("; %lld pocket%s with %lld cells %s been closed", (long long)c->pockets,
               c->pockets == 1 ? "" : "s", (long long)c->pocket_cells, c->pockets == 1 ? "has" : "have");
    printf("\n");
    if (pieces->pockets > 0 && weir_case_pockets_may_unsettle(c))
        printf("  warning: " WEIR_POCKETS_UNSETTLE "\n", (long long)pieces->pockets);
    warn_of_dead_ends(&c->problem, pieces);
}

/* Numbers of bodies in the plane of cells `position` along an axis, 0 for fluid: values[up][across]. */
static void fill_cut(const struct weir_problem *problem, int axis, int across, int up, double *values) {
    int cell[3];
    cell[axis] = problem->cells[axis] / 2;
    for (cell[up] = 0; cell[up] < problem->cells[up]; cell[up]++)
        for (cell[across] = 0; cell[across] < problem->cells[across]; cell[across]++) {
            const int wall = weir_geometry_solid(problem, cell);
            *values++ = wall >= WEIR_FIRST_BODY ? wall - WEIR_FIRST_BODY + 1 : wall > 0;
        }
}

static int draw(const struct weir_case *c, int axis, double *values, struct weir_raster **raster) {
    static const char *const names[3] = {"x", "y", "z"};
    const struct weir_problem *p = &c->problem;
    const int across = axis == 0 ? 1 : 0, up = axis == 2 ? 1 : 2,
              bodies = p->wall_count - WEIR_FIRST_BODY + p->conductor_count;
    char title[200], subtitle[100];
    struct weir_font *font;
    fill_cut(p, axis, across, up, values);
    snprintf(title, sizeof title, "%.150s: solids", c->name);
    snprintf(subtitle, sizeof subtitle, "plane %s = %.5g %s", names[axis],
             (p->cells[axis] / 2 + 0.5) * c->units.length, c->units.si ? "m" : "cells");
    const struct weir_picture picture = {
        .width = p->cells[across],
        .height = p->cells[up],
        .values = values,
        .low = 0,
        .high = bodies > 0 ? bodies : 1,
        .cell_size = c->units.length,
        .axes = {names[across], names[up]},
        .axis_unit = c->units.si ? "m" : "cells",
        .title = title,
        .subtitle = subtitle,
        .quantity = "number of the body, 0: fluid",
        .unit = "",
    };
    WEIR_TRY(weir_font_create(&font));
    const int error = weir_picture_draw(&picture, font, raster);
    weir_font_destroy(font);
    return error;
}

static int write_cut(const struct weir_case *c, int axis, const char *folder) {
    static const char *const names[3] = {"cut_x", "cut_y", "cut_z"};
    const int *n = c->problem.cells;
    const size_t most = (size_t)n[0] * (size_t)n[1] * (size_t)n[2] / (size_t)n[axis];
    double *values = malloc(most * sizeof *values);
    struct weir_raster *raster = NULL;
    struct weir_output_file *file = NULL;
    char *path = NULL;
    int error = values ? draw(c, axis, values, &raster) : weir_fail(WEIR_FAILED, "no memory left for a cut");
    free(values);
    if (error == 0)
        error = weir_output_path(folder, names[axis], -1, ".png", &path);
    if (error == 0)
        error = weir_output_file_create(path, &file);
    if (error == 0)
        error = weir_raster_write_png(raster, weir_output_file_stream(file));
    if (error == 0)
        error = weir_output_file_finish(file);
    else
        weir_output_file_discard(file);
    if (error == 0)
        printf("  cut           %s\n", path);
    free(path);
    weir_raster_destroy(raster);
    return error;
}

int weir_check_draw(const struct weir_case *c, const char *folder) {
    const bool flat = weir_lattice_dimensions(c->problem.lattice) == 2;
    WEIR_TRY(weir_output_folder_create(folder));
    for (int axis = flat ? 2 : 0; axis < 3; axis++)
        WEIR_TRY(write_cut(c, axis, folder));
    return 0;
}
