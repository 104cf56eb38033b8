/* Flux: what flows through a rectangle normal to an axis, over time, as a CSV file with a row per observed
 * step.
 *
 * Columns are step, time, area (of what is fluid), volume_flux, mass_flux, scalar_flux (of cases with a
 * scalar: what the flow carries, without diffusion) and pressure (mean over that area), in output units;
 * fluxes are positive along the axis. Between cell centres values are interpolated linearly, solid cells
 * count as fluid at rest, and cells that the rectangle covers in part count as far as it does. The mass flux
 * through planes of a steady flow is that which passes its inlet, to rounding. */
#ifndef WEIR_SRC_OUTPUT_OUTPUT_FLUX_H
#define WEIR_SRC_OUTPUT_OUTPUT_FLUX_H

#include "graph/sink.h"
#include "src/case/case.h"

struct weir_output_flux;

/* Makes an output of type WEIR_OUTPUT_FLUX; c and output must outlive it. directory: an existing folder; NULL
 * on ranks that write nothing. first: the step from which rows are added to an earlier file; 0: a new one.
 * *result is the caller's (weir_output_flux_destroy). Errors: -WEIR_FAILED (no memory, the file). */
int weir_output_flux_create(const struct weir_case *c, const struct weir_output *output,
                            const char *directory, int64_t first, struct weir_output_flux **result);

/* NULL is allowed. */
void weir_output_flux_destroy(struct weir_output_flux *flux);

/* The sink of the one or two layers of cells around the plane; usable until the destroy. */
struct weir_sink weir_output_flux_sink(struct weir_output_flux *flux);

#endif
