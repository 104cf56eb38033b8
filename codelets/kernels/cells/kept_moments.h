/* Cells that keep moments instead of populations (WEIR_MOMENTS; storage "moments" of a case): density - 1,
 * momentum, and the Hermite coefficient of the second order, of the populations that have arrived,
 *     A_ab = sum_i (c_a c_b - c_s^2 delta_ab) f_i.
 * Of collisions that ask for no more of what arrives (regularised, recursive) nothing is lost; all
 * populations of a cell are made anew from them. (Gounley, Vardhan, Draeger, Valero-Lara, Moore, Randles,
 * IEEE Trans. Parallel Distrib. Syst. 33 (2022) 1375; Ferrari, de Oliveira Jr., Lugarini, Franco, Hegele Jr.,
 * Phys. Rev. E (2023).) numerics.md (N101).
 *
 * With WEIR_STRESS_IN_HALF (storage "mixed_moments") what is kept of the last is
 *     A_ab - j_a j_b,     j the momentum,
 * in 16 bits: nearly the viscous stress, so that the little that 16 bits lose is a share of that, and not of
 * the flow's own flux of momentum. numerics.md (N101a).
 *
 * A block has two copies of them: before a step of parity p they are those numbered p, and the step writes
 * the others. Of each row, 32 cells that follow each other keep theirs together: real [rows][groups of 32
 * cells][KEPT_WORDS][32], the last group of a row with room behind its cells. Copy 1 lies some planes
 * behind copy 0, and in deep blocks fewer than there are: what is new takes the place of what is no longer
 * asked for. So these are stepped some planes at once (planes_at_once of the view), from the last to the
 * first where copy 1 is written, else from the first to the last; cells of these may look at their neighbours
 * in any order. Messages have populations as with other storages: those that leave after the state that they
 * go with, and are written with it. */
#ifndef WEIR_KERNELS_KEPT_MOMENTS_H
#define WEIR_KERNELS_KEPT_MOMENTS_H

#include "codelets/kernels/cells/kept_cells.h"

#ifdef WEIR_MOMENTS
#define WITH_MOMENTS 1
#else
#define WITH_MOMENTS 0
#endif

#if WITH_MOMENTS

#ifdef WEIR_STRESS_IN_HALF
#define STRESS_IN_HALF 1
#else
#define STRESS_IN_HALF 0
#endif

#include "codelets/kernels/collision/stress.h"

#if STRESS_IN_HALF
#include "codelets/kernels/cells/half_pairs.h"
#endif

enum {
    KEPT_MOMENTS = DIMENSIONS == 2 ? 6 : 10,
    KEPT_IN_FULL = STRESS_IN_HALF ? 1 + DIMENSIONS : KEPT_MOMENTS, /* the others are kept in pairs */
    KEPT_WORDS = KEPT_IN_FULL + (KEPT_MOMENTS - KEPT_IN_FULL + 1) / 2,
    KEPT_NUMBERS = KEPT_WORDS
};

struct kept_moments {
    real excess, momentum[3]; /* of the populations alone */
    struct tensor flux;       /* A, with STRESS_IN_HALF less the momentum's products */
};

/* As they lie in memory, KEPT_IN_FULL as they are, and pairs of the others. */
struct kept_words {
    real word[KEPT_WORDS];
};

/* The same in the order in which they are kept. */
FUNCTION void numbers_of_kept(const struct kept_moments *m, real numbers[KEPT_MOMENTS]) {
    int k = 0;
    numbers[k++] = m->excess;
    numbers[k++] = m->momentum[0];
    numbers[k++] = m->momentum[1];
    if (DIMENSIONS == 3)
        numbers[k++] = m->momentum[2];
    numbers[k++] = m->flux.xx;
    numbers[k++] = m->flux.yy;
    if (DIMENSIONS == 3)
        numbers[k++] = m->flux.zz;
    numbers[k++] = m->flux.xy;
    if (DIMENSIONS == 3) {
        numbers[k++] = m->flux.xz;
        numbers[k++] = m->flux.yz;
    }
}

