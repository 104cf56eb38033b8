/* The files that weir trace leaves beside StarPU's own. docs/tracing.md describes them. */
#ifndef WEIR_SRC_TRACE_TRACE_FILES_H
#define WEIR_SRC_TRACE_TRACE_FILES_H

#include "src/trace/trace_data.h"

/* Each writes one file, complete or not at all. Errors: -WEIR_FAILED with path, reason and a way out. */

/* Tasks: kind, block, step, rank, worker, submitted, ready, start, end. */
int weir_trace_write_tasks(const char *path, const struct weir_trace *trace);

/* Copies between memories: bytes, from, to, start, end. */
int weir_trace_write_transfers(const char *path, const struct weir_trace *trace);

/* What tasks of the window's first steps waited for, for graphviz. */
int weir_trace_write_graph(const char *path, const struct weir_trace *trace);

/* The window out of StarPU's paje.trace (`original`), with names and colours of ours: tasks are called by
 * kind, block and step, and have the colour of their kind. */
int weir_trace_write_paje(const char *path, const char *original);

/* The format that Chrome (chrome://tracing) and ui.perfetto.dev open. */
int weir_trace_write_perfetto(const char *path, const struct weir_trace *trace);

#endif
