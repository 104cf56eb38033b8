/* The quantities that can be looked at: what they are in terms of density and velocity, and how they are told
 * in output units. */
#ifndef WEIR_SRC_OUTPUT_QUANTITY_H
#define WEIR_SRC_OUTPUT_QUANTITY_H

#include "src/case/case.h"

#include <stdbool.h>

/* 3 for the velocity vector, 1 for everything else. */
int weir_quantity_components(enum weir_quantity quantity);

/* Whether its sign means a direction, so that zero is its natural middle. */
bool weir_quantity_signed(enum weir_quantity quantity);

/* Component `component` of a quantity of one cell, in lattice units like density and velocity[3]. Not for
 * WEIR_VORTICITY, which takes neighbours. */
double weir_quantity_value(enum weir_quantity quantity, int component, double density,
                           const double velocity[3]);

/* What one lattice unit of the quantity is worth in output units. */
double weir_quantity_scale(enum weir_quantity quantity, const struct weir_units *units);

/* Its unit, as "m/s" or "kg/m³" (UTF-8); "" in lattice units. */
const char *weir_quantity_unit(enum weir_quantity quantity, const struct weir_units *units);

/* The scalars that a set of quantities is made of: WEIR_VELOCITY is replaced by its three components. Sets
 * are of bits 1u << enum weir_quantity. */
unsigned weir_quantity_scalars(unsigned quantities);

#endif
