#include "codelets/kernels/lattice/lattice.h"

#include <stddef.h>

#define VELOCITY(i, o, cx, cy, cz, w) [i] = {cx, cy, cz}, [o] = {-(cx), -(cy), -(cz)},
#define OPPOSITE(i, o, cx, cy, cz, w) [i] = o, [o] = i,
#define WEIGHT(i, o, cx, cy, cz, w) [i] = w, [o] = w,

#define TABLE(lattice, why_no_flow)                                                                     \
    {                                                                                                   \
        .name = #lattice, .dimensions = WEIR_##lattice##_DIMENSIONS,                                    \
        .populations = WEIR_##lattice##_POPULATIONS, .reach = WEIR_##lattice##_REACH,                   \
        .inverse_cs2 = WEIR_##lattice##_INVERSE_CS2, .no_flow = why_no_flow,                            \
        .velocity = {WEIR_##lattice##_PAIRS(VELOCITY)}, .opposite = {WEIR_##lattice##_PAIRS(OPPOSITE)}, \
        .weight = {[0] = WEIR_##lattice##_REST_WEIGHT, WEIR_##lattice##_PAIRS(WEIGHT)},                 \
    }

/* In the order of enum weir_lattice. */
static const struct weir_lattice_table tables[] = {
    TABLE(D2Q9, NULL),
    TABLE(D3Q15, NULL),
    TABLE(D3Q19, NULL),
    TABLE(D3Q27, NULL),
    TABLE(D3Q13, NULL),
    TABLE(D2Q5,
          "it has no diagonal velocities, so its viscous stress is wrong, and it serves scalars that a flow "
          "carries along only; choose D2Q9"),
    TABLE(D3Q7,
          "it has no diagonal velocities, so its viscous stress is wrong, and it serves scalars that a flow "
          "carries along only; choose D3Q19, or D3Q15, which is the smallest"),
    TABLE(D2Q37, "there is no collision for it yet, which has to conserve energy, too; choose D2Q9"),
};

const struct weir_lattice_table *weir_resting_table(int dimensions) {
    static const struct weir_lattice_table resting[] = {
        {.name = "resting", .dimensions = 2, .populations = 2, .reach = 1, .inverse_cs2 = 3},
        {.name = "resting", .dimensions = 3, .populations = 3, .reach = 1, .inverse_cs2 = 3}};
    return &resting[dimensions - 2];
}

const struct weir_lattice_table *weir_lattice_table(int lattice) {
    return &tables[lattice];
}
