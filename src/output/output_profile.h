/* Values along a line parallel to an axis: one CSV file NAME_000001000.csv per observed step, with one header
 * line "step,time,x,y,z,density,velocity_x,..." and one row per cell of the line whose centre lies between
 * the line's ends.
 *
 * Across the line, values are interpolated linearly between the cell centres around it; where the line runs
 * nearer to the domain's edge than a cell centre, that centre's value stands (also where the domain is
 * periodic), and solid cells are left out. A row whose cells are all solid holds nan. Everything is in output
 * units. */
#ifndef WEIR_SRC_OUTPUT_OUTPUT_PROFILE_H
#define WEIR_SRC_OUTPUT_OUTPUT_PROFILE_H

#include "graph/sink.h"
#include "src/case/case.h"
#include "src/output/writer.h"

struct weir_output_profile;

/* Makes an output of type WEIR_OUTPUT_PROFILE into an existing folder, whose files `writer` finishes; the
 * reader of cases has seen that its line has a cell. c, output and writer must outlive it. *result is the
 * caller's (weir_output_profile_destroy). Error: -WEIR_FAILED (no memory). */
int weir_output_profile_create(const struct weir_case *c, const struct weir_output *output,
                               const char *directory, struct weir_writer *writer,
                               struct weir_output_profile **result);

/* NULL is allowed. */
void weir_output_profile_destroy(struct weir_output_profile *profile);

/* The sink of the cells around the line; usable until the destroy. Errors, its own and those that the writer
 * meets: -WEIR_FAILED with path, reason and a way out. */
struct weir_sink weir_output_profile_sink(struct weir_output_profile *profile);

#endif
