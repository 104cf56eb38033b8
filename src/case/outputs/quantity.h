/* The quantities that can be looked at, as rows: what they are in terms of density, velocity, its gradient
 * and the scalar or the temperature, which outputs can show them, and how they are told in output units. */
#ifndef WEIR_SRC_CASE_OUTPUTS_QUANTITY_H
#define WEIR_SRC_CASE_OUTPUTS_QUANTITY_H

#include "graph/problem/wall_plane.h"
#include "src/case/case.h"

#include <stdbool.h>

/* What is known of a cell, or of a point between cells, in lattice units. */
struct weir_cell_values {
    double density, velocity[3];
    double fifth;                     /* scalar, fill level beside a free surface, or temperature: */
    bool thermal;                     /* the flow has one, which makes its pressure and viscosity */
    double gradient[3][3];            /* [a][b]: du_a / dx_b, for quantities that are of it */
    const struct weir_phases *phases; /* whose equation of state gives the pressure; NULL: an ideal gas */
    double viscosity;                 /* kinematic, of the fluid; of thermal flows at temperature 1 */
    double eddy_viscosity;            /* what eddies add to it, in cases with turbulence */
    double covariance[6];             /* of velocity components over time (weir_tensor_axes), in averages */
    int wall;                         /* number of the boundary that a solid cell belongs to, 0 in fluid */
    bool beside_wall;                 /* a fluid cell with a wall beside it, which is: */
    struct weir_wall_plane wall_plane;
};

enum { WEIR_COMPONENTS_MAX = 6 };

/* The axes of a symmetric tensor's components: xx, yy, zz, xy, yz, xz. */
extern const int weir_tensor_axes[6][2];

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
    bool of_temperature;   /* only thermal flows have it */
    bool of_surface;       /* only cases with a free surface */
    bool of_eddies;        /* only cases with turbulence */
    bool of_gradient;      /* it takes the velocity's gradient, and so neighbours */
    bool of_wall;          /* it takes the wall beside a cell */
    double (*scale)(const struct weir_units *units); /* what one lattice unit is worth in output units */

    double (*value)(int component, const struct weir_cell_values *cell); /* in lattice units */
};

const struct weir_quantity_row *weir_quantity_row(enum weir_quantity quantity);

/* What a case has that quantities ask for. */
struct weir_quantity_case {
    int dimensions; /* of its lattice */
    bool scalar, temperature, surface, eddies;
};

/* Of cases that have all there is. */
extern const struct weir_quantity_case weir_quantity_any_case;

struct weir_quantity_case weir_quantity_case_of(const struct weir_problem *problem);

/* Why an output of this type cannot show a quantity of such a case; NULL: it can. */
const char *weir_quantity_refusal(enum weir_quantity quantity, enum weir_output_type type,
                                  const struct weir_quantity_case *of);

/* Names of the quantities that an output of this type can show; names[] ends with NULL, quantities[] goes
 * with it. */
void weir_quantity_choices(enum weir_output_type type, const struct weir_quantity_case *of,
                           const char *names[WEIR_QUANTITY_COUNT + 1],
                           enum weir_quantity quantities[WEIR_QUANTITY_COUNT]);

/* 1, or 3 of a vector, or 6 of a symmetric tensor. */
int weir_quantity_components(enum weir_quantity quantity);

/* What stands behind a quantity's name for one of its components: "_x", "_xx"; "" where it has only one. */
const char *weir_quantity_component_name(enum weir_quantity quantity, int component);

/* Whether any of a set needs the velocity's gradient. */
bool weir_quantities_of_gradient(unsigned quantities);

/* Whether any of a set needs the walls beside cells. */
bool weir_quantities_of_wall(unsigned quantities);

/* Whether its sign means a direction, so that zero is its natural middle. */
bool weir_quantity_signed(enum weir_quantity quantity);

/* As in the row. */
double weir_quantity_value(enum weir_quantity quantity, int component, const struct weir_cell_values *cell);

/* What one lattice unit of the quantity is worth in output units. */
double weir_quantity_scale(enum weir_quantity quantity, const struct weir_units *units);

/* Its unit, as "m/s" or "kg/m³" (UTF-8); "" in lattice units. */
const char *weir_quantity_unit(enum weir_quantity quantity, const struct weir_units *units);

/* A set without the components of a vector that is in it as well. Sets are of bits 1u << enum weir_quantity.
 */
unsigned weir_quantities_without_repetition(unsigned quantities);

#endif
