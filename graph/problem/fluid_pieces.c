/* Stretches of fluid in rows are joined with those that they touch in the row before and in the slice before,
 * by union and find: each thread in a part of the slices, and then the parts at their seams. */
#include "graph/problem/fluid_pieces.h"

#include "codelets/kernels/cells/flag_array.h"
#include "codelets/kernels/cells/layout.h"
#include "graph/base/error.h"
#include "graph/problem/geometry.h"
#include "graph/problem/region.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Slices of which flags are made at once: the rings of few slices would cost as much as they. */
enum { SLAB = 8, THREADS_MAX = 256 };

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
    uint64_t openings; /* that it touches, by their bits */
};

struct pieces {
    struct piece *list;
    int64_t count;
    size_t room;
};

/* A stretch of a pocket: cells begin..end - 1 of row z * ny + y. */
struct hole {
    int64_t row;
    int begin, end;
};

struct holes {
    struct hole *list;
    size_t count, room;
};

/* Slices begin..end - 1, which one thread looks at. Pieces are numbered as their stretches are found, the
 * same in every pass. */
struct part {
    const struct weir_problem *problem;
    const uint64_t *opening; /* [wall]: its bit, 0: it is none */
    int begin, end;
    struct weir_flag_array array; /* of a slab's flags */
    uint8_t *flags;
    struct slice first, before, here; /* before: in the end the last */
    struct pieces pieces;
    int64_t fluid;
    const struct pieces *all; /* of all parts, for the second pass: NULL in the first */
    const bool *is_pocket;    /* [all->count] */
    int64_t offset, next;     /* number of this part's first piece among all; of the next stretch */
    struct holes holes;
    int error;
};

static int fail_memory(void) {
    return weir_fail(WEIR_FAILED, "no memory left to look for pieces of fluid");
}

static int64_t find(const struct pieces *pieces, int64_t piece) {
    struct piece *list = pieces->list;
    while (list[piece].joined != piece)
        piece = list[piece].joined = list[list[piece].joined].joined;
    return piece;
}

static void join(const struct pieces *pieces, int64_t one, int64_t other) {
    const int64_t a = find(pieces, one), b = find(pieces, other), low = a < b ? a : b, high = a < b ? b : a;
    if (low == high)
        return;
    pieces->list[high].joined = low;
    pieces->list[low].cells += pieces->list[high].cells;
    pieces->list[low].openings |= pieces->list[high].openings;
}

/* Joins what touches of row y of one slice and of row other_y of another, whose pieces are numbered from
 * other_offset on. */
static void join_row(const struct pieces *pieces, const struct slice *one, int y, int64_t offset,
                     const struct slice *other, int other_y, int64_t other_offset) {
    if (!one->list || !other->list) /* no cell of it is fluid */
        return;
    const struct stretch *a = one->list + one->first[y], *a_end = one->list + one->first[y + 1],
                         *b = other->list + other->first[other_y],
                         *b_end = other->list + other->first[other_y + 1];
    while (a < a_end && b < b_end) {
        if (a->begin < b->end && b->begin < a->end)
            join(pieces, offset + a->piece, other_offset + b->piece);
        if (a->end < b->end)
            a++;
        else
            b++;
    }
}

/* Openings across the faces of a cell; flag: its own. */
static uint64_t openings_at(const struct part *p, const uint8_t *flag) {
    uint64_t openings = 0;
    for (int face = 0; face < 2 * weir_lattice_dimensions(p->problem->lattice); face++) {
        int way[3] = {0, 0, 0};
        way[face / 2] = 2 * (face % 2) - 1;
        const uint8_t beside = flag[weir_flag_distance(&p->array, way)];
        if (!weir_flag_is_fluid(beside))
            openings |= p->opening[beside];
    }
    return openings;
}

/* A list with room for one item more than count; NULL: memory is short, and the list stays. */
static void *grown(void *list, size_t count, size_t *room, size_t item) {
    if (count < *room)
        return list;
    void *longer = realloc(list, (2 * *room + 64) * item);
    *room = longer ? 2 * *room + 64 : *room;
    return longer;
}

