/* The table of collisions. A collision's row stands in its own file, collision_NAME.h, beside its arithmetic;
 * here is the list of them, and what a row says. The case reader, configs/schema.json, weir check and the
 * tables of docs/ follow from it. */
#ifndef WEIR_KERNELS_COLLISIONS_H
#define WEIR_KERNELS_COLLISIONS_H

#include "codelets/kernels/cells/block_view.h"
#include "codelets/kernels/variants.h"

/* A number that a collision takes, beside the viscosity. */
struct weir_parameter {
    const char *key;    /* under "collision" in case files */
    const char *about;  /* for the schema and the guide: sentences */
    const char *more;   /* for the guide alone; NULL: nothing */
    const char *wanted; /* completes an error: "...; give WANTED" */
    double fallback;    /* where a case does not give it; all are greater than 0 */
    double most;        /* that it may be; 0: any number */
    unsigned
        lattices; /* on which it has a meaning: bits 1u << enum weir_lattice; 0: all of the collision's */
    const char *example;
};

/* A rate of 2 damps nothing. */
#define WEIR_RATE_MOST 1.999

struct weir_collision_row {
    const char *name; /* in case files */
    const char *about;
    unsigned lattices; /* that it may be used on: bits 1u << enum weir_lattice */
    const char
        *elsewhere; /* completes an error of a case with another lattice: why not, and what to choose */
    struct weir_parameter parameters[WEIR_PARAMETERS_MAX]; /* up to the first without a key */

    /* Lattices, as bits, on which GPUs take cells in strips of one in single precision, because two cells'
     * populations and what the collision keeps beside them do not fit into a thread's registers: as it is,
     * and with an eddy viscosity (WEIR_TURBULENCE). Measured: docs/measured/2026-11-22-h200-collisions.md. */
    unsigned single_cells, single_cells_with_eddies;

    /* Whether these values ask for arithmetic that runs of the collision do without otherwise (definition
     * WEIR_ALL_MOMENTS); NULL: never. */
    bool (*all_moments)(const double *parameters);

    bool by_moments; /* what leaves a cell follows from its density, momentum and stress alone, so that these
                        may be kept instead of populations (leave_with_stress, leave_moments.h) */

    bool strain; /* wants the rate of strain from differences of the velocity (gradients.h) */

    bool incompressible; /* may have the incompressible equilibrium, too (moments.h) */

    int operations[2]; /* of an update, without and with a force, of any cell far from faces, on its one
                          lattice: what compiled kernels do, a fused multiply-add being two
                          (tests/unit/kernels/test_operations.c counts them); 0: not counted, as kernels wait
                          for memory */

    const char *large_tau; /* completes a warning of a case with a large relaxation time: what suffers */

    double most_tau;            /* relaxation time from which on it cannot be used; 0: any */
    const char *without_eddies; /* completes an error of a case with turbulence: why not, and what to choose;
                                   NULL: it may have some */

    /* Near tau = 1/2 (numerics.md, Stability near tau = 1/2): tau below which waves of a few cells grow by
     * themselves on a stream of this speed, NULL: none is known; whether there are none on any stream. */
    double (*least_tau)(enum weir_lattice lattice, const double *parameters, double speed);
    bool steady;

    /* The rates that follow from tau (steps) and from the values of the parameters, in their order; fills
     * these members of the fluid only, and of its parameters those behind the row's. */
    void (*rates)(double relaxation_time, const double *parameters, struct weir_fluid *fluid);
};

/* Lattices that carry a flow with the equilibrium of numerics.md (N3), and why D3Q13 does not. */
#define WEIR_FLOW_LATTICES (((1u << WEIR_ISOTHERMAL_COUNT) - 1) & ~(1u << WEIR_D3Q13))
#define WEIR_NOT_ON_D3Q13                                                                                \
    "its viscosity depends on the direction where the stress relaxes at one rate; choose the collision " \
    "mrt, "                                                                                              \
    "or D3Q15"

/* The row of collision number `collision` (enum weir_collision), static. */
const struct weir_collision_row *weir_collision_row(enum weir_collision collision);

/* The name of the collision to choose on a lattice near tau = 1/2 rather than this one, static; NULL: there
 * is none. */
const char *weir_steadier_collision(enum weir_collision collision, enum weir_lattice lattice);

/* Whether a parameter has a meaning on a lattice of its collision's. */
bool weir_parameter_on(const struct weir_parameter *parameter, enum weir_lattice lattice);

/* Whether a collision may be used on a lattice. */
bool weir_collision_on(enum weir_collision collision, enum weir_lattice lattice);

/* Whether cells that collide by it may be kept so. */
bool weir_collision_keeps(enum weir_collision collision, enum weir_precision precision);

#endif
