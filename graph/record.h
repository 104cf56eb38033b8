/* The recorder: notes who takes each step of each block, and when, while a simulation runs. Each worker
 * writes to memory of its own, so nobody waits for anybody; memory is taken in chunks, not per task. */
#ifndef WEIR_GRAPH_RECORD_H
#define WEIR_GRAPH_RECORD_H

#include "graph/domain.h"
#include "graph/plan/run_record.h"
#include "graph/runtime/runtime.h"

struct weir_record;

/* A recorder for the domain's blocks; its clock starts now. Both must outlive it. -WEIR_FAILED when memory is
 * short. */
int weir_record_create(const struct weir_runtime *runtime, const struct weir_domain *domain,
                       struct weir_record **record);

/* Times are counted from then (weir_seconds()), in place of the recorder's creation: what else is set beside
 * them counts from there. No task of the simulation may be under way. */
void weir_record_count_from(struct weir_record *record, double origin);

/* NULL is allowed. No task of the simulation may be under way. */
void weir_record_destroy(struct weir_record *record);

/* Called by the worker that takes a stage of a step of a block, as it begins and as it has ended. */
void weir_record_begin(void *record, const struct weir_block *block, const struct weir_stage *stage);
void weir_record_end(struct weir_record *record);

/* Seconds since what its times are counted from. */
double weir_record_seconds(const struct weir_record *record);

/* Copies what was recorded into tables of the caller's (weir_run_record_release); no task may be under way.
 * steps and wall_seconds are left 0. -WEIR_FAILED when memory is, or was, too short for it. */
int weir_record_collect(const struct weir_record *record, struct weir_run_record *result);

#endif
