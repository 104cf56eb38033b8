/* Values of a case file that may be numbers, formulas of x, y and z, or tables. */
#ifndef WEIR_SRC_CASE_CASE_FORMULAS_H
#define WEIR_SRC_CASE_CASE_FORMULAS_H

#include "src/case/case_values.h"
#include "src/case/initial_formulas.h"

/* A number in the units of the file; a formula, which is compiled once to find its faults while the key is
 * known; or a table, where the component may be one. component->formula and table are the caller's to free.
 * Returns 0 or -WEIR_USAGE; -WEIR_FAILED when memory is short. */
int weir_case_read_formula(const struct weir_json *json, const struct weir_units *units,
                           const struct weir_case_quantity *quantity,
                           struct weir_initial_component *component);

/* The same for the components of a velocity, one per axis of the lattice; 0 for the axis that it has not.
 * Constants together must be slower than the lattice's speed of sound. */
int weir_case_read_velocity_formulas(const struct weir_json *json, const struct weir_case *c,
                                     const struct weir_case_quantity *quantity,
                                     struct weir_initial_component components[3]);

/* The same for a density, which must lie within least and most (lattice units) where it is a number. purpose:
 * "to begin with", say, for messages. */
int weir_case_read_density_formula(const struct weir_json *json, const struct weir_case *c,
                                   const struct weir_case_quantity *quantity, const char *purpose,
                                   struct weir_initial_component *component);

#endif
