/* Ranks agree on an error: in tasks on a communicator of their own, else under the control of world.h. */
#ifndef WEIR_GRAPH_RANKS_AGREEMENT_H
#define WEIR_GRAPH_RANKS_AGREEMENT_H

#include <mpi.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

struct weir_supervisor;

struct weir_agreeing {
    MPI_Comm ranks;                     /* MPI_COMM_NULL: one alone */
    struct weir_supervisor *supervisor; /* NULL: nobody looks after them */
    atomic_int *inside;                 /* calls that may wait for the others; NULL: not counted */
};

/* Around a collective call, or several: until weir_agreeing_leave this rank may be waiting for the others.
 * weir_agreement does it by itself. */
void weir_agreeing_enter(const struct weir_agreeing *who);
void weir_agreeing_leave(const struct weir_agreeing *who);

/* Collective: 0 when no rank brings an error (a negative value, with its text as weir_fail left it). Else the
 * error of the lowest rank that does, on all ranks alike; its text gets the name of rank and host in front,
 * unless all ranks bring the same, or that rank says that its text is for all. Where others do not come,
 * because they wait for this rank elsewhere, the supervisor ends all with the error that this one brings. One
 * alone gets back `error`. */
int weir_agreement(const struct weir_agreeing *who, int error, bool for_all);

#endif
