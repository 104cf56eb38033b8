#include "src/case/case_pockets.h"

#include "graph/base/error.h"
#include "graph/problem/region.h"
#include "graph/rank_pieces.h"
#include "graph/ranks/world.h"

#include <stdlib.h>
#include <string.h>

static const char body[] = "pockets";

/* Adds the region to the problem as a solid, whose region it then is. */
static int add_body(struct weir_problem *problem, struct weir_region *region) {
    struct weir_shape *shapes =
        realloc(problem->shapes, ((size_t)problem->shape_count + 1) * sizeof *problem->shapes);
    if (!shapes)
        return weir_fail(WEIR_FAILED, "no memory left for the pockets of the domain");
    problem->shapes = shapes;
    struct weir_wall *wall = &problem->walls[problem->wall_count];
    *wall = (struct weir_wall){.rule = WEIR_RULE_WALL};
    memcpy(wall->name, body, sizeof body);
    shapes[problem->shape_count++] =
        (struct weir_shape){.type = WEIR_REGION, .wall = problem->wall_count++, .region = region};
    return 0;
}

static int check_names(const struct weir_case *c) {
    const struct weir_problem *problem = &c->problem;
    if (problem->wall_count == WEIR_WALLS_MAX)
        return weir_fail(
            WEIR_USAGE,
            "%s: domain.close_pockets: there are as many bodies as there may be, and pockets are one "
            "more; give solids whose forces need not be told apart the same name",
            c->file);
    for (int wall = WEIR_FIRST_BODY; wall < problem->wall_count; wall++)
        if (strcmp(problem->walls[wall].name, body) == 0)
            return weir_fail(
                WEIR_USAGE,
                "%s: domain.close_pockets: pockets become a body \"%s\", and a solid is called so; give "
                "that another name",
                c->file, body);
    return 0;
}

bool weir_case_pockets_may_unsettle(const struct weir_case *c) {
    bool interpolated = false;
    for (int wall = WEIR_FIRST_BODY; wall < c->problem.wall_count; wall++)
        interpolated = interpolated || c->problem.walls[wall].links;
    return c->steady > 0 && !c->close_pockets && interpolated;
}

int weir_case_close_pockets(struct weir_case *c, struct weir_world *world) {
    struct weir_fluid_pieces pieces;
    struct weir_region *region;
    if (!c->close_pockets || c->problem.shape_count == 0)
        return 0;
    WEIR_TRY(check_names(c));
    WEIR_TRY(weir_rank_pieces_find(world, &c->problem, &region, &pieces));
    c->pockets = pieces.pockets;
    c->pocket_cells = pieces.pocket_cells;
    c->looked = true;
    c->left = pieces; /* pockets touch neither another piece nor an opening */
    c->left.fluid -= pieces.pocket_cells;
    c->left.pieces -= pieces.pockets;
    c->left.pockets = c->left.pocket_cells = 0;
    if (!region)
        return 0;
    const int error = add_body(&c->problem, region);
    if (error < 0)
        region->destroy(region);
    return weir_world_agree(world, error);
}
