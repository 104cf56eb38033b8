/* Where benchmarks put what they find: progress on standard error, a document of all numbers for --json.
 * Tables for people they print themselves. */
#ifndef WEIR_SRC_BENCH_BENCH_REPORT_H
#define WEIR_SRC_BENCH_BENCH_REPORT_H

#include "graph/runtime/cores.h"
#include "src/bench/bench_options.h"

#include <jansson.h>

struct weir_report;

/* Begins the document with versions and machine, and makes sure that the file can be written. `options` must
 * outlive the report. Error: -WEIR_FAILED. */
int weir_report_create(const struct weir_bench_options *options, const struct weir_cores *cores,
                       struct weir_report **report);

/* Writes the file, where one is wanted. Error: -WEIR_FAILED. */
int weir_report_write(const struct weir_report *report);

/* NULL is allowed. */
void weir_report_destroy(struct weir_report *report);

/* The document, to be added to. */
json_t *weir_report_document(struct weir_report *report);

/* Says what is being measured. */
void weir_report_progress(const struct weir_report *report, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Ends the line of progress, so that a table's row can follow. */
void weir_report_row(const struct weir_report *report);

#endif
