/* Densities that a run can be started with. A lattice Boltzmann fluid is defined but for a factor: 1 is
 * usual, and nothing is lost by staying near it. */
#ifndef WEIR_SRC_CASE_DENSITY_LIMITS_H
#define WEIR_SRC_CASE_DENSITY_LIMITS_H

#include "graph/problem/problem.h"

/* In lattice units, of any lattice: well inside of what counts as a flow that has not diverged (0 to 100,
 * codelets/kernels/sums/sums.h), and of what populations in 16 bits can hold (halves.h). */
void weir_density_limits(const struct weir_problem *problem, double *least, double *most);

/* Writes "it must lie between LEAST and MOST...". */
enum { WEIR_DENSITY_TEXT = 160 };
void weir_density_limits_text(double least, double most, char text[WEIR_DENSITY_TEXT]);

#endif
