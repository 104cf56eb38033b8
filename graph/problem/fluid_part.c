/* Stretches of fluid in rows are joined with those that they touch in the row before and in the slice before,
 * by union and find: each thread in some of the slices, and then where those meet. */
#include "graph/problem/fluid_part.h"

#include "codelets/kernels/cells/flag_array.h"
#include "codelets/kernels/cells/layout.h"
#include "graph/base/error.h"
#include "graph/base/parallel.h"
#include "graph/problem/geometry.h"

#include <stdlib.h>
#include <string.h>

/* Slices of which flags are made at once: the rings of few slices would cost as much as they. */
enum { SLAB = 8 };

/* Slices of which one thread makes a part. */
struct strip {
    const struct weir_problem *problem;
    const struct weir_fluid_openings *openings;
    struct weir_flag_array array; /* of a slab's flags */
    uint8_t *flags;
    struct weir_fluid_part part;
    size_t stretches_room, pieces_room;
    int error;
};

static int fail_memory(void) {
    return weir_fail(WEIR_FAILED, "no memory left to look for pieces of fluid");
}

void weir_fluid_openings_find(const struct weir_problem *problem, struct weir_fluid_openings *openings) {
    *openings = (struct weir_fluid_openings){.count = 0};
    for (int wall = 1; wall < problem->wall_count; wall++) {
        const int axis = wall <= WEIR_FACES ? (wall - WEIR_WALL_OF_FACE(0)) / 2 : 0;
        if (!weir_wall_is_open(&problem->walls[wall]) ||
            (wall <= WEIR_FACES &&
             (problem->periodic[axis] || axis >= weir_lattice_dimensions(problem->lattice))))
            continue;
        openings->bit[wall] = UINT64_C(1) << (openings->count < 63 ? openings->count : 63);
        openings->count++;
    }
}

/* ---- pieces ------------------------------------------------------------------------------------------ */

static int64_t find(struct weir_fluid_piece *pieces, int64_t piece) {
    while (pieces[piece].joined != piece)
        piece = pieces[piece].joined = pieces[pieces[piece].joined].joined;
    return piece;
}

static void join(struct weir_fluid_piece *pieces, int64_t one, int64_t other) {
    const int64_t a = find(pieces, one), b = find(pieces, other), low = a < b ? a : b, high = a < b ? b : a;
    if (low == high)
        return;
    pieces[high].joined = low;
    pieces[low].cells += pieces[high].cells;
    pieces[low].openings |= pieces[high].openings;
}

bool weir_row_pair_touch(struct weir_row_pair *rows, int64_t touching[2]) {
    while (rows->at[0] < rows->end[0] && rows->at[1] < rows->end[1]) {
        const struct weir_stretch *a = &rows->lists[0][rows->at[0]], *b = &rows->lists[1][rows->at[1]];
        touching[0] = rows->at[0];
        touching[1] = rows->at[1];
        rows->at[a->end < b->end ? 0 : 1]++;
        if (a->begin < b->end && b->begin < a->end)
            return true;
    }
    return false;
}

/* Joins what touches of two rows of a part. */
static void join_rows(const struct weir_fluid_part *part, int64_t one, int64_t other) {
    struct weir_row_pair rows = {{part->stretches, part->stretches},
                                 {part->first[one], part->first[other]},
                                 {part->first[one + 1], part->first[other + 1]}};
    int64_t touching[2];
    while (weir_row_pair_touch(&rows, touching))
        join(part->pieces, touching[0], touching[1]);
}

/* Of two slices, counted from the part's first. */
static void join_slices(const struct weir_fluid_part *part, int one, int other) {
    for (int row = 0; row < part->rows; row++)
        join_rows(part, (int64_t)one * part->rows + row, (int64_t)other * part->rows + row);
}

/* ---- a thread's slices ------------------------------------------------------------------------------- */

/* Openings across the faces of a cell; flag: its own. */
static uint64_t openings_at(const struct strip *s, const uint8_t *flag) {
    uint64_t openings = 0;
    for (int face = 0; face < 2 * weir_lattice_dimensions(s->problem->lattice); face++) {
        int way[3] = {0, 0, 0};
        way[face / 2] = 2 * (face % 2) - 1;
        const uint8_t beside = flag[weir_flag_distance(&s->array, way)];
        if (!weir_flag_is_fluid(beside))
            openings |= s->openings->bit[beside];
    }
    return openings;
}

/* A list with room for one item more than count; NULL: memory is short, and the list stays. */
static void *grown(void *list, int64_t count, size_t *room, size_t item) {
    if ((size_t)count < *room)
        return list;
    void *longer = realloc(list, (2 * *room + 64) * item);
    *room = longer ? 2 * *room + 64 : *room;
    return longer;
}

