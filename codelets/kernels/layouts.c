/* Propagation and collision of a domain in other memory layouts than those of runs, on a CPU, for weir bench
 * layouts: from one copy of all populations to another. WEIR_PAST_CACHES (0, 1): whether what is written goes
 * past the caches, so that it is not read before. */
#include "codelets/kernels/layouts.h"
#include "codelets/kernels/kernels.h"

#if WEIR_PAST_CACHES
#include <immintrin.h>
#endif

/* Cells of which one population fills 64 bytes: the widest vector, and what caches read and write. */
enum { LINE_CELLS = 64 / sizeof(stored) };

/* A row is taken in groups of cells, which are computed at once: a line's, or those of a cluster that has
 * fewer where populations lie together. Arrays have no gaps between the clusters of a row, so that groups
 * follow each other; where populations lie together a cluster has PARTS groups. Of single cells that do (AoS)
 * the numbers of one population are apart. */
enum { LINES = WEIR_CLUSTER / (int)LINE_CELLS };
enum { PARTS = WEIR_TOGETHER && LINES > 1 ? (int)LINES : 1 };
enum { GROUP = WEIR_TOGETHER && WEIR_CLUSTER > 1 ? WEIR_CLUSTER / (int)PARTS : (int)LINE_CELLS };
enum { GROUP_STEP = (int)PARTS * (int)GROUP * (WEIR_TOGETHER ? (int)(POPULATIONS) : 1) };
enum { CELL_STEP = WEIR_TOGETHER && WEIR_CLUSTER == 1 ? (int)(POPULATIONS) : 1 };

/* Walks over the first numbers of the groups of a row, of one population. */
#define FOR_GROUPS(x, l)                                                                      \
    for (ptrdiff_t at_ = 0; at_ < (ptrdiff_t)(l)->clusters * CLUSTER_STEP; at_ += GROUP_STEP) \
        for (ptrdiff_t x = at_; x < at_ + (int)PARTS * (int)GROUP; x += GROUP)

/* Where population i of the row's first cell lies, and whence it comes. */
FUNCTION stored *place_in(const struct weir_site_layout *l, stored *to, int i, int y, int z) {
    return to + number_of(l, i, 0, y, z);
}
FUNCTION const stored *place_from(const struct weir_site_layout *l, const stored *from, bool moves, int i,
                                  int y, int z, int cx, int cy, int cz) {
    return from + (moves ? number_of(l, i, -cx, y - cy, z - cz) : number_of(l, i, 0, y, z));
}

#if WEIR_PAST_CACHES

/* Whole lines. */
FUNCTION void copy_group(stored *to, const stored *from) {
    for (int k = 0; k < GROUP; k += LINE_CELLS) {
#if defined __AVX512F__
        _mm512_stream_si512((void *)(to + k), _mm512_loadu_si512(from + k));
#elif defined __AVX__
        for (int part = 0; part < LINE_CELLS; part += 32 / (int)sizeof(stored))
            _mm256_stream_si256((void *)(to + k + part),
                                _mm256_loadu_si256((const __m256i *)(const void *)(from + k + part)));
#else
        for (int part = 0; part < LINE_CELLS; part += 16 / (int)sizeof(stored))
            _mm_stream_si128((void *)(to + k + part),
                             _mm_loadu_si128((const __m128i *)(const void *)(from + k + part)));
#endif
    }
}

static void end_of_stores(void) {
    _mm_sfence();
}

#else

FUNCTION void copy_group(stored *to, const stored *from) {
    if (CELL_STEP == 1)
        memcpy(to, from, GROUP * sizeof *to);
    else
        for (int k = 0; k < GROUP; k++)
            to[k * CELL_STEP] = from[k * CELL_STEP];
}

static void end_of_stores(void) {}

#endif

/* What is read later is fetched ahead as in runs (collide_rows.h): so many bytes further along arrays, so
 * many lines of each population further where populations lie together, as in lists. Of single cells that do,
 * the lines of a group are left to the processor. */
enum { BYTES_AHEAD = 512, LINES_AHEAD = 4 };
enum {
    STEPS_AHEAD = (int)PARTS > (int)LINES_AHEAD ? 1 : LINES_AHEAD *(int)LINE_CELLS / ((int)PARTS * (int)GROUP)
};
enum {
    NUMBERS_AHEAD = WEIR_TOGETHER ? (int)STEPS_AHEAD * (int)GROUP_STEP : BYTES_AHEAD / (int)sizeof(stored)
};
FUNCTION void fetch_ahead(const stored *from) {
    if (CELL_STEP == 1)
        __builtin_prefetch(from + NUMBERS_AHEAD);
}

