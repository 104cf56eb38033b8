#include "graph/problem/gas_join.h"

#include "graph/base/error.h"

#include <stdlib.h>

/* Where the pieces of a block begin among all. */
struct begin {
    int block;
    int64_t first;
};

/* A piece, with what is known of it. */
struct joined {
    int64_t number; /* that all ranks know */
    int64_t before; /* place of one that it hangs together with, none behind it; its own: it stands for all */
    bool goes_on;   /* others must know of what it stands for */
    struct weir_gas_piece piece;
};

struct list {
    struct joined *joined;
    int64_t count, room;
};

struct weir_gas_join {
    const struct weir_block_grid *grid;
    double gas_density;
    struct begin *begins; /* [grid->total] */
    int blocks;
    struct list here;
    struct list beyond; /* what ranks have told, by number */
    int64_t (*links)[2];
    int64_t link_count, link_room;
};

static int fail_memory(void) {
    return weir_fail(WEIR_FAILED, "no memory left to join pieces of gas");
}

/* ---- parcels ------------------------------------------------------------------------------------------- */

static void tell_piece(struct weir_gas_parcel *parcel, int64_t number, const struct weir_gas_piece *piece) {
    if (parcel->pieces == WEIR_GAS_PARCEL_PIECES) {
        parcel->lacking = 1;
        return;
    }
    parcel->piece[parcel->pieces].number = number;
    parcel->piece[parcel->pieces++].of = *piece;
}

static void tell_link(struct weir_gas_parcel *parcel, int64_t one, int64_t other) {
    if (parcel->links == WEIR_GAS_PARCEL_LINKS) {
        parcel->lacking = 1;
        return;
    }
    parcel->link[parcel->links][0] = one;
    parcel->link[parcel->links++][1] = other;
}

void weir_gas_parcel_add(struct weir_gas_parcel *parcel, const struct weir_gas_parcel *other) {
    parcel->lacking = parcel->lacking || other->lacking;
    parcel->bubbles += other->bubbles;
    weir_exact_sum_add(&parcel->volume, &other->volume);
    weir_exact_sum_add(&parcel->amount, &other->amount);
    for (int k = 0; k < other->pieces; k++)
        tell_piece(parcel, other->piece[k].number, &other->piece[k].of);
    for (int k = 0; k < other->links; k++)
        tell_link(parcel, other->link[k][0], other->link[k][1]);
}

/* ---- pieces -------------------------------------------------------------------------------------------- */

static int make_room(struct list *list, int64_t more) {
    if (list->count + more <= list->room)
        return 0;
    const int64_t room = 2 * (list->count + more) + 64;
    struct joined *longer = realloc(list->joined, (size_t)room * sizeof *longer);
    if (!longer)
        return fail_memory();
    list->joined = longer;
    list->room = room;
    return 0;
}

static void append(struct list *list, int64_t number, const struct weir_gas_piece *piece) {
    list->joined[list->count] = (struct joined){number, list->count, false, *piece};
    list->count++;
}

static int64_t root_of(struct joined *joined, int64_t place) {
    while (joined[place].before != place)
        place = joined[place].before = joined[joined[place].before].before;
    return place;
}

static void unite(struct joined *joined, int64_t one, int64_t other) {
    const int64_t a = root_of(joined, one), b = root_of(joined, other);
    joined[a < b ? b : a].before = a < b ? a : b;
}

static void add_piece(struct weir_gas_piece *sum, const struct weir_gas_piece *piece) {
    weir_exact_sum_add(&sum->amount, &piece->amount);
    weir_exact_sum_add(&sum->volume, &piece->volume);
    sum->gas_cells += piece->gas_cells;
    sum->open += piece->open;
}

/* Adds all pieces to those that stand for them, which come before them. */
static void add_up(struct list *list) {
    for (int64_t k = 0; k < list->count; k++) {
        struct joined *const one = &list->joined[k];
        one->before = root_of(list->joined, k);
        if (one->before != k)
            add_piece(&list->joined[one->before].piece, &one->piece);
    }
}

static bool is_bubble(const struct weir_gas_piece *piece) {
    return piece->gas_cells > 0 && piece->open == 0;
}

/* ---- this rank's --------------------------------------------------------------------------------------- */

int weir_gas_join_create(const struct weir_block_grid *grid, double gas_density,
                         struct weir_gas_join **result) {
    struct weir_gas_join *join = calloc(1, sizeof *join);
    struct begin *begins = malloc((size_t)grid->total * sizeof *begins);
    if (!join || !begins) {
        free(join);
        free(begins);
        return fail_memory();
    }
    *join = (struct weir_gas_join){.grid = grid, .gas_density = gas_density, .begins = begins};
    *result = join;
    return 0;
}

