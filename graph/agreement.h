/* Ranks agree on an error, on any communicator: in tasks on one of their own, else under the control of
 * world.h. */
#ifndef WEIR_GRAPH_AGREEMENT_H
#define WEIR_GRAPH_AGREEMENT_H

#include <mpi.h>
#include <stdbool.h>

/* Collective: 0 when no rank brings an error (a negative value, with its text as weir_fail left it). Else the
 * error of the lowest rank that does, on all ranks alike; its text gets the name of rank and host in front,
 * unless all ranks bring the same, or that rank says that its text is for all. MPI_COMM_NULL: returns
 * `error`. */
int weir_agreement(MPI_Comm ranks, int error, bool for_all);

#endif
