/* Lattice units and SI: one lattice unit of each dimension, expressed in SI (all 1 in lattice units). */
#ifndef WEIR_SRC_CASE_UNITS_H
#define WEIR_SRC_CASE_UNITS_H

#include <stdbool.h>

struct weir_units {
    bool si;
    double length;  /* m per cell width */
    double time;    /* s per step */
    double density; /* kg/m^3 per lattice density */
};

/* The units of a case that stays in lattice units: everything is worth 1. */
struct weir_units weir_units_lattice(void);

/* What one lattice unit of the quantity is worth in output units. */
double weir_units_mass(const struct weir_units *units);          /* density * length^3 */
double weir_units_velocity(const struct weir_units *units);      /* length / time */
double weir_units_pressure(const struct weir_units *units);      /* density * velocity^2 */
double weir_units_viscosity(const struct weir_units *units);     /* length^2 / time */
double weir_units_force_density(const struct weir_units *units); /* density * length / time^2 */
double weir_units_force(const struct weir_units *units);         /* density * length^4 / time^2 */

#endif
