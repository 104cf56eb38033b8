/* Probes as tasks: density and velocity of a few cells of the domain, at many steps. A step costs a short
 * task on each block that has such cells; what they see gathers where the block lives, and travels to rank 0,
 * whose sink gets it, once for many samples. */
#ifndef WEIR_GRAPH_PROBES_H
#define WEIR_GRAPH_PROBES_H

#include "graph/domain.h"
#include "graph/observation.h"

struct weir_probe_tasks {
    struct weir_task_kind sample, solid, put, finish;
};

/* where: kinds of workers that may run the tasks on blocks (StarPU's bits). */
void weir_probes_define(struct weir_probe_tasks *tasks, const struct weir_kernels *kernels, unsigned where);

/* What a sample has of some of a probe's cells: those of one block. */
struct weir_probe_values {
    int probe, sample;    /* sample: from 0, within the batch */
    struct weir_box box;  /* the cells */
    const double *values; /* [weir_problem_observed][cells], in lattice units; NaN
                             in solids. Valid during the call only */
};

/* Called on rank 0, from tasks, never two at once; each returns 0 or a negative error, which stops the run.
 * For each batch: put for all samples, probes and blocks, then finish. */
struct weir_probe_sink {
    void *context;
    const struct weir_box *boxes; /* [count]: the cells that each probe sees, at most 2 along an axis, inside
                                     the domain; must outlive the probes */
    int count;
    int batch; /* samples that are handed over at once, at most */
    int (*put)(void *context, const struct weir_probe_values *values);
    /* steps: [samples]. sound: the flow was checked after the last of them, and has not diverged; else the
     * batch is to be thrown away. */
    int (*finish)(void *context, const int64_t *steps, int samples, bool sound);
};

struct weir_probes;

/* Prepares for a sink, which is copied. All ranks create the same probes in the same order. before: probes of
 * the same simulation, created before; NULL: these are the first. */
int weir_probes_create(struct weir_domain *domain, struct weir_probe_tasks *tasks,
                       struct weir_together *together, const struct weir_probe_sink *sink,
                       struct weir_probes *before, struct weir_probes **probes);

/* As it was given. */
struct weir_probes *weir_probes_before(const struct weir_probes *probes);

/* Waits for the sink's tasks, or until all for it has been sent; no sample may be left. NULL is allowed. */
void weir_probes_destroy(struct weir_probes *probes);

/* As weir_watch_abandon. */
void weir_probes_abandon(struct weir_probes *probes, const struct timespec *until);

/* Submits a sample of the state before step `step`. There must be room for it in the batch. */
int weir_probes_sample(struct weir_probes *probes, int64_t step);

/* Samples that have not been handed over, and whether there is room for no more. */
int weir_probes_waiting(const struct weir_probes *probes);
bool weir_probes_full(const struct weir_probes *probes);

/* Submits that the batch is handed over. verdict: as for weir_watch_submit. To be called by all ranks, and
 * before blocks change ranks. */
int weir_probes_hand_over(struct weir_probes *probes, starpu_data_handle_t verdict);

#endif
