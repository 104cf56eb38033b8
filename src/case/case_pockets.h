/* Pockets of fluid that no opening touches, made solid where a case asks for it. */
#ifndef WEIR_SRC_CASE_CASE_POCKETS_H
#define WEIR_SRC_CASE_CASE_POCKETS_H

#include "src/case/case.h"

/* Cores that this process may use, and at least one: as many threads look for pieces of fluid. */
int weir_case_cores(void);

/* Closes the pockets of a case that is read: they become a body "pockets" behind its other solids, and
 * c->pockets says how many there were. Each rank looks at the whole domain. Errors: -WEIR_USAGE where another
 * body has that name or there are too many, -WEIR_FAILED when memory is short. */
int weir_case_close_pockets(struct weir_case *c);

#endif
