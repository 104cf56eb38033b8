/* Ranks agree on an error outside of the control of world.h: in tasks, on a communicator of their own. */
#ifndef WEIR_GRAPH_AGREEMENT_H
#define WEIR_GRAPH_AGREEMENT_H

#include <mpi.h>
#include <stdbool.h>

/* Collective: 0 when no rank brings an error (a negative value, with its text as weir_fail left it). Else the
 * error of the lowest rank that does, with its text, on all ranks alike. MPI_COMM_NULL: returns `error`. */
int weir_agreement(MPI_Comm ranks, int error);

/* The error of one rank, as all know it. */
enum { WEIR_NOTICE_TEXT = 2048 };
struct weir_notice {
    int error;
    bool named; /* as that rank said: the text names ranks and hosts already */
    char text[WEIR_NOTICE_TEXT];
};

/* Collective: the lowest rank that brings an error, with it in *notice on all ranks; -1, with *notice
 * untouched, where none does. */
int weir_agreement_lowest(MPI_Comm ranks, int error, bool named, struct weir_notice *notice);

#endif
