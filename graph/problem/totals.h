/* Sums and extremes over all fluid cells at one step, in lattice units: what the time series, the check for
 * divergence and the summary of a run are made of. */
#ifndef WEIR_GRAPH_PROBLEM_TOTALS_H
#define WEIR_GRAPH_PROBLEM_TOTALS_H

#include "graph/problem/gas_join.h"
#include "graph/problem/problem.h"

#include <stdint.h>

struct weir_totals {
    int64_t step;
    double mass;
    double
        fifth; /* of the scalar, or the internal energy of a flow with a temperature; 0: there is neither */
    double momentum[3];
    double kinetic_energy; /* sum of density |velocity|^2 / 2 */
    double max_speed;
    int max_speed_cell[3];              /* a cell with that speed */
    double force[WEIR_WALLS_MAX][3];    /* of the fluid on each wall, indexed like weir_problem.walls */
    double torque[WEIR_WALLS_MAX][3];   /* the same, about weir_wall.center; 0 where links are not counted */
    double mass_flow[WEIR_WALLS_MAX];   /* that each wall let into the fluid in the last step */
    double mass_passed[WEIR_WALLS_MAX]; /* the same in all steps */
    struct weir_gas_totals gas;         /* of bubbles, where there are such, as of the last odd step */
    double scalar_flow[WEIR_WALLS_MAX]; /* what came of a scalar from each wall in the last step */
    double all_mass_passed;             /* by all of them, without rounding in between */
};

#endif
