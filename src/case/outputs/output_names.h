/* The types of outputs as rows: what they are called, what they are, and which files they write. Keys of each
 * type: case_output.c; who writes: src/output/outputs.c. */
#ifndef WEIR_SRC_CASE_OUTPUTS_OUTPUT_NAMES_H
#define WEIR_SRC_CASE_OUTPUTS_OUTPUT_NAMES_H

#include "src/case/case.h"

struct weir_output_row {
    const char *name; /* in case files, and of files where a case gives no other */
    const char *about;
    struct weir_output_suffixes {
        const char *whole;   /* ending of the one file for all steps, NAME.xmf; NULL: there is none */
        const char *of_step; /* ending of a file for each step, NAME_000001000.h5; NULL: there is none */
    } files;                 /* where a case says nothing else */
};

const struct weir_output_row *weir_output_row(enum weir_output_type type);

/* Endings of the files that an output writes. */
struct weir_output_suffixes weir_output_suffixes(const struct weir_output *output);

/* Whether a run of the case writes a file of this name into its folder, at some step. */
bool weir_output_names_hold(const struct weir_case *c, const char *name);

/* Files with what a run needs to go on: checkpoint_000001000.h5. */
#define WEIR_CHECKPOINT_NAME "checkpoint"
#define WEIR_CHECKPOINT_SUFFIX ".h5"

/* Whether a name is STEM_STEPSUFFIX, and of which step. */
bool weir_output_names_step(const char *name, const char *stem, const char *suffix, int64_t *step);

/* Whether an output writes files that have names of checkpoints. */
bool weir_output_names_are_checkpoints(const struct weir_output *output);

/* Whether two outputs with different names write to one file: a series called like a profile at some step. */
bool weir_output_names_clash(const struct weir_output *a, const struct weir_output *b);

#endif
