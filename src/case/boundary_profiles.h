/* Velocities and densities that differ over a face of the domain, where a case gives formulas: a
 * weir_profile_function (graph/problem/problem.h). */
#ifndef WEIR_SRC_CASE_BOUNDARY_PROFILES_H
#define WEIR_SRC_CASE_BOUNDARY_PROFILES_H

#include "graph/problem/problem.h"
#include "src/case/initial_formulas.h"

struct weir_boundary_profiles {
    char *file; /* the case file, for messages */
    int cells[3];
    bool periodic[3];
    enum weir_rule rule[WEIR_FACES];
    double least_density, most_density; /* lattice units: what can be computed with */
    double cell_size; /* what the formulas' x, y, z are measured in, per cell width: 1, or metres */
    struct weir_initial_component components[WEIR_FACES][WEIR_BOUNDARY_VALUES];
};

/* What a look at a sample of a face's cells found. */
struct weir_profile_survey {
    double greatest_speed; /* lattice units */
    double inflow;         /* mean of the velocity component into the domain */
};

/* The weir_profile_function; its context is a struct weir_boundary_profiles. A formula's x, y, z are the
 * middle of the cell's face, on the domain's. Errors: -WEIR_USAGE, with formula and place, where a value is
 * not finite, the density is out of its limits or the speed reaches the lattice's speed of sound. */
int weir_boundary_profiles_fill(void *context, int face, const int origin[3], const int extent[3],
                                double *const values[WEIR_BOUNDARY_VALUES]);

/* Evaluates cells spread evenly over a face with a profile, at most 256 per axis, with those at its ends.
 * Errors as above. */
int weir_boundary_profiles_survey(const struct weir_boundary_profiles *profiles, int face,
                                  struct weir_profile_survey *survey);

/* Frees what it owns; NULL is allowed. */
void weir_boundary_profiles_destroy(struct weir_boundary_profiles *profiles);

#endif
