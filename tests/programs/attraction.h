/* A model of two stages, for tests: a fluid whose cells attract each other by their density, after Shan and
 * Chen, Phys. Rev. E 47 (1993) 1815. The first stage computes the density of all cells; the second the force
 * on each cell from the density of the cells around it, those beyond edges and corners too, collides under
 * it, and streams. The force keeps half of what it was in the last step. */
#ifndef WEIR_TESTS_ATTRACTION_H
#define WEIR_TESTS_ATTRACTION_H

#include "codelets/kernels/stage.h"

/* Numbers in the model, where nothing else is added to the flow's. */
enum {
    ATTRACTION_DENSITY = WEIR_FIRST_FURTHER_DATUM, /* real [cells]: density - 1; not a number in solids */
    ATTRACTION_FORCE,                              /* real [3][cells] */
    ATTRACTION_CHANNEL = 1
};

/* Of the attraction. */
#define ATTRACTION_STRENGTH 0.5

/* Weight of the neighbour at a distance of 1, 2 and 3 axes, by the number of the lattice's dimensions. */
#define ATTRACTION_WEIGHT(dimensions, axes)                 \
    ((dimensions) == 2 ? ((axes) == 1 ? 1.0 / 9 : 1.0 / 36) \
     : (axes) == 1     ? 2.0 / 27                           \
     : (axes) == 2     ? 1.0 / 54                           \
                       : 1.0 / 216)

/* The stages' functions for a variant are called attraction_density_D2Q9_trt_double and so on; with _cuda for
 * GPUs. */
#define ATTRACTION_VARIANTS(row)                                              \
    row(D2Q9, trt, TRT, double, DOUBLE) row(D3Q15, bgk, BGK, double, DOUBLE)  \
        row(D3Q19, trt, TRT, single, SINGLE) row(D3Q19, trt, TRT, half, HALF) \
            row(D3Q27, bgk, BGK, single, SINGLE)

#endif