static int add_piece(struct part *p, int begin, int end, const uint8_t *flags) {
    struct slice *here = &p->here;
    uint64_t openings = 0;
    struct stretch *stretches = grown(here->list, here->count, &here->room, sizeof *stretches);
    struct piece *pieces = grown(p->pieces.list, (size_t)p->pieces.count, &p->pieces.room, sizeof *pieces);
    here->list = stretches ? stretches : here->list;
    p->pieces.list = pieces ? pieces : p->pieces.list;
    if (!stretches || !pieces)
        return fail_memory();
    for (int x = begin; x < end; x++)
        if (flags[x] == WEIR_NEAR_OPEN)
            openings |= openings_at(p, flags + x);
    stretches[here->count++] = (struct stretch){begin, end, p->pieces.count};
    pieces[p->pieces.count] = (struct piece){p->pieces.count, end - begin, openings};
    p->pieces.count++;
    p->fluid += end - begin;
    return 0;
}

/* Notes a stretch of a pocket, in the second pass. */
static int add_hole(struct part *p, int begin, int end, int y, int z) {
    if (!p->is_pocket[p->all->list[p->offset + p->next++].joined])
        return 0;
    struct hole *list = grown(p->holes.list, p->holes.count, &p->holes.room, sizeof *list);
    if (!list)
        return fail_memory();
    p->holes.list = list;
    p->holes.list[p->holes.count++] = (struct hole){(int64_t)z * p->problem->cells[1] + y, begin, end};
    return 0;
}

static int take_row(struct part *p, const uint8_t *flags, int y, int z) {
    const int nx = p->problem->cells[0];
    const size_t first = p->here.count;
    p->here.first[y] = first;
    for (int x = 0, begin; x < nx; x++) {
        if (!weir_flag_is_fluid(flags[x]))
            continue;
        for (begin = x; x < nx && weir_flag_is_fluid(flags[x]); x++)
            ;
        WEIR_TRY(p->all ? add_hole(p, begin, x, y, z) : add_piece(p, begin, x, flags));
    }
    p->here.first[y + 1] = p->here.count;
    if (p->problem->periodic[0] && p->here.count > first && weir_flag_is_fluid(flags[0]) &&
        weir_flag_is_fluid(flags[nx - 1]))
        join(&p->pieces, p->here.list[first].piece, p->here.list[p->here.count - 1].piece);
    return 0;
}

/* Slice z, whose flags stand at layer z - from of the slab. */
static int take_slice(struct part *p, int z, int from) {
    const int ny = p->problem->cells[1];
    p->here.count = 0;
    for (int y = 0; y < ny; y++) {
        WEIR_TRY(take_row(p, p->flags + weir_flag_place(&p->array, 0, y, z - from), y, z));
        if (y > 0)
            join_row(&p->pieces, &p->here, y, 0, &p->here, y - 1, 0);
        if (z > p->begin)
            join_row(&p->pieces, &p->here, y, 0, &p->before, y, 0);
    }
    if (p->problem->periodic[1])
        join_row(&p->pieces, &p->here, 0, 0, &p->here, ny - 1, 0);
    return 0;
}

static void swap(struct slice *one, struct slice *other) {
    const struct slice kept = *one;
    *one = *other;
    *other = kept;
}

/* The first slice of a part is kept, and is the one before the next. */
static int keep_first(struct part *p) {
    swap(&p->here, &p->first);
    p->before.room = p->before.count = p->first.count;
    p->before.list = malloc((p->first.count + 1) * sizeof *p->before.list);
    if (!p->before.list)
        return fail_memory();
    if (p->first.count > 0)
        memcpy(p->before.list, p->first.list, p->first.count * sizeof *p->before.list);
    memcpy(p->before.first, p->first.first, ((size_t)p->problem->cells[1] + 1) * sizeof *p->before.first);
    return 0;
}