FUNCTION struct kept_moments kept_of_numbers(const real numbers[KEPT_MOMENTS]) {
    struct kept_moments m;
    int k = 0;
    m.excess = numbers[k++];
    m.momentum[0] = numbers[k++];
    m.momentum[1] = numbers[k++];
    m.momentum[2] = DIMENSIONS == 3 ? numbers[k++] : (real)0;
    m.flux.xx = numbers[k++];
    m.flux.yy = numbers[k++];
    m.flux.zz = DIMENSIONS == 3 ? numbers[k++] : (real)0;
    m.flux.xy = numbers[k++];
    m.flux.xz = DIMENSIONS == 3 ? numbers[k++] : (real)0;
    m.flux.yz = DIMENSIONS == 3 ? numbers[k++] : (real)0;
    return m;
}

FUNCTION struct kept_words words_of_kept(const struct kept_moments *m) {
    struct kept_words words;
    real numbers[KEPT_MOMENTS + 1];
    numbers[KEPT_MOMENTS] = 0; /* of a pair of which one is left */
    numbers_of_kept(m, numbers);
    UNROLL(10)
    for (int k = 0; k < KEPT_IN_FULL; k++)
        words.word[k] = numbers[k];
#if STRESS_IN_HALF
    UNROLL(10)
    for (int k = KEPT_IN_FULL; k < KEPT_WORDS; k++)
        words.word[k] = word_of_pair(numbers[2 * k - KEPT_IN_FULL], numbers[2 * k - KEPT_IN_FULL + 1]);
#endif
    return words;
}

FUNCTION struct kept_moments kept_of_words(const struct kept_words *words) {
    real numbers[KEPT_MOMENTS + 1];
    UNROLL(10)
    for (int k = 0; k < KEPT_IN_FULL; k++)
        numbers[k] = words->word[k];
#if STRESS_IN_HALF
    UNROLL(10)
    for (int k = KEPT_IN_FULL; k < KEPT_WORDS; k++)
        pair_of_word(words->word[k], &numbers[2 * k - KEPT_IN_FULL], &numbers[2 * k - KEPT_IN_FULL + 1]);
#endif
    return kept_of_numbers(numbers);
}

/* Where a cell's first word lies, before a step of this parity; the next lies WEIR_KEPT_TOGETHER further. */
FUNCTION stored *kept_place(const struct weir_block_view *b, int parity, int x, int y, int z) {
    const size_t row = (size_t)(z * own_extent(b, 1) + y),
                 groups = (size_t)(own_extent(b, 0) + WEIR_KEPT_TOGETHER - 1) / WEIR_KEPT_TOGETHER;
    return (stored *)b->populations + (size_t)parity * KEPT_WORDS * stride_of(b) +
           (row * groups + (size_t)(x / WEIR_KEPT_TOGETHER)) * (KEPT_WORDS * WEIR_KEPT_TOGETHER) +
           x % WEIR_KEPT_TOGETHER;
}

FUNCTION struct kept_words words_in(const stored *place) {
    struct kept_words words;
    UNROLL(10)
    for (int k = 0; k < KEPT_WORDS; k++)
        words.word[k] = place[k * WEIR_KEPT_TOGETHER];
    return words;
}

/* Returns what is kept then: 16 bits round. */
FUNCTION struct kept_moments keep_in(stored *place, const struct kept_moments *m) {
    const struct kept_words words = words_of_kept(m);
    UNROLL(10)
    for (int k = 0; k < KEPT_WORDS; k++)
        place[k * WEIR_KEPT_TOGETHER] = words.word[k];
    return kept_of_words(&words);
}

FUNCTION struct kept_moments kept_at(const struct weir_block_view *b, int parity, int x, int y, int z) {
    const struct kept_words words = words_in(kept_place(b, parity, x, y, z));
    return kept_of_words(&words);
}

FUNCTION struct kept_moments keep_at(const struct weir_block_view *b, int parity, int x, int y, int z,
                                     const struct kept_moments *m) {
    return keep_in(kept_place(b, parity, x, y, z), m);
}

/* Sets to nothing what thread blocks know of each other in a step of this parity: before it, which may be a
 * GPU's, somebody has to, and each step does it for the next one. */
static inline void forget_progress(const struct weir_block_view *b, int parity) {
    const int counts = weir_progress_counts(own_extent(b, 2));
    for (int k = 0; k < counts && b->progress; k++)
        b->progress[parity * counts + k] = 0;
}

