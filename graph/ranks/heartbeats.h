/* What the ranks of a run last told of themselves, and what follows from it: who has fallen silent, whether
 * all wait for each other, at which step all can stop. Numbers only: who asks and who tells is in
 * supervisor*.c. Times are seconds of one clock. */
#ifndef WEIR_GRAPH_RANKS_HEARTBEATS_H
#define WEIR_GRAPH_RANKS_HEARTBEATS_H

#include <stdbool.h>
#include <stdint.h>

/* Seconds without a sign of life after which a rank counts as lost, where the user says nothing. */
enum { WEIR_RANK_TIMEOUT = 60 };

struct weir_heartbeat {
    double heard; /* when it last gave a sign of life */
    double idle;  /* for how long, then, none of its tasks had run nor could, though steps are asked of it */
    bool dead;    /* its process has gone */
    int pardons;  /* for silence, since it was last heard: its process waited for a core */
    int64_t done; /* steps that it has ended; -1: it has not come to that */
    int64_t promised; /* it submits no more steps than these until it is told the step to stop at; -1: it has
                         not promised */
};

enum weir_rank_trouble {
    WEIR_RANKS_WELL,
    WEIR_RANKS_DEAD,   /* culprits: those whose processes have gone */
    WEIR_RANKS_SILENT, /* culprits: those without a sign of life for longer than the timeout */
    WEIR_RANKS_STUCK, /* all live, and all have been idle for longer: culprits: those with the fewest steps */
};

/* Judges the signs of all ranks. A rank that is slow, and one that waits while another computes, is well.
 * timeout: 0 for a judge who finds fault with the dead only. culprit[ranks]: written unless all are well. */
enum weir_rank_trouble weir_heartbeats_judge(const struct weir_heartbeat *heartbeats, int ranks, double now,
                                             double timeout, bool *culprit);

/* Who did not listen for `seconds` (was stopped, say) cannot blame others for what he did not hear. */
void weir_heartbeats_excuse(struct weir_heartbeat *heartbeats, int ranks, double seconds);

/* The first step that no rank has promised to pass: all can reach it, and stop there. -1 while a promise is
 * missing. */
int64_t weir_heartbeats_stop(const struct weir_heartbeat *heartbeats, int ranks);

#endif
