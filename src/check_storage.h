/* What weir check tells of another storage for the same flow. */
#ifndef WEIR_SRC_CHECK_STORAGE_H
#define WEIR_SRC_CHECK_STORAGE_H

#include "graph/plan/time_model.h"
#include "graph/runtime/runtime.h"
#include "src/case/case.h"

/* Prints, of a case whose cells may keep populations or moments, what a step would take with the other of
 * them, as the time model says, or how to measure it where it has not been measured here; of other cases
 * nothing. as_it_is: of the case. Errors: those of weir_predict_case. */
int weir_check_storage(const struct weir_case *c, const struct weir_step_workers *workers,
                       const struct weir_prediction *as_it_is);

#endif
