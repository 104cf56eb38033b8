#include "codelets/kernels/lattice.h"

#define VELOCITY(i, o, cx, cy, cz, w) [i] = {cx, cy, cz}, [o] = {-(cx), -(cy), -(cz)},
#define OPPOSITE(i, o, cx, cy, cz, w) [i] = o, [o] = i,
#define WEIGHT(i, o, cx, cy, cz, w) [i] = w, [o] = w,

#define TABLE(lattice)                                                                               \
    {                                                                                                \
        .name = #lattice, .dimensions = WEIR_##lattice##_DIMENSIONS,                                 \
        .populations = WEIR_##lattice##_POPULATIONS, .velocity = {WEIR_##lattice##_PAIRS(VELOCITY)}, \
        .opposite = {WEIR_##lattice##_PAIRS(OPPOSITE)},                                              \
        .weight = {[0] = WEIR_##lattice##_REST_WEIGHT, WEIR_##lattice##_PAIRS(WEIGHT)},              \
    }

/* In the order of enum weir_lattice. */
static const struct weir_lattice_table tables[] = {TABLE(D2Q9), TABLE(D3Q15), TABLE(D3Q19), TABLE(D3Q27)};

const struct weir_lattice_table *weir_lattice_table(int lattice) {
    return &tables[lattice];
}
