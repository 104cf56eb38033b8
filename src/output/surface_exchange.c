#include "src/output/surface_exchange.h"

#include "graph/base/error.h"
#include "src/surface/surface_boxes.h"

#include <stdlib.h>
#include <string.h>

enum { EDGE = WEIR_SURFACE_BOX_EDGE };

/* The cells of a box that a rank needs: bit x of row [z][y], a box being as wide as a word. */
typedef uint32_t mask[EDGE][EDGE];
_Static_assert(EDGE == 32, "a row of a box is a word");

/* A cell on its way to another rank. */
struct letter {
    int64_t key;
    struct weir_surface_cell seen;
};

struct weir_surface_exchange {
    const struct weir_problem *problem;
    const struct weir_wall_surface *surface;
    const struct weir_agreeing *who;
    int rank, ranks;
    int64_t boxes;

    struct weir_surface_cell **seen; /* [patch][its cells] */
    int64_t *first_patch;            /* [boxes + 1] */
    int32_t *patches;                /* those that need cells of a box: [first_patch[boxes]] */

    /* What other ranks need, by boxes. */
    mask *masks;
    int64_t *first_need; /* [boxes + 1] */
    struct need {
        int rank;
        int64_t mask;
    } * needs;
    struct letters {
        struct letter *list;
        int64_t count, room;
    } * letters; /* [ranks] */
};

static int out_of_memory(void) {
    return weir_fail(WEIR_FAILED, "no memory left for the surface of bodies");
}

static void cell_of(const struct weir_problem *problem, int64_t key, int cell[3]) {
    for (int axis = 0; axis < 3; axis++) {
        cell[axis] = (int)(axis < 2 ? key % problem->cells[axis] : key);
        key /= problem->cells[axis];
    }
}

static int64_t box_of(const struct weir_problem *problem, int64_t key) {
    int cell[3];
    cell_of(problem, key, cell);
    return weir_surface_box_of(problem, cell);
}

/* Turns counts [k + 1] of so many into where each begins. */
static void add_up(int64_t *first, int64_t count) {
    for (int64_t k = 0; k < count; k++)
        first[k + 1] += first[k];
}

/* Lists the patches of each box. latest[boxes]: room. */
static int list_patches(struct weir_surface_exchange *x, int32_t *latest) {
    const struct weir_wall_surface *surface = x->surface;
    x->first_patch = calloc((size_t)x->boxes + 2, sizeof *x->first_patch);
    if (!x->first_patch)
        return out_of_memory();
    /* Counts first; then where the next one of a box goes, which at last is where the box ends. */
    int64_t *const next = x->first_patch + 1;
    for (int fill = 0; fill < 2; fill++) {
        memset(latest, -1, (size_t)x->boxes * sizeof *latest);
        for (int32_t k = 0; k < surface->count; k++)
            for (int32_t c = 0; c < surface->patches[k]->cell_count; c++) {
                const int64_t box = box_of(x->problem, surface->patches[k]->cells[c]);
                if (latest[box] == k)
                    continue;
                latest[box] = k;
                if (fill)
                    x->patches[next[box]++] = k;
                else
                    next[box + 1]++;
            }
        if (fill)
            break;
        add_up(next, x->boxes);
        x->patches = malloc(((size_t)next[x->boxes] + 1) * sizeof *x->patches);
        if (!x->patches)
            return out_of_memory();
    }
    return 0;
}

/* Which cells this rank needs. own[*count]: the boxes that have some, and masks of these; the caller's. */
static int list_own(const struct weir_surface_exchange *x, int64_t **own, mask **masks, int *count) {
    int32_t *place = malloc((size_t)x->boxes * sizeof *place);
    *count = 0;
    for (int64_t box = 0; box < x->boxes; box++)
        *count += x->first_patch[box + 1] > x->first_patch[box];
    *own = malloc(((size_t)*count + 1) * sizeof **own);
    *masks = calloc((size_t)*count + 1, sizeof **masks);
    if (!place || !*own || !*masks) {
        free(place);
        return out_of_memory();
    }
    *count = 0;
    for (int64_t box = 0; box < x->boxes; box++)
        if (x->first_patch[box + 1] > x->first_patch[box]) {
            place[box] = *count;
            (*own)[(*count)++] = box;
        }
    for (int k = 0; k < x->surface->count; k++)
        for (int32_t c = 0; c < x->surface->patches[k]->cell_count; c++) {
            int cell[3];
            cell_of(x->problem, x->surface->patches[k]->cells[c], cell);
            (*masks)[place[weir_surface_box_of(x->problem, cell)]][cell[2] % EDGE][cell[1] % EDGE] |=
                (uint32_t)1 << cell[0] % EDGE;
        }
    free(place);
    return 0;
}

