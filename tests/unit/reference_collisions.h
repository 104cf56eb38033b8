/* Collisions as textbooks and articles write them, for reference.h: of one cell, in double precision, with
 * matrices, sums over populations and polynomials; nothing is shared with the kernels. */
#ifndef WEIR_TESTS_REFERENCE_COLLISIONS_H
#define WEIR_TESTS_REFERENCE_COLLISIONS_H

#include "codelets/kernels/lattice/lattice.h"
#include "graph/problem/problem.h"

struct reference_cell {
    const struct weir_problem *problem;
    const struct weir_lattice_table *lattice;
    const double *f;             /* [q], arriving */
    const double *force;         /* [3] */
    double density, velocity[3]; /* with half of the force */
};

/* Density by which velocity makes momentum: 1 in the incompressible equilibrium (He, Luo 1997). */
double reference_inertia(const struct weir_problem *problem, double density);

/* Krueger et al. 2017, eqs. 3.54 and 4.46. */
double reference_equilibrium(const struct weir_problem *problem, int i, double density,
                             const double velocity[3]);

/* Of the cell: the problem's, and what eddies add. */
double reference_relaxation_time(const struct reference_cell *cell);

/* Of parametrised cumulants: omega_3, omega_4, omega_5, (1 / omega_1 - 1/2) A, (1 - omega_1 / 2) B, at any
 * omega_2 in the article, here at 1 (Geier, Pasquali, Schoenherr 2017). */
void reference_cumulant_rates(double relaxation_time, double rates[5]);

/* Populations that leave, [q]. */
void reference_collide(const struct reference_cell *cell, double *after);

#endif
