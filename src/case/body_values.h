/* Values of solids and parts of faces that change in time, where a case gives formulas of t, tables over t or
 * a ramp: a weir_body_function (graph/problem/problem.h). All over a body they are the same. */
#ifndef WEIR_SRC_CASE_BODY_VALUES_H
#define WEIR_SRC_CASE_BODY_VALUES_H

#include "graph/problem/problem.h"
#include "src/case/initial_formulas.h"
#include "src/case/units.h"

struct weir_body_values;

/* Those of a case with these units, of no body yet. The problem must outlive them. NULL when memory is short.
 */
struct weir_body_values *weir_body_values_create(const struct weir_problem *problem,
                                                 const struct weir_units *units, const char *file);

/* Has the wall of this number (struct weir_wall) take its values from these components (boundary_rules.h: the
 * rule's, and that of the scalar), whose formulas and tables are the values' own from here on, also on
 * errors. ramp: steps in which the rule's values rise to those given, from rest or from the reference
 * density; 0: at once. Fails where a formula or table has a place in it: -WEIR_USAGE. */
int weir_body_values_take(struct weir_body_values *values, int number, double ramp,
                          struct weir_initial_component components[WEIR_PROFILE_VALUES]);

/* Whether a wall has these, word by word; tables are never the same. */
bool weir_body_values_same(const struct weir_body_values *values, int number, double ramp,
                           const struct weir_initial_component components[WEIR_PROFILE_VALUES]);

/* The weir_body_function; its context is a struct weir_body_values. Several threads may call it at once. A
 * ramp is that of faces (boundary_profiles.h). Errors: -WEIR_USAGE, with formula and time, where a value is
 * not finite, the density is out of its limits or the speed reaches the lattice's speed of sound. */
int weir_body_values_at(void *context, int number, double time, struct weir_wall *wall);

/* Evaluates them at 0, 1, 2, 4 ... 2^20 steps, and of tables at their own times, for errors as above.
 * *greatest_speed: lattice units. */
int weir_body_values_survey(struct weir_body_values *values, int number, double *greatest_speed);

/* Frees what it owns; NULL is allowed. */
void weir_body_values_destroy(struct weir_body_values *values);

#endif
