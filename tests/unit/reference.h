/* The lattice Boltzmann method as textbooks write it, to compare the kernels with: two copies of unshifted
 * populations in double precision, no blocks, plain loops over the table of the lattice. Slow on purpose, and
 * shares no arithmetic with the kernels. Krueger et al., The Lattice Boltzmann Method (2017), chapters 3
 * (equilibrium, BGK), 5 (walls), 6 (force) and 10 (TRT). */
#ifndef WEIR_TESTS_REFERENCE_H
#define WEIR_TESTS_REFERENCE_H

#include "codelets/kernels/lattice/lattice.h"
#include "graph/problem/problem.h"

struct reference {
    const struct weir_problem *problem;
    const struct weir_lattice_table *lattice;
    double *arriving; /* f_i arriving at each cell before the next step: [nz][ny][nx][q] */
    int64_t step;     /* steps done */
    double *next;     /* the same after it, while it is being computed */
    const struct weir_lattice_table *scalar_lattice; /* NULL: the problem has no scalar */
    double *scalar_arriving, *scalar_next;           /* the same of a scalar; NULL: there is none */
    double (*force)[3]; /* [nz][ny][nx] of each cell in the next step, the caller's; NULL: the problem's
                           everywhere */
    double wall_torque[WEIR_WALLS_MAX]
                      [3]; /* the same about weir_wall.center, of walls whose links have values */
    double wall_force[WEIR_WALLS_MAX]
                     [3]; /* that the last step's fluid exerted on each wall, density 1 exerting none */
    double mass_flow[WEIR_WALLS_MAX]; /* that it let into the fluid in the last step */
    double
        surface_flow[WEIR_WALLS_MAX]; /* what bodies that conduct a scalar gave the fluid of it, the same */
};

/* The state before the first step. The problem stays the caller's and must outlive the reference. Never NULL.
 */
struct reference *reference_create(const struct weir_problem *problem);

/* Frees it; NULL is allowed. */
void reference_destroy(struct reference *r);

/* Does one step. */
void reference_step(struct reference *r);

/* Populations arriving at a cell, [q]; undefined in solid cells. */
const double *reference_populations(const struct reference *r, const int cell[3]);

/* The same of the scalar. */
const double *reference_scalar_populations(const struct reference *r, const int cell[3]);

/* Density and velocity of a cell before the next step; on wet faces when it has been completed. */
void reference_moments(const struct reference *r, const int cell[3], double *density, double velocity[3]);

/* The eddy viscosity of a cell in the next step; 0 where there are no eddies. */
double reference_eddy_viscosity(const struct reference *r, const int cell[3]);

/* Initial density, velocity and scalar of a cell. */
void reference_initial(const struct weir_problem *problem, const int cell[3],
                       double values[WEIR_INITIAL_MAX]);

/* Layers of a message through a face normal to the axis come in the order of the directions that leave
 * through it, each as many as cells it moves along the axis: number of the first of direction i. */
int reference_first_layer(const struct weir_lattice_table *lattice, int i, int axis);

/* Where what leaves a cell along c goes past mirrors: the first of them, the velocity after it, and the cell
 * where that arrives. 0: it meets none, or comes back from them as from any wall. */
int reference_mirror(const struct weir_problem *problem, const int cell[3], const int c[3], int after[3],
                     int there[3]);

/* Where a velocity c leads from a cell: 0 and the cell in `there`, wrapped around periodic axes; or the
 * number of the wall on the way, beyond a face of the domain or of a body. */
int reference_next_cell(const struct weir_problem *problem, const int cell[3], const int c[3], int there[3]);

#endif
