/* The axes of the table of kernel variants: lattice x collision x precision. The names are those of case
 * files. */
#ifndef WEIR_KERNELS_VARIANTS_H
#define WEIR_KERNELS_VARIANTS_H

enum weir_lattice { WEIR_D2Q9, WEIR_D3Q15, WEIR_D3Q19, WEIR_D3Q27, WEIR_LATTICE_COUNT };

/* A collision: a line here, its file in collisions.c. */
#define WEIR_COLLISIONS(row) row(BGK, bgk) row(TRT, trt)

#define WEIR_COLLISION_NUMBER(NAME, name) WEIR_##NAME,
enum weir_collision { WEIR_COLLISIONS(WEIR_COLLISION_NUMBER) WEIR_COLLISION_COUNT };

/* Half: populations are stored in 16 bits, everything else is as in single precision. */
enum weir_precision { WEIR_SINGLE, WEIR_DOUBLE, WEIR_HALF, WEIR_PRECISION_COUNT };

#endif
