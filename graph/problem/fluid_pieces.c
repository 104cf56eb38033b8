/* Stretches of fluid in rows are joined with those that they touch in the row before and in the slice before,
 * by union and find. */
#include "graph/problem/fluid_pieces.h"

#include "codelets/kernels/cells/block_view.h"
#include "graph/base/error.h"
#include "graph/problem/geometry.h"

#include <stdlib.h>
#include <string.h>

/* Slices of which flags are made at once: the rings of few slices would cost as much as they. */
enum { SLAB = 8 };

/* Cells begin..end - 1 of a row. */
struct stretch {
    int begin, end;
    int64_t piece;
};

/* The stretches of a slice, row by row. */
struct slice {
    struct stretch *list;
    size_t count, room, *first; /* of each row, and past the last */
};

/* What is known of a piece; of joined ones at the first alone. */
struct piece {
    int64_t joined; /* to this one; its own number: it is the first */
    int64_t cells;
    unsigned faces; /* open ones that it touches: bits 1u << face */
};

struct search {
    const struct weir_problem *problem;
    unsigned open; /* faces: bits 1u << face */
    struct piece *pieces;
    int64_t count, room;
    struct slice first, before, here;
    uint8_t *flags; /* of a slab */
    int ring[3];
    int64_t fluid;
};

static int fail_memory(void) {
    return weir_fail(WEIR_FAILED, "no memory left to look for pieces of fluid");
}

static int64_t find(struct search *s, int64_t piece) {
    while (s->pieces[piece].joined != piece)
        piece = s->pieces[piece].joined = s->pieces[s->pieces[piece].joined].joined;
    return piece;
}

static void join(struct search *s, int64_t one, int64_t other) {
    const int64_t a = find(s, one), b = find(s, other), low = a < b ? a : b, high = a < b ? b : a;
    if (low == high)
        return;
    s->pieces[high].joined = low;
    s->pieces[low].cells += s->pieces[high].cells;
    s->pieces[low].faces |= s->pieces[high].faces;
}

/* Joins what touches of two rows. */
static void join_rows(struct search *s, const struct stretch *a, const struct stretch *a_end,
                      const struct stretch *b, const struct stretch *b_end) {
    while (a < a_end && b < b_end) {
        if (a->begin < b->end && b->begin < a->end)
            join(s, a->piece, b->piece);
        if (a->end < b->end)
            a++;
        else
            b++;
    }
}

static void join_row(struct search *s, const struct slice *one, int y, const struct slice *other,
                     int other_y) {
    join_rows(s, one->list + one->first[y], one->list + one->first[y + 1],
              other->list + other->first[other_y], other->list + other->first[other_y + 1]);
}

/* Open faces that a stretch touches. */
static unsigned faces_of(const struct search *s, int begin, int end, int y, int z) {
    const int *cells = s->problem->cells;
    unsigned faces = 0;
    faces |= (unsigned)(begin == 0) << 0 | (unsigned)(end == cells[0]) << 1;
    faces |= (unsigned)(y == 0) << 2 | (unsigned)(y == cells[1] - 1) << 3;
    faces |= (unsigned)(z == 0) << 4 | (unsigned)(z == cells[2] - 1) << 5;
    return faces & s->open;
}

static int add(struct search *s, int begin, int end, int y, int z) {
    struct slice *here = &s->here;
    if (here->count == here->room) {
        here->room = 2 * here->room + 64;
        struct stretch *list = realloc(here->list, here->room * sizeof *list);
        if (!list)
            return fail_memory();
        here->list = list;
    }
    if (s->count == s->room) {
        s->room = 2 * s->room + 64;
        struct piece *pieces = realloc(s->pieces, (size_t)s->room * sizeof *pieces);
        if (!pieces)
            return fail_memory();
        s->pieces = pieces;
    }
    here->list[here->count++] = (struct stretch){begin, end, s->count};
    s->pieces[s->count] = (struct piece){s->count, end - begin, faces_of(s, begin, end, y, z)};
    s->count++;
    s->fluid += end - begin;
    return 0;
}

static bool is_fluid(uint8_t flag) {
    return flag == WEIR_FLUID || flag >= WEIR_NEAR_WALL;
}

static int take_row(struct search *s, const uint8_t *flags, int y, int z) {
    const int nx = s->problem->cells[0];
    const size_t first = s->here.count;
    s->here.first[y] = first;
    for (int x = 0, begin; x < nx; x++) {
        if (!is_fluid(flags[x]))
            continue;
        for (begin = x; x < nx && is_fluid(flags[x]); x++)
            ;
        WEIR_TRY(add(s, begin, x, y, z));
    }
    s->here.first[y + 1] = s->here.count;
    if (s->problem->periodic[0] && s->here.count > first && is_fluid(flags[0]) && is_fluid(flags[nx - 1]))
        join(s, s->here.list[first].piece, s->here.list[s->here.count - 1].piece);
    return 0;
}

