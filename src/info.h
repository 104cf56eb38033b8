/* weir info: what this machine has, and what Weir makes of it. */
#ifndef WEIR_SRC_INFO_H
#define WEIR_SRC_INFO_H

#include "graph/ranks/host_share.h"

/* Starts all workers, measures bandwidths, prints to standard output; with several ranks: what each of them
 * has to work with, instead of bandwidths. `share`: what this rank got. Errors: those of the runtime. */
int weir_info(struct weir_world *world, const struct weir_host_share *share);

#endif
