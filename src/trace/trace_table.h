/* The analysis of a trace as tables on the terminal. */
#ifndef WEIR_SRC_TRACE_TRACE_TABLE_H
#define WEIR_SRC_TRACE_TRACE_TABLE_H

#include "src/run/traced_run.h"
#include "src/trace/trace_analysis.h"

/* Prints to standard output. */
void weir_trace_table(const struct weir_traced_run *traced, const struct weir_trace *trace,
                      const struct weir_trace_analysis *analysis);

#endif
