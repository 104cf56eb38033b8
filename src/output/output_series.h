/* Totals of the flow over time: a CSV file NAME.csv with one header line
 * "step,time,mass,momentum_x,...,kinetic_energy,max_speed,force_x(BODY),force_y(BODY),force_z(BODY),...,
 * mass_flow(BOUNDARY),...,scalar_flow(BOUNDARY),..." and a row per appended step, in output units (SI: kg, kg
 * m/s, J, m/s, N, kg/s; a plane of D2Q9 counts as one cell width thick). It grows while the run goes on:
 * every row is handed to the system at once, so plots can follow and a crash leaves all rows so far. */
#ifndef WEIR_SRC_OUTPUT_OUTPUT_SERIES_H
#define WEIR_SRC_OUTPUT_OUTPUT_SERIES_H

#include "graph/problem/totals.h"
#include "src/case/case.h"

struct weir_output_series;

/* Starts the file of an output of type WEIR_OUTPUT_SERIES in an existing folder, replacing an older one.
 * Columns of forces are made for every body of c->problem, and for the domain's faces where the output asks
 * for them; columns of flows for every boundary that lets fluid pass, or at which
 * something is given of a scalar. c must outlive it. *result is the
 * caller's (weir_output_series_destroy). Error: -WEIR_FAILED with path, reason and a way out. */
int weir_output_series_create(const struct weir_case *c, const struct weir_output *output,
                              const char *directory, struct weir_output_series **result);

/* The same, to go on with step `first` in a file of an earlier part of the run: its rows before that stay. */
int weir_output_series_continue(const struct weir_case *c, const struct weir_output *output,
                                const char *directory, int64_t first, struct weir_output_series **result);

/* Adds a row. totals: in lattice units. Error: -WEIR_FAILED with path, reason and a way out. */
int weir_output_series_append(struct weir_output_series *series, const struct weir_totals *totals);

/* Closes the file. NULL is allowed. */
void weir_output_series_destroy(struct weir_output_series *series);

#endif
