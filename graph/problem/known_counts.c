#include "graph/problem/known_counts.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Counts that are kept at most, some 100 MB; a place in the table for each, which is a power of two. */
enum { MOST = 1 << 20 };

struct count {
    struct weir_counted_box box;
    struct weir_counted_numbers numbers;
};

struct weir_known_counts {
    pthread_mutex_t lock;
    struct count *counts;
    int count, room;
    int *table; /* [2 * room]: numbers of counts plus 1, the next free place after its own; 0: free */
};

struct weir_known_counts *weir_known_counts_create(void) {
    struct weir_known_counts *known = calloc(1, sizeof *known);
    if (known)
        pthread_mutex_init(&known->lock, NULL);
    return known;
}

void weir_known_counts_destroy(struct weir_known_counts *known) {
    if (!known)
        return;
    pthread_mutex_destroy(&known->lock);
    free(known->counts);
    free(known->table);
    free(known);
}

/* FNV-1a, 64 bits. */
static uint64_t hash_of(const struct weir_counted_box *box) {
    const int numbers[] = {(int)box->what,     box->lattice,       box->box.origin[0], box->box.origin[1],
                           box->box.origin[2], box->box.extent[0], box->box.extent[1], box->box.extent[2],
                           box->start[0],      box->start[1],      box->start[2],      box->distance};
    uint64_t hash = UINT64_C(14695981039346656037);
    for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
        hash = (hash ^ (uint32_t)numbers[k]) * UINT64_C(1099511628211);
    return hash ^ hash >> 32;
}

static bool are_equal(const struct weir_counted_box *a, const struct weir_counted_box *b) {
    return a->what == b->what && a->lattice == b->lattice && a->distance == b->distance &&
           memcmp(a->start, b->start, sizeof a->start) == 0 && memcmp(&a->box, &b->box, sizeof a->box) == 0;
}

/* Where a count is in the table, or the free place that it would get. */
static int *place_of(const struct weir_known_counts *known, const struct weir_counted_box *box) {
    const uint64_t mask = 2 * (uint64_t)known->room - 1;
    uint64_t place = hash_of(box) & mask;
    while (known->table[place] > 0 && !are_equal(&known->counts[known->table[place] - 1].box, box))
        place = (place + 1) & mask;
    return &known->table[place];
}

bool weir_known_counts_find(struct weir_known_counts *known, const struct weir_counted_box *box,
                            struct weir_counted_numbers *numbers) {
    bool found = false;
    if (!known)
        return false;
    pthread_mutex_lock(&known->lock);
    if (known->count > 0) {
        const int number = *place_of(known, box);
        found = number > 0;
        if (found)
            *numbers = known->counts[number - 1].numbers;
    }
    pthread_mutex_unlock(&known->lock);
    return found;
}

/* Makes room for twice as many; false: it stays as it is. */
static bool grow(struct weir_known_counts *known) {
    const int room = known->room > 0 ? 2 * known->room : 64;
    int *table = room <= MOST ? calloc(2 * (size_t)room, sizeof *table) : NULL;
    struct count *counts = table ? realloc(known->counts, (size_t)room * sizeof *counts) : NULL;
    if (!counts) {
        free(table);
        return false;
    }
    free(known->table);
    known->table = table;
    known->counts = counts;
    known->room = room;
    for (int k = 0; k < known->count; k++)
        *place_of(known, &counts[k].box) = k + 1;
    return true;
}

void weir_known_counts_add(struct weir_known_counts *known, const struct weir_counted_box *box,
                           const struct weir_counted_numbers *numbers) {
    if (!known)
        return;
    pthread_mutex_lock(&known->lock);
    if (known->count < known->room || grow(known)) {
        int *place = place_of(known, box);
        if (*place == 0) {
            known->counts[known->count] = (struct count){*box, *numbers};
            *place = ++known->count;
        }
    }
    pthread_mutex_unlock(&known->lock);
}
