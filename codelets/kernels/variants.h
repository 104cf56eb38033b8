/* The axes of the table of kernel variants: lattice x collision x precision. The names are those of case
 * files. */
#ifndef WEIR_KERNELS_VARIANTS_H
#define WEIR_KERNELS_VARIANTS_H

/* Lattices that can carry a flow come first, and WEIR_LATTICE_COUNT counts these: a case chooses among them.
 * First among them are those of flows without a temperature, which WEIR_ISOTHERMAL_COUNT counts. The others
 * serve scalars (lattice.c). */
enum weir_lattice {
    WEIR_D2Q9,
    WEIR_D3Q15,
    WEIR_D3Q19,
    WEIR_D3Q27,
    WEIR_D3Q13,
    WEIR_ISOTHERMAL_COUNT,
    WEIR_D2Q37 = WEIR_ISOTHERMAL_COUNT,
    WEIR_LATTICE_COUNT,
    WEIR_D2Q5 = WEIR_LATTICE_COUNT,
    WEIR_D3Q7,
    WEIR_ALL_LATTICES
};

/* A collision: a line here, its file in collisions.c. */
#define WEIR_COLLISIONS(row)                                                                          \
    row(BGK, bgk) row(TRT, trt) row(MRT, mrt) row(REGULARISED, regularised) row(RECURSIVE, recursive) \
        row(HYBRID_RECURSIVE, hybrid_recursive) row(CUMULANT, cumulant)                               \
            row(PARAMETRISED_CUMULANT, parametrised_cumulant) row(THERMAL_BGK, thermal_bgk)           \
                row(THERMAL_HERMITE, thermal_hermite)

/* Behind those that a case chooses among: the one that leaves populations alone, for tests of streaming. */
#define WEIR_COLLISION_NUMBER(NAME, name) WEIR_##NAME,
enum weir_collision {
    WEIR_COLLISIONS(WEIR_COLLISION_NUMBER) WEIR_COLLISION_COUNT,
    WEIR_NONE = WEIR_COLLISION_COUNT,
    WEIR_ALL_COLLISIONS
};

/* Half: populations are stored in 16 bits, everything else is as in single precision. Moments: no populations
 * are stored, but the moments that they follow from (cells/kept_moments.h), of mixed ones the stress in 16
 * bits. What follows from each: the table in cells/precisions.c. */
enum weir_precision {
    WEIR_SINGLE,
    WEIR_DOUBLE,
    WEIR_HALF,
    WEIR_MOMENTS_SINGLE,
    WEIR_MOMENTS_DOUBLE,
    WEIR_MOMENTS_MIXED,
    WEIR_PRECISION_COUNT
};

#endif
