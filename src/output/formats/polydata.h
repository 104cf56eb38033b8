/* A surface of triangles with values of each as a VTK XML file (.vtp, "PolyData"), which VTK, ParaView and
 * VisIt read. Arrays are raw bytes at its end. */
#ifndef WEIR_SRC_OUTPUT_FORMATS_POLYDATA_H
#define WEIR_SRC_OUTPUT_FORMATS_POLYDATA_H

#include "src/geometry/triangles.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct weir_polydata;

/* Of these triangles, whose places are multiplied by `scale`; corners at the same place become one point.
 * single: numbers are written as 32-bit floats, else as 64-bit ones. *result is the caller's. -WEIR_FAILED
 * when memory is short. */
int weir_polydata_create(const struct weir_triangles *triangles, double scale, bool single,
                         struct weir_polydata **result);
void weir_polydata_destroy(struct weir_polydata *polydata);

/* Values of each triangle. */
struct weir_polydata_array {
    const char *name; /* fit for XML */
    int components;
    const double *values; /* [triangle][component] */
};

/* Writes a file of some arrays, and of the time that they belong to. Errors of writing are the stream's. */
void weir_polydata_write(const struct weir_polydata *polydata, double time,
                         const struct weir_polydata_array *arrays, int count, FILE *stream);

#endif
