#include "graph/plan/rank_map.h"

#include "graph/base/error.h"
#include "graph/plan/placement.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LIST_SIZE = 256 };

void weir_rank_map_destroy(struct weir_rank_map *map) {
    if (!map)
        return;
    free(map->source);
    free(map->regions);
    free(map);
}

static int fail_memory(const struct weir_rank_map *map) {
    return weir_fail(WEIR_FAILED, "%sregions: out of memory for %d regions", map->source, map->count);
}

/* Adds a word to a list; what does not fit is left off. */
static void add_word(char list[LIST_SIZE], const char *word) {
    const size_t used = strlen(list);
    if (used + strlen(word) + 2 < LIST_SIZE)
        snprintf(list + used, LIST_SIZE - used, "%s%s", used > 0 ? ", " : "", word);
}

static int end_of(const struct weir_box *box, int axis) {
    return box->origin[axis] + box->extent[axis];
}

static bool holds(const struct weir_box *box, const int cell[3]) {
    for (int axis = 0; axis < 3; axis++)
        if (cell[axis] < box->origin[axis] || cell[axis] >= end_of(box, axis))
            return false;
    return true;
}

static int check_overlaps(const struct weir_rank_map *map) {
    for (int k = 1; k < map->count; k++)
        for (int other = 0; other < k; other++) {
            struct weir_box both;
            if (weir_box_intersect(&map->regions[other].box, &map->regions[k].box, &both))
                return weir_fail(
                    WEIR_USAGE,
                    "%sregions[%d]: cells [%d, %d, %d] to [%d, %d, %d] are those of regions[%d] too; give "
                    "every cell to one region",
                    map->source, k, both.origin[0], both.origin[1], both.origin[2], end_of(&both, 0),
                    end_of(&both, 1), end_of(&both, 2), other);
        }
    return 0;
}

/* The first cell, x fastest, that belongs to no region. Between the ends of the regions that a row meets, the
 * next rows meet the same ones, and so do layers: only rows at such ends are looked at. */
static bool find_gap(const struct weir_rank_map *map, const int cells[3], int gap[3]) {
    int *at = gap, next[3];
    for (at[2] = 0; at[2] < cells[2]; at[2] = next[2]) {
        next[2] = cells[2];
        for (at[1] = 0; at[1] < cells[1]; at[1] = next[1]) {
            next[1] = cells[1];
            for (at[0] = 0; at[0] < cells[0]; at[0] = next[0]) {
                int region = 0;
                while (region < map->count && !holds(&map->regions[region].box, at))
                    region++;
                if (region == map->count)
                    return true;
                for (int axis = 0; axis < 3; axis++) {
                    const int end = end_of(&map->regions[region].box, axis);
                    if (axis == 0 || end < next[axis])
                        next[axis] = end;
                }
            }
        }
    }
    return false;
}

int weir_rank_map_check_cells(const struct weir_rank_map *map, const int cells[3]) {
    int gap[3];
    WEIR_TRY(check_overlaps(map));
    if (find_gap(map, cells, gap))
        return weir_fail(
            WEIR_USAGE,
            "%sregions: cell [%d, %d, %d] belongs to none; add a region, so that they cover all %d x %d x %d "
            "cells of the domain",
            map->source, gap[0], gap[1], gap[2], cells[0], cells[1], cells[2]);
    return 0;
}

/* Hosts are the same with or without their domain, but not with different ones. */
static bool same_host(const char *one, const char *other) {
    const size_t length = strcspn(one, "."), other_length = strcspn(other, ".");
    if (length != other_length || strncmp(one, other, length) != 0)
        return false;
    return one[length] == '\0' || other[length] == '\0' || strcmp(one, other) == 0;
}

static bool seat_has(const struct weir_rank_seat *seat, int gpu) {
    for (int k = 0; k < seat->gpus; k++)
        if (seat->gpu[k] == gpu)
            return true;
    return false;
}

