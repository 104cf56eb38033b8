/* weir predict: the time per step that the time model gives for a case on a described machine, and the
 * placement that it would choose there. Starts nothing. */
#ifndef WEIR_SRC_PREDICT_H
#define WEIR_SRC_PREDICT_H

#include "graph/plan/best_split.h"
#include "src/case/case.h"
#include "src/machine/machine_file.h"
#include "src/machine/machine_store.h"

struct weir_predict_options {
    const char *machine; /* file; NULL: this machine's measurements */
    const char *json;    /* file to write the numbers to as well; NULL: none */
};

/* Prints to standard output. -WEIR_USAGE for a wrong machine file, or when nothing was measured here;
 * -WEIR_FAILED when memory is short or the JSON file cannot be written. */
int weir_predict(const struct weir_case *c, const struct weir_predict_options *options);

/* The case's blocks placed on a machine. group_of: the caller's, to be freed; may be NULL where only the
 * prediction counts. */
int weir_predict_case(const struct weir_case *c, const struct weir_machine *machine,
                      const struct weir_block_grid *grid, int **group_of, struct weir_split *split);

/* -WEIR_USAGE where the time model does not know how a case is computed by these workers: slab by slab. */
int weir_predict_knows(const struct weir_case *c, const struct weir_step_workers *workers);

/* How a case is cut for these workers of this machine, and what was measured of such blocks here; as
 * weir_machine_store_read. grid knows of no solid blocks yet. -WEIR_FAILED when memory is short. */
int weir_predict_measured(const struct weir_case *c, const struct weir_step_workers *workers,
                          struct weir_machine *machine, struct weir_machine_trust *trust,
                          struct weir_block_grid *grid, bool *found, char note[WEIR_MACHINE_NOTE]);

/* The row about blocks. */
void weir_predict_print_blocks(const struct weir_block_grid *grid);

/* The rows about worker groups, times and speed, for weir predict and weir check. */
void weir_predict_print(const struct weir_machine *machine, const struct weir_prediction *prediction);

/* A warning where the measurement of this machine is not to be trusted. */
void weir_predict_print_trust(const struct weir_case *c, const struct weir_machine_trust *trust);

/* "2 GPUs", "1 team of 13 cores". */
enum { WEIR_KIND_TEXT = 48 };
void weir_predict_kind(const struct weir_machine_kind *kind, char text[WEIR_KIND_TEXT]);

/* What bounds the step, in words: "computing on the team". */
enum { WEIR_BOUND_TEXT = 64 };
void weir_predict_bound(const struct weir_machine *machine, const struct weir_prediction *prediction,
                        char text[WEIR_BOUND_TEXT]);

#endif
