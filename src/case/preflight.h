/* What can be known to fail before it is tried: weir check and weir run ask the same, and a run asks before
 * it starts anything or touches a file. */
#ifndef WEIR_SRC_CASE_PREFLIGHT_H
#define WEIR_SRC_CASE_PREFLIGHT_H

#include "src/case/case.h"

/* Whether a case that was read can be computed: it has fluid, and, where this process is `alone`, what it
 * keeps has room here. What each of several ranks needs follows from their decomposition:
 * weir_simulation_create() looks at that, also before any file is touched. -WEIR_USAGE with what to change;
 * -WEIR_UNAVAILABLE where no worker here can take it. */
int weir_preflight(const struct weir_case *c, bool alone);

/* An error, which is returned; one of usage with the file that is to be changed before its text. */
int weir_preflight_named(const struct weir_case *c, int error);

#endif
