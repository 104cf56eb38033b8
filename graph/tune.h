/* Measures the constants of the time model on the workers of a started StarPU, with the tasks of a real run.
 */
#ifndef WEIR_GRAPH_TUNE_H
#define WEIR_GRAPH_TUNE_H

#include "graph/plan/time_model.h"
#include "graph/runtime/runtime.h"

/* The machine as kinds of worker groups, in the order of the runtime's worker groups, so that worker groups
 * have the same numbers; rates and links are 0. -WEIR_FAILED for more kinds than the model knows. */
int weir_tune_describe(const struct weir_runtime *runtime, struct weir_machine *machine);

/* What a measurement was made under: the largest distance of quartiles among repetitions, in parts of their
 * median, and the part of the cores' time that was lost to others (core_use.h). NaN: not known. */
struct weir_tune_quality {
    double spread, lost;
};

/* From this spread on, or WEIR_CORES_LOST_MUCH, a measurement is not to be trusted. */
#define WEIR_TUNE_SPREAD_MUCH 0.25
bool weir_tune_is_disturbed(const struct weir_tune_quality *quality);

/* Whether the first of two was made under less. */
bool weir_tune_is_calmer(const struct weir_tune_quality *first, const struct weir_tune_quality *second);

/* Describes and measures. For each kind of worker group that is there, small flows of the problem's lattice,
 * collision, precision and force in blocks of this size are advanced on the worker groups of that kind alone,
 * the CPU worker groups all at once, one GPU for all: fluid blocks, blocks four fifths of which are solid,
 * both as lists too where the problem may have some, and tiny blocks whose time is that of handing out tasks.
 * Links are those that StarPU measured. No other task may be under way. *quality: what it was made under.
 * Takes below 3 s where a block takes no longer than half a second. -WEIR_FAILED when memory is short or a
 * task failed. */
int weir_tune(struct weir_runtime *runtime, const struct weir_problem *problem, const int block_cells[3],
              struct weir_machine *machine, struct weir_tune_quality *quality);

#endif
