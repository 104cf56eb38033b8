/* The parts of a case file, in the order they must be read: later ones use the units, lattice and domain of
 * earlier ones. Each takes the root of the file, fills its part of the case and returns 0 or -WEIR_USAGE;
 * what is wrong with one of several things that do not depend on each other is noted (json_reader.h), and the
 * next is read. */
#ifndef WEIR_SRC_CASE_CASE_SECTIONS_H
#define WEIR_SRC_CASE_CASE_SECTIONS_H

#include "src/case/case.h"
#include "src/case/key.h"
#include "src/common/json_reader.h"

/* Rows of their keys. */
extern const struct weir_key weir_si_keys[], weir_domain_keys[], weir_fluid_keys[], weir_boundary_keys[],
    weir_initial_keys[], weir_solid_keys[], weir_part_keys[], weir_blocks_keys[], weir_placement_keys[],
    weir_ranks_keys[], weir_map_keys[], weir_run_keys[], weir_checkpoint_keys[], weir_output_keys[],
    weir_scalar_keys[], weir_phases_keys[], weir_surface_keys[], weir_turbulence_keys[],
    weir_flow_rate_keys[];
/* Those of "collision": the operator, and the parameters of all rows of the table of collisions. */
const struct weir_key *weir_collision_keys(void);

/* What each kind of these objects is, in the order of its first key's choices. */
const char *const *weir_collision_abouts(void);
const char *const *weir_boundary_abouts(void);
const char *const *weir_phases_abouts(void);
const char *const *weir_output_abouts(void);

enum { WEIR_CASE_NAME_LONGEST = 100, WEIR_OUTPUTS_MOST = 1000 };

/* What a case is called; borrowed from the tree. */
struct weir_case_names {
    const char *schema, *name, *description;
};

int weir_case_read_units(const struct weir_json *root, struct weir_case *c);  /* units, si */
int weir_case_read_domain(const struct weir_json *root, struct weir_case *c); /* lattice, domain */
int weir_case_read_fluid(const struct weir_json *root, struct weir_case *c); /* collision, precision, fluid */
int weir_case_read_scalar(const struct weir_json *root, struct weir_case *c);         /* scalar */
int weir_case_read_phases(const struct weir_json *root, struct weir_case *c);         /* phases */
int weir_case_read_surface(const struct weir_json *root, struct weir_case *c);        /* free_surface */
int weir_case_check_moments(const struct weir_json *root, const struct weir_case *c); /* what does not go
                                                                                         where moments
                                                                                         are kept */
int weir_case_check_thermal(const struct weir_json *root, const struct weir_case *c); /* what does not go
                                                                                         with a temperature */
int weir_case_read_turbulence(const struct weir_json *root, struct weir_case *c);     /* turbulence */
int weir_case_read_boundaries(const struct weir_json *root, struct weir_case *c);     /* boundaries */
int weir_case_read_initial(const struct weir_json *root, struct weir_case *c);        /* initial */
int weir_case_read_force(const struct weir_json *root, struct weir_case *c);          /* force */
int weir_case_read_flow_rate(const struct weir_json *root, struct weir_case *c);      /* flow_rate */
int weir_case_read_solids(const struct weir_json *root, struct weir_case *c);         /* solids */
int weir_case_read_placement(const struct weir_json *root, struct weir_case *c);      /* placement */
int weir_case_read_run(const struct weir_json *root, struct weir_case *c);            /* run */
int weir_case_read_checkpoint(const struct weir_json *root, struct weir_case *c);     /* checkpoint */
int weir_case_read_blocks(const struct weir_json *root, struct weir_case *c);         /* blocks */
int weir_case_read_ranks(const struct weir_json *root, struct weir_case *c);          /* ranks */
int weir_case_read_output(const struct weir_json *root, struct weir_case *c);         /* output */

/* When all walls are known: adds the gas beyond a free surface to them, and refuses what cannot be with it.
 */
int weir_case_add_gas(const struct weir_json *root, struct weir_case *c);

/* When all of the case is known: refuses what cannot be beside solids that conduct. */
int weir_case_check_conductors(const struct weir_json *root, const struct weir_case *c);

/* Makes the names of files in solids whole, which are as seen from the case file: the case is also read from
 * its copies in other folders. -WEIR_FAILED when memory is short. */
int weir_case_name_solid_files(json_t *root, const char *case_file);

#endif