static int take_part(struct part *p) {
    const int *cells = p->problem->cells;
    for (int z = p->begin, from = z; z < p->end; z++) {
        if ((z - p->begin) % SLAB == 0) {
            const int left = p->end - z;
            const struct weir_box slab = {{0, 0, z}, {cells[0], cells[1], left < SLAB ? left : SLAB}};
            const int64_t fluid = weir_geometry_flags(p->problem, &slab, p->flags);
            from = z;
            if (fluid < 0)
                return (int)fluid;
        }
        WEIR_TRY(take_slice(p, z, from));
        if (p->all)
            continue;
        if (z == p->begin)
            WEIR_TRY(keep_first(p));
        else
            swap(&p->here, &p->before);
    }
    return 0;
}

static void *take_part_by_thread(void *argument) {
    struct part *p = argument;
    p->error = take_part(p);
    return NULL;
}

/* All parts at once, the first by the caller. Threads that do not start are no error: the caller does their
 * work. */
static int take_parts(struct part *parts, int count) {
    pthread_t thread[THREADS_MAX];
    bool started[THREADS_MAX] = {false};
    int error = 0;
    for (int k = 1; k < count; k++)
        started[k] = pthread_create(&thread[k], NULL, take_part_by_thread, &parts[k]) == 0;
    for (int k = 0; k < count; k++)
        if (!started[k])
            take_part_by_thread(&parts[k]);
    for (int k = 0; k < count; k++) {
        if (started[k])
            pthread_join(thread[k], NULL);
        if (parts[k].error < 0)
            error = fail_memory(); /* nothing else can be wrong */
    }
    return error;
}

/* ---- all parts --------------------------------------------------------------------------------------- */

struct search {
    const struct weir_problem *problem;
    uint64_t opening[WEIR_WALLS_MAX];
    int openings;
    struct part *parts;
    int count;
    struct pieces pieces; /* of all parts, which then have none of their own */
};

static void number_openings(struct search *s) {
    for (int wall = 1; wall < s->problem->wall_count; wall++) {
        const int axis = wall <= WEIR_FACES ? (wall - WEIR_WALL_OF_FACE(0)) / 2 : 0;
        if (!weir_wall_is_open(&s->problem->walls[wall]) ||
            (wall <= WEIR_FACES &&
             (s->problem->periodic[axis] || axis >= weir_lattice_dimensions(s->problem->lattice))))
            continue;
        s->opening[wall] = UINT64_C(1) << (s->openings < 63 ? s->openings : 63);
        s->openings++;
    }
}

static int prepare(struct search *s, int threads) {
    const int *cells = s->problem->cells;
    const struct weir_lattice_table *lattice = weir_lattice_table((int)s->problem->lattice);
    const int slabs = (cells[2] + SLAB - 1) / SLAB, most = slabs < THREADS_MAX ? slabs : THREADS_MAX;
    const int slab[3] = {cells[0], cells[1], cells[2] < SLAB ? cells[2] : SLAB};
    bool ready = true;
    number_openings(s);
    s->count = threads < 1 ? 1 : threads < most ? threads : most;
    s->parts = calloc((size_t)s->count, sizeof *s->parts);
    if (!s->parts)
        return fail_memory();
    for (int k = 0; k < s->count; k++) {
        struct part *p = &s->parts[k];
        struct slice *const slices[] = {&p->first, &p->before, &p->here};
        p->problem = s->problem;
        p->opening = s->opening;
        p->begin = (int)((int64_t)slabs * k / s->count) * SLAB;
        p->end = (int)((int64_t)slabs * (k + 1) / s->count) * SLAB;
        p->end = p->end < cells[2] ? p->end : cells[2];
        p->array = weir_flag_array(lattice, slab);
        p->flags = malloc(weir_layout_ringed_cells(lattice, slab));
        ready = p->flags && ready;
        for (int n = 0; n < 3; n++) {
            slices[n]->first = calloc((size_t)cells[1] + 1, sizeof *slices[n]->first);
            ready = slices[n]->first && ready;
        }
    }
    return ready ? 0 : fail_memory();
}

