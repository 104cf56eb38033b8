/* The values of a boundary's rule in a case file: what faces and solids have in common. */
#ifndef WEIR_SRC_CASE_CASE_RULES_H
#define WEIR_SRC_CASE_CASE_RULES_H

#include "codelets/kernels/boundary/boundary_rules.h"
#include "src/case/case.h"
#include "src/case/initial_formulas.h"
#include "src/case/key.h"

/* Reads them from the key whose row is `key`, constants (lattice units) or formulas, into
 * components[row.values] of the rule. formulas: velocities may be some. Formulas are the caller's to free, on
 * errors as well. Returns 0 or -WEIR_USAGE; -WEIR_FAILED when memory is short. */
int weir_case_read_rule_values(const struct weir_json *object, const struct weir_key *key,
                               struct weir_case *c, enum weir_rule rule, bool formulas,
                               struct weir_initial_component components[WEIR_BOUNDARY_VALUES]);

/* Refuses a rule that the case's lattice has no use for. type: the key that named it. Returns 0 or
 * -WEIR_USAGE.
 */
int weir_case_check_rule(const struct weir_json *type, const struct weir_case *c, enum weir_rule rule);

#endif