void weir_gas_join_destroy(struct weir_gas_join *join) {
    if (!join)
        return;
    free(join->begins);
    free(join->here.joined);
    free(join->beyond.joined);
    free(join->links);
    free(join);
}

void weir_gas_join_begin(struct weir_gas_join *join) {
    join->blocks = 0;
    join->here.count = join->beyond.count = join->link_count = 0;
}

static int64_t number_of(int block, int32_t piece) {
    return (int64_t)block * WEIR_GAS_PIECES_MAX + piece;
}

static int compare_begins(const void *a, const void *b) {
    const int one = ((const struct begin *)a)->block, other = ((const struct begin *)b)->block;
    return one < other ? -1 : one > other;
}

/* Place of the first piece of a block; -1: it is not on this rank. */
static int64_t first_of(const struct weir_gas_join *join, int block) {
    const struct begin wanted = {.block = block},
                       *found = join->blocks > 0 ? bsearch(&wanted, join->begins, (size_t)join->blocks,
                                                           sizeof wanted, compare_begins)
                                                 : NULL;
    return found ? found->first : -1;
}

static int add_link(struct weir_gas_join *join, int64_t one, int64_t other) {
    if (join->link_count == join->link_room) {
        const int64_t room = 2 * join->link_room + 64;
        int64_t(*longer)[2] = realloc(join->links, (size_t)room * sizeof *longer);
        if (!longer)
            return fail_memory();
        join->links = longer;
        join->link_room = room;
    }
    join->links[join->link_count][0] = one;
    join->links[join->link_count++][1] = other;
    return 0;
}

int weir_gas_join_add(struct weir_gas_join *join, int block, const struct weir_gas_table *table) {
    if (table->lacking)
        return weir_fail(WEIR_FAILED,
                         "block %d has more than %d pieces of gas, or these touch more than %d of other "
                         "blocks; choose smaller blocks, or set \"free_surface.bubbles\" to false",
                         block, WEIR_GAS_PIECES_MAX, WEIR_GAS_LINKS_MAX);
    join->begins[join->blocks++] = (struct begin){block, join->here.count};
    WEIR_TRY(make_room(&join->here, table->pieces));
    for (int32_t k = 0; k < table->pieces; k++)
        append(&join->here, number_of(block, k), &table->piece[k]);
    for (int32_t k = 0; k < table->links; k++) {
        const struct weir_gas_link *const link = &table->link[k];
        const int beside = weir_block_grid_neighbour(join->grid, block, weir_offset(link->offset).along);
        WEIR_TRY(add_link(join, number_of(block, link->piece), number_of(beside, link->beside)));
    }
    return 0;
}

/* Place of a piece; -1: it is not on this rank. */
static int64_t place_of(const struct weir_gas_join *join, int64_t number) {
    const int64_t first = first_of(join, (int)(number / WEIR_GAS_PIECES_MAX));
    return first < 0 ? -1 : first + number % WEIR_GAS_PIECES_MAX;
}

/* Whether a piece lies beside a block of another rank, which may have gas for it. */
static bool is_at_border(const struct weir_gas_join *join, const struct joined *piece) {
    const int block = (int)(piece->number / WEIR_GAS_PIECES_MAX);
    for (uint32_t left = piece->piece.beside; left; left &= left - 1) {
        const int beside =
            weir_block_grid_neighbour(join->grid, block, weir_offset(__builtin_ctz(left)).along);
        if (beside >= 0 && first_of(join, beside) < 0)
            return true;
    }
    return false;
}

/* Of each piece at the border what stands for it, and what it touches beyond. */
static void tell_links(struct weir_gas_join *join, struct weir_gas_parcel *parcel) {
    struct joined *const joined = join->here.joined;
    for (int64_t k = 0; k < join->here.count; k++)
        if (is_at_border(join, &joined[k])) {
            joined[joined[k].before].goes_on = true;
            tell_link(parcel, joined[joined[k].before].number, joined[k].number);
        }
    for (int64_t k = 0; k < join->link_count; k++)
        if (place_of(join, join->links[k][1]) < 0)
            tell_link(parcel, join->links[k][0], join->links[k][1]);
}

