/* A solid that is wherever a condition of x, y and z holds. */
#ifndef WEIR_SRC_CASE_SOLID_FORMULA_H
#define WEIR_SRC_CASE_SOLID_FORMULA_H

#include "graph/problem/region.h"
#include "src/case/case.h"

/* The region of the points where `condition` (expression.h) is true; x, y, z are in the units of the case. It
 * is looked at in cells spread evenly over the domain, at most 16 per axis: there its value must be 0 or 1.
 * *region is the caller's, to be destroyed by its own function. Errors: -WEIR_USAGE with the condition, and
 * where there is one with the place; -WEIR_FAILED when memory is short. */
int weir_solid_formula_create(const char *condition, const struct weir_case *c, struct weir_region **region);

#endif