static int add_stretch(struct strip *s, int begin, int end, const uint8_t *flags) {
    struct weir_fluid_part *part = &s->part;
    uint64_t openings = 0;
    struct weir_stretch *stretches =
        grown(part->stretches, part->count, &s->stretches_room, sizeof *stretches);
    struct weir_fluid_piece *pieces = grown(part->pieces, part->count, &s->pieces_room, sizeof *pieces);
    part->stretches = stretches ? stretches : part->stretches;
    part->pieces = pieces ? pieces : part->pieces;
    if (!stretches || !pieces)
        return fail_memory();
    for (int x = begin; x < end; x++)
        if (weir_near_open(flags[x]))
            openings |= openings_at(s, flags + x);
    stretches[part->count] = (struct weir_stretch){begin, end};
    pieces[part->count] = (struct weir_fluid_piece){part->count, end - begin, openings};
    part->count++;
    part->fluid += end - begin;
    return 0;
}

static int take_row(struct strip *s, const uint8_t *flags, int64_t row) {
    const int nx = s->problem->cells[0];
    struct weir_fluid_part *part = &s->part;
    part->first[row] = part->count;
    for (int x = 0, begin; x < nx; x++) {
        if (!weir_flag_is_fluid(flags[x]))
            continue;
        for (begin = x; x < nx && weir_flag_is_fluid(flags[x]); x++)
            ;
        WEIR_TRY(add_stretch(s, begin, x, flags));
    }
    part->first[row + 1] = part->count;
    if (s->problem->periodic[0] && part->count > part->first[row] && weir_flag_is_fluid(flags[0]) &&
        weir_flag_is_fluid(flags[nx - 1]))
        join(part->pieces, part->first[row], part->count - 1);
    return 0;
}

/* Slice number `slice` of the part, which stands at layer `layer` of the slab. */
static int take_slice(struct strip *s, int slice, int layer) {
    const struct weir_fluid_part *part = &s->part;
    for (int k = 0; k < part->rows; k++) {
        const int64_t row = (int64_t)slice * part->rows + k;
        const int y = part->axis == 1 ? layer : k, z = part->axis == 1 ? 0 : layer;
        WEIR_TRY(take_row(s, s->flags + weir_flag_place(&s->array, 0, y, z), row));
        if (k > 0)
            join_rows(part, row, row - 1);
        if (slice > 0)
            join_rows(part, row, row - part->rows);
    }
    if (part->axis == 2 && s->problem->periodic[1])
        join_rows(part, (int64_t)slice * part->rows, (int64_t)slice * part->rows + part->rows - 1);
    return 0;
}

static struct weir_box slab_at(const struct strip *s, int slice) {
    const int left = s->part.end - slice, *cells = s->problem->cells;
    struct weir_box slab = {.extent = {cells[0], cells[1], cells[2]}};
    slab.origin[s->part.axis] = slice;
    slab.extent[s->part.axis] = left < SLAB ? left : SLAB;
    return slab;
}

static int take_strip(struct strip *s) {
    for (int slice = s->part.begin; slice < s->part.end; slice += SLAB) {
        const struct weir_box slab = slab_at(s, slice);
        s->array = weir_flag_array(weir_lattice_table((int)s->problem->lattice), slab.extent);
        const int64_t fluid = weir_geometry_flags(s->problem, &slab, s->flags);
        if (fluid < 0)
            return (int)fluid;
        for (int layer = 0; layer < slab.extent[s->part.axis]; layer++)
            WEIR_TRY(take_slice(s, slice - s->part.begin + layer, layer));
    }
    return 0;
}

static void take_strip_at(void *strips, int k) {
    struct strip *s = (struct strip *)strips + k;
    s->error = take_strip(s);
}

/* All strips at once. */
static int take_strips(struct strip *strips, int count) {
    int error = 0;
    weir_parallel(count, count, take_strip_at, strips);
    for (int k = 0; k < count; k++)
        if (strips[k].error < 0)
            error = fail_memory(); /* nothing else can be wrong */
    return error;
}

/* ---- all of a part's strips -------------------------------------------------------------------------- */

static int across(const struct weir_problem *problem) {
    return problem->cells[2] > 1 ? 2 : 1;
}

int weir_fluid_part_cut(const struct weir_problem *problem, int64_t done, int64_t all) {
    const int slices = problem->cells[across(problem)], slabs = (slices + SLAB - 1) / SLAB;
    const int64_t cut = slabs * done / all * SLAB;
    return cut < slices ? (int)cut : slices;
}