int weir_gas_join_here(struct weir_gas_join *join, struct weir_gas_parcel *parcel) {
    struct joined *const joined = join->here.joined;
    parcel->pieces = parcel->links = parcel->lacking = parcel->unused = 0;
    parcel->bubbles = 0;
    parcel->volume = parcel->amount = (struct weir_exact_sum){0, 0};
    for (int64_t k = 0; k < join->link_count; k++) {
        const int64_t other = place_of(join, join->links[k][1]);
        if (other >= 0)
            unite(joined, place_of(join, join->links[k][0]), other);
    }
    add_up(&join->here);
    tell_links(join, parcel);
    for (int64_t k = 0; k < join->here.count; k++)
        if (joined[k].goes_on) {
            tell_piece(parcel, joined[k].number, &joined[k].piece);
        } else if (joined[k].before == k && is_bubble(&joined[k].piece)) {
            parcel->bubbles++;
            weir_exact_sum_add(&parcel->volume, &joined[k].piece.volume);
            weir_exact_sum_add(&parcel->amount, &joined[k].piece.amount);
        }
    return 0;
}

/* ---- over ranks ---------------------------------------------------------------------------------------- */

static int compare_numbers(const void *a, const void *b) {
    const int64_t one = ((const struct joined *)a)->number, other = ((const struct joined *)b)->number;
    return one < other ? -1 : one > other;
}

static struct joined *told(const struct weir_gas_join *join, int64_t number) {
    const struct joined wanted = {.number = number};
    return join->beyond.count > 0 ? bsearch(&wanted, join->beyond.joined, (size_t)join->beyond.count,
                                            sizeof wanted, compare_numbers)
                                  : NULL;
}

/* Lists every piece once that is told of, or linked to. */
static int list_told(struct weir_gas_join *join, const struct weir_gas_parcel *parcel) {
    static const struct weir_gas_piece nothing;
    struct list *const list = &join->beyond;
    WEIR_TRY(make_room(list, parcel->pieces + 2 * (int64_t)parcel->links));
    for (int k = 0; k < 2 * parcel->links; k++)
        append(list, parcel->link[k / 2][k % 2], &nothing);
    if (list->count > 0)
        qsort(list->joined, (size_t)list->count, sizeof *list->joined, compare_numbers);
    int64_t kept = 0;
    for (int64_t k = 0; k < list->count; k++)
        if (kept == 0 || list->joined[k].number != list->joined[kept - 1].number)
            list->joined[kept++] = list->joined[k];
    list->count = kept;
    for (int64_t k = 0; k < kept; k++)
        list->joined[k].before = k;
    for (int k = 0; k < parcel->pieces; k++) /* each has a link */
        told(join, parcel->piece[k].number)->piece = parcel->piece[k].of;
    return 0;
}

static void join_told(struct weir_gas_join *join, const struct weir_gas_parcel *parcel) {
    struct joined *const joined = join->beyond.joined;
    for (int k = 0; k < parcel->links; k++)
        unite(joined, told(join, parcel->link[k][0]) - joined, told(join, parcel->link[k][1]) - joined);
    add_up(&join->beyond);
    for (int64_t k = 0; k < join->here.count; k++)
        if (join->here.joined[k].goes_on)
            join->here.joined[k].piece = joined[told(join, join->here.joined[k].number)->before].piece;
}

int weir_gas_join_all(struct weir_gas_join *join, const struct weir_gas_parcel *parcel,
                      struct weir_gas_totals *totals) {
    struct weir_exact_sum volume = parcel->volume, amount = parcel->amount;
    int64_t bubbles = parcel->bubbles;
    if (parcel->lacking)
        return weir_fail(WEIR_FAILED,
                         "more than %d pieces of gas go on from rank to rank, or these touch at more than %d "
                         "places; choose fewer ranks, or set \"free_surface.bubbles\" to false",
                         WEIR_GAS_PARCEL_PIECES, WEIR_GAS_PARCEL_LINKS);
    WEIR_TRY(list_told(join, parcel));
    join_told(join, parcel);
    for (int64_t k = 0; k < join->beyond.count; k++) {
        const struct joined *const one = &join->beyond.joined[k];
        if (one->before != k || !is_bubble(&one->piece))
            continue;
        bubbles++;
        weir_exact_sum_add(&volume, &one->piece.volume);
        weir_exact_sum_add(&amount, &one->piece.amount);
    }
    *totals = (struct weir_gas_totals){bubbles, weir_exact_sum_value(&volume), weir_exact_sum_value(&amount)};
    return 0;
}

static double density_of(const struct weir_gas_join *join, const struct weir_gas_piece *piece) {
    if (piece->open > 0)
        return join->gas_density;
    return piece->gas_cells > 0 ? weir_exact_sum_value(&piece->amount) / weir_exact_sum_value(&piece->volume)
                                : 0;
}

void weir_gas_join_tell(const struct weir_gas_join *join, int block, struct weir_gas_table *table) {
    const int64_t first = first_of(join, block);
    for (int32_t k = 0; k < table->pieces; k++)
        table->piece[k].density =
            density_of(join, &join->here.joined[join->here.joined[first + k].before].piece);
}
