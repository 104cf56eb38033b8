#include "src/case/density_limits.h"

#include "codelets/kernels/cells/precisions.h"
#include "graph/problem/phases.h"

#include <math.h>
#include <stdio.h>

void weir_density_limits(const struct weir_problem *problem, double *least, double *most) {
    *least = problem->phases.present ? 1e-4 : 0.02; /* vapour is thin */
    *most = weir_precision_row(problem->precision)->densest;
    if (problem->phases.present) /* the pressure has a pole */
        *most = fmin(*most, weir_phases_densest(&problem->phases));
}

void weir_density_limits_text(double least, double most, char text[WEIR_DENSITY_TEXT]) {
    snprintf(
        text, WEIR_DENSITY_TEXT,
        "it must lie between %.9g and %.9g to be computed with; a flow stays the same when all densities are "
        "scaled",
        least, most);
}