/* a b, of vectors along the same line, and a tensor. */
FUNCTION struct tensor product_and(const real a[3], const real b[3], const struct tensor *t) {
    const struct tensor sum = {fma_real(a[0], b[0], t->xx), fma_real(a[1], b[1], t->yy),
                               fma_real(a[2], b[2], t->zz), fma_real(a[0], b[1], t->xy),
                               fma_real(a[0], b[2], t->xz), fma_real(a[1], b[2], t->yz)};
    return sum;
}

/* What is kept of A, and A of that. */
FUNCTION struct tensor kept_of_flux(const struct kept_moments *m, const struct tensor *flux) {
    const real against[3] = {-m->momentum[0], -m->momentum[1], -m->momentum[2]};
    return STRESS_IN_HALF ? product_and(against, m->momentum, flux) : *flux;
}

FUNCTION struct tensor flux_of_kept(const struct kept_moments *m) {
    return STRESS_IN_HALF ? product_and(m->momentum, m->momentum, &m->flux) : m->flux;
}

/* Those of populations that have arrived at a cell. */
FUNCTION struct kept_moments kept_of_populations(const real f[POPULATIONS]) {
    struct kept_moments m;
    /* Compilers know that -0 and a number is the number, and that 0 and a number may be another. */
    const real none = (real)-0.0;
    real excess = f[0];
    real momentum[3] = {none, none, none};
    struct tensor t = {none, none, none, none, none, none};
#define PAIR(i, o, cx, cy, cz, w)                               \
    {                                                           \
        const real sum = f[i] + f[o], difference = f[i] - f[o]; \
        excess += sum;                                          \
        momentum[0] = add_signed(momentum[0], cx, difference);  \
        momentum[1] = add_signed(momentum[1], cy, difference);  \
        momentum[2] = add_signed(momentum[2], cz, difference);  \
        add_flux(&t, cx, cy, cz, sum);                          \
    }
    FOR_FLOW_PAIRS(PAIR)
#undef PAIR
    const real share = (real)(-1 / INVERSE_CS2);
    m.excess = excess;
    for (int axis = 0; axis < 3; axis++)
        m.momentum[axis] = momentum[axis];
    t.xx = fma_real(share, excess, t.xx);
    t.yy = fma_real(share, excess, t.yy);
    t.zz = DIMENSIONS == 3 ? fma_real(share, excess, t.zz) : (real)0;
    m.flux = kept_of_flux(&m, &t);
    return m;
}

/* Populations that have these moments, and no others: what is seen of the cell. */
FUNCTION void populations_of_kept(const struct kept_moments *m, real f[POPULATIONS]) {
    const real momentum[3] = {(real)INVERSE_CS2 * m->momentum[0], (real)INVERSE_CS2 * m->momentum[1],
                              (real)INVERSE_CS2 * m->momentum[2]};
    const struct tensor flux = flux_of_kept(m);
    set_to_second_order(m->excess, momentum, &flux, f);
}

/* The moments that collisions ask for; force: as of moments_of. */
FUNCTION struct moments moments_of_kept(const struct kept_moments *kept, bool forced, const real force[3]) {
    struct moments m;
    m.excess = kept->excess;
    m.density = (real)1 + kept->excess;
    const real inverse = (real)1 / inertia_of(m.density);
    for (int axis = 0; axis < 3; axis++) {
        m.momentum[axis] = forced && axis < DIMENSIONS
                               ? fma_real((real)0.5, force[axis], kept->momentum[axis])
                               : kept->momentum[axis];
        m.velocity[axis] = m.momentum[axis] * inverse;
    }
    return m;
}

/* The viscous stress, as viscous_stress_of has it of populations. */
FUNCTION struct tensor viscous_stress_of_kept(const struct kept_moments *kept, const struct moments *m,
                                              bool forced, const real force[3]) {
    const struct tensor flux = momentum_flux(m), all = flux_of_kept(kept);
    struct tensor t = {all.xx - flux.xx, all.yy - flux.yy, all.zz - flux.zz,
                       all.xy - flux.xy, all.xz - flux.xz, all.yz - flux.yz};
    if (forced) {
        const struct tensor work = symmetric_product(m->velocity, force);
        t = tensor_sum((real)1, &work, &t);
    }
    return t;
}

#else

/* Numbers of a cell that a checkpoint has. */
enum { KEPT_NUMBERS = SLOTS };

#endif

#endif
