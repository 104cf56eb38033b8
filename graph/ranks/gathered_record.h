/* The records of all ranks as one. */
#ifndef WEIR_GRAPH_RANKS_GATHERED_RECORD_H
#define WEIR_GRAPH_RANKS_GATHERED_RECORD_H

#include "graph/plan/run_record.h"
#include "graph/ranks/world.h"

/* Numbers of memories: those of a rank's StarPU, after those of the ranks before it. */
enum { WEIR_MEMORIES_OF_A_RANK = 64 };

/* Collective: adds the workers and blocks of all ranks to rank 0's record, which is left as it is in a world
 * of one. Workers come by rank, with their rank, and names and memories that tell them apart. Tasks are not
 * gathered. -WEIR_FAILED, agreed, when memory is short. */
int weir_run_record_gather(struct weir_run_record *record, struct weir_world *world);

#endif