/* The GPUs that ranks of a host have, as a part of a message. */
static void list_gpus(const struct weir_rank_seat *seats, int ranks, const char *host, char list[LIST_SIZE]) {
    list[0] = '\0';
    for (int rank = 0; rank < ranks; rank++)
        for (int k = 0; k < seats[rank].gpus && strcmp(seats[rank].host, host) == 0; k++) {
            char word[16];
            snprintf(word, sizeof word, "%d", seats[rank].gpu[k]);
            add_word(list, word);
        }
    if (list[0] == '\0')
        strcpy(list, "none");
}

static int fail_host(const struct weir_rank_map *map, int region, const struct weir_rank_seat *seats,
                     int ranks) {
    char list[LIST_SIZE] = "";
    for (int rank = 0; rank < ranks; rank++) {
        int first = 0;
        while (strcmp(seats[first].host, seats[rank].host) != 0)
            first++;
        if (first == rank)
            add_word(list, seats[rank].host);
    }
    return weir_fail(WEIR_USAGE,
                     "%sregions[%d].host: no rank is on \"%s\"; name one of the hosts that have ranks (%s), "
                     "or start one there",
                     map->source, region, map->regions[region].host, list);
}

/* The first rank of a region's host. */
static int find_host(const struct weir_rank_map *map, int region, const struct weir_rank_seat *seats,
                     int ranks, int *first) {
    const char *host = map->regions[region].host;
    *first = -1;
    for (int rank = 0; rank < ranks; rank++) {
        if (!same_host(host, seats[rank].host))
            continue;
        if (*first >= 0 && strcmp(seats[*first].host, seats[rank].host) != 0)
            return weir_fail(WEIR_USAGE,
                             "%sregions[%d].host: \"%s\" may be %s or %s; give it with its domain",
                             map->source, region, host, seats[*first].host, seats[rank].host);
        if (*first < 0)
            *first = rank;
    }
    return *first >= 0 ? 0 : fail_host(map, region, seats, ranks);
}

static int fail_gpu(const struct weir_rank_map *map, int region, const struct weir_rank_seat *seats,
                    int ranks, int rank) {
    const char *host = seats[rank].host;
    const bool named = map->regions[region].rank >= 0;
    char who[32] = "no rank", list[LIST_SIZE];
    if (named)
        snprintf(who, sizeof who, "rank %d", rank);
    list_gpus(seats, ranks, host, list);
    return weir_fail(
        WEIR_USAGE,
        "%sregions[%d].gpu: %s on %s %s GPU %d; GPUs of ranks there: %s (weir info shows whose); name "
        "one of these, or leave gpu out",
        map->source, region, who, host, named ? "does not have" : "has", map->regions[region].gpu, list);
}

/* Whom a region is for: a rank, or all ranks of a host, of which *rank is then the first. */
static int find_target(const struct weir_rank_map *map, int region, const struct weir_rank_seat *seats,
                       int ranks, int *rank, bool *whole_host) {
    const struct weir_rank_region *r = &map->regions[region];
    *whole_host = false;
    if (r->rank >= 0) {
        if (r->rank >= ranks)
            return weir_fail(WEIR_USAGE,
                             "%sregions[%d].rank: %d, and there %s %d rank%s, numbered from 0; give one of "
                             "them, or start more",
                             map->source, region, r->rank, ranks > 1 ? "are" : "is", ranks,
                             ranks > 1 ? "s" : "");
        *rank = r->rank;
        return r->gpu < 0 || seat_has(&seats[r->rank], r->gpu) ? 0
                                                               : fail_gpu(map, region, seats, ranks, r->rank);
    }
    int first;
    WEIR_TRY(find_host(map, region, seats, ranks, &first));
    *rank = first;
    *whole_host = r->gpu < 0;
    if (*whole_host)
        return 0;
    for (*rank = 0; *rank < ranks; ++*rank)
        if (strcmp(seats[*rank].host, seats[first].host) == 0 && seat_has(&seats[*rank], r->gpu))
            return 0;
    return fail_gpu(map, region, seats, ranks, first);
}

/* Whom each region is for: target[count], and whole_host[count] where all ranks of the target's host share
 * it. */
