/* Pockets of fluid that no opening touches, made solid where a case asks for it. */
#ifndef WEIR_SRC_CASE_CASE_POCKETS_H
#define WEIR_SRC_CASE_CASE_POCKETS_H

#include "src/case/case.h"

struct weir_world;

/* Closes the pockets of a case that is read: they become a body "pockets" behind its other solids, and
 * c->pockets says how many there were. Collective, each rank looks at its part of the domain; world: NULL for
 * one rank. Errors, agreed: -WEIR_USAGE where another body has that name or there are too many, -WEIR_FAILED
 * when memory is short. */
int weir_case_close_pockets(struct weir_case *c, struct weir_world *world);

/* Whether a test for a steady flow is wanted and may never hold if there are pockets, which stay open:
 * interpolated walls do not keep the mass of what they enclose, so the fluid there goes on changing. */
bool weir_case_pockets_may_unsettle(const struct weir_case *c);

/* What is said of it then: how many pockets, and the key that mends it. */
#define WEIR_POCKETS_UNSETTLE                                                                         \
    "run.stop_when.steady may not hold, or late: interpolated walls do not keep the mass of pockets " \
    "of fluid (%lld here); domain.close_pockets makes them solid"

#endif
