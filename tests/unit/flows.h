/* Small flows without symmetry that the tests of the kernels share: together they have every kind of face,
 * edge and solid. */
#ifndef WEIR_TESTS_FLOWS_H
#define WEIR_TESTS_FLOWS_H

#include "graph/problem/problem.h"

enum flow {
    FLOW_PERIODIC, /* no walls */
    FLOW_CAVITY,   /* walls all around, the last one a lid that moves along itself: mass is conserved */
    FLOW_TUBE,     /* periodic along x, two moving walls that meet */
    FLOW_BODIES, /* walls across y only; a moving sphere across the periodic seam, a box, a cylinder, a moving
                    box */
    FLOW_RUBBLE, /* walls across x and y, of which two move, and between them boxes of a few cells here and
                    there, some of which move, also in domains longer along x */
    FLOW_CHANNEL, /* a velocity that differs over x-, a density that differs over x+, walls across y of which
                     one moves, and bodies of which one blows and one keeps a density, some at the open faces
                   */
    FLOW_OPEN,    /* fluid passes all faces: velocities and densities, with and without profiles, of which two
                     change */
    FLOW_PARTS,   /* parts of faces that let fluid pass, and walls within open faces; equilibria */
    FLOW_COUNT,
    /* Apart, as they take kernels of their own: */
    FLOW_TURNING =
        FLOW_COUNT, /* the bodies of FLOW_BODIES, of which some turn and some have interpolated walls */
    FLOW_SLIP,      /* mirrors on faces that meet, one of them a part of a face, a body at them, a velocity,
                       and in space a convective face */
    FLOW_WET,    /* cells on faces are completed, by all four rules, at edges of two and three of them and of
                    walls,  on a part of a face, beside a body and a convective face; values that differ and
                    change */
    FLOW_TUNNEL, /* mirrors across y and, but for one wall, across z, a ball beside one of them, a velocity
                    and a density across x */
    FLOW_END
};

extern const char *const flow_names[FLOW_COUNT];

/* Fills a problem of 13 x 11 x 9 cells, or 13 x 11 for a lattice of two dimensions: a density and velocity
 * that differ from cell to cell, tau 0.7, and a body force where `forced`. Collision and precision are those
 * of weir_problem_default. */
void flow_problem(enum flow flow, enum weir_lattice lattice, bool forced, struct weir_problem *problem);

/* Adds a scalar that differs from cell to cell, tau 0.8, to such a problem: walls, faces and bodies have one
 * rule or another for it, with values. */
void flow_add_scalar(struct weir_problem *problem);

/* Gives it sources, another one in each cell. */
void flow_add_sources(struct weir_problem *problem);

/* Adds solids that conduct it, two that differ: a ball among what else there is, a box beside it, and one in
 * the corner of faces x- and y+. */
void flow_add_conductors(struct weir_problem *problem);

/* Has this scalar act on the flow, along all axes. */
void flow_add_buoyancy(struct weir_problem *problem);

/* What crosses the faces of a block in the flow of a problem. */
void flow_messages(const struct weir_problem *problem, struct weir_message_layout *messages);

#endif
