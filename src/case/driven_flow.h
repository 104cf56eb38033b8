/* How fast a flow becomes that a body force or buoyancy drives: estimates before it is computed. */
#ifndef WEIR_SRC_CASE_DRIVEN_FLOW_H
#define WEIR_SRC_CASE_DRIVEN_FLOW_H

#include "src/case/case.h"

struct weir_driven_flow {
    double speed;  /* cell widths per step, at the end of the run at most; 0: no force drives a flow */
    double width;  /* cells between the walls that brake it; 0: nothing does */
    bool by_walls; /* these are walls of the domain; else solids, as if as far apart as the domain is wide */
    bool steady;   /* the speed is reached before the run ends */
};

/* Laminar flow between the walls along the force (for one pair of walls, f H^2 / (8 rho nu)); faster than
 * that it only becomes where walls are farther apart than they look, and slower where it is turbulent. From
 * rest no flow is faster than what the force adds in all steps. Along axes that end at walls, pressure
 * balances the force. */
struct weir_driven_flow weir_driven_flow(const struct weir_case *c);

struct weir_buoyant_flow {
    double difference; /* between the greatest and the least value that boundaries keep the scalar at */
    double length;     /* cells of the domain along the force */
    double speed;      /* of free fall by that difference over that length, cell widths per step */
    double rayleigh;   /* the square of the speed times that of the length, by viscosity and diffusivity */
};

/* All 0 where the scalar does not act on the flow, or fewer than two values are known for the run. Flows in
 * closed spaces are three to ten times slower. */
struct weir_buoyant_flow weir_buoyant_flow(const struct weir_problem *problem);

#endif
