#include "codelets/kernels/lattice.h"

#define VELOCITY(i, o, cx, cy, cz, w, mx, my, mz) [i] = {cx, cy, cz}, [o] = {-(cx), -(cy), -(cz)},
#define OPPOSITE(i, o, cx, cy, cz, w, mx, my, mz) [i] = o, [o] = i,
#define WEIGHT(i, o, cx, cy, cz, w, mx, my, mz) [i] = w, [o] = w,
#define PLACE(i, o, cx, cy, cz, w, mx, my, mz) [i] = {mx, my, mz}, [o] = {mx, my, mz},
#define LEAVES_X(i, o, cx, cy, cz, w, mx, my, mz) +((cx) != 0)
#define LEAVES_Y(i, o, cx, cy, cz, w, mx, my, mz) +((cy) != 0)
#define LEAVES_Z(i, o, cx, cy, cz, w, mx, my, mz) +((cz) != 0)

#define TABLE(lattice)                                                                               \
    {                                                                                                \
        .name = #lattice, .dimensions = WEIR_##lattice##_DIMENSIONS,                                 \
        .populations = WEIR_##lattice##_POPULATIONS, .velocity = {WEIR_##lattice##_PAIRS(VELOCITY)}, \
        .opposite = {WEIR_##lattice##_PAIRS(OPPOSITE)},                                              \
        .weight = {[0] = WEIR_##lattice##_REST_WEIGHT, WEIR_##lattice##_PAIRS(WEIGHT)},              \
        .place = {WEIR_##lattice##_PAIRS(PLACE)},                                                    \
        .leaving = {0 WEIR_##lattice##_PAIRS(LEAVES_X), 0 WEIR_##lattice##_PAIRS(LEAVES_Y),          \
                    0 WEIR_##lattice##_PAIRS(LEAVES_Z)},                                             \
    }

/* In the order of enum weir_lattice. */
static const struct weir_lattice_table tables[] = {TABLE(D2Q9), TABLE(D3Q15), TABLE(D3Q19), TABLE(D3Q27)};

const struct weir_lattice_table *weir_lattice_table(int lattice) {
    return &tables[lattice];
}

/* Whether any direction of the lattice leads a population here from the block at this offset. */
static int reaches(const struct weir_lattice_table *lattice, const int offset[3]) {
    for (int i = 1; i < lattice->populations; i++) {
        int so = 1;
        for (int axis = 0; axis < 3; axis++)
            so = so && (offset[axis] == 0 || offset[axis] == -lattice->velocity[i][axis]);
        if (so)
            return 1;
    }
    return 0;
}

int weir_lattice_message_face(const struct weir_lattice_table *lattice, const int offset[3]) {
    if ((offset[0] == 0 && offset[1] == 0 && offset[2] == 0) || !reaches(lattice, offset))
        return -1;
    const int axis = offset[0] ? 0 : offset[1] ? 1 : 2;
    return 2 * axis + (offset[axis] < 0);
}
