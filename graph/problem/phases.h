/* A fluid that has phases, liquid and vapour, because its cells attract each other (Shan, Chen 1993), or two
 * components that repel each other: its equation of state, in double precision, for all but kernels
 * (codelets/kernels/collision/pseudopotential.h has the same formulas). numerics.md, Liquid and vapour; Two
 * components. */
#ifndef WEIR_GRAPH_PROBLEM_PHASES_H
#define WEIR_GRAPH_PROBLEM_PHASES_H

#include "codelets/kernels/cells/block_view.h"
#include "codelets/kernels/collision/equations.h"

#include <stdbool.h>

/* Names in case files; the table ends with NULL. */
extern const char *const weir_equation_names[];

struct weir_phases {
    bool present;
    enum weir_equation equation;
    double strength; /* G, below 0; of the equations of Shan and Chen */
    double
        temperature; /* of the critical one; of the others, as are the next three, with the gas constant 1 */
    double attraction, covolume; /* a, b */
    double acentric_factor;      /* of Peng and Robinson */
    double mixing;               /* beta: share of the force that is not of squares */
    double gravity[3];           /* acceleration */
    double reference;            /* density on which gravity does not act */
    double adhesion;  /* acceleration towards walls that say nothing else, of the fluid beside them; of two
                         components of the second, and of the first away from them */
    double repulsion; /* of two components: G, above 0 */
    double second_viscosity; /* kinematic, of the second of two components; 0: that of the fluid */
    double dissolved;        /* share that either liquid has of the other at a density of 1, beyond which
                                viscosities change; weir_components_dissolved */
};

/* Densities of liquid and vapour beside each other. */
struct weir_coexistence {
    double liquid, vapour;
};

/* An equation with its numbers where nothing is said. */
struct weir_phases weir_phases_default(enum weir_equation equation);

/* Whether its numbers are a strength, or a temperature and what it has of the fluid. */
bool weir_equation_has_strength(enum weir_equation equation);

/* Whether there are two components, of which the second's density is the problem's scalar. */
bool weir_phases_are_components(const struct weir_phases *phases);

/* What kernels are called with. */
struct weir_interaction weir_phases_interaction(const struct weir_phases *phases);

/* The greatest density that is looked at: below where the equation has its pole, or cells attract no more. */
double weir_phases_densest(const struct weir_phases *phases);

/* The pressure of a uniform fluid of one component. */
double weir_phases_pressure(const struct weir_phases *phases, double density);

/* The densities at which both phases have the same pressure and chemical potential (Maxwell's construction).
 * false: there is one phase only. */
bool weir_phases_coexistence(const struct weir_phases *phases, struct weir_coexistence *coexistence);

/* The pressure of a uniform mixture of two components: of both densities together, and of the second's. */
double weir_components_pressure(const struct weir_phases *phases, double density, double second);

/* The share of the second component in such a mixture, as a scale and an offset of its share of the density:
 * 0 and 1 in the two liquids, but for what is dissolved in them. */
void weir_components_share(const struct weir_phases *phases, double *scale, double *offset);

/* The kinematic viscosity there; that of the first component is given. */
double weir_components_viscosity(const struct weir_phases *phases, double first_viscosity, double density,
                                 double second);

/* The density of a component where there is mostly the other, both together having this one: what remains
 * dissolved beside a flat interface. false: the components mix, and it is 0. */
bool weir_components_dissolved(const struct weir_phases *phases, double density, double *dissolved);

#endif