static struct weir_fluid_part empty_part(const struct weir_problem *problem, int begin, int end) {
    const int axis = across(problem);
    return (struct weir_fluid_part){
        .axis = axis, .rows = axis == 2 ? problem->cells[1] : 1, .begin = begin, .end = end};
}

static bool make_rows(struct weir_fluid_part *part) {
    part->first = calloc((size_t)(part->end - part->begin) * (size_t)part->rows + 1, sizeof *part->first);
    return part->first;
}

static int prepare(const struct weir_problem *problem, const struct weir_fluid_openings *openings,
                   const struct weir_fluid_part *part, struct strip *strips, int count) {
    const int64_t slabs = (part->end - part->begin + SLAB - 1) / SLAB;
    bool ready = true;
    for (int k = 0; k < count; k++) {
        const int begin = part->begin + (int)(slabs * k / count) * SLAB,
                  end = part->begin + (int)(slabs * (k + 1) / count) * SLAB;
        struct strip *s = &strips[k];
        *s = (struct strip){.problem = problem, .openings = openings};
        s->part = empty_part(problem, begin, end < part->end ? end : part->end);
        s->flags = malloc(
            weir_layout_ringed_cells(weir_lattice_table((int)problem->lattice), slab_at(s, begin).extent));
        ready = make_rows(&s->part) && s->flags && ready;
    }
    return ready ? 0 : fail_memory();
}

/* Appends what a strip has found, and takes it away. */
static void append(struct weir_fluid_part *part, struct weir_fluid_part *strip) {
    const int64_t rows = (int64_t)(strip->end - strip->begin) * strip->rows,
                  from = (int64_t)(strip->begin - part->begin) * part->rows;
    for (int64_t row = 0; row <= rows; row++)
        part->first[from + row] = part->count + strip->first[row];
    for (int64_t k = 0; k < strip->count; k++) {
        struct weir_fluid_piece *piece = &part->pieces[part->count + k];
        *piece = strip->pieces[k];
        piece->joined += part->count;
        part->stretches[part->count + k] = strip->stretches[k];
    }
    part->count += strip->count;
    part->fluid += strip->fluid;
    weir_fluid_part_release(strip);
}

/* Puts what all strips have found into one list, and joins it where they meet. */
static int gather(struct weir_fluid_part *part, struct strip *strips, int count) {
    size_t stretches = 1;
    if (count == 1) {
        *part = strips[0].part;
        strips[0].part = (struct weir_fluid_part){.count = 0};
        return 0;
    }
    for (int k = 0; k < count; k++)
        stretches += (size_t)strips[k].part.count;
    part->stretches = malloc(stretches * sizeof *part->stretches);
    part->pieces = malloc(stretches * sizeof *part->pieces);
    if (!part->stretches || !part->pieces || !make_rows(part))
        return fail_memory();
    for (int k = 0; k < count; k++) {
        const int begin = strips[k].part.begin - part->begin;
        append(part, &strips[k].part);
        if (begin > 0)
            join_slices(part, begin, begin - 1);
    }
    return 0;
}

static int take_part(const struct weir_problem *problem, const struct weir_fluid_openings *openings,
                     struct weir_fluid_part *part, struct strip *strips, int count) {
    WEIR_TRY(prepare(problem, openings, part, strips, count));
    WEIR_TRY(take_strips(strips, count));
    WEIR_TRY(gather(part, strips, count));
    if (part->end - part->begin == problem->cells[part->axis] && problem->periodic[part->axis])
        join_slices(part, 0, part->end - part->begin - 1);
    for (int64_t k = 0; k < part->count; k++) /* what it is joined to comes before it */
        part->pieces[k].joined = part->pieces[part->pieces[k].joined].joined;
    return 0;
}

int weir_fluid_part_find(const struct weir_problem *problem, const struct weir_fluid_openings *openings,
                         int begin, int end, int threads, struct weir_fluid_part *part) {
    const int slabs = (end - begin + SLAB - 1) / SLAB,
              most = slabs < WEIR_PARALLEL_MOST ? slabs : WEIR_PARALLEL_MOST,
              count = threads < 1      ? 1
                      : threads < most ? threads
                                       : most;
    *part = empty_part(problem, begin, end);
    if (slabs == 0)
        return 0;
    struct strip *strips = calloc((size_t)count, sizeof *strips);
    if (!strips)
        return fail_memory();
    const int error = take_part(problem, openings, part, strips, count);
    for (int k = 0; k < count; k++) {
        free(strips[k].flags);
        weir_fluid_part_release(&strips[k].part);
    }
    free(strips);
    return error;
}

void weir_fluid_part_release(struct weir_fluid_part *part) {
    free(part->stretches);
    free(part->first);
    free(part->pieces);
    part->stretches = NULL;
    part->first = NULL;
    part->pieces = NULL;
}
