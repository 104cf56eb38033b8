/* The parts of a case file, in the order they must be read: later ones use the units, lattice and domain of
 * earlier ones. Each takes the root of the file, fills its part of the case and returns 0 or -WEIR_USAGE;
 * what is wrong with one of several things that do not depend on each other is noted (json_reader.h), and the
 * next is read. */
#ifndef WEIR_SRC_CASE_CASE_SECTIONS_H
#define WEIR_SRC_CASE_CASE_SECTIONS_H

#include "src/case/case.h"
#include "src/common/json_reader.h"

int weir_case_read_units(const struct weir_json *root, struct weir_case *c);  /* units, si */
int weir_case_read_domain(const struct weir_json *root, struct weir_case *c); /* lattice, domain */
int weir_case_read_fluid(const struct weir_json *root, struct weir_case *c); /* collision, precision, fluid */
int weir_case_read_boundaries(const struct weir_json *root, struct weir_case *c); /* boundaries */
int weir_case_read_initial(const struct weir_json *root, struct weir_case *c);    /* initial */
int weir_case_read_force(const struct weir_json *root, struct weir_case *c);      /* force */
int weir_case_read_solids(const struct weir_json *root, struct weir_case *c);     /* solids */
int weir_case_read_placement(const struct weir_json *root, struct weir_case *c);  /* placement */
int weir_case_read_run(const struct weir_json *root, struct weir_case *c);        /* run */
int weir_case_read_blocks(const struct weir_json *root, struct weir_case *c);     /* blocks */
int weir_case_read_ranks(const struct weir_json *root, struct weir_case *c);      /* ranks */
int weir_case_read_output(const struct weir_json *root, struct weir_case *c);     /* output */

#endif