static int find_targets(const struct weir_rank_map *map, const struct weir_rank_seat *seats, int ranks,
                        int *target, bool *whole_host) {
    for (int region = 0; region < map->count; region++)
        WEIR_TRY(find_target(map, region, seats, ranks, &target[region], &whole_host[region]));
    for (int rank = 0; rank < ranks; rank++) {
        int region = 0;
        while (region < map->count && target[region] != rank &&
               !(whole_host[region] && strcmp(seats[target[region]].host, seats[rank].host) == 0))
            region++;
        if (region == map->count)
            return weir_fail(WEIR_USAGE,
                             "%sregions: none is for rank %d%s%s; give it one, or start fewer ranks",
                             map->source, rank, seats[rank].host[0] ? " on " : "", seats[rank].host);
    }
    return 0;
}

int weir_rank_map_check_seats(const struct weir_rank_map *map, const struct weir_rank_seat *seats,
                              int ranks) {
    int *target = malloc(sizeof *target * (size_t)map->count);
    bool *whole_host = malloc(sizeof *whole_host * (size_t)map->count);
    const int error =
        target && whole_host ? find_targets(map, seats, ranks, target, whole_host) : fail_memory(map);
    free(target);
    free(whole_host);
    return error;
}

/* Whether a region is the first that names its host, or its GPU there. */
static bool is_first(const struct weir_rank_map *map, int region, bool gpu_too) {
    const struct weir_rank_region *r = &map->regions[region];
    for (int k = 0; k < region; k++)
        if (same_host(map->regions[k].host, r->host) && (!gpu_too || map->regions[k].gpu == r->gpu))
            return false;
    return true;
}

static bool names_gpu(const struct weir_rank_map *map, const char *host) {
    for (int k = 0; k < map->count; k++)
        if (map->regions[k].gpu >= 0 && same_host(map->regions[k].host, host))
            return true;
    return false;
}

static void add_gpu(struct weir_rank_seat *seat, int gpu) {
    if (gpu >= 0 && !seat_has(seat, gpu) && seat->gpus < WEIR_GPUS_MAX)
        seat->gpu[seat->gpus++] = gpu;
}

/* Fills seats of the hosts in order, one for each or one for each of its GPUs, as far as there are any;
 * returns how many it takes. */
static int seat_hosts(const struct weir_rank_map *map, bool by_gpu, int ranks, struct weir_rank_seat *seats) {
    int count = 0;
    for (int host = 0; host < map->count; host++) {
        const char *name = map->regions[host].host;
        if (name[0] == '\0' || !is_first(map, host, false))
            continue;
        const bool split = by_gpu && names_gpu(map, name);
        for (int k = host; k < map->count; k++) {
            const struct weir_rank_region *r = &map->regions[k];
            if (!same_host(r->host, name))
                continue;
            const bool opens = split ? r->gpu >= 0 && is_first(map, k, true) : k == host;
            count += opens;
            if (count > ranks)
                continue;
            if (opens)
                snprintf(seats[count - 1].host, WEIR_SEAT_HOST, "%.*s", WEIR_SEAT_HOST - 1, name);
            if (opens || !split)
                add_gpu(&seats[count - 1], r->gpu);
        }
    }
    return count;
}

int weir_rank_map_expect(const struct weir_rank_map *map, int ranks, struct weir_rank_seat *seats) {
    int count[2] = {0, 0};
    for (int by_gpu = 0; by_gpu < 2; by_gpu++) {
        memset(seats, 0, sizeof *seats * (size_t)ranks);
        count[by_gpu] = seat_hosts(map, by_gpu, ranks, seats);
        if (count[by_gpu] == ranks || count[by_gpu] == 0)
            break;
    }
    if (count[0] > 0 && count[0] != ranks && count[1] != ranks) {
        char other[64] = "";
        if (count[1] != count[0])
            snprintf(other, sizeof other, ", or for %d, one per GPU", count[1]);
        return weir_fail(WEIR_USAGE, "%sregions: they are for %d rank%s, one per host%s, not for %d",
                         map->source, count[0], count[0] > 1 ? "s" : "", other, ranks);
    }
    for (int k = 0; k < map->count; k++)
        if (map->regions[k].rank >= 0 && map->regions[k].rank < ranks)
            add_gpu(&seats[map->regions[k].rank], map->regions[k].gpu);
    return 0;
}

