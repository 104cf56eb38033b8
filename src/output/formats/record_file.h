/* A run's record as an HDF5 file: written by weir run --record, read by weir compare. docs/compare.md
 * describes the format. */
#ifndef WEIR_SRC_OUTPUT_FORMATS_RECORD_FILE_H
#define WEIR_SRC_OUTPUT_FORMATS_RECORD_FILE_H

#include "graph/plan/run_record.h"

/* What the file says about the run beside its arrays; texts are borrowed. */
struct weir_record_labels {
    const char *case_name, *policy;
};

/* Writes the record to a file, complete or not at all; what stood there is replaced. Error: -WEIR_FAILED with
 * path, reason and a way out. */
int weir_record_file_write(const char *path, const struct weir_run_record *record,
                           const struct weir_record_labels *labels);

/* Reads a record, which the caller releases. Error: -WEIR_FAILED when the file cannot be read, or is no
 * record. */
int weir_record_file_read(const char *path, struct weir_run_record *record);

#endif
