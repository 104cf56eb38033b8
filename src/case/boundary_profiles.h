/* Values of boundaries that differ over a face of the domain or change in time, where a case gives formulas,
 * tables or a ramp: a weir_profile_function (graph/problem/problem.h). */
#ifndef WEIR_SRC_CASE_BOUNDARY_PROFILES_H
#define WEIR_SRC_CASE_BOUNDARY_PROFILES_H

#include "graph/problem/problem.h"
#include "src/case/initial_formulas.h"

#include <pthread.h>

struct weir_boundary_evaluator;

struct weir_boundary_profiles {
    char *file; /* the case file, for messages */
    int cells[3];
    bool periodic[3];
    enum weir_rule rule[WEIR_FACES];
    double least_density, most_density; /* lattice units: what can be computed with */
    double cell_size; /* what the formulas' x, y, z are measured in, per cell width: 1, or metres */
    double time_step; /* what their t is measured in, per step: 1, or seconds */
    const double *reference_density; /* from which densities of ramps rise */
    double ramp[WEIR_FACES];         /* steps in which the rule's values rise to those given; 0: at once */
    struct weir_initial_component components[WEIR_FACES][WEIR_PROFILE_VALUES];
    pthread_mutex_t lock;
    struct weir_boundary_evaluator *spare[WEIR_FACES]; /* compiled formulas that nobody uses just now */
};

/* What a look at a sample of a face's cells found. */
struct weir_profile_survey {
    double greatest_speed; /* lattice units */
    double inflow;         /* mean of the velocity component into the domain */
};

/* Profiles without any formula, of a case with these units. NULL when memory is short. */
struct weir_boundary_profiles *weir_boundary_profiles_create(const struct weir_problem *problem,
                                                             const struct weir_units *units,
                                                             const char *file);

/* The weir_profile_function; its context is a struct weir_boundary_profiles. A formula's x, y, z are the
 * middle of the cell's face, on the domain's; tables are over the same. A ramp of T steps is s^2 (3 - 2s) at
 * s = t/T. Errors: -WEIR_USAGE, with formula and place, where a value is not finite, a table does not reach,
 * the density is out of its limits or the speed reaches the lattice's speed of sound. */
int weir_boundary_profiles_fill(void *context, const struct weir_profile_place *place,
                                double *const values[WEIR_PROFILE_VALUES]);

/* Evaluates cells spread evenly over a face with a profile, at most 256 per axis, with those at its ends;
 * where it changes in time at most 32 per axis, at 0, 1, 2, 4 ... 2^20 steps and, of tables, at
 * 256 of their own times. The inflow is that of the last.
 * Errors as above. */
int weir_boundary_profiles_survey(struct weir_boundary_profiles *profiles, int face,
                                  struct weir_profile_survey *survey);

/* Whether a formula or table of this face has t in it. */
bool weir_boundary_profiles_vary(const struct weir_boundary_profiles *profiles, int face);

/* Frees what it owns; NULL is allowed. */
void weir_boundary_profiles_destroy(struct weir_boundary_profiles *profiles);

#endif
