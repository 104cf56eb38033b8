/* Opens a kernel text: turns the definitions that it is compiled with (lattice, precision) into the names
 * that the text uses, and hides the difference between C and CUDA. Included once per object, by kernel texts
 * only.
 *
 * All arithmetic is written with explicit fma and a fixed order of sums, and compiled without contraction or
 * fast-math, so that every processor gives the same bits. */
#ifndef WEIR_KERNELS_VARIANT_H
#define WEIR_KERNELS_VARIANT_H

#include "codelets/kernels/cells/block_view.h"
#include "codelets/kernels/lattice/lattice.h"

#include <math.h>
#include <string.h>

#define WEIR_JOIN_(a, b) a##b
#define WEIR_JOIN(a, b) WEIR_JOIN_(a, b)
#define WEIR_OF_LATTICE_(lattice, what) WEIR_##lattice##what
#define WEIR_OF_LATTICE(lattice, what) WEIR_OF_LATTICE_(lattice, _##what) /* `what` is no macro here */

/* The populations of a cell are those of the flow and, where there is a scalar that the flow carries along
 * (WEIR_SCALAR: its lattice), those of the scalar behind them: one list of directions for all that streaming
 * does, in which the scalar's resting population is a direction with c = 0. */
#define DIMENSIONS WEIR_OF_LATTICE(WEIR_LATTICE, DIMENSIONS)
#define FLOW_POPULATIONS WEIR_OF_LATTICE(WEIR_LATTICE, POPULATIONS)
#define FOR_FLOW_PAIRS(pair) WEIR_OF_LATTICE(WEIR_LATTICE, PAIRS)(pair)
#ifdef WEIR_SCALAR
#define WITH_SCALAR 1
#define SCALAR_POPULATIONS WEIR_OF_LATTICE(WEIR_SCALAR, POPULATIONS)
#define SCALAR_INVERSE_CS2 WEIR_OF_LATTICE(WEIR_SCALAR, INVERSE_CS2)
#define SCALAR_REST_WEIGHT ((real)WEIR_OF_LATTICE(WEIR_SCALAR, REST_WEIGHT))
#define FOR_SCALAR_PAIRS(pair) WEIR_OF_LATTICE(WEIR_SCALAR, NUMBERED_PAIRS)(pair, SCALAR_)
#define FOR_PAIRS(pair) FOR_FLOW_PAIRS(pair) FOR_SCALAR_PAIRS(pair)
#define WEIR_SCALAR_NUMBER_(i, o, cx, cy, cz, w) i, o,
enum { SCALAR_0 = FLOW_POPULATIONS, FOR_SCALAR_PAIRS(WEIR_SCALAR_NUMBER_) };
#else
#define WITH_SCALAR 0
#define SCALAR_POPULATIONS 0
#define FOR_PAIRS(pair) FOR_FLOW_PAIRS(pair)
#endif

/* Whether there are sources of the scalar (WEIR_SOURCE): what half a step adds to a cell rests behind its
 * populations. */
#ifdef WEIR_SOURCE
#define SOURCE_VALUES 1
enum { SOURCE_0 = FLOW_POPULATIONS + SCALAR_POPULATIONS };
#else
#define SOURCE_VALUES 0
#endif

/* Whether some solids conduct a scalar (WEIR_CONDUCTORS; conductors.h): behind its populations and its source
 * rest the rates of its even and odd moments in the cell, and the inverse of the cell's heat capacity, all 0
 * in the fluid. */
#ifdef WEIR_CONDUCTORS
#define CONDUCTOR_VALUES 3
enum {
    CONDUCTOR_PLUS = FLOW_POPULATIONS + SCALAR_POPULATIONS + SOURCE_VALUES,
    CONDUCTOR_MINUS,
    CONDUCTOR_INVERSE
};
#else
#define CONDUCTOR_VALUES 0
#endif

/* Whether the fluid has phases (WEIR_PHASES): cells attract each other (cohesion.h), or repel what is of
 * another component (WEIR_COMPONENTS), of which the density of the second is the scalar. The force on a cell
 * by that follows from what cells around it attract by, and is not kept: who has read what arrives at a cell
 * and wants to know what becomes of it finds the force, and puts it behind the populations, one number along
 * each axis, and that on the second component alone behind it. */
#ifdef WEIR_COMPONENTS
#define WITH_COMPONENTS 1
#else
#define WITH_COMPONENTS 0
#endif
#ifdef WEIR_PHASES
#define WITH_PHASES 1
#define COHESION_FORCES (1 + WITH_COMPONENTS)
#define COHESION_VALUES (DIMENSIONS * COHESION_FORCES)
enum {
    COHESION_0 = FLOW_POPULATIONS + SCALAR_POPULATIONS,
    COHESION_1,
    COHESION_2,
    COHESION_3,
    COHESION_4,
    COHESION_5
};
#else
#define WITH_PHASES 0
#define COHESION_VALUES 0
#endif

