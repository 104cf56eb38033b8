/* The permeability of a porous medium over time, from the mean velocity that a body force drives through it
 * (Darcy's law; docs/numerics.md, Permeability): a CSV file NAME.csv with one header line
 * "step,time,darcy_velocity_x,_y,_z,permeability_x,_y,_z,permeability,imbalance,reynolds" and a row per
 * appended step, in output units (SI: m/s, m2). It grows while the run goes on, as a series does. */
#ifndef WEIR_SRC_OUTPUT_OUTPUT_PERMEABILITY_H
#define WEIR_SRC_OUTPUT_OUTPUT_PERMEABILITY_H

#include "graph/problem/totals.h"
#include "src/case/case.h"

struct weir_output_permeability;

/* Starts the file of an output of type WEIR_OUTPUT_PERMEABILITY in an existing folder, or goes on with step
 * `first` in a file of an earlier part of the run. fluid_cells: of all ranks. c must outlive it. *result is
 * the caller's. Error: -WEIR_FAILED with path, reason and a way out. */
int weir_output_permeability_create(const struct weir_case *c, const struct weir_output *output,
                                    const char *directory, int64_t first, int64_t fluid_cells,
                                    struct weir_output_permeability **result);

/* Adds a row. totals: in lattice units. Error: -WEIR_FAILED with path, reason and a way out. */
int weir_output_permeability_append(struct weir_output_permeability *permeability,
                                    const struct weir_totals *totals);

/* Closes the file. NULL is allowed. */
void weir_output_permeability_destroy(struct weir_output_permeability *permeability);

#endif
