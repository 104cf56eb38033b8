/* The thread of StarPU's that moves messages between ranks. It polls as long as one is awaited, that is
 * nearly always, and takes a core for that. */
#ifndef WEIR_GRAPH_RANKS_MPI_THREAD_H
#define WEIR_GRAPH_RANKS_MPI_THREAD_H

/* The system's number of that thread, 0 where there is none. */
int weir_mpi_thread_id(void);

/* For a thread that shares a core with a worker: it does not interrupt the worker. Where the system refuses,
 * it may. */
void weir_mpi_thread_give_way(int id);

#endif
