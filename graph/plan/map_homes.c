#include "graph/plan/map_homes.h"

#include "graph/base/error.h"
#include "graph/plan/placement.h"

#include <stdlib.h>
#include <string.h>

struct work {
    const struct weir_map_homes *h;
    /* Of the blocks that are being placed: numbers, places in the set, weights, parts. */
    int *blocks, *place, *home;
    double *weight;
};

static bool same_parts(const struct weir_rank_region *one, const struct weir_rank_region *other) {
    return one->gpu == other->gpu && strcmp(one->part, other->part) == 0;
}

/* Places the blocks of all regions that name the same as this one. */
static int place_regions(const struct work *w, int region, int *part_of) {
    const struct weir_map_homes *h = w->h;
    struct weir_block_set set = {w->blocks, 0};
    bool may[WEIR_PARTS_MAX];
    double share[WEIR_PARTS_MAX], sum = 0;
    for (int k = 0; k < h->set->count; k++)
        if (same_parts(&h->map->regions[h->region_of[k]], &h->map->regions[region])) {
            w->blocks[set.count] = h->set->blocks[k];
            w->weight[set.count] = h->weight[k];
            w->place[set.count++] = k;
        }
    WEIR_TRY(weir_rank_map_parts(h->map, region, h->seat, h->parts, may));
    for (int k = 0; k < h->parts->count; k++)
        sum += share[k] = may[k] ? h->share[k] : 0;
    for (int k = 0; k < h->parts->count && sum <= 0; k++)
        share[k] = may[k];
    WEIR_TRY(weir_placement_bisect(h->grid, &set, w->weight, h->parts->count, share, w->home));
    for (int k = 0; k < set.count; k++)
        part_of[w->place[k]] = w->home[k];
    return 0;
}

static int place(const struct work *w, int *part_of, bool *found) {
    const struct weir_map_homes *h = w->h;
    *found = false;
    for (int k = 0; k < h->set->count; k++) {
        const struct weir_rank_region *region = &h->map->regions[h->region_of[k]];
        *found = *found || region->gpu >= 0 || region->part[0] != '\0';
    }
    if (!*found)
        return 0;
    for (int k = 0; k < h->set->count; k++)
        part_of[k] = -1;
    for (int k = 0; k < h->set->count; k++)
        if (part_of[k] < 0)
            WEIR_TRY(place_regions(w, h->region_of[k], part_of));
    return 0;
}

int weir_map_homes_choose(const struct weir_map_homes *homes, int *part_of, bool *found) {
    const size_t blocks = (size_t)homes->set->count;
    struct work w = {.h = homes};
    w.blocks = malloc(sizeof *w.blocks * blocks);
    w.place = malloc(sizeof *w.place * blocks);
    w.home = malloc(sizeof *w.home * blocks);
    w.weight = malloc(sizeof *w.weight * blocks);
    const int error =
        w.blocks && w.place && w.home && w.weight
            ? place(&w, part_of, found)
            : weir_fail(WEIR_FAILED, "out of memory while placing %d blocks; choose larger blocks",
                        homes->set->count);
    free(w.blocks);
    free(w.place);
    free(w.home);
    free(w.weight);
    return error;
}
