/* Names of the files that a case's outputs are written to. */
#ifndef WEIR_SRC_CASE_OUTPUT_NAMES_H
#define WEIR_SRC_CASE_OUTPUT_NAMES_H

#include "src/case/case.h"

/* Whether a run of the case writes a file of this name into its folder, at some step. */
bool weir_output_names_hold(const struct weir_case *c, const char *name);

/* Whether two outputs with different names write to one file: a series called like a profile at some step. */
bool weir_output_names_clash(const struct weir_output *a, const struct weir_output *b);

#endif
