/* The lattices as tables. A lattice is one list of opposite pairs and the weight of the resting population;
 * everything else in the kernels is written once in terms of these rows. docs/developer-guide.md tells
 * what else a new lattice takes.
 *
 *   pair(i, o, cx, cy, cz, weight)
 *
 *   i, o        indices of the two directions, c_o = -c_i; the resting population is number 0
 *   cx, cy, cz  velocity c_i, each -1, 0 or 1
 *   weight      of both
 *
 * Velocities and weights: Qian, d'Humieres, Lallemand, Europhys. Lett. 17 (1992) 479; Krueger et al., The
 * Lattice Boltzmann Method (2017), tables 3.1-3.6. tests/unit/test_lattice.c checks moments and
 * opposites. */
#ifndef WEIR_KERNELS_LATTICE_H
#define WEIR_KERNELS_LATTICE_H

#define WEIR_D2Q9_DIMENSIONS 2
#define WEIR_D2Q9_POPULATIONS 9
#define WEIR_D2Q9_REST_WEIGHT (4.0 / 9.0)
#define WEIR_D2Q9_PAIRS(pair)       \
    pair(1, 2, 1, 0, 0, 1.0 / 9.0)  \
    pair(3, 4, 0, 1, 0, 1.0 / 9.0)  \
    pair(5, 6, 1, 1, 0, 1.0 / 36.0) \
    pair(7, 8, 1, -1, 0, 1.0 / 36.0)

#define WEIR_D3Q15_DIMENSIONS 3
#define WEIR_D3Q15_POPULATIONS 15
#define WEIR_D3Q15_REST_WEIGHT (2.0 / 9.0)
#define WEIR_D3Q15_PAIRS(pair)         \
    pair(1, 2, 1, 0, 0, 1.0 / 9.0)     \
    pair(3, 4, 0, 1, 0, 1.0 / 9.0)     \
    pair(5, 6, 0, 0, 1, 1.0 / 9.0)     \
    pair(7, 8, 1, 1, 1, 1.0 / 72.0)    \
    pair(9, 10, 1, 1, -1, 1.0 / 72.0)  \
    pair(11, 12, 1, -1, 1, 1.0 / 72.0) \
    pair(13, 14, 1, -1, -1, 1.0 / 72.0)

#define WEIR_D3Q19_DIMENSIONS 3
#define WEIR_D3Q19_POPULATIONS 19
#define WEIR_D3Q19_REST_WEIGHT (1.0 / 3.0)
#define WEIR_D3Q19_PAIRS(pair)         \
    pair(1, 2, 1, 0, 0, 1.0 / 18.0)    \
    pair(3, 4, 0, 1, 0, 1.0 / 18.0)    \
    pair(5, 6, 0, 0, 1, 1.0 / 18.0)    \
    pair(7, 8, 1, 1, 0, 1.0 / 36.0)    \
    pair(9, 10, 1, -1, 0, 1.0 / 36.0)  \
    pair(11, 12, 1, 0, 1, 1.0 / 36.0)  \
    pair(13, 14, 1, 0, -1, 1.0 / 36.0) \
    pair(15, 16, 0, 1, 1, 1.0 / 36.0)  \
    pair(17, 18, 0, 1, -1, 1.0 / 36.0)

#define WEIR_D3Q27_DIMENSIONS 3
#define WEIR_D3Q27_POPULATIONS 27
#define WEIR_D3Q27_REST_WEIGHT (8.0 / 27.0)
#define WEIR_D3Q27_PAIRS(pair)          \
    pair(1, 2, 1, 0, 0, 2.0 / 27.0)     \
    pair(3, 4, 0, 1, 0, 2.0 / 27.0)     \
    pair(5, 6, 0, 0, 1, 2.0 / 27.0)     \
    pair(7, 8, 1, 1, 0, 1.0 / 54.0)     \
    pair(9, 10, 1, -1, 0, 1.0 / 54.0)   \
    pair(11, 12, 1, 0, 1, 1.0 / 54.0)   \
    pair(13, 14, 1, 0, -1, 1.0 / 54.0)  \
    pair(15, 16, 0, 1, 1, 1.0 / 54.0)   \
    pair(17, 18, 0, 1, -1, 1.0 / 54.0)  \
    pair(19, 20, 1, 1, 1, 1.0 / 216.0)  \
    pair(21, 22, 1, 1, -1, 1.0 / 216.0) \
    pair(23, 24, 1, -1, 1, 1.0 / 216.0) \
    pair(25, 26, 1, -1, -1, 1.0 / 216.0)

enum { WEIR_POPULATIONS_MAX = 27 };

/* The same rows as data, for code outside the inner loops. */
struct weir_lattice_table {
    const char *name;
    int dimensions;
    int populations;
    int velocity[WEIR_POPULATIONS_MAX][3];
    int opposite[WEIR_POPULATIONS_MAX];
    double weight[WEIR_POPULATIONS_MAX];
};

/* Table of lattice number `lattice` (enum weir_lattice), static. */
#ifdef __cplusplus
extern "C"
#endif
    const struct weir_lattice_table *
    weir_lattice_table(int lattice);

#endif
