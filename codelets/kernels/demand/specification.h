/* Which kernels are wanted: lattice, collision, precision, and what else their texts are compiled with. Sizes
 * and names follow from it without any being compiled. */
#ifndef WEIR_KERNELS_SPECIFICATION_H
#define WEIR_KERNELS_SPECIFICATION_H

#include "codelets/kernels/variants.h"

#include <stdbool.h>
#include <stddef.h>

enum { WEIR_DEFINITIONS_MAX = 24, WEIR_DEFINITION_SIZE = 48, WEIR_VARIANT_NAME_SIZE = 128 };

/* A macro of the texts. Only those texts that mention it are compiled anew for another value. */
struct weir_definition {
    char name[WEIR_DEFINITION_SIZE], value[WEIR_DEFINITION_SIZE];
};

struct weir_definitions {
    int count;
    struct weir_definition definition[WEIR_DEFINITIONS_MAX];
};

struct weir_kernel_specification {
    enum weir_lattice lattice;
    enum weir_collision collision;
    enum weir_precision precision;
    struct weir_definitions more; /* beside those of the three; names begin with WEIR_ */
};

/* Without more definitions. */
struct weir_kernel_specification weir_kernel_specification(enum weir_lattice lattice,
                                                           enum weir_collision collision,
                                                           enum weir_precision precision);

/* Adds a definition, or changes its value, made as by printf. Calls with equal values make equal
 * specifications in whatever order. */
void weir_define(struct weir_definitions *definitions, const char *name, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Adds what texts of a memory layout of weir bench layouts are compiled with (cells/site_layout.h): whether
 * populations lie together, the cells of a cluster, and whether stores go past the caches: of processors with
 * WEIR_COPIES_NONTEMPORAL (streams.h), and of layouts in lines. */
void weir_specify_layout(struct weir_kernel_specification *s, bool together, int cluster, bool past_caches);

/* Value of a definition; NULL: there is none. */
const char *weir_definition(const struct weir_definitions *definitions, const char *name);

/* All that the texts are compiled with: WEIR_LATTICE, WEIR_COLLISION, WEIR_PRECISION and the others. */
struct weir_definitions weir_specification_definitions(const struct weir_kernel_specification *s);

/* "D3Q19_trt_single", and for each further definition "_NAME_VALUE", the name without WEIR_ and in lower
 * case; of one that is merely set, to 1, the name alone. */
void weir_specification_name(const struct weir_kernel_specification *s, char name[WEIR_VARIANT_NAME_SIZE]);

/* Numbers of a cell that steps read and write: populations of the flow, and of a scalar where there is one
 * (WEIR_SCALAR), say. */
int weir_specification_slots(const struct weir_kernel_specification *s);

/* Numbers that its collision has: these, and the force along each axis where there are phases (WEIR_PHASES).
 */
int weir_specification_populations(const struct weir_kernel_specification *s);

/* Cells of a strip that a GPU's thread takes where rows have a multiple of that (cuda/shapes.h). */
int weir_strip_cells(const struct weir_kernel_specification *s);

#endif
