/* The directions of this object's lattice, one by one, with what belongs to them as constants. */
#ifndef WEIR_KERNELS_DIRECTIONS_H
#define WEIR_KERNELS_DIRECTIONS_H

#include "codelets/kernels/halo/layers.h"
#include "codelets/kernels/variant.h"

/* The set's layers in messages begin with these, along each axis: the first set's. */
#ifndef WEIR_FIRST_LAYER_X
#define WEIR_FIRST_LAYER_X 0
#define WEIR_FIRST_LAYER_Y 0
#define WEIR_FIRST_LAYER_Z 0
#endif

/* LAYER_X_1 ... : the first layer of each direction in messages through faces normal to x; of y and z. */
#define WEIR_X_LAYER_(i, o, cx, cy, cz, w) WEIR_LAYER_OF_PAIR(LAYER_X, i, o, cx)
#define WEIR_Y_LAYER_(i, o, cx, cy, cz, w) WEIR_LAYER_OF_PAIR(LAYER_Y, i, o, cy)
#define WEIR_Z_LAYER_(i, o, cx, cy, cz, w) WEIR_LAYER_OF_PAIR(LAYER_Z, i, o, cz)
enum { WEIR_LAYERS_BEGIN(LAYER_X, WEIR_FIRST_LAYER_X) FOR_PAIRS(WEIR_X_LAYER_) LAYER_X_END };
enum { WEIR_LAYERS_BEGIN(LAYER_Y, WEIR_FIRST_LAYER_Y) FOR_PAIRS(WEIR_Y_LAYER_) LAYER_Y_END };
enum { WEIR_LAYERS_BEGIN(LAYER_Z, WEIR_FIRST_LAYER_Z) FOR_PAIRS(WEIR_Z_LAYER_) LAYER_Z_END };

/* A set with a bit for each direction. */
#if POPULATIONS > 32
typedef uint64_t direction_set;
#else
typedef uint32_t direction_set;
#endif

FUNCTION int count_bits(uint32_t bits) {
#ifdef __CUDACC__
    return __popc(bits);
#else
    return __builtin_popcount(bits);
#endif
}

/* How many directions a set has. */
FUNCTION int directions_of(direction_set set) {
#if POPULATIONS > 32
    return count_bits((uint32_t)set) + count_bits((uint32_t)(set >> 32));
#else
    return count_bits(set);
#endif
}

/* Number of the lowest bit of a set that has some. */
FUNCTION int lowest_bit(direction_set set) {
    return directions_of((set & (~set + 1)) - 1);
}

/* Those of the flow, among all. */
#define FLOW_DIRECTIONS (((direction_set)1 << (FLOW_POPULATIONS - 1)) * 2 - 1)

/* A direction, for functions that are expanded in place or called for one; all of it is constant, and none of
 * it stays where they are expanded. */
struct direction {
    int i, o; /* number of the direction and of its opposite */
    int c[3];
    int layer[3]; /* its first in messages through faces normal to x, y and z */
};

FUNCTION struct direction direction_of(int i, int o, int cx, int cy, int cz, int layer_x, int layer_y,
                                       int layer_z) {
    const struct direction d = {i, o, {cx, cy, cz}, {layer_x, layer_y, layer_z}};
    return d;
}

/* FOR_PAIRS for single directions: WEIR_DIRECTION(i, o, cx, cy, cz, weight, d), d being the same as a struct.
 * All directions but 0, the flow's rest; or those of the flow, or of the scalar that move; or those behind
 * the flow's that rest (FOR_RESTING). */
#define DIRECTION_(i, o, cx, cy, cz) direction_of(i, o, cx, cy, cz, LAYER_X_##i, LAYER_Y_##i, LAYER_Z_##i)
#define FOR_DIRECTIONS_PAIR_(i, o, cx, cy, cz, w)                     \
    WEIR_DIRECTION(i, o, cx, cy, cz, w, DIRECTION_(i, o, cx, cy, cz)) \
    WEIR_DIRECTION(o, i, -(cx), -(cy), -(cz), w, DIRECTION_(o, i, -(cx), -(cy), -(cz)))
#define FOR_FLOW_DIRECTIONS FOR_FLOW_PAIRS(FOR_DIRECTIONS_PAIR_)
/* They cross no face: layers behind the last are no layers. */
#define RESTING_(i, w) \
    WEIR_DIRECTION(i, i, 0, 0, 0, w, direction_of(i, i, 0, 0, 0, LAYER_X_END, LAYER_Y_END, LAYER_Z_END))
#if WITH_SCALAR
#define FOR_SCALAR_DIRECTIONS FOR_SCALAR_PAIRS(FOR_DIRECTIONS_PAIR_)
#define FOR_SCALAR_REST RESTING_(SCALAR_0, SCALAR_REST_WEIGHT)
#else
#define FOR_SCALAR_DIRECTIONS
#define FOR_SCALAR_REST
#endif
#if SOURCE_VALUES
#define FOR_SCALAR_SOURCE RESTING_(SOURCE_0, 0)
#else
#define FOR_SCALAR_SOURCE
#endif
#if CONDUCTOR_VALUES
#define FOR_SCALAR_CONDUCTOR \
    RESTING_(CONDUCTOR_PLUS, 0) RESTING_(CONDUCTOR_MINUS, 0) RESTING_(CONDUCTOR_INVERSE, 0)
