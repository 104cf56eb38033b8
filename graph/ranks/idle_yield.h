/* How this process leaves a core to others while MPI waits. */
#ifndef WEIR_GRAPH_RANKS_IDLE_YIELD_H
#define WEIR_GRAPH_RANKS_IDLE_YIELD_H

/* To be called before MPI starts. */
void weir_idle_yield_on(void);

#endif