/* Whether the liquid has a free surface (WEIR_SURFACE), beyond which is gas that is not computed
 * (free_surface.h). Behind a cell's populations rest its mass and its level, and where the surface has a
 * tension (WEIR_TENSION), what that adds to the density there; where gas that is enclosed has a pressure of
 * its own (WEIR_BUBBLES), how much gas is in it, and that gas's density (filling.h). */
#ifdef WEIR_TENSION
#define WITH_TENSION 1
#else
#define WITH_TENSION 0
#endif
#ifdef WEIR_BUBBLES
#define WITH_BUBBLES 1
#else
#define WITH_BUBBLES 0
#endif
#ifdef WEIR_SURFACE
#define WITH_SURFACE 1
#define FILLING_VALUES (2 + WITH_TENSION + 2 * WITH_BUBBLES)
enum { SURFACE_MASS = FLOW_POPULATIONS, SURFACE_LEVEL, SURFACE_TENSION };
enum { SURFACE_GAS = SURFACE_LEVEL + 1 + WITH_TENSION, SURFACE_GAS_EXCESS };
#else
#define WITH_SURFACE 0
#define FILLING_VALUES 0
#endif

/* What follows from the gradient of the velocity, for which neighbours are asked (gradients.h), is kept in
 * the same way, behind a scalar's populations and what rests behind them where there are such: the eddy
 * viscosity of a model that wants all of the gradient (WEIR_KEPT_EDDIES), and the rate of strain for a
 * collision that wants it (WEIR_KEPT_STRAIN). */
#ifdef WEIR_KEPT_EDDIES
#define WITH_KEPT_EDDIES 1
#else
#define WITH_KEPT_EDDIES 0
#endif
#ifdef WEIR_KEPT_STRAIN
#define WITH_KEPT_STRAIN 1
#define STRAIN_VALUES (DIMENSIONS * (DIMENSIONS + 1) / 2)
#else
#define WITH_KEPT_STRAIN 0
#define STRAIN_VALUES 0
#endif
#define WITH_GRADIENTS (WITH_KEPT_EDDIES || WITH_KEPT_STRAIN)
#define GRADIENT_VALUES (WITH_KEPT_EDDIES + STRAIN_VALUES)
#if WITH_GRADIENTS
enum {
    EDDIES_0 = FLOW_POPULATIONS + SCALAR_POPULATIONS + SOURCE_VALUES + CONDUCTOR_VALUES,
    STRAIN_0 = EDDIES_0 + WITH_KEPT_EDDIES,
    STRAIN_1,
    STRAIN_2,
    STRAIN_3,
    STRAIN_4,
    STRAIN_5
};
#endif

#define POPULATIONS                                                                               \
    (FLOW_POPULATIONS + SCALAR_POPULATIONS + SOURCE_VALUES + CONDUCTOR_VALUES + COHESION_VALUES + \
     GRADIENT_VALUES + FILLING_VALUES)

/* How many of them are kept in memory: the first of them. */
#define SLOTS (POPULATIONS - COHESION_VALUES)

/* Whether there is anything behind the flow's populations. */
#define WITH_FURTHER (WITH_SCALAR || WITH_PHASES || WITH_GRADIENTS || WITH_SURFACE)

/* Whether the flow has a temperature (collision/thermal.h); a scalar and phases it then has not. */
#define WITH_TEMPERATURE WEIR_OF_LATTICE(WEIR_LATTICE, THERMAL)

/* Whether cells have a fifth value beside density and velocity: the scalar or the temperature. */
#define WITH_FIFTH (WITH_SCALAR || WITH_TEMPERATURE)

/* Whether a force grows with the scalar, or with the density of phases (moments.h). */
#if defined WEIR_BUOYANCY || WITH_PHASES
#define WITH_BUOYANCY 1
#else
#define WITH_BUOYANCY 0
#endif

/* Whether some faces of the domain are mirrors (boundary_rules.h). */
#ifdef WEIR_MIRRORS
#define WITH_MIRRORS 1
#else
#define WITH_MIRRORS 0
#endif

/* Whether cells of some faces lie on a boundary (wet_cells.h). */
#ifdef WEIR_WET
#define WITH_WET 1
#else
#define WITH_WET 0
#endif

#define REACH WEIR_OF_LATTICE(WEIR_LATTICE, REACH)
#define INVERSE_CS2 WEIR_OF_LATTICE(WEIR_LATTICE, INVERSE_CS2)
#define REST_WEIGHT ((real)WEIR_OF_LATTICE(WEIR_LATTICE, REST_WEIGHT))

#define WEIR_REAL_single float
#define WEIR_REAL_double double
#define WEIR_REAL_half float
typedef WEIR_JOIN(WEIR_REAL_, WEIR_PRECISION) real;