/* What all ranks need, one after the other, counts[ranks] of each. */
static int sort_needs(struct weir_surface_exchange *x, const int64_t *boxes, const int *counts) {
    int64_t *const next = x->first_need + 1;
    for (int fill = 0; fill < 2; fill++) {
        int64_t k = 0;
        for (int rank = 0; rank < x->ranks; rank++)
            for (int i = 0; i < counts[rank]; i++, k++)
                if (rank != x->rank && fill)
                    x->needs[next[boxes[k]]++] = (struct need){rank, k};
                else if (rank != x->rank)
                    next[boxes[k] + 1]++;
        if (fill)
            break;
        add_up(next, x->boxes);
        x->needs = malloc(((size_t)next[x->boxes] + 1) * sizeof *x->needs);
        if (!x->needs)
            return out_of_memory();
    }
    return 0;
}

/* What is known while needs are told. */
struct telling {
    int64_t *own, *all; /* boxes */
    mask *masks;        /* of one's own */
    int *counts, *begins;
};

static int tell(struct weir_surface_exchange *x, struct telling *t) {
    int count = 0, all = 0;
    t->counts = malloc((size_t)x->ranks * sizeof *t->counts);
    t->begins = malloc((size_t)x->ranks * sizeof *t->begins);
    x->letters = calloc((size_t)x->ranks, sizeof *x->letters);
    x->first_need = calloc((size_t)x->boxes + 2, sizeof *x->first_need);
    int error = t->counts && t->begins && x->letters && x->first_need
                    ? list_own(x, &t->own, &t->masks, &count)
                    : out_of_memory();
    WEIR_TRY(weir_agreement(x->who, error, false));
    MPI_Allgather(&count, 1, MPI_INT, t->counts, 1, MPI_INT, x->who->ranks);
    for (int rank = 0; rank < x->ranks; rank++) {
        t->begins[rank] = all;
        all += t->counts[rank];
    }
    t->all = malloc(((size_t)all + 1) * sizeof *t->all);
    x->masks = malloc(((size_t)all + 1) * sizeof *x->masks);
    WEIR_TRY(weir_agreement(x->who, t->all && x->masks ? 0 : out_of_memory(), false));
    MPI_Datatype type;
    MPI_Type_contiguous(sizeof(mask) / sizeof(uint32_t), MPI_UINT32_T, &type);
    MPI_Type_commit(&type);
    MPI_Allgatherv(t->own, count, MPI_INT64_T, t->all, t->counts, t->begins, MPI_INT64_T, x->who->ranks);
    MPI_Allgatherv(t->masks, count, type, x->masks, t->counts, t->begins, type, x->who->ranks);
    MPI_Type_free(&type);
    return weir_agreement(x->who, sort_needs(x, t->all, t->counts), false);
}

static int tell_needs(struct weir_surface_exchange *x) {
    struct telling t = {.own = NULL};
    weir_agreeing_enter(x->who);
    const int error = tell(x, &t);
    weir_agreeing_leave(x->who);
    free(t.own);
    free(t.all);
    free(t.masks);
    free(t.counts);
    free(t.begins);
    return error;
}

static int prepare(struct weir_surface_exchange *x) {
    x->boxes = weir_surface_box_count(x->problem);
    x->seen = calloc((size_t)x->surface->count + 1, sizeof *x->seen);
    int32_t *latest = malloc((size_t)x->boxes * sizeof *latest);
    int error = x->seen && latest ? list_patches(x, latest) : out_of_memory();
    free(latest);
    for (int k = 0; error == 0 && k < x->surface->count; k++) {
        x->seen[k] = malloc(((size_t)x->surface->patches[k]->cell_count + 1) * sizeof *x->seen[k]);
        if (!x->seen[k])
            error = out_of_memory();
    }
    return error;
}