/* The last slice of a part. */
static const struct slice *last_of(const struct part *p) {
    return p->end - p->begin > 1 ? &p->before : &p->first;
}

/* Joins pieces across the seams of parts, and of the domain where it is periodic. */
static void join_parts(struct search *s) {
    const int ny = s->problem->cells[1];
    for (int k = 0; k < s->count; k++) {
        const struct part *one = &s->parts[k], *next = &s->parts[(k + 1) % s->count];
        if (k + 1 == s->count && !s->problem->periodic[2])
            return;
        for (int y = 0; y < ny; y++)
            join_row(&s->pieces, last_of(one), y, one->offset, &next->first, y, next->offset);
    }
}

/* Puts the pieces of all parts into one list, and takes theirs away. */
static int gather(struct search *s) {
    for (int k = 0; k < s->count; k++) {
        s->parts[k].offset = s->pieces.count;
        s->pieces.count += s->parts[k].pieces.count;
    }
    if (s->count == 1) {
        s->pieces = s->parts[0].pieces;
        s->parts[0].pieces = (struct pieces){.count = 0};
        return 0;
    }
    s->pieces.list = malloc(((size_t)s->pieces.count + 1) * sizeof *s->pieces.list);
    if (!s->pieces.list)
        return fail_memory();
    for (int k = 0; k < s->count; k++) {
        struct part *p = &s->parts[k];
        for (int64_t n = 0; n < p->pieces.count; n++) {
            struct piece *piece = &s->pieces.list[p->offset + n];
            *piece = p->pieces.list[n];
            piece->joined += p->offset;
        }
        free(p->pieces.list);
        p->pieces = (struct pieces){.count = 0};
    }
    return 0;
}

static bool is_first(const struct search *s, int64_t piece) {
    return s->pieces.list[piece].joined == piece;
}

static int64_t largest_of(const struct search *s) {
    int64_t largest = 0;
    for (int64_t k = 0; k < s->pieces.count; k++)
        if (is_first(s, k) && s->pieces.list[k].cells > s->pieces.list[largest].cells)
            largest = k;
    return largest;
}

static void judge(const struct search *s, struct weir_fluid_pieces *result) {
    const int64_t largest = largest_of(s);
    uint64_t connected = 0; /* openings from which fluid leads to another */
    *result = (struct weir_fluid_pieces){.openings = s->openings};
    for (int k = 0; k < s->count; k++)
        result->fluid += s->parts[k].fluid;
    for (int64_t k = 0; k < s->pieces.count; k++) {
        const struct piece *piece = &s->pieces.list[k];
        if (!is_first(s, k))
            continue;
        result->pieces++;
        if (piece->openings & (piece->openings - 1))
            connected |= piece->openings;
        if (k == largest || piece->openings)
            continue;
        result->pockets++;
        result->pocket_cells += piece->cells;
    }
    result->leads_through = connected != 0;
    for (int wall = 1; wall < s->problem->wall_count && s->openings > 1; wall++)
        if (s->opening[wall] && !(s->opening[wall] & connected)) {
            result->dead_end = result->dead_ends == 0 ? wall : result->dead_end;
            result->dead_ends++;
        }
}

static int look(struct search *s, int threads, struct weir_fluid_pieces *pieces) {
    WEIR_TRY(prepare(s, threads));
    WEIR_TRY(take_parts(s->parts, s->count));
    WEIR_TRY(gather(s));
    join_parts(s);
    judge(s, pieces);
    return 0;
}

static void clear(struct search *s) {
    for (int k = 0; k < s->count && s->parts; k++) {
        struct part *p = &s->parts[k];
        struct slice *const slices[] = {&p->first, &p->before, &p->here};
        for (int n = 0; n < 3; n++) {
            free(slices[n]->list);
            free(slices[n]->first);
        }
        free(p->pieces.list);
        free(p->holes.list);
        free(p->flags);
    }
    free(s->parts);
    free(s->pieces.list);
}