#define WEIR_REAL_BYTES_single 4
#define WEIR_REAL_BYTES_double 8
#define WEIR_REAL_BYTES_half 4
#define REAL_BYTES WEIR_JOIN(WEIR_REAL_BYTES_, WEIR_PRECISION)

/* FUNCTION: what is expanded wherever it is called. Most of the time that compilers take goes into that, so
 * who does without the speed may leave it to them what to expand (WEIR_LEAVE_CALLS): tests, sanitizers.
 * WEIR_CALLED: what few cells need, and others must not pay for with registers or code;
 * WEIR_CALLED_AMONG_OTHERS: but where a text is for such cells alone (WEIR_FEW_ALONE). */
#ifdef __CUDACC__
#define FUNCTION static __device__ __forceinline__
#define WEIR_CALLED static __device__ __noinline__
#ifdef WEIR_FEW_ALONE
#define WEIR_CALLED_AMONG_OTHERS FUNCTION
#endif
#else
#ifdef WEIR_LEAVE_CALLS
#define FUNCTION static inline __attribute__((unused))
#else
#define FUNCTION static inline __attribute__((always_inline))
#endif
#define WEIR_CALLED static __attribute__((noinline, unused))
#endif
#ifndef WEIR_CALLED_AMONG_OTHERS
#define WEIR_CALLED_AMONG_OTHERS WEIR_CALLED
#endif

/* The public name of a kernel of this object: WEIR_NAME(macroscopic) is weir_macroscopic, the same in all
 * objects, each of which is loaded by itself. Where several are linked into one program, WEIR_VARIANT tells
 * them apart. */
#ifdef WEIR_VARIANT
#define WEIR_NAME(kernel) WEIR_JOIN(WEIR_JOIN(WEIR_JOIN(weir_, kernel), _), WEIR_VARIANT)
#else
#define WEIR_NAME(kernel) WEIR_JOIN(weir_, kernel)
#endif

/* The last that a kernel does to a block: gcc (12) forgets it where nothing but copies of structs takes
 * vector registers. Until their upper halves are cleared, every change in that thread between instructions of
 * before AVX, of which Weir and StarPU are, and later ones, as in the C library, costs some 200 ns
 * (docs/measured/2026-11-28-suite.md). */
FUNCTION void clear_upper_halves(void) {
#if defined __AVX__ && !defined __CUDACC__
    __builtin_ia32_vzeroupper();
#endif
}

/* Before a loop: its rounds do not depend on each other; it is to be unrolled. */
#define WEIR_PRAGMA(text) _Pragma(#text)
#ifdef __CUDACC__
#define UNROLL(rounds) WEIR_PRAGMA(unroll)
#elif defined __clang__
#define IVDEP WEIR_PRAGMA(clang loop vectorize(assume_safety))
#define UNROLL(rounds) WEIR_PRAGMA(clang loop unroll(full))
#else
#define IVDEP WEIR_PRAGMA(GCC ivdep)
#define UNROLL(rounds) WEIR_PRAGMA(GCC unroll rounds)
#endif

#include "codelets/kernels/cells/storage.h"

/* a * b + c in one rounding. */
FUNCTION float fma_of_single(float a, float b, float c) {
    return fmaf(a, b, c);
}
FUNCTION double fma_of_double(double a, double b, double c) {
    return fma(a, b, c);
}
#define fma_real WEIR_JOIN(fma_of_, WEIR_PRECISION)
#define fma_of_half fma_of_single

/* The square root, rounded correctly as the CPU's is, whatever a compiler's default. */
#ifdef __CUDACC__
FUNCTION float root_of_single(float a) {
    return __fsqrt_rn(a);
}
FUNCTION double root_of_double(double a) {
    return __dsqrt_rn(a);
}
#else
FUNCTION float root_of_single(float a) {
    return sqrtf(a);
}
FUNCTION double root_of_double(double a) {
    return sqrt(a);
}
#endif
#define root_real WEIR_JOIN(root_of_, WEIR_PRECISION)
#define root_of_half root_of_single

/* sum + c * value for a velocity component c, without multiplying where that is -1, 0 or 1. */
FUNCTION real add_signed(real sum, int c, real value) {
    if (c > 1 || c < -1)
        return fma_real((real)c, value, sum);
    return c > 0 ? sum + value : c < 0 ? sum - value : sum;
}

/* c * value. */
FUNCTION real times_component(int c, real value) {
    if (c > 1 || c < -1)
        return (real)c * value;
    return c > 0 ? value : c < 0 ? -value : (real)0;
}

/* c . v for a lattice velocity c, in the order x, y, z. */
FUNCTION real dot_lattice(int cx, int cy, int cz, const real v[3]) {
    real sum = times_component(cx, v[0]);
    if (cy != 0)
        sum = cx != 0 ? add_signed(sum, cy, v[1]) : times_component(cy, v[1]);
    if (cz != 0)
        sum = cx != 0 || cy != 0 ? add_signed(sum, cz, v[2]) : times_component(cz, v[2]);
    return sum;
}

#endif