int weir_surface_exchange_create(const struct weir_problem *problem, const struct weir_wall_surface *surface,
                                 const struct weir_agreeing *who, struct weir_surface_exchange **result) {
    struct weir_surface_exchange *x = calloc(1, sizeof *x);
    int error = 0;
    if (x) {
        *x = (struct weir_surface_exchange){.problem = problem, .surface = surface, .who = who, .ranks = 1};
        error = prepare(x);
    } else {
        error = out_of_memory();
    }
    error = weir_agreement(who, error, false);
    if (error == 0 && who->ranks != MPI_COMM_NULL) {
        MPI_Comm_rank(who->ranks, &x->rank);
        MPI_Comm_size(who->ranks, &x->ranks);
        error = tell_needs(x);
    }
    if (error < 0) {
        weir_surface_exchange_destroy(x);
        return error;
    }
    *result = x;
    return 0;
}

void weir_surface_exchange_destroy(struct weir_surface_exchange *x) {
    if (!x)
        return;
    for (int k = 0; x->seen && k < x->surface->count; k++)
        free(x->seen[k]);
    for (int rank = 0; x->letters && rank < x->ranks; rank++)
        free(x->letters[rank].list);
    free(x->seen);
    free(x->first_patch);
    free(x->patches);
    free(x->masks);
    free(x->first_need);
    free(x->needs);
    free(x->letters);
    free(x);
}

void weir_surface_exchange_begin(struct weir_surface_exchange *x) {
    for (int k = 0; k < x->surface->count; k++)
        memset(x->seen[k], 0, (size_t)x->surface->patches[k]->cell_count * sizeof *x->seen[k]);
    for (int rank = 0; x->letters && rank < x->ranks; rank++)
        x->letters[rank].count = 0;
}

