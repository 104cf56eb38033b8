#include "graph/plan/map_homes.h"

#include "graph/base/error.h"
#include "graph/plan/placement.h"

#include <stdlib.h>
#include <string.h>

struct work {
    const struct weir_map_homes *h;
    /* Of the blocks that are being placed: numbers, places in the set, weights, worker groups. */
    int *blocks, *place, *home;
    double *weight;
};

static bool same_groups(const struct weir_rank_region *one, const struct weir_rank_region *other) {
    return one->gpu == other->gpu && strcmp(one->group, other->group) == 0;
}

/* Places the blocks of all regions that name the same as this one. */
static int place_regions(const struct work *w, int region, int *group_of) {
    const struct weir_map_homes *h = w->h;
    struct weir_block_set set = {w->blocks, 0};
    bool may[WEIR_WORKER_GROUPS_MAX];
    double share[WEIR_WORKER_GROUPS_MAX], sum = 0;
    for (int k = 0; k < h->set->count; k++)
        if (same_groups(&h->map->regions[h->region_of[k]], &h->map->regions[region])) {
            w->blocks[set.count] = h->set->blocks[k];
            w->weight[set.count] = h->weight[k];
            w->place[set.count++] = k;
        }
    WEIR_TRY(weir_rank_map_worker_groups(h->map, region, h->seat, h->groups, may));
    for (int k = 0; k < h->groups->count; k++)
        sum += share[k] = may[k] ? h->share[k] : 0;
    for (int k = 0; k < h->groups->count && sum <= 0; k++)
        share[k] = may[k];
    WEIR_TRY(weir_placement_bisect(h->grid, &set, w->weight, h->groups->count, share, w->home));
    for (int k = 0; k < set.count; k++)
        group_of[w->place[k]] = w->home[k];
    return 0;
}

static int place(const struct work *w, int *group_of, bool *found) {
    const struct weir_map_homes *h = w->h;
    *found = false;
    for (int k = 0; k < h->set->count; k++) {
        const struct weir_rank_region *region = &h->map->regions[h->region_of[k]];
        *found = *found || region->gpu >= 0 || region->group[0] != '\0';
    }
    if (!*found)
        return 0;
    for (int k = 0; k < h->set->count; k++)
        group_of[k] = -1;
    for (int k = 0; k < h->set->count; k++)
        if (group_of[k] < 0)
            WEIR_TRY(place_regions(w, h->region_of[k], group_of));
    return 0;
}

int weir_map_homes_choose(const struct weir_map_homes *homes, int *group_of, bool *found) {
    const size_t blocks = (size_t)homes->set->count;
    struct work w = {.h = homes};
    w.blocks = malloc(sizeof *w.blocks * blocks);
    w.place = malloc(sizeof *w.place * blocks);
    w.home = malloc(sizeof *w.home * blocks);
    w.weight = malloc(sizeof *w.weight * blocks);
    const int error =
        w.blocks && w.place && w.home && w.weight
            ? place(&w, group_of, found)
            : weir_fail(WEIR_FAILED, "out of memory while placing %d blocks; choose larger blocks",
                        homes->set->count);
    free(w.blocks);
    free(w.place);
    free(w.home);
    free(w.weight);
    return error;
}
