/* A formula in x, y and z, written as text: initial states in case files. Wraps muParser's C interface. */
#ifndef WEIR_SRC_CASE_EXPRESSION_H
#define WEIR_SRC_CASE_EXPRESSION_H

#include <stdbool.h>

struct weir_expression;

/* Compiles a formula. It may use x, y, z (read from position[0..2] at each evaluation, so `position` must
 * outlive the expression), the constants nx, ny, nz (= size[0..2]) and pi, and muParser's operators and
 * functions (sin, sqrt, min, ?: ...). *result is owned by the caller. One expression must not be evaluated by
 * two threads at once; each thread compiles its own. Errors: -WEIR_USAGE with the formula and what is wrong
 * with it. */
int weir_expression_create(const char *text, double position[3], const double size[3],
                           struct weir_expression **result);
void weir_expression_destroy(struct weir_expression *expression);

/* Whether the formula has x (axis 0), y or z in it. */
bool weir_expression_uses(struct weir_expression *expression, int axis);

/* The formula's value at the current position; not finite where the formula is not. */
double weir_expression_value(struct weir_expression *expression);

#endif
