/* Collision of rows of cells on a CPU, vector by vector: populations are read, collide, and are written. */
#ifndef WEIR_KERNELS_COLLIDE_ROWS_H
#define WEIR_KERNELS_COLLIDE_ROWS_H

#include "codelets/kernels/cells/fetch_ahead.h"
#include "codelets/kernels/cells/kept_cells.h"
#include "codelets/kernels/cells/vectors.h"
#include "codelets/kernels/collision/collision.h"
#if WITH_PHASES
#include "codelets/kernels/collision/cohesion_rows.h"
#endif

FUNCTION void collide_vector(struct vector *v, bool forced, const struct relaxation *r) {
    IVDEP
    for (int k = 0; k < VECTOR_CELLS; k++) {
        real f[POPULATIONS];
#define WEIR_DIRECTION(i, ...) f[i] = v->rows[i][k];
        WEIR_DIRECTION(0)
        FOR_DIRECTIONS
        FOR_COHESION
#undef WEIR_DIRECTION
        collide(f, forced, r);
#define WEIR_DIRECTION(i, ...) v->rows[i][k] = f[i];
        WEIR_DIRECTION(0)
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
    }
}

/* With and without force, each compiled on its own. */
static void collide_one(struct vector *v, bool forced, const struct relaxation *r) {
    if (forced)
        collide_vector(v, true, r);
    else
        collide_vector(v, false, r);
}

#if BY_ROWS || BY_ROUTES || BY_VECTORS

struct potential_rows; /* of fluids with phases: around the row; else NULL */

#if !WITH_PHASES
FUNCTION void add_plain_cohesion(const struct potential_rows *around, const struct body_force *body, int x,
                                 struct vector *v) {
    (void)around, (void)body, (void)x, (void)v;
}
#endif

static void load_vectors(struct vector *v, const stored *const in[POPULATIONS], int x) {
    for (int i = 0; i < SLOTS; i++)
        load_vector(v->rows[i], in[i] + x);
}

static void store_vectors(const struct vector *v, stored *const out[POPULATIONS], int x) {
    for (int i = 0; i < SLOTS; i++)
        store_vector(out[i] + x, v->rows[i]);
}

/* The step of cells begin .. end - 1, whole vectors, whose populations arrive in and leave by rows. */
static inline void collide_across(const stored *const in[POPULATIONS], stored *const out[POPULATIONS],
                                  const struct potential_rows *around, int begin, int end, bool forced,
                                  const struct relaxation *r) {
    const struct body_force body = body_force_of(r);
    for (int x = begin; x < end; x += VECTOR_CELLS) {
        struct vector v;
        fetch_ahead(in, x);
        load_vectors(&v, in, x);
        add_plain_cohesion(around, &body, x, &v);
        collide_one(&v, forced, r);
        store_vectors(&v, out, x);
    }
}

#if !STORED_IN_HALF

/* The same where what leaves along a direction is written where its opposite was read: nearly all cells go
 * this way. Every row is read and written by one cell only (addressing.h), so any order of cells will do: the
 * compiler may take many at once. */
FUNCTION void collide_rows(const stored *const rows[POPULATIONS], const struct potential_rows *around,
                           int begin, int end, bool forced, const struct relaxation *relaxation) {
    const struct relaxation r = *relaxation;
    const struct body_force body = body_force_of(&r);
#define WEIR_DIRECTION(i, ...) stored *const row_##i = (stored *)rows[i];
    WEIR_DIRECTION(0)
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
    for (int x = begin; x < end; x += VECTOR_CELLS) {
        struct vector forces; /* on these cells, where the force on populations is looked for */
        fetch_ahead(rows, x);
        add_plain_cohesion(around, &body, x, &forces);
        IVDEP
        for (int k = x; k < x + VECTOR_CELLS; k++) {
            real f[POPULATIONS];
#define WEIR_DIRECTION(i, ...) f[i] = row_##i[k];
            WEIR_DIRECTION(0)
            FOR_DIRECTIONS
#undef WEIR_DIRECTION
#define WEIR_DIRECTION(i, ...) f[i] = forces.rows[i][k - x];
            FOR_COHESION
#undef WEIR_DIRECTION
            collide(f, forced, &r);
#define WEIR_DIRECTION(i, o, ...) row_##o[k] = f[i];
            WEIR_DIRECTION(0, 0)
            FOR_CHANGED_DIRECTIONS
#undef WEIR_DIRECTION
        }
    }
}

static void collide_inside(const stored *const in[POPULATIONS], stored *const out[POPULATIONS],
                           const struct potential_rows *around, int begin, int end, bool forced,
                           const struct relaxation *r) {
    (void)out;
    if (forced)
        collide_rows(in, around, begin, end, true, r);
    else
        collide_rows(in, around, begin, end, false, r);
}

#else

/* Halves are turned into reals vector by vector in any case. */
#define collide_inside collide_across

#endif

/* The same of some cells from x on, VECTOR_CELLS at most. */
static __attribute__((noinline, unused)) void collide_some_inside(const stored *const rows[POPULATIONS],
                                                                  int x, lanes some, bool forced,
                                                                  const struct relaxation *r) {
    struct vector v;
    for (int i = 0; i < SLOTS; i++)
        unpack_lanes(v.rows[i], pack_lanes(rows[i] + x, some));
    fetch_ahead(rows, x);
    collide_one(&v, forced, r);
    store_lanes((stored *)rows[0] + x, v.rows[0], some);
#define WEIR_DIRECTION(i, o, ...) store_lanes((stored *)rows[o] + x, v.rows[i], some);
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
}

#endif

#endif
