/* The lattices as tables. A lattice is one list of opposite pairs and the weight of the resting population;
 * everything else in the kernels is written once in terms of these rows. docs/developer-guide.md tells
 * what else a new lattice takes.
 *
 *   pair(i, o, cx, cy, cz, weight)
 *
 *   i, o        indices of the two directions, c_o = -c_i; the resting population is number 0
 *   cx, cy, cz  velocity c_i in cells per step
 *   weight      of both
 *
 * REACH is the largest of all components, INVERSE_CS2 is 1 / c_s^2, c_s the speed of sound in cells per step,
 * of THERMAL lattices that of sound without changes of temperature, at temperature 1: on these, flows have a
 * temperature, and energy is conserved (collision/thermal.h).
 * What a lattice may be used for stands in its row of data (lattice.c). Of those for scalars there are pairs
 * with a word before the indices, too, for texts that know two lattices at a time.
 *
 * Velocities and weights: Qian, d'Humieres, Lallemand, Europhys. Lett. 17 (1992) 479; Krueger et al., The
 * Lattice Boltzmann Method (2017), tables 3.1-3.6 and 8.1; D3Q13: d'Humieres, Bouzidi, Lallemand, Phys. Rev.
 * E 63 (2001) 066702; D2Q37: Shan, Yuan, Chen, J. Fluid Mech. 550 (2006) 413, Sbragaglia et al., J. Fluid
 * Mech. 628 (2009) 299. tests/unit/kernels/test_lattice.c checks moments and opposites. */
#ifndef WEIR_KERNELS_LATTICE_H
#define WEIR_KERNELS_LATTICE_H

#include <stdbool.h>

#define WEIR_D2Q9_DIMENSIONS 2
#define WEIR_D2Q9_POPULATIONS 9
#define WEIR_D2Q9_REACH 1
#define WEIR_D2Q9_THERMAL 0
#define WEIR_D2Q9_INVERSE_CS2 3.0
#define WEIR_D2Q9_REST_WEIGHT (4.0 / 9.0)
#define WEIR_D2Q9_PAIRS(pair)       \
    pair(1, 2, 1, 0, 0, 1.0 / 9.0)  \
    pair(3, 4, 0, 1, 0, 1.0 / 9.0)  \
    pair(5, 6, 1, 1, 0, 1.0 / 36.0) \
    pair(7, 8, 1, -1, 0, 1.0 / 36.0)

#define WEIR_D3Q15_DIMENSIONS 3
#define WEIR_D3Q15_POPULATIONS 15
#define WEIR_D3Q15_REACH 1
#define WEIR_D3Q15_THERMAL 0
#define WEIR_D3Q15_INVERSE_CS2 3.0
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
#define WEIR_D3Q19_REACH 1
#define WEIR_D3Q19_THERMAL 0
#define WEIR_D3Q19_INVERSE_CS2 3.0
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
#define WEIR_D3Q27_REACH 1
#define WEIR_D3Q27_THERMAL 0
#define WEIR_D3Q27_INVERSE_CS2 3.0
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