/* The place in a patch's list of the first cell whose number is not less. */
static int32_t find(const struct weir_surface_patch *patch, int64_t key) {
    int32_t low = 0, high = patch->cell_count;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        if (patch->cells[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* What a box of cells is looked at with. */
struct looking {
    void (*look)(void *context, const int cell[3], struct weir_surface_cell *seen);
    void *context;
};

static void put_row(struct weir_surface_exchange *x, int32_t number, const int begin[3], int length,
                    const struct looking *looking) {
    const struct weir_surface_patch *patch = x->surface->patches[number];
    const int64_t key = weir_cell_key(x->problem, begin);
    for (int32_t k = find(patch, key); k < patch->cell_count && patch->cells[k] < key + length; k++) {
        const int cell[3] = {begin[0] + (int)(patch->cells[k] - key), begin[1], begin[2]};
        looking->look(looking->context, cell, &x->seen[number][k]);
    }
}

static int post(struct letters *letters, const struct letter *letter) {
    if (letters->count == letters->room) {
        const int64_t room = 2 * letters->room + 1024;
        struct letter *list = realloc(letters->list, (size_t)room * sizeof *list);
        if (!list)
            return out_of_memory();
        letters->list = list;
        letters->room = room;
    }
    letters->list[letters->count++] = *letter;
    return 0;
}

static int post_row(struct weir_surface_exchange *x, const struct need *need, const int begin[3], int length,
                    const struct looking *looking) {
    const uint32_t row = x->masks[need->mask][begin[2] % EDGE][begin[1] % EDGE];
    for (int k = 0; row && k < length; k++) {
        const int cell[3] = {begin[0] + k, begin[1], begin[2]};
        if (!(row >> cell[0] % EDGE & 1))
            continue;
        struct letter letter = {.key = weir_cell_key(x->problem, cell)};
        looking->look(looking->context, cell, &letter.seen);
        WEIR_TRY(post(&x->letters[need->rank], &letter));
    }
    return 0;
}

/* Of cells that lie in one of the surface's boxes. */
static int put_part(struct weir_surface_exchange *x, int64_t box, const struct weir_box *part,
                    const struct looking *looking) {
    for (int z = 0; z < part->extent[2]; z++)
        for (int y = 0; y < part->extent[1]; y++) {
            const int begin[3] = {part->origin[0], part->origin[1] + y, part->origin[2] + z};
            for (int64_t k = x->first_patch[box]; k < x->first_patch[box + 1]; k++)
                put_row(x, x->patches[k], begin, part->extent[0], looking);
            for (int64_t k = x->first_need ? x->first_need[box] : 0;
                 x->first_need && k < x->first_need[box + 1]; k++)
                WEIR_TRY(post_row(x, &x->needs[k], begin, part->extent[0], looking));
        }
    return 0;
}

int weir_surface_exchange_put(struct weir_surface_exchange *x, const struct weir_box *box,
                              void (*look)(void *context, const int cell[3], struct weir_surface_cell *seen),
                              void *context) {
    const struct looking looking = {look, context};
    int cell[3], end[3];
    for (int axis = 0; axis < 3; axis++)
        end[axis] = box->origin[axis] + box->extent[axis];
    for (cell[2] = box->origin[2] / EDGE * EDGE; cell[2] < end[2]; cell[2] += EDGE)
        for (cell[1] = box->origin[1] / EDGE * EDGE; cell[1] < end[1]; cell[1] += EDGE)
            for (cell[0] = box->origin[0] / EDGE * EDGE; cell[0] < end[0]; cell[0] += EDGE) {
                const int64_t number = weir_surface_box_of(x->problem, cell);
                const struct weir_box whole = weir_surface_box(x->problem, number);
                struct weir_box part;
                if (weir_box_intersect(&whole, box, &part))
                    WEIR_TRY(put_part(x, number, &part, &looking));
            }
    return 0;
}

static void open_letter(struct weir_surface_exchange *x, const struct letter *letter) {
    const int64_t box = box_of(x->problem, letter->key);
    for (int64_t k = x->first_patch[box]; k < x->first_patch[box + 1]; k++) {
        const struct weir_surface_patch *patch = x->surface->patches[x->patches[k]];
        const int32_t place = find(patch, letter->key);
        if (place < patch->cell_count && patch->cells[place] == letter->key)
            x->seen[x->patches[k]][place] = letter->seen;
    }
}

/* Each rank sends to the one that is so many behind it, and hears from the one as many before, so that there
 * is room for the letters of one only. */
static void deliver(struct weir_surface_exchange *x, const int *counts, struct letter *room) {
    MPI_Datatype type;
    MPI_Type_contiguous(sizeof *room, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    for (int distance = 1; distance < x->ranks; distance++) {
        const int to = (x->rank + distance) % x->ranks, from = (x->rank + x->ranks - distance) % x->ranks;
        MPI_Sendrecv(x->letters[to].list, (int)x->letters[to].count, type, to, 0, room, counts[from], type,
                     from, 0, x->who->ranks, MPI_STATUS_IGNORE);
        for (int k = 0; k < counts[from]; k++)
            open_letter(x, &room[k]);
    }
    MPI_Type_free(&type);
}

static int exchange_letters(struct weir_surface_exchange *x, int *sent, int *heard) {
    int most = 0;
    for (int rank = 0; rank < x->ranks; rank++)
        sent[rank] = (int)x->letters[rank].count;
    MPI_Alltoall(sent, 1, MPI_INT, heard, 1, MPI_INT, x->who->ranks);
    for (int rank = 0; rank < x->ranks; rank++)
        most = heard[rank] > most ? heard[rank] : most;
    struct letter *room = malloc(((size_t)most + 1) * sizeof *room);
    const int error = weir_agreement(x->who, room ? 0 : out_of_memory(), false);
    if (error == 0)
        deliver(x, heard, room);
    free(room);
    return error;
}

int weir_surface_exchange_finish(struct weir_surface_exchange *x) {
    if (x->ranks == 1)
        return 0;
    int *counts = malloc(2 * (size_t)x->ranks * sizeof *counts);
    int error = weir_agreement(x->who, counts ? 0 : out_of_memory(), false);
    if (error == 0) {
        weir_agreeing_enter(x->who);
        error = exchange_letters(x, counts, counts + x->ranks);
        weir_agreeing_leave(x->who);
    }
    free(counts);
    return error;
}

const struct weir_surface_cell *weir_surface_exchange_seen(const struct weir_surface_exchange *x, int patch) {
    return x->seen[patch];
}
