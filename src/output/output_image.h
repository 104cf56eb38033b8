/* Pictures of a plane: one PNG file NAME_000001000.png per observed step. The plane is the layer of cells
 * that contains the position asked for (the higher one, where that lies between two layers). */
#ifndef WEIR_SRC_OUTPUT_OUTPUT_IMAGE_H
#define WEIR_SRC_OUTPUT_OUTPUT_IMAGE_H

#include "graph/sink.h"
#include "src/case/case.h"
#include "src/output/writer.h"

struct weir_output_image;

/* Makes an output of type WEIR_OUTPUT_IMAGE into an existing folder, whose pictures `writer` draws. c, output
 * and writer must outlive it. *result is the caller's (weir_output_image_destroy). Error: -WEIR_FAILED (no
 * memory). */
int weir_output_image_create(const struct weir_case *c, const struct weir_output *output,
                             const char *directory, struct weir_writer *writer,
                             struct weir_output_image **result);

/* The writer has done its jobs. NULL is allowed. */
void weir_output_image_destroy(struct weir_output_image *image);

/* The sink of the plane's cells; usable until the destroy. Errors, its own and those that the writer meets:
 * -WEIR_FAILED with path, reason and a way out. */
struct weir_sink weir_output_image_sink(struct weir_output_image *image);

#endif