#define WEIR_D2Q5_DIMENSIONS 2
#define WEIR_D2Q5_POPULATIONS 5
#define WEIR_D2Q5_REACH 1
#define WEIR_D2Q5_THERMAL 0
#define WEIR_D2Q5_INVERSE_CS2 3.0
#define WEIR_D2Q5_REST_WEIGHT (1.0 / 3.0)
#define WEIR_D2Q5_NUMBERED_PAIRS(pair, n) \
    pair(n##1, n##2, 1, 0, 0, 1.0 / 6.0)  \
    pair(n##3, n##4, 0, 1, 0, 1.0 / 6.0)
#define WEIR_D2Q5_PAIRS(pair) WEIR_D2Q5_NUMBERED_PAIRS(pair, )

#define WEIR_D3Q7_DIMENSIONS 3
#define WEIR_D3Q7_POPULATIONS 7
#define WEIR_D3Q7_REACH 1
#define WEIR_D3Q7_THERMAL 0
#define WEIR_D3Q7_INVERSE_CS2 4.0
#define WEIR_D3Q7_REST_WEIGHT (1.0 / 4.0)
#define WEIR_D3Q7_NUMBERED_PAIRS(pair, n) \
    pair(n##1, n##2, 1, 0, 0, 1.0 / 8.0)  \
    pair(n##3, n##4, 0, 1, 0, 1.0 / 8.0)  \
    pair(n##5, n##6, 0, 0, 1, 1.0 / 8.0)
#define WEIR_D3Q7_PAIRS(pair) WEIR_D3Q7_NUMBERED_PAIRS(pair, )

#define WEIR_D3Q13_DIMENSIONS 3
#define WEIR_D3Q13_POPULATIONS 13
#define WEIR_D3Q13_REACH 1
#define WEIR_D3Q13_THERMAL 0
#define WEIR_D3Q13_INVERSE_CS2 3.0
#define WEIR_D3Q13_REST_WEIGHT (1.0 / 2.0)
#define WEIR_D3Q13_PAIRS(pair)       \
    pair(1, 2, 1, 1, 0, 1.0 / 24.0)  \
    pair(3, 4, 1, -1, 0, 1.0 / 24.0) \
    pair(5, 6, 1, 0, 1, 1.0 / 24.0)  \
    pair(7, 8, 1, 0, -1, 1.0 / 24.0) \
    pair(9, 10, 0, 1, 1, 1.0 / 24.0) \
    pair(11, 12, 0, 1, -1, 1.0 / 24.0)

/* 1 / c_s^2 is r^2 of the articles; weights, by the components' magnitudes, exact to moments of order 9. */
#define WEIR_D2Q37_DIMENSIONS 2
#define WEIR_D2Q37_POPULATIONS 37
#define WEIR_D2Q37_REACH 3
#define WEIR_D2Q37_THERMAL 1
#define WEIR_D2Q37_R 1.19697977039307435897239
#define WEIR_D2Q37_INVERSE_CS2 (WEIR_D2Q37_R * WEIR_D2Q37_R)
#define WEIR_D2Q37_REST_WEIGHT 0.23315066913235250228650
#define WEIR_D2Q37_W10 0.10730609154221900241246
#define WEIR_D2Q37_W11 0.05766785988879488203006
#define WEIR_D2Q37_W20 0.01420821615845075026469
#define WEIR_D2Q37_W21 0.00535304900051377523273
#define WEIR_D2Q37_W22 0.00101193759267357547541
#define WEIR_D2Q37_W30 0.00024530102775771734547
#define WEIR_D2Q37_W31 0.00028341425299419821740
#define WEIR_D2Q37_PAIRS(pair)             \
    pair(1, 2, 1, 0, 0, WEIR_D2Q37_W10)    \
    pair(3, 4, 0, 1, 0, WEIR_D2Q37_W10)    \
    pair(5, 6, 1, 1, 0, WEIR_D2Q37_W11)    \
    pair(7, 8, 1, -1, 0, WEIR_D2Q37_W11)   \
    pair(9, 10, 2, 0, 0, WEIR_D2Q37_W20)   \
    pair(11, 12, 0, 2, 0, WEIR_D2Q37_W20)  \
    pair(13, 14, 2, 1, 0, WEIR_D2Q37_W21)  \
    pair(15, 16, 2, -1, 0, WEIR_D2Q37_W21) \
    pair(17, 18, 1, 2, 0, WEIR_D2Q37_W21)  \
    pair(19, 20, 1, -2, 0, WEIR_D2Q37_W21) \
    pair(21, 22, 2, 2, 0, WEIR_D2Q37_W22)  \
    pair(23, 24, 2, -2, 0, WEIR_D2Q37_W22) \
    pair(25, 26, 3, 0, 0, WEIR_D2Q37_W30)  \
    pair(27, 28, 0, 3, 0, WEIR_D2Q37_W30)  \
    pair(29, 30, 3, 1, 0, WEIR_D2Q37_W31)  \
    pair(31, 32, 3, -1, 0, WEIR_D2Q37_W31) \
    pair(33, 34, 1, 3, 0, WEIR_D2Q37_W31)  \
    pair(35, 36, 1, -3, 0, WEIR_D2Q37_W31)

enum { WEIR_POPULATIONS_MAX = 37, WEIR_REACH_MAX = 3 };

/* The same rows as data, for code outside the inner loops. */
struct weir_lattice_table {
    const char *name;
    int dimensions;
    int populations;
    int reach;           /* cells that a population moves along an axis in a step, at most */
    double inverse_cs2;  /* 1 / c_s^2 */
    bool thermal;        /* flows on it have a temperature */
    const char *no_flow; /* why it cannot carry a flow, and what to choose; NULL: it can */
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

/* Numbers of a cell that rest there, so many (at most WEIR_RESTING_MAX), as a set; behind the populations of
 * a scalar (D2Q5, D3Q7), or alone; static. */
enum { WEIR_RESTING_MAX = 8 };
#ifdef __cplusplus
extern "C"
#endif
    const struct weir_lattice_table *
    weir_resting_table(int dimensions, bool scalar, int count);

/* The same of a free surface: a cell's mass and its level; what tension adds where there is any; and where
 * gas has a pressure of its own, how much of it is in the cell, and its density. */
#ifdef __cplusplus
extern "C"
#endif
    const struct weir_lattice_table *
    weir_filling_table(int dimensions, bool tension, bool bubbles);

/* The same of the moments of a flow that keeps these instead of populations (storage "moments"): density,
 * momentum and stress, of which two numbers may be kept as one ("mixed_moments"). */
#ifdef __cplusplus
extern "C"
#endif
    const struct weir_lattice_table *
    weir_moments_table(int dimensions, bool stress_in_half);

/* Cells of the ring around a block, along an axis, of which a block knows what they are made of: all that
 * populations reach. Flat lattices have one along z, too. */
static inline int weir_lattice_ring(const struct weir_lattice_table *lattice, int axis) {
    return axis < lattice->dimensions ? lattice->reach : 1;
}

#endif
