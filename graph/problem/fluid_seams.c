#include "graph/problem/fluid_seams.h"

#include "graph/base/error.h"

#include <stdlib.h>

static int fail_memory(void) {
    return weir_fail(WEIR_FAILED, "no memory left to join pieces of fluid");
}

void weir_fluid_slice_number(const struct weir_fluid_part *part, int64_t *numbers) {
    for (int64_t k = 0; k < part->first[part->rows]; k++)
        numbers[k] = part->offset + part->pieces[k].joined;
}

/* ---- links ------------------------------------------------------------------------------------------- */

static int compare_links(const void *a, const void *b) {
    const int64_t *one = ((const struct weir_fluid_link *)a)->pieces,
                  *other = ((const struct weir_fluid_link *)b)->pieces;
    const int place = one[0] == other[0];
    return one[place] < other[place] ? -1 : one[place] > other[place];
}

/* Sorts them, and leaves each once. */
static void tidy(struct weir_fluid_links *links) {
    size_t kept = 0;
    if (links->count == 0)
        return;
    qsort(links->list, links->count, sizeof *links->list, compare_links);
    for (size_t k = 1; k < links->count; k++)
        if (compare_links(&links->list[k], &links->list[kept]) != 0)
            links->list[++kept] = links->list[k];
    links->count = kept + 1;
}

/* Large pieces meet at many places: once there is no room, most links are there twice. */
static int add_link(struct weir_fluid_links *links, struct weir_fluid_link link) {
    if (links->count == links->room) {
        tidy(links);
        if (2 * links->count >= links->room) {
            const size_t room = 2 * links->room + 64;
            struct weir_fluid_link *longer = realloc(links->list, room * sizeof *longer);
            if (!longer)
                return fail_memory();
            links->list = longer;
            links->room = room;
        }
    }
    links->list[links->count++] = link;
    return 0;
}

int weir_fluid_links_find(const struct weir_fluid_part *part, const struct weir_fluid_slice *next,
                          struct weir_fluid_links *links) {
    const int64_t last = (int64_t)(part->end - part->begin - 1) * part->rows;
    for (int row = 0; row < part->rows; row++) {
        struct weir_row_pair rows = {{part->stretches, next->stretches},
                                     {part->first[last + row], next->first[row]},
                                     {part->first[last + row + 1], next->first[row + 1]}};
        int64_t touching[2];
        while (weir_row_pair_touch(&rows, touching))
            WEIR_TRY(
                add_link(links, (struct weir_fluid_link){{part->offset + part->pieces[touching[0]].joined,
                                                          next->pieces[touching[1]]}}));
    }
    tidy(links);
    return 0;
}

/* ---- seams ------------------------------------------------------------------------------------------- */

static int compare_numbers(const void *a, const void *b) {
    const int64_t one = *(const int64_t *)a, other = *(const int64_t *)b;
    return one < other ? -1 : one > other;
}

int weir_fluid_seams_create(const struct weir_fluid_link *links, size_t count,
                            struct weir_fluid_seams *seams) {
    const size_t most = 2 * count;
    *seams = (struct weir_fluid_seams){.number = malloc((most + 1) * sizeof *seams->number)};
    if (!seams->number)
        return fail_memory();
    for (size_t k = 0; k < most; k++)
        seams->number[k] = links[k / 2].pieces[k % 2];
    qsort(seams->number, most, sizeof *seams->number, compare_numbers);
    for (size_t k = 0; k < most; k++)
        if (k == 0 || seams->number[k] != seams->number[seams->count - 1])
            seams->number[seams->count++] = seams->number[k];
    seams->joined = malloc(((size_t)seams->count + 1) * sizeof *seams->joined);
    seams->values = calloc(2 * (size_t)seams->count + 1, sizeof *seams->values);
    if (!seams->joined || !seams->values)
        return fail_memory();
    for (int64_t k = 0; k < seams->count; k++)
        seams->joined[k] = k;
    return 0;
}

void weir_fluid_seams_release(struct weir_fluid_seams *seams) {
    free(seams->number);
    free(seams->joined);
    free(seams->values);
    *seams = (struct weir_fluid_seams){.count = 0};
}

void weir_fluid_seams_add(struct weir_fluid_seams *seams, const struct weir_fluid_part *part) {
    for (int64_t k = 0; k < seams->count; k++) {
        const int64_t piece = seams->number[k] - part->offset;
        if (piece < 0 || piece >= part->count)
            continue;
        seams->values[2 * k] = part->pieces[piece].cells;
        seams->values[2 * k + 1] = (int64_t)part->pieces[piece].openings;
    }
}

static int64_t find(int64_t *joined, int64_t place) {
    while (joined[place] != place)
        place = joined[place] = joined[joined[place]];
    return place;
}

static int64_t place_of(const struct weir_fluid_seams *seams, int64_t number) {
    const int64_t *found =
        bsearch(&number, seams->number, (size_t)seams->count, sizeof number, compare_numbers);
    return found - seams->number;
}

void weir_fluid_seams_join(struct weir_fluid_seams *seams, const struct weir_fluid_link *links,
                           size_t count) {
    for (size_t k = 0; k < count; k++) {
        const int64_t a = find(seams->joined, place_of(seams, links[k].pieces[0])),
                      b = find(seams->joined, place_of(seams, links[k].pieces[1])), low = a < b ? a : b,
                      high = a < b ? b : a;
        if (low == high)
            continue;
        seams->joined[high] = low;
        seams->values[2 * low] += seams->values[2 * high];
        seams->values[2 * low + 1] |= seams->values[2 * high + 1];
    }
    for (int64_t k = 0; k < seams->count; k++) /* what it is joined to comes before it */
        seams->joined[k] = seams->joined[seams->joined[k]];
}
