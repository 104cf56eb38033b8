/* What weir check warns of: what is allowed and yet likely to disappoint. */
#ifndef WEIR_SRC_CHECK_WARNINGS_H
#define WEIR_SRC_CHECK_WARNINGS_H

#include "src/case/case.h"
#include "src/case/driven_flow.h"

/* Prints a line each, with what would be better; in SI cases, time steps and cell sizes. */
void weir_check_warnings(const struct weir_case *c, const struct weir_driven_flow *flow);

#endif
