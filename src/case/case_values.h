/* Values of a case file that carry a unit: read as written (lattice units or SI), returned in lattice units.
 */
#ifndef WEIR_SRC_CASE_CASE_VALUES_H
#define WEIR_SRC_CASE_CASE_VALUES_H

#include "src/case/case.h"
#include "src/common/json_reader.h"

enum weir_dimension {
    WEIR_DIMENSION_LENGTH,
    WEIR_DIMENSION_AREA,
    WEIR_DIMENSION_VELOCITY,
    WEIR_DIMENSION_VISCOSITY,
    WEIR_DIMENSION_DENSITY,
    WEIR_DIMENSION_FORCE_DENSITY,
    WEIR_DIMENSION_ACCELERATION,
    WEIR_DIMENSION_TENSION, /* of a surface: force per length */
    WEIR_DIMENSION_TIME,
    WEIR_DIMENSION_RATE,     /* of turning: per time */
    WEIR_DIMENSION_PER_TIME, /* of anything else */
    WEIR_DIMENSION_NONE,
};

/* What a value means, for messages: "give WHAT in lattice units, such as EXAMPLE". */
struct weir_case_quantity {
    const char *what;
    enum weir_dimension dimension;
    const char *example; /* in lattice units */
};

enum { WEIR_WANTED = 160 };

/* Writes "WHAT in UNIT, such as EXAMPLE". */
void weir_case_wanted(const struct weir_units *units, const struct weir_case_quantity *quantity,
                      char text[WEIR_WANTED]);

/* What one lattice unit of the dimension is worth in the units of the case file. */
double weir_case_unit(const struct weir_units *units, enum weir_dimension dimension);

/* A number in the units of the file; *result in lattice units. Returns 0 or -WEIR_USAGE, as all functions
 * here. */
int weir_case_read_number(const struct weir_json *json, const struct weir_units *units,
                          const struct weir_case_quantity *quantity, double *result);

/* The same for a number that must be greater than 0. */
int weir_case_read_positive(const struct weir_json *json, const struct weir_units *units,
                            const struct weir_case_quantity *quantity, double *result);

/* One number per axis of the case's lattice. Lattices of two axes take two numbers, and then result[2] is
 * left alone, or three, of which the last must be 0 unless the vector is a position. */
int weir_case_read_vector(const struct weir_json *json, const struct weir_case *c,
                          const struct weir_case_quantity *quantity, double result[3]);

/* A velocity as above, slower than the lattice's speed of sound; absent: 0. Raises c->characteristic_velocity
 * to its magnitude. */
int weir_case_read_velocity(const struct weir_json *json, struct weir_case *c,
                            const struct weir_case_quantity *quantity, double result[3]);

/* Fails for a component along z on a flat lattice. */
int weir_case_fail_flat(const struct weir_json *json, const struct weir_case *c);

/* Fails where a speed (lattice units) reaches the lattice's speed of sound. */
int weir_case_check_speed(const struct weir_json *json, const struct weir_units *units, double speed);

#endif
