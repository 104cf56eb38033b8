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
    int *number;          /* [count] in this name space */
    struct pollfd *watch; /* [count] */
};

/* Collective, never fails: where memory is short there are none. */
void weir_rank_processes_find(const struct weir_world *world, struct weir_rank_processes *processes);
void weir_rank_processes_release(struct weir_rank_processes *processes);

/* The rank of one that has ended, which is not looked after any more then; -1: none. */
int weir_rank_processes_ended(struct weir_rank_processes *processes);

/* What the system says of process k: a thread of it runs, or would if it had a core or its page of a file.
 * For signal handlers, too: the answer is then about the main thread. */
enum weir_process_state { WEIR_PROCESS_WAITS, WEIR_PROCESS_RUNNABLE, WEIR_PROCESS_STOPPED };
enum weir_process_state weir_rank_process_state(const struct weir_rank_processes *processes, int k);
enum weir_process_state weir_rank_process_state_in_handler(const struct weir_rank_processes *processes,
                                                           int k);

#endif
