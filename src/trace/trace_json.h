/* The analysis of a trace as JSON. docs/tracing.md describes it. */
#ifndef WEIR_SRC_TRACE_TRACE_JSON_H
#define WEIR_SRC_TRACE_TRACE_JSON_H

#include "src/run/traced_run.h"
#include "src/trace/trace_analysis.h"

#include "src/case/case.h"

#include <jansson.h>

/* The document; a new reference. -WEIR_FAILED when memory is short. */
int weir_trace_document(const struct weir_case *c, const struct weir_traced_run *traced,
                        const struct weir_trace *trace, const struct weir_trace_analysis *analysis,
                        json_t **document);

/* What report.html draws: {"analysis": document, "tasks": [[kind, block, step, worker, start, end], ...] with
 * seconds, "transfers": [[bytes, from, to, start, end], ...]}. Takes over no reference. A new reference. */
json_t *weir_trace_report(const struct weir_trace *trace, json_t *document);

#endif