/* Looks at the blocks that a region meets: whether it has more cells of them than regions before. */
static void claim_blocks(const struct weir_block_grid *grid, const struct weir_box *region, int number,
                         int64_t *most, int *region_of) {
    int low[3], high[3];
    for (int axis = 0; axis < 3; axis++) {
        low[axis] = region->origin[axis] / grid->block_cells[axis];
        high[axis] = (end_of(region, axis) - 1) / grid->block_cells[axis];
    }
    for (int z = low[2]; z <= high[2]; z++)
        for (int y = low[1]; y <= high[1]; y++)
            for (int x = low[0]; x <= high[0]; x++) {
                const int block = (z * grid->count[1] + y) * grid->count[0] + x;
                const struct weir_box box = weir_block_grid_box(grid, block);
                struct weir_box common;
                const int64_t cells = weir_box_intersect(&box, region, &common) ? weir_box_cells(&common) : 0;
                if (cells > most[block]) {
                    most[block] = cells;
                    region_of[block] = number;
                }
            }
}

int weir_rank_map_region(const struct weir_rank_map *map, const struct weir_block_grid *grid, int block) {
    const struct weir_box box = weir_block_grid_box(grid, block);
    int64_t most = 0;
    int region = 0;
    for (int k = 0; k < map->count; k++) {
        struct weir_box common;
        const int64_t cells =
            weir_box_intersect(&box, &map->regions[k].box, &common) ? weir_box_cells(&common) : 0;
        if (cells > most) {
            most = cells;
            region = k;
        }
    }
    return region;
}

int weir_rank_map_blocks(const struct weir_rank_map *map, const struct weir_block_grid *grid,
                         int *region_of) {
    int64_t *most = calloc((size_t)grid->total, sizeof *most);
    bool *has = calloc((size_t)map->count, sizeof *has);
    int error = most && has ? 0 : fail_memory(map);
    if (error == 0) {
        for (int k = 0; k < map->count; k++)
            claim_blocks(grid, &map->regions[k].box, k, most, region_of);
        for (int block = 0; block < grid->total; block++)
            has[region_of[block]] = true;
        for (int k = 0; k < map->count && error == 0; k++)
            if (!has[k])
                error = weir_fail(
                    WEIR_USAGE,
                    "%sregions[%d]: no block has most of its cells there; choose blocks smaller than %d x %d "
                    "x %d with blocks.cells, or a larger region",
                    map->source, k, grid->block_cells[0], grid->block_cells[1], grid->block_cells[2]);
    }
    free(most);
    free(has);
    return error;
}

/* What a decomposition works with. */
struct decomposition {
    const struct weir_rank_map *map;
    const struct weir_block_grid *grid;
    const struct weir_rank_seat *seats;
    int ranks;
    int *region_of, *target;
    bool *whole_host;
    /* Blocks that are for all ranks of a host, host by host: those of the host whose first rank is r from
     * first[r] to first[r + 1]. */
    int *first, *blocks;
    double *weight; /* of these */
    /* Of one host. */
    int *home;
    double *share;
};

static void sort_by_host(const struct decomposition *d, const double *weight) {
    for (int rank = 0; rank <= d->ranks; rank++)
        d->first[rank] = 0;
    for (int block = 0; block < d->grid->total; block++)
        if (d->whole_host[d->region_of[block]])
            d->first[d->target[d->region_of[block]] + 1]++;
    for (int rank = 0; rank < d->ranks; rank++)
        d->first[rank + 1] += d->first[rank];
    for (int block = 0; block < d->grid->total; block++)
        if (d->whole_host[d->region_of[block]]) {
            const int place = d->first[d->target[d->region_of[block]]]++;
            d->blocks[place] = block;
            d->weight[place] = weight[block];
        }
    for (int rank = d->ranks; rank > 0; rank--)
        d->first[rank] = d->first[rank - 1];
    d->first[0] = 0;
}

