/* A formula in x, y and z, and in the time t where there is one, written as text in case files. Wraps
 * muParser's C interface. */
#ifndef WEIR_SRC_CASE_EXPRESSION_H
#define WEIR_SRC_CASE_EXPRESSION_H

#include <stdbool.h>

struct weir_expression;

/* What a formula may refer to. Variables are read at each evaluation, so they must outlive the expression. */
struct weir_expression_terms {
    double *position; /* [3]: x, y, z */
    double *time;     /* t; NULL: there is none */
    double size[3];   /* nx, ny, nz */
};

/* Compiles a formula. It may use x, y, z and t, the constants nx, ny, nz and pi, and muParser's operators and
 * functions (sin, sqrt, min, ?: ...), and random(seed, k), which is the same on any machine. *result is owned
 * by the caller. One expression must not be evaluated by two threads at once; each thread compiles its own.
 * Errors: -WEIR_USAGE with the formula and what is wrong with it. */
int weir_expression_create(const char *text, const struct weir_expression_terms *terms,
                           struct weir_expression **result);
void weir_expression_destroy(struct weir_expression *expression);

/* Whether the formula has x (axis 0), y, z or t (WEIR_TIME) in it. */
enum { WEIR_TIME = 3 };
bool weir_expression_uses(struct weir_expression *expression, int axis);

/* The formula's value at the current position; not finite where the formula is not. */
double weir_expression_value(struct weir_expression *expression);

#endif
