/* Measurements of this machine, kept from run to run: a machine file per kernel variant, block shape and set
 * of workers, in $XDG_CACHE_HOME/weir/machines (~/.cache/weir/machines). */
#ifndef WEIR_SRC_MACHINE_MACHINE_STORE_H
#define WEIR_SRC_MACHINE_MACHINE_STORE_H

#include "graph/plan/time_model.h"
#include "graph/runtime/runtime.h"
#include "src/case/case.h"
#include "src/machine/machine_trust.h"

/* What a measurement is for. */
struct weir_machine_key {
    const struct weir_problem *problem;
    const int *block_cells;
    struct weir_step_workers workers; /* as weir_runtime_expect or weir_runtime_step_workers say */
};

/* Reads what was measured here, and how far it is to be trusted. `found` is false where nothing was, or for
 * another program, machine or set of workers; then note[] says so unless there is no file at all.
 * -WEIR_FAILED when memory is short. */
enum { WEIR_MACHINE_NOTE = 512 };
int weir_machine_store_read(const struct weir_machine_key *key, struct weir_machine *machine,
                            struct weir_machine_trust *trust, bool *found, char note[WEIR_MACHINE_NOTE]);

/* Keeps a measurement; replaces an earlier one at once or not at all. *path: where, the caller's to be freed;
 * may be NULL. -WEIR_FAILED with path and reason. */
int weir_machine_store_write(const struct weir_machine_key *key, const struct weir_machine *machine,
                             const struct weir_machine_trust *trust, char **path);

/* Measures, and once more where the first time was disturbed; what comes of it is the calmer of the two. Says
 * so on standard error, unless quiet. Errors: those of weir_tune. */
int weir_machine_store_measure(struct weir_runtime *runtime, const struct weir_problem *problem,
                               const int block_cells[3], bool quiet, struct weir_machine *machine,
                               struct weir_tune_quality *quality);

/* A run that rested on what is kept was over: measured / predicted speed, and what it lost to others
 * (weir_core_loss; NaN: not known). That is kept too; *trust is what it comes to, and `found` false where
 * nothing is kept any more. -WEIR_FAILED when it cannot be kept. */
int weir_machine_store_judge(const struct weir_machine_key *key, double ratio, double lost,
                             struct weir_machine_trust *trust, bool *found);

/* The measurement for a started runtime: read, else, where it is worth it, its worker groups are of different
 * kinds and its policy needs to know their speeds, measured and kept. One that was made under load is
 * measured again where it would be measured; one that runs were far off from, in any case. `found` says
 * whether there is one. That it cannot be kept, or a kept one cannot be used, is told on standard error,
 * unless quiet. Errors: those of weir_tune. */
int weir_machine_store_get(struct weir_runtime *runtime, const struct weir_problem *problem,
                           const int block_cells[3], bool worth, bool quiet, struct weir_machine *machine,
                           bool *found);

#endif
