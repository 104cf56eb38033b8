/* Surface: wall shear stress and pressure on the walls of bodies, as triangles: one VTK XML file
 * NAME_000005000.vtp per observed step, and NAME.pvd, which opens all of them.
 *
 * Arrays of each triangle are wall_shear_stress (a vector: that of the fluid on the wall, along it),
 * wall_shear_stress_magnitude, pressure, and body, numbered as cell_type of fields; in output units, 32-bit
 * floats in single and 64-bit ones in double precision runs. Which triangles there are, and how they get
 * their values: src/surface/wall_surface.h. */
#ifndef WEIR_SRC_OUTPUT_OUTPUT_SURFACE_H
#define WEIR_SRC_OUTPUT_OUTPUT_SURFACE_H

#include "graph/ranks/agreement.h"
#include "graph/sink.h"
#include "src/case/case.h"
#include "src/output/writer.h"

struct weir_output_surface;

/* Makes an output of type WEIR_OUTPUT_SURFACE; c, output, who and writer must outlive it. directory: an
 * existing folder; NULL on ranks that write nothing. first: the step with which the run begins. who: the
 * ranks that gather the cells, rank 0 being the one that writes. *result is the caller's
 * (weir_output_surface_destroy). Errors: -WEIR_USAGE where fluid touches none of the bodies, -WEIR_FAILED
 * when memory is short. */
int weir_output_surface_create(const struct weir_case *c, const struct weir_output *output,
                               const char *directory, int64_t first, const struct weir_agreeing *who,
                               struct weir_writer *writer, struct weir_output_surface **result);

/* The writer has done its jobs. NULL is allowed. */
void weir_output_surface_destroy(struct weir_output_surface *surface);

/* The sink of the fluid cells beside the walls, called everywhere where there are several ranks; usable until
 * the destroy. */
struct weir_sink weir_output_surface_sink(struct weir_output_surface *surface);

#endif
