#include "src/case/density_limits.h"

#include "codelets/kernels/cells/precisions.h"

#include <stdio.h>

void weir_density_limits(enum weir_precision precision, double *least, double *most) {
    *least = 0.02;
    *most = weir_precision_row(precision)->densest;
}

void weir_density_limits_text(double least, double most, char text[WEIR_DENSITY_TEXT]) {
    snprintf(
        text, WEIR_DENSITY_TEXT,
        "it must lie between %.9g and %.9g to be computed with; a flow stays the same when all densities are "
        "scaled",
        least, most);
}
