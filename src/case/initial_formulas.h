/* The fluid's density and velocity, its scalar with its source, or its temperature, at step 0 where a case
 * gives formulas: a weir_initial_function (graph/problem/problem.h). */
#ifndef WEIR_SRC_CASE_INITIAL_FORMULAS_H
#define WEIR_SRC_CASE_INITIAL_FORMULAS_H

#include "graph/problem/problem.h"
#include "src/case/units.h"
#include "src/case/value_table.h"

/* What scalar.source is, which is read with the values at step 0: as a formula it is of cells, as they are.
 */
#define WEIR_SOURCE_QUANTITY                                                     \
    {                                                                            \
        "the source of the scalar per volume and time", WEIR_DIMENSION_PER_TIME, \
            "1e-5 or \"x < 10 ? 1e-4 : 0\""                                      \
    }

/* One of density, velocity x, y, z, scalar or temperature, source of the scalar. */
struct weir_initial_component {
    bool in_time;  /* a formula may have t in it, and it may be a table: to be said before it is read */
    bool varies;   /* t is in it */
    char *formula; /* NULL: the table, or the constant */
    struct weir_value_table *table; /* NULL: there is none */
    double constant;                /* lattice units */
    double scale;                   /* lattice units per unit of the formula's, or table's, value */
    char label[64];                 /* the key, for messages: "initial.velocity[0]" */
};

/* Whether it is more than a constant. */
static inline bool weir_component_differs(const struct weir_initial_component *component) {
    return component->formula || component->table;
}

struct weir_initial_formulas {
    char *file;      /* the case file, for messages */
    bool has_solids; /* for messages: formulas are evaluated inside solids too */
    int cells[3];
    bool periodic[3];
    double least_density, most_density; /* lattice units: what can be computed with */
    double cell_size; /* what the formulas' x, y, z are measured in, per cell width: 1, or metres */
    bool fifth;       /* there is a scalar, a temperature or a free surface; else that component is none */
    bool sources;     /* of the scalar; else the last component is none */
    bool thermal;     /* it is a temperature */
    bool filling;     /* it is where there is liquid, where it is greater than 0: what is filled is the share
                         of the cell in which it is */
    struct weir_initial_component components[WEIR_INITIAL_MAX];
};

/* What a look at a sample of the cells found. */
struct weir_initial_survey {
    double mean_density;
    double greatest_speed;
};

/* The weir_initial_function; its context is a struct weir_initial_formulas. Cells outside the domain take the
 * values of the cell that is there by periodicity, or of the nearest cell. Errors: -WEIR_USAGE, with formula
 * and cell, where a value is not finite, the density is out of its limits or the speed reaches the lattice's
 * speed of sound. */
int weir_initial_formulas_fill(void *context, const int origin[3], const int extent[3],
                               double *const values[]);

/* Evaluates cells spread evenly over the domain, at most 16 per axis. Errors as above. */
int weir_initial_formulas_survey(const struct weir_initial_formulas *state,
                                 struct weir_initial_survey *survey);

/* Evaluates every cell, for errors as above; along an axis that no formula uses one cell stands for all.
 * Where that would be more than some two million, cells spread evenly, with those at the ends of all axes.
 * *looked and *all: how many were evaluated, of how many. */
int weir_initial_formulas_check(const struct weir_initial_formulas *state, int64_t *looked, int64_t *all);

/* Frees the state and the texts it owns; NULL is allowed. */
void weir_initial_formulas_destroy(struct weir_initial_formulas *state);

#endif
