/* weir check: validates a case and prints what follows from it, without starting workers. */
#ifndef WEIR_SRC_CHECK_H
#define WEIR_SRC_CHECK_H

#include "src/case/case.h"

struct weir_world;

/* Prints to standard output, with how the domain would be divided where ranks > 0, and draws cuts into the
 * folder `draw` where that is not NULL; that this machine cannot run the case is a warning. world: as it was
 * started; its ranks are meant where they are as many. Collective: all ranks look at the solids, and rank 0
 * goes on. Errors: what a run would refuse, to be agreed on. */
int weir_check(const struct weir_case *c, int ranks, const char *draw, struct weir_world *world);

#endif
