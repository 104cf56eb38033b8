/* Machine, case and workers as JSON: how every report of Weir's names them. */
#ifndef WEIR_SRC_REPORT_DESCRIBED_H
#define WEIR_SRC_REPORT_DESCRIBED_H

#include "graph/plan/run_record.h"
#include "src/case/case.h"

#include <jansson.h>

/* Adds date, versions and machine to a document. Error: -WEIR_FAILED. */
int weir_describe_machine(json_t *document);

/* Name, physics, cells, blocks. A new reference. */
json_t *weir_describe_case(const struct weir_case *c, const int block_cells[3], int blocks);

/* One object for each worker; home_of: index of its home, -1 for none. A new reference. */
json_t *weir_describe_workers(const struct weir_recorded_worker *workers, int count, const int *home_of);

/* A home's name from its first worker: "GPU 0", "team of 8 (CPU 1)", "CPU 2". */
enum { WEIR_HOME_NAME = 96 };
const char *weir_home_name(const struct weir_recorded_worker *worker, char name[WEIR_HOME_NAME]);

/* A home, by its first worker. A new reference. */
json_t *weir_describe_home(const struct weir_recorded_worker *worker);

/* Writes a document to a file, complete or not at all. Error: -WEIR_FAILED. */
int weir_document_write(const char *path, const json_t *document);

#endif