#else
#define FOR_SCALAR_CONDUCTOR
#endif
#if WITH_TENSION
#define FOR_TENSION RESTING_(SURFACE_TENSION, 0)
#else
#define FOR_TENSION
#endif
#if WITH_BUBBLES
#define FOR_BUBBLES RESTING_(SURFACE_GAS, 0) RESTING_(SURFACE_GAS_EXCESS, 0)
#else
#define FOR_BUBBLES
#endif
#if WITH_SURFACE
#define FOR_FLOW_REST RESTING_(SURFACE_MASS, 0) RESTING_(SURFACE_LEVEL, 0) FOR_TENSION FOR_BUBBLES
#else
#define FOR_FLOW_REST
#endif
#if WITH_KEPT_EDDIES
#define FOR_KEPT_EDDIES RESTING_(EDDIES_0, 0)
#else
#define FOR_KEPT_EDDIES
#endif
#if !WITH_KEPT_STRAIN
#define FOR_KEPT_STRAIN
#elif DIMENSIONS == 2
#define FOR_KEPT_STRAIN RESTING_(STRAIN_0, 0) RESTING_(STRAIN_1, 0) RESTING_(STRAIN_2, 0)
#else
#define FOR_KEPT_STRAIN   \
    RESTING_(STRAIN_0, 0) \
    RESTING_(STRAIN_1, 0) \
    RESTING_(STRAIN_2, 0) RESTING_(STRAIN_3, 0) RESTING_(STRAIN_4, 0) RESTING_(STRAIN_5, 0)
#endif
#define FOR_RESTING \
    FOR_SCALAR_REST FOR_SCALAR_SOURCE FOR_SCALAR_CONDUCTOR FOR_FLOW_REST FOR_KEPT_EDDIES FOR_KEPT_STRAIN
#define FOR_DIRECTIONS FOR_PAIRS(FOR_DIRECTIONS_PAIR_) FOR_RESTING

/* The flow's directions of the set `met`, with WEIR_LINK(i, o, weight, d) for each. On GPUs a loop over them,
 * as few cells have few of them: expanded for each direction, instructions of one warp drive those of others
 * out of the cache, and all wait for them (three quarters of the time on an H200). */
#ifdef __cplusplus
#define direction_of(i, o, cx, cy, cz, layer_x, layer_y, layer_z) \
    {                                                             \
        i, o, {cx, cy, cz}, {                                     \
            layer_x, layer_y, layer_z                             \
        }                                                         \
    } /* the same as a constant */
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d) d,
/* In this order; those of the flow in that of their numbers, from 1 on. */
static __constant__ const direction all_directions[SLOTS - 1] = {FOR_DIRECTIONS};
#undef WEIR_DIRECTION
#undef direction_of
#define WEIR_DIRECTION(i, o, cx, cy, cz, w, d) (real)(w),
static __constant__ const real flow_weights[FLOW_POPULATIONS - 1] = {FOR_FLOW_DIRECTIONS};
#undef WEIR_DIRECTION
#define FOR_FLOW_LINKS                                                              \
    for (direction_set left = met & FLOW_DIRECTIONS; left != 0; left &= left - 1) { \
        const int number = lowest_bit(left);                                        \
        const direction of_number = all_directions[number - 1];                     \
        WEIR_LINK(number, of_number.o, flow_weights[number - 1], of_number)         \
    }
#else
#define LINKS_OF_PAIR_(i, o, cx, cy, cz, w)                      \
    if (met >> (i)&1)                                            \
        WEIR_LINK(i, o, (real)(w), DIRECTION_(i, o, cx, cy, cz)) \
    if (met >> (o)&1)                                            \
    WEIR_LINK(o, i, (real)(w), DIRECTION_(o, i, -(cx), -(cy), -(cz)))
#define FOR_FLOW_LINKS FOR_FLOW_PAIRS(LINKS_OF_PAIR_)
#endif

/* The force on a cell of a fluid with phases, which has no slots. */
#if !WITH_PHASES
#define FOR_COHESION
#elif COHESION_VALUES == 2
#define FOR_COHESION RESTING_(COHESION_0, 0) RESTING_(COHESION_1, 0)
#elif COHESION_VALUES == 3
#define FOR_COHESION RESTING_(COHESION_0, 0) RESTING_(COHESION_1, 0) RESTING_(COHESION_2, 0)
#elif COHESION_VALUES == 4
#define FOR_COHESION        \
    RESTING_(COHESION_0, 0) \
    RESTING_(COHESION_1, 0) RESTING_(COHESION_2, 0) RESTING_(COHESION_3, 0)
#else
#define FOR_COHESION        \
    RESTING_(COHESION_0, 0) \
    RESTING_(COHESION_1, 0) \
    RESTING_(COHESION_2, 0) RESTING_(COHESION_3, 0) RESTING_(COHESION_4, 0) RESTING_(COHESION_5, 0)
#endif

/* Those that collision changes: a scalar's source, what conductors are like, and what follows from the
 * velocity's gradient, stay. */
#define FOR_CHANGED_DIRECTIONS FOR_PAIRS(FOR_DIRECTIONS_PAIR_) FOR_SCALAR_REST

#endif
