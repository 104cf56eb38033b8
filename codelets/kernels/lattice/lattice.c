#include "codelets/kernels/lattice/lattice.h"

#include <stddef.h>

#define VELOCITY(i, o, cx, cy, cz, w) [i] = {cx, cy, cz}, [o] = {-(cx), -(cy), -(cz)},
#define OPPOSITE(i, o, cx, cy, cz, w) [i] = o, [o] = i,
#define WEIGHT(i, o, cx, cy, cz, w) [i] = w, [o] = w,

/* Members that follow from a lattice, with so many numbers behind its populations. */
#define MEMBERS(lattice, more)                                                                      \
    .name = #lattice, .dimensions = WEIR_##lattice##_DIMENSIONS,                                    \
    .populations = WEIR_##lattice##_POPULATIONS + (more), .reach = WEIR_##lattice##_REACH,          \
    .thermal = WEIR_##lattice##_THERMAL, .inverse_cs2 = WEIR_##lattice##_INVERSE_CS2,               \
    .velocity = {WEIR_##lattice##_PAIRS(VELOCITY)}, .opposite = {WEIR_##lattice##_PAIRS(OPPOSITE)}, \
    .weight = {[0] = WEIR_##lattice##_REST_WEIGHT, WEIR_##lattice##_PAIRS(WEIGHT)}
#define TABLE(lattice, why_no_flow) \
    { MEMBERS(lattice, 0), .no_flow = why_no_flow }

/* In the order of enum weir_lattice. */
static const struct weir_lattice_table tables[] = {
    TABLE(D2Q9, NULL),
    TABLE(D3Q15, NULL),
    TABLE(D3Q19, NULL),
    TABLE(D3Q27, NULL),
    TABLE(D3Q13, NULL),
    TABLE(D2Q37, NULL),
    TABLE(D2Q5,
          "it has no diagonal velocities, so its viscous stress is wrong, and it serves scalars that a flow "
          "carries along only; choose D2Q9"),
    TABLE(D3Q7,
          "it has no diagonal velocities, so its viscous stress is wrong, and it serves scalars that a flow "
          "carries along only; choose D3Q19, or D3Q15, which is the smallest"),
};

#define WITH_RESTING(lattice, more) \
    { MEMBERS(lattice, more) }
#define RESTING(of_dimensions, more) \
    { .name = "resting", .dimensions = of_dimensions, .populations = more, .reach = 1, .inverse_cs2 = 3 }
#define ALL_RESTING(table, of)                                                                            \
    {                                                                                                     \
        table(of, 0), table(of, 1), table(of, 2), table(of, 3), table(of, 4), table(of, 5), table(of, 6), \
            table(of, 7), table(of, 8)                                                                    \
    }

const struct weir_lattice_table *weir_resting_table(int dimensions, bool scalar, int count) {
    static const struct weir_lattice_table alone[][WEIR_RESTING_MAX + 1] = {ALL_RESTING(RESTING, 2),
                                                                            ALL_RESTING(RESTING, 3)},
                                                                      behind[][WEIR_RESTING_MAX + 1] = {
                                                                          ALL_RESTING(WITH_RESTING, D2Q5),
                                                                          ALL_RESTING(WITH_RESTING, D3Q7)};
    return scalar ? &behind[dimensions - 2][count] : &alone[dimensions - 2][count];
}

#define FILLING(of_dimensions, more)                                                           \
    {                                                                                          \
        .name = "filling", .dimensions = of_dimensions, .populations = 2 + (more), .reach = 1, \
        .inverse_cs2 = 3                                                                       \
    }
#define ALL_FILLING(of) \
    { FILLING(of, 0), FILLING(of, 1), FILLING(of, 2), FILLING(of, 3) }

const struct weir_lattice_table *weir_filling_table(int dimensions, bool tension, bool bubbles) {
    static const struct weir_lattice_table filling[][4] = {ALL_FILLING(2), ALL_FILLING(3)};
    return &filling[dimensions - 2][tension + 2 * bubbles];
}

#define MOMENTS(of_dimensions, words) \
    { .name = "moments", .dimensions = of_dimensions, .populations = words, .reach = 1, .inverse_cs2 = 3 }

const struct weir_lattice_table *weir_moments_table(int dimensions, bool stress_in_half) {
    static const struct weir_lattice_table moments[][2] = {{MOMENTS(2, 6), MOMENTS(2, 5)},
                                                           {MOMENTS(3, 10), MOMENTS(3, 7)}};
    return &moments[dimensions - 2][stress_in_half];
}

const struct weir_lattice_table *weir_lattice_table(int lattice) {
    return &tables[lattice];
}
