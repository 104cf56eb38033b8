/* The table of boundary rules: what the surface of a solid, or a face of the domain, may do to the
 * populations that meet it. A solid cell's flag byte numbers its boundary; a boundary has a rule and that
 * rule's values. A row here says what there is to know of a rule but its arithmetic, which is one function in
 * boundary.h.
 *
 * Nearly all rules are rules of links: they make the population that comes back along a link out of what the
 * fluid cell itself sent along it, or of what arrived there, so they need no neighbour, hold for surfaces of
 * any shape, and leave the order of cells free (docs/streaming.md, S5). Three kinds are for faces of the
 * domain alone. One needs to know what is outwards. One mirrors populations: what a cell sends comes back to
 * its neighbour along the face. The other completes cells that lie on the boundary (wet_cells.h): of what has
 * arrived there, what came from beyond the face is replaced before collision. */
#ifndef WEIR_KERNELS_BOUNDARY_RULES_H
#define WEIR_KERNELS_BOUNDARY_RULES_H

#include <stdbool.h>

enum weir_rule {
    WEIR_RULE_WALL,     /* half-way bounce-back, with the momentum of a wall that moves along itself */
    WEIR_RULE_VELOCITY, /* the same with any velocity: what goes through the surface is added or taken */
    WEIR_RULE_PRESSURE, /* anti-bounce-back: the density is given, fluid comes and goes as it likes */
    WEIR_RULE_EQUILIBRIUM_VELOCITY, /* the equilibrium of a given velocity and the cell's density comes back
                                     */
    WEIR_RULE_EQUILIBRIUM_PRESSURE, /* that of a given density and the cell's velocity */
    WEIR_RULE_ABSORBING, /* between velocity and pressure, so that sound leaves: a given velocity and the mean
                            density of the start are those far away */
    WEIR_RULE_INTERPOLATED_WALL, /* a wall whose surface is anywhere between cells: interpolated bounce-back
                                  */
    /* those for faces of the domain alone come last */
    WEIR_RULE_SLIP,            /* the fluid slides along it: what meets it goes on along the face, mirrored */
    WEIR_RULE_ZOU_HE_VELOCITY, /* cells on the boundary have exactly a given velocity: bounce-back of what is
                                  not in equilibrium */
    WEIR_RULE_ZOU_HE_PRESSURE, /* a given density, and a velocity across the face */
    WEIR_RULE_REGULARISED_VELOCITY, /* the same two, where no more than density, momentum and stress stays of
                                       all that arrives */
    WEIR_RULE_REGULARISED_PRESSURE,
    WEIR_RULE_CONVECTIVE, /* what is in the fluid is carried out with a given velocity */
    /* that of flows with a temperature, whose name in case files is that of the first */
    WEIR_RULE_THERMAL_WALL, /* three rows of cells have the wall's velocity and temperature */
    WEIR_RULE_COUNT
};

/* What a case gives to a rule, and what kernels make of it. */
enum weir_rule_value {
    WEIR_RULE_MOMENTUM,          /* a velocity; kernels read 2/c_s^2 rho_0 u, of which links take parts */
    WEIR_RULE_VELOCITY_AS_IT_IS, /* a velocity */
    WEIR_RULE_DENSITY,           /* a density; kernels read what it has above 1 */
    WEIR_RULE_VELOCITY_AND_TEMPERATURE, /* a velocity in the plane, and as the third number a temperature, of
                                           which kernels read what it has above 1 */
    WEIR_RULE_NO_VALUE
};

/* Numbers that a boundary's rule may need. */
enum { WEIR_BOUNDARY_VALUES = 3 };

/* Those that kernels read: the rule's, and what the reference density has above 1. */
enum { WEIR_REFERENCE_EXCESS = WEIR_BOUNDARY_VALUES, WEIR_KERNEL_VALUES };

/* What a boundary does to a scalar that the flow carries along, beside what it does to the flow. */
enum weir_scalar_rule {
    WEIR_SCALAR_FLUX,  /* bounce-back: as much comes in as is given, 0 where nothing is */
    WEIR_SCALAR_VALUE, /* anti-bounce-back: the scalar is given */
    WEIR_SCALAR_FREE,  /* boundaries that let fluid pass: the same with the scalar of the cell, so that it
                          leaves with the fluid */
};

/* Numbers that kernels read of it. */
enum { WEIR_SCALAR_VALUES = 3 };

/* What may differ from place to place on a face: the rule's values, and what is given of a scalar. */
enum { WEIR_PROFILE_SCALAR = WEIR_BOUNDARY_VALUES, WEIR_PROFILE_VALUES };

struct weir_rule_row {
    const char *name;  /* the type in case files */
    const char *about; /* what it does, in a few words */
    const char *key;   /* of its value there; NULL: it has none */
    enum weir_rule_value value;
    int values;    /* numbers that kernels read: 3 for a velocity, 1 for a density */
    bool required; /* the key must be there; else all values are zero without it */
    bool open; /* fluid may pass: what does is counted (struct weir_boundary_flow), and explains the mass */
    bool of_links_alone; /* what comes back along a link is made of what the cell sends alone, and goes back
                            along it */
    bool mirrors;        /* populations that meet it go on along it; faces and parts of faces only */
    bool carries;  /* it carries out what is in the fluid, across the face; faces and parts of them only */
    bool wet;      /* its cells lie on it, and are completed before collision; faces and parts of them only */
    bool profiles; /* on faces of the domain, values may differ from place to place */
    bool thermal;  /* it is for flows with a temperature, and for no others */
};

/* By enum weir_rule, static; and their names, which end with NULL. */
extern const struct weir_rule_row weir_rules[WEIR_RULE_COUNT];
extern const char *const weir_rule_names[WEIR_RULE_COUNT + 1];

#endif
