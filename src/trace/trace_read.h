/* Reads what starpu_fxt_tool made of a recording: tasks.rec (tasks and what they waited for) and paje.trace
 * (what workers did, what was copied). */
#ifndef WEIR_SRC_TRACE_TRACE_READ_H
#define WEIR_SRC_TRACE_TRACE_READ_H

#include "src/trace/trace_data.h"

/* Fills the tables of a trace whose machine, from and steps are set; the caller releases it in any case.
 * folder: where the files are. Error: -WEIR_FAILED when a file cannot be read, the marks of the window are
 * missing, or steps of blocks are missing. */
int weir_trace_read(const char *folder, struct weir_trace *trace);

#endif