/* Divides the blocks that are for all ranks of a host, of which `first` is the first. */
static int divide_host(const struct decomposition *d, int first, const double *share, int *rank_of) {
    const struct weir_block_set set = {d->blocks + d->first[first], d->first[first + 1] - d->first[first]};
    if (set.count == 0)
        return 0;
    for (int rank = 0; rank < d->ranks; rank++)
        d->share[rank] = strcmp(d->seats[rank].host, d->seats[first].host) != 0 ? 0 : share ? share[rank] : 1;
    WEIR_TRY(weir_placement_bisect(d->grid, &set, d->weight + d->first[first], d->ranks, d->share, d->home));
    for (int k = 0; k < set.count; k++)
        rank_of[set.blocks[k]] = d->home[k];
    return 0;
}

static int divide(const struct decomposition *d, const double *weight, const double *share, int *rank_of) {
    WEIR_TRY(find_targets(d->map, d->seats, d->ranks, d->target, d->whole_host));
    WEIR_TRY(weir_rank_map_blocks(d->map, d->grid, d->region_of));
    for (int block = 0; block < d->grid->total; block++)
        rank_of[block] = d->target[d->region_of[block]];
    sort_by_host(d, weight);
    for (int rank = 0; rank < d->ranks; rank++)
        WEIR_TRY(divide_host(d, rank, share, rank_of));
    return 0;
}

int weir_rank_map_divide(const struct weir_rank_map *map, const struct weir_block_grid *grid,
                         const double *weight, const struct weir_rank_seat *seats, int ranks,
                         const double *share, int *rank_of) {
    const size_t regions = (size_t)map->count, blocks = (size_t)grid->total;
    struct decomposition d = {.map = map, .grid = grid, .seats = seats, .ranks = ranks};
    d.region_of = malloc(sizeof *d.region_of * blocks);
    d.blocks = malloc(sizeof *d.blocks * blocks);
    d.first = malloc(sizeof *d.first * ((size_t)ranks + 1));
    d.weight = malloc(sizeof *d.weight * blocks);
    d.home = malloc(sizeof *d.home * blocks);
    d.target = malloc(sizeof *d.target * regions);
    d.whole_host = malloc(sizeof *d.whole_host * regions);
    d.share = malloc(sizeof *d.share * (size_t)ranks);
    const bool there =
        d.region_of && d.blocks && d.first && d.weight && d.home && d.target && d.whole_host && d.share;
    const int error = there ? divide(&d, weight, share, rank_of) : fail_memory(map);
    free(d.region_of);
    free(d.blocks);
    free(d.first);
    free(d.weight);
    free(d.home);
    free(d.target);
    free(d.whole_host);
    free(d.share);
    return error;
}

int weir_rank_map_worker_groups(const struct weir_rank_map *map, int region,
                                const struct weir_rank_seat *seat, const struct weir_worker_groups *groups,
                                bool *may) {
    const struct weir_rank_region *r = &map->regions[region];
    bool any = false;
    for (int k = 0; k < groups->count; k++) {
        const struct weir_worker_group *group = &groups->group[k];
        may[k] = r->gpu >= 0 ? group->kind == WEIR_WORKER_GROUP_GPU && group->device < seat->gpus &&
                                   seat->gpu[group->device] == r->gpu
                             : r->group[0] == '\0' || weir_worker_groups_is_called(group, r->group);
        any = any || may[k];
    }
    if (any)
        return 0;
    char what[48], there[WEIR_WORKER_GROUPS_TEXT];
    weir_worker_groups_describe(groups, there);
    if (r->gpu >= 0)
        snprintf(what, sizeof what, "gpu: GPU %d", r->gpu);
    else
        snprintf(what, sizeof what, "part: \"%s\"", r->group);
    return weir_fail(WEIR_USAGE,
                     "%sregions[%d].%s takes no steps on %s; there %s %s (\"%s\" to \"%s\"), see "
                     "placement.workers",
                     map->source, region, what, seat->host, groups->count > 1 ? "are" : "is", there,
                     groups->group[0].name, groups->group[groups->count - 1].name);
}
