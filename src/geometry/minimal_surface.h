/* Triply periodic minimal surfaces, as solids between or on one side of them: scaffolds, foams, heat
 * exchangers. */
#ifndef WEIR_SRC_GEOMETRY_MINIMAL_SURFACE_H
#define WEIR_SRC_GEOMETRY_MINIMAL_SURFACE_H

#include "graph/problem/region.h"

enum weir_minimal_surface { WEIR_GYROID, WEIR_SCHWARZ_P, WEIR_DIAMOND, WEIR_MINIMAL_SURFACE_COUNT };
extern const char *const weir_minimal_surface_names[]; /* ends with NULL */

struct weir_minimal_surface_options {
    enum weir_minimal_surface surface;
    bool sheet;       /* the solid is a wall along the surface; else one of the two halves that it divides */
    double period;    /* cell widths */
    double origin[3]; /* where a period begins */
    double porosity;  /* share of a period that is not solid */
    int cells[3];     /* the domain */
};

/* The solid is where the surface's usual approximation by trigonometric functions is below a level (of a
 * sheet: nearer to zero than it), which is such that the porosity is as wanted. *region is the caller's, to
 * be destroyed by its own function. -WEIR_FAILED when memory is short. */
int weir_minimal_surface_create(const struct weir_minimal_surface_options *options,
                                struct weir_region **region);

#endif
