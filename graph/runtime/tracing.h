/* Recording of what StarPU does, with FxT: switched on and off around some steps. One per process, as StarPU
 * is. */
#ifndef WEIR_GRAPH_RUNTIME_TRACING_H
#define WEIR_GRAPH_RUNTIME_TRACING_H

#include "codelets/task_expectations.h"
#include "graph/ranks/world.h"

#include <stdint.h>

/* Marks in the trace: user events with these numbers. */
enum { WEIR_TRACE_BEGINS = 20001, WEIR_TRACE_ENDS = 20002 };

/* Recordings are called this, an underscore and the rank. */
#define WEIR_TRACE_RECORDING "recording"

/* -WEIR_UNAVAILABLE, with the mend, where this StarPU has no FxT. */
int weir_tracing_check(void);

/* Makes the StarPU that is started next able to record, off at first; it writes FOLDER/recording_RANK as
 * it stops. Its performance models learn from the whole run, unless STARPU_CALIBRATE says otherwise. Up to
 * `megabytes` stay in memory: beyond that recording stops the program while it writes. -WEIR_FAILED when
 * memory is short. */
int weir_tracing_prepare(const char *folder, int megabytes);

/* Recording on and off, on all ranks at the same step: the first is collective, and fails where another rank
 * has. Tasks submitted between them have
 * names, and what StarPU's models expect of them is noted: that list, of *count entries, is the caller's. No
 * task may be under way at either. */
int weir_tracing_begin(int64_t step, struct weir_world *world);
void weir_tracing_end(struct weir_task_expectation **expectations, int *count);

#endif