int weir_fluid_pieces_find(const struct weir_problem *problem, int threads,
                           struct weir_fluid_pieces *pieces) {
    struct search s = {.problem = problem};
    const int error = look(&s, threads, pieces);
    clear(&s);
    return error;
}

/* ---- pockets ----------------------------------------------------------------------------------------- */

struct pockets_region {
    struct weir_region region;
    int rows; /* of a slice */
    size_t count;
    struct hole holes[]; /* in rising order of rows, and of cells in them */
};

/* The last hole that begins at or before the cell decides. */
static bool contains(const struct weir_region *region, const double point[3]) {
    const struct pockets_region *own = (const struct pockets_region *)region;
    const int x = (int)point[0];
    const int64_t row = (int64_t)point[2] * own->rows + (int64_t)point[1];
    size_t low = 0, high = own->count;
    for (int axis = 0; axis < 3; axis++)
        if (point[axis] < region->low[axis] || point[axis] > region->high[axis])
            return false;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        const struct hole *hole = &own->holes[middle];
        if (hole->row < row || (hole->row == row && hole->begin <= x))
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && own->holes[low - 1].row == row && x < own->holes[low - 1].end;
}

static void destroy(struct weir_region *region) {
    free(region);
}

static int make_region(const struct search *s, struct weir_region **region) {
    size_t count = 0;
    for (int k = 0; k < s->count; k++)
        count += s->parts[k].holes.count;
    struct pockets_region *own = malloc(sizeof *own + count * sizeof *own->holes);
    if (!own)
        return fail_memory();
    *own = (struct pockets_region){.region = {.contains = contains, .destroy = destroy},
                                   .rows = s->problem->cells[1]};
    for (int axis = 0; axis < 3; axis++)
        own->region.low[axis] = s->problem->cells[axis];
    for (int k = 0; k < s->count; k++)
        for (size_t n = 0; n < s->parts[k].holes.count; n++) {
            const struct hole *hole = &s->parts[k].holes.list[n];
            const int low[3] = {hole->begin, (int)(hole->row % own->rows), (int)(hole->row / own->rows)},
                      high[3] = {hole->end, low[1] + 1, low[2] + 1};
            for (int axis = 0; axis < 3; axis++) {
                own->region.low[axis] = low[axis] < own->region.low[axis] ? low[axis] : own->region.low[axis];
                own->region.high[axis] =
                    high[axis] > own->region.high[axis] ? high[axis] : own->region.high[axis];
            }
            own->holes[own->count++] = *hole;
        }
    *region = &own->region;
    return 0;
}

/* Goes through all stretches again. */
static int find_holes(struct search *s) {
    const int64_t largest = largest_of(s);
    bool *is_pocket = malloc((size_t)s->pieces.count + 1);
    if (!is_pocket)
        return fail_memory();
    for (int64_t k = 0; k < s->pieces.count; k++) {
        is_pocket[k] = is_first(s, k) && k != largest && !s->pieces.list[k].openings;
        s->pieces.list[k].joined = find(&s->pieces, k); /* the first itself, for all threads to read */
    }
    for (int k = 0; k < s->count; k++) {
        s->parts[k].all = &s->pieces;
        s->parts[k].is_pocket = is_pocket;
    }
    const int error = take_parts(s->parts, s->count);
    free(is_pocket);
    return error;
}

int weir_fluid_pieces_pockets(const struct weir_problem *problem, int threads, struct weir_region **region,
                              struct weir_fluid_pieces *pieces) {
    struct search s = {.problem = problem};
    int error = look(&s, threads, pieces);
    *region = NULL;
    if (error == 0 && pieces->pockets > 0)
        error = find_holes(&s);
    if (error == 0 && pieces->pockets > 0)
        error = make_region(&s, region);
    clear(&s);
    return error;
}
