/* weir check: validates a case and prints what follows from it, without starting workers. */
#ifndef WEIR_SRC_CHECK_H
#define WEIR_SRC_CHECK_H

#include "src/case.h"

/* Prints to standard output, with how the domain would be divided where ranks > 0; that this machine cannot
 * run the case is a warning. Errors: those of placement and blocks. */
int weir_check(const struct weir_case *c, int ranks);

#endif
