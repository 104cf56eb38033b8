/* The cores and GPUs of a host, divided among the ranks there: threads of two ranks that spin on one core
 * keep each other from working. */
#ifndef WEIR_GRAPH_RANKS_HOST_SHARE_H
#define WEIR_GRAPH_RANKS_HOST_SHARE_H

#include "graph/ranks/world.h"

enum { WEIR_HOST_SHARE_TEXT = 256 };

struct weir_host_share {
    int cores;              /* of this rank, whole ones; 0: those of the host are not divided */
    int ranks_cores;        /* of all ranks on this host */
    int host_cores;         /* that this program might use, had its launcher bound it to none */
    int gpus;               /* of this rank */
    int gpu[WEIR_GPUS_MAX]; /* their numbers on the host (graph/plan/rank_map.h), in this rank's order */
    char gpu_names[WEIR_HOST_SHARE_TEXT]; /* numbers and beginnings of names, " 0 GPU-8932f937 1 GPU-0c1d2e3f"
                                           */
};

/* Collective, before StarPU and CUDA start: where ranks of a host may use the same cores, they are bound to
 * different ones, and where they see the same GPUs, CUDA_VISIBLE_DEVICES is set so that each sees others. Who
 * was started with cores or GPUs of its own keeps them (graph/plan/rank_shares.h). -WEIR_USAGE, agreed, where
 * a rank is left without a core, unless STARPU_WORKERS_NOBIND says that cores may be shared: then all stay as
 * they are. A world of one stays as it is, and *share is then zero. */
int weir_host_share(struct weir_world *world, struct weir_host_share *share);

#endif
