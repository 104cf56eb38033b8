/* Probes: values at points over time, as a CSV file with a row per sample.
 *
 * Columns are step and time, then for each point its quantities, NAME(NUMBER) with points numbered from 1 in
 * the order of the case, and behind them the differences asked for, NAME(ONE-OTHER); values are interpolated
 * between the centres of the cells around the point, solid ones left out, in output units. Rows come in
 * batches (graph/probes.h), each checked for divergence. */
#ifndef WEIR_SRC_OUTPUT_OUTPUT_PROBES_H
#define WEIR_SRC_OUTPUT_OUTPUT_PROBES_H

#include "graph/probes.h"
#include "src/case/case.h"

struct weir_output_probes;

/* Makes an output of type WEIR_OUTPUT_PROBES; c and output must outlive it. directory: an existing folder;
 * NULL on ranks that write nothing. *result is the caller's. Errors: -WEIR_FAILED (no memory, the file). */
int weir_output_probes_create(const struct weir_case *c, const struct weir_output *output,
                              const char *directory, int64_t first, struct weir_output_probes **result);

/* NULL is allowed. */
void weir_output_probes_destroy(struct weir_output_probes *probes);

/* The sink that writes the rows. Usable until the destroy. */
struct weir_probe_sink weir_output_probes_sink(struct weir_output_probes *probes);

#endif
