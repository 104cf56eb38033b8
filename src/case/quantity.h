/* The quantities that can be looked at, as rows: what they are in terms of density, velocity and scalar,
 * which outputs can show them, and how they are told in output units. */
#ifndef WEIR_SRC_CASE_QUANTITY_H
#define WEIR_SRC_CASE_QUANTITY_H

#include "src/case/case.h"

#include <stdbool.h>

struct weir_quantity_row {
    const char *name; /* in case files and names of files */
    const char *about;
    int components;
    bool is_signed;   /* its sign means a direction, so that zero is its natural middle */
    int dimensions;   /* that a lattice must have for it; what there is on others is told by `elsewhere` */
    unsigned outputs; /* that can show it: bits 1u << enum weir_output_type */
    const char *elsewhere; /* completes an error of others: "QUANTITY ELSEWHERE; give ..." */
    const char *unit;      /* SI, UTF-8 */
    bool of_scalar;        /* only cases with a scalar have it */
    double (*scale)(const struct weir_units *units); /* what one lattice unit is worth in output units */

    /* Component `component` for a cell of such density, velocity[3] and scalar, lattice units. NULL: it takes
     * neighbours. */
    double (*value)(int component, double density, const double *velocity, double scalar);
};

const struct weir_quantity_row *weir_quantity_row(enum weir_quantity quantity);

/* Why an output of this type, on a lattice of so many dimensions, with or without a scalar, cannot show a
 * quantity; NULL: it can. */
const char *weir_quantity_refusal(enum weir_quantity quantity, enum weir_output_type type, int dimensions,
                                  bool scalar);

/* Names of the quantities that an output of this type can show; names[] ends with NULL, quantities[] goes
 * with it. */
void weir_quantity_choices(enum weir_output_type type, int dimensions, bool scalar,
                           const char *names[WEIR_QUANTITY_COUNT + 1],
                           enum weir_quantity quantities[WEIR_QUANTITY_COUNT]);

/* 3 for the velocity vector, 1 for everything else. */
int weir_quantity_components(enum weir_quantity quantity);

/* Whether its sign means a direction, so that zero is its natural middle. */
bool weir_quantity_signed(enum weir_quantity quantity);

/* As in the row; not for what takes neighbours. */
double weir_quantity_value(enum weir_quantity quantity, int component, double density,
                           const double velocity[3], double scalar);

/* What one lattice unit of the quantity is worth in output units. */
double weir_quantity_scale(enum weir_quantity quantity, const struct weir_units *units);

/* Its unit, as "m/s" or "kg/m³" (UTF-8); "" in lattice units. */
const char *weir_quantity_unit(enum weir_quantity quantity, const struct weir_units *units);

/* The scalars that a set of quantities is made of: WEIR_VELOCITY is replaced by its three components. Sets
 * are of bits 1u << enum weir_quantity. */
unsigned weir_quantity_scalars(unsigned quantities);

#endif
