/* Ranks agree on an error outside of the control of world.h: in tasks, on a communicator of their own. */
#ifndef WEIR_GRAPH_AGREEMENT_H
#define WEIR_GRAPH_AGREEMENT_H

#include <mpi.h>

/* Collective: 0 when no rank brings an error (a negative value, with its text as weir_fail left it). Else the
 * error of the lowest rank that does, with its text, on all ranks alike. MPI_COMM_NULL: returns `error`. */
int weir_agreement(MPI_Comm ranks, int error);

#endif
