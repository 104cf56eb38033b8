/* What the analysis of a trace shows, in sentences. */
#ifndef WEIR_SRC_TRACE_TRACE_WORDS_H
#define WEIR_SRC_TRACE_TRACE_WORDS_H

#include "src/trace/trace_analysis.h"

/* The main loss, what to try, and how much of the window shows it; or that the machine was disturbed, or the
 * window is of two minds, and is to be measured again:  for the caller to free; NULL when memory is short.
 * policy: in force. */
char *weir_trace_words(const struct weir_trace *trace, const struct weir_trace_analysis *analysis,
                       const char *policy);

/* What recording cost as a fraction of a step, against the windows beside it, and by what these differ; NAN
 * where there are none. */
double weir_trace_cost(double recorded, double before, double after, double *difference);

#endif
