/* The processes of the other ranks of this host: whether they live. The system tells it at once, where a
 * launcher or a timeout would take its time. */
#ifndef WEIR_GRAPH_RANKS_RANK_PROCESSES_H
#define WEIR_GRAPH_RANKS_RANK_PROCESSES_H

#include <poll.h>

struct weir_world;

/* Those that can be looked after: not those in another container, nor any under a system that cannot. */
struct weir_rank_processes {
    int count;
    int *rank;            /* [count] */
    struct pollfd *watch; /* [count] */
};

/* Collective, never fails: where memory is short there are none. */
void weir_rank_processes_find(const struct weir_world *world, struct weir_rank_processes *processes);
void weir_rank_processes_release(struct weir_rank_processes *processes);

/* The rank of one that has ended, which is not looked after any more then; -1: none. */
int weir_rank_processes_ended(struct weir_rank_processes *processes);

#endif