/* A row with its collision; moves: populations come from where they arrive from. */
FUNCTION void collide_row(const struct weir_site_layout *l, bool moves, const struct relaxation *relaxation,
                          const stored *from, stored *to, int y, int z) {
    const struct relaxation r = *relaxation;
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...)                                       \
    const stored *const from_##i = place_from(l, from, moves, i, y, z, cx, cy, cz); \
    stored *const to_##i = place_in(l, to, i, y, z);
    WEIR_DIRECTION(0, 0, 0, 0, 0)
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
    FOR_GROUPS(x, l) {
#if WEIR_PAST_CACHES
        stored left[POPULATIONS][GROUP];
#endif
#define WEIR_DIRECTION(i, ...) fetch_ahead(from_##i + x);
        WEIR_DIRECTION(0)
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
        IVDEP
        for (int k = 0; k < GROUP; k++) {
            real f[POPULATIONS];
#define WEIR_DIRECTION(i, ...) f[i] = real_of(from_##i[x + k * CELL_STEP]);
            WEIR_DIRECTION(0)
            FOR_DIRECTIONS
#undef WEIR_DIRECTION
            collide(f, false, &r);
#if WEIR_PAST_CACHES
#define WEIR_DIRECTION(i, ...) left[i][k] = stored_of(f[i]);
#else
#define WEIR_DIRECTION(i, ...) to_##i[x + k * CELL_STEP] = stored_of(f[i]);
#endif
            WEIR_DIRECTION(0)
            FOR_DIRECTIONS
#undef WEIR_DIRECTION
        }
#if WEIR_PAST_CACHES
#define WEIR_DIRECTION(i, ...) copy_group(to_##i + x, left[i]);
        WEIR_DIRECTION(0)
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
#endif
    }
}

FUNCTION void move_group(const stored *from, stored *to) {
    fetch_ahead(from);
    copy_group(to, from);
}

/* A row without: one array after the other where populations have arrays. */
FUNCTION void propagate_row(const struct weir_site_layout *l, const stored *from, stored *to, int y, int z) {
#if WEIR_TOGETHER
    FOR_GROUPS(x, l) {
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...) \
    move_group(place_from(l, from, true, i, y, z, cx, cy, cz) + x, place_in(l, to, i, y, z) + x);
        WEIR_DIRECTION(0, 0, 0, 0, 0)
        FOR_DIRECTIONS
#undef WEIR_DIRECTION
    }
#else
#define WEIR_DIRECTION(i, o, cx, cy, cz, ...)                                        \
    {                                                                                \
        const stored *const source = place_from(l, from, true, i, y, z, cx, cy, cz); \
        stored *const target = place_in(l, to, i, y, z);                             \
        FOR_GROUPS(x, l) move_group(source + x, target + x);                         \
    }
    WEIR_DIRECTION(0, 0, 0, 0, 0)
    FOR_DIRECTIONS
#undef WEIR_DIRECTION
#endif
}

/* An operation on rows; `row` is a statement on y and z. */
#define ON_ROWS(row)                                   \
    const int ny = layout->cells[1];                   \
    for (int number = begin; number < end; number++) { \
        const int y = number % ny, z = number / ny;    \
        row;                                           \
    }                                                  \
    end_of_stores()

weir_layout_step_cpu WEIR_NAME(layout_propagate), WEIR_NAME(layout_collide), WEIR_NAME(layout_fused);

void WEIR_NAME(layout_propagate)(const struct weir_site_layout *layout, const struct weir_fluid *fluid,
                                 const void *from, void *to, int begin, int end) {
    (void)fluid;
    ON_ROWS(propagate_row(layout, from, to, y, z));
}

void WEIR_NAME(layout_collide)(const struct weir_site_layout *layout, const struct weir_fluid *fluid,
                               const void *from, void *to, int begin, int end) {
    const struct relaxation r = relaxation_of(fluid);
    ON_ROWS(collide_row(layout, false, &r, from, to, y, z));
}

void WEIR_NAME(layout_fused)(const struct weir_site_layout *layout, const struct weir_fluid *fluid,
                             const void *from, void *to, int begin, int end) {
    const struct relaxation r = relaxation_of(fluid);
    ON_ROWS(collide_row(layout, true, &r, from, to, y, z));
}
