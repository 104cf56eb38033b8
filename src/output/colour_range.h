/* Which values the ends of a colour map stand for. */
#ifndef WEIR_SRC_OUTPUT_COLOUR_RANGE_H
#define WEIR_SRC_OUTPUT_COLOUR_RANGE_H

#include "src/case/case.h"

#include <stddef.h>

/* Chooses range[0] < range[1] for `count` values of a quantity, in any unit; NaN (solid) values do not count.
 * An end that is not NaN in `wanted` is taken as it is; otherwise speed starts at 0, signed quantities reach
 * equally far to both sides, and vorticity, which has no bound at sharp corners of moving walls, leaves out
 * its largest fiftieth. Ranges much smaller than the values themselves, where only rounding would be seen,
 * are widened. */
void weir_colour_range_choose(enum weir_quantity quantity, const double *values, size_t count,
                              const double wanted[2], double range[2]);

#endif