/* Slice z, whose flags stand at layer z - from of the slab. */
static int take_slice(struct search *s, int z, int from) {
    const int *cells = s->problem->cells, ny = cells[1];
    const size_t row = (size_t)(cells[0] + 2 * s->ring[0]), rows = (size_t)(ny + 2 * s->ring[1]);
    s->here.count = 0;
    for (int y = 0; y < ny; y++) {
        const size_t place = ((size_t)(z - from + s->ring[2]) * rows + (size_t)(y + s->ring[1])) * row;
        WEIR_TRY(take_row(s, s->flags + place + s->ring[0], y, z));
        if (y > 0)
            join_row(s, &s->here, y, &s->here, y - 1);
        if (z > 0)
            join_row(s, &s->here, y, &s->before, y);
    }
    if (s->problem->periodic[1])
        join_row(s, &s->here, 0, &s->here, ny - 1);
    return 0;
}

static void swap(struct slice *one, struct slice *other) {
    const struct slice kept = *one;
    *one = *other;
    *other = kept;
}

static int take_all(struct search *s) {
    const int *cells = s->problem->cells;
    for (int z = 0; z < cells[2]; z++) {
        if (z % SLAB == 0) {
            const int left = cells[2] - z;
            const struct weir_box slab = {{0, 0, z}, {cells[0], cells[1], left < SLAB ? left : SLAB}};
            const int64_t fluid = weir_geometry_flags(s->problem, &slab, s->flags);
            if (fluid < 0)
                return (int)fluid;
        }
        WEIR_TRY(take_slice(s, z, z - z % SLAB));
        if (s->problem->periodic[2] && z == cells[2] - 1)
            for (int y = 0; y < cells[1]; y++)
                join_row(s, &s->here, y, z > 0 ? &s->first : &s->here, y);
        swap(&s->here, z == 0 ? &s->first : &s->before);
        if (z == 0) { /* the first is kept, and is the one before the next */
            s->before.room = s->before.count = s->first.count;
            s->before.list = malloc((s->first.count + 1) * sizeof *s->before.list);
            if (!s->before.list)
                return fail_memory();
            if (s->first.count > 0)
                memcpy(s->before.list, s->first.list, s->first.count * sizeof *s->before.list);
            memcpy(s->before.first, s->first.first, ((size_t)cells[1] + 1) * sizeof *s->before.first);
        }
    }
    return 0;
}

static void judge(struct search *s, struct weir_fluid_pieces *result) {
    int64_t largest = 0;
    *result = (struct weir_fluid_pieces){.fluid = s->fluid, .open_faces = __builtin_popcount(s->open)};
    for (int64_t k = 0; k < s->count; k++)
        if (s->pieces[k].joined == k && s->pieces[k].cells > s->pieces[largest].cells)
            largest = k;
    for (int64_t k = 0; k < s->count; k++) {
        const struct piece *piece = &s->pieces[k];
        if (piece->joined != k)
            continue;
        result->pieces++;
        result->leads_through = result->leads_through || __builtin_popcount(piece->faces) > 1;
        if (k == largest || piece->faces)
            continue;
        result->pockets++;
        result->pocket_cells += piece->cells;
    }
}

static int prepare(struct search *s) {
    const int *cells = s->problem->cells, dimensions = weir_lattice_dimensions(s->problem->lattice);
    const struct weir_lattice_table *lattice = weir_lattice_table((int)s->problem->lattice);
    struct slice *const slices[] = {&s->first, &s->before, &s->here};
    size_t bytes = 1;
    for (int axis = 0; axis < 3; axis++) {
        s->ring[axis] = weir_lattice_ring(lattice, axis);
        bytes *= (size_t)((axis == 2 && cells[2] > SLAB ? SLAB : cells[axis]) + 2 * s->ring[axis]);
    }
    for (int face = 0; face < 2 * dimensions; face++)
        if (!s->problem->periodic[face / 2] && weir_wall_is_open(&s->problem->walls[WEIR_WALL_OF_FACE(face)]))
            s->open |= 1u << face;
    bool ready = (s->flags = malloc(bytes)) != NULL;
    for (int k = 0; k < 3; k++)
        ready = (slices[k]->first = calloc((size_t)cells[1] + 1, sizeof *slices[k]->first)) != NULL && ready;
    return ready ? 0 : fail_memory();
}

int weir_fluid_pieces_find(const struct weir_problem *problem, struct weir_fluid_pieces *pieces) {
    struct search s = {.problem = problem};
    int error = prepare(&s);
    if (error == 0)
        error = take_all(&s);
    if (error == 0)
        judge(&s, pieces);
    struct slice *const slices[] = {&s.first, &s.before, &s.here};
    for (int k = 0; k < 3; k++) {
        free(slices[k]->list);
        free(slices[k]->first);
    }
    free(s.pieces);
    free(s.flags);
    return error;
}
