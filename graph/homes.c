#include "graph/homes.h"

#include "graph/best_split.h"
#include "graph/cut.h"
#include "graph/error.h"
#include "graph/parts.h"
#include "graph/placement.h"
#include "graph/rank_map.h"

#include <stdlib.h>
#include <string.h>

/* Room for a part of each block of this rank, for a weight of each; NULL when memory is short. */
static int *new_parts(const struct weir_domain *domain) {
    return malloc(sizeof(int) * (size_t)domain->set.count);
}

static double *new_weights(const struct weir_domain *domain) {
    double *weight = malloc(sizeof *weight * (size_t)domain->set.count);
    for (int k = 0; weight && k < domain->set.count; k++)
        weight[k] = weir_block_weight(&domain->blocks[k]);
    return weight;
}

static int fail_memory(const struct weir_domain *domain) {
    return weir_fail(WEIR_FAILED, "out of memory while placing %d blocks; choose larger blocks",
                     domain->set.count);
}

/* Whether any block around this one is at home elsewhere, on another rank say. */
static bool at_border(const struct weir_domain *domain, const int *part_of, int place) {
    for (int k = 0; k < WEIR_NEIGHBOURS; k++) {
        const int offset[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
        const int neighbour = weir_block_grid_neighbour(&domain->grid, domain->set.blocks[place], offset);
        if (neighbour < 0)
            continue;
        const int other = weir_block_set_index(&domain->set, neighbour);
        if (other < 0 || part_of[other] != part_of[place])
            return true;
    }
    return false;
}

void weir_homes_set(struct weir_domain *domain, const int *part_of) {
    for (int k = 0; k < domain->set.count; k++) {
        struct weir_block *block = &domain->blocks[k];
        block->home.part = part_of[k];
        block->home.border = at_border(domain, part_of, k);
    }
}

int weir_homes_choose(struct weir_domain *domain, int parts, const double *share) {
    double *weight = new_weights(domain);
    int *part_of = new_parts(domain);
    int error = weight && part_of ? 0 : fail_memory(domain);
    if (error == 0)
        error = weir_placement_bisect(&domain->grid, &domain->set, weight, parts, share, part_of);
    if (error == 0)
        weir_homes_set(domain, part_of);
    free(weight);
    free(part_of);
    return error;
}

int weir_homes_for_newcomers(struct weir_domain *domain, int parts, const double *rate) {
    double load[WEIR_PARTS_MAX] = {0};
    int *part_of = new_parts(domain);
    if (!part_of)
        return fail_memory(domain);
    for (int k = 0; k < domain->set.count; k++)
        if (domain->blocks[k].home.part >= 0)
            load[domain->blocks[k].home.part] += weir_block_weight(&domain->blocks[k]);
    for (int k = 0; k < domain->set.count; k++) {
        const struct weir_block *block = &domain->blocks[k];
        int best = block->home.part;
        for (int part = 0; block->home.part < 0 && part < parts; part++)
            if (rate[part] > 0 && (best < 0 || (load[part] + weir_block_weight(block)) / rate[part] <
                                                   (load[best] + weir_block_weight(block)) / rate[best]))
                best = part;
        if (block->home.part < 0)
            load[best] += weir_block_weight(block);
        part_of[k] = best;
    }
    weir_homes_set(domain, part_of);
    free(part_of);
    return 0;
}

/* What placing by a map works with. */
struct mapped {
    struct weir_domain *domain;
    const struct weir_parts *parts;
    const double *share;
    const struct weir_rank_map *map;
    const struct weir_rank_seat *seat;
    /* Of each block of this rank; part: -1: none yet. */
    int *region_of, *part_of;
    double *weight;
    /* Of those that are being placed. */
    int *blocks, *place, *home;
    double *their_weight;
};

static bool same_parts(const struct weir_rank_region *one, const struct weir_rank_region *other) {
    return one->gpu == other->gpu && strcmp(one->part, other->part) == 0;
}

/* Places the blocks of all regions that name the same as this one. */
static int place_regions(const struct mapped *m, int region) {
    struct weir_block_set set = {m->blocks, 0};
    bool may[WEIR_PARTS_MAX];
    double share[WEIR_PARTS_MAX], sum = 0;
    for (int k = 0; k < m->domain->set.count; k++)
        if (same_parts(&m->map->regions[m->region_of[k]], &m->map->regions[region])) {
            m->blocks[set.count] = m->domain->set.blocks[k];
            m->their_weight[set.count] = m->weight[k];
            m->place[set.count++] = k;
        }
    WEIR_TRY(weir_rank_map_parts(m->map, region, m->seat, m->parts, may));
    for (int k = 0; k < m->parts->count; k++)
        sum += share[k] = may[k] ? m->share[k] : 0;
    for (int k = 0; k < m->parts->count && sum <= 0; k++)
        share[k] = may[k];
    WEIR_TRY(weir_placement_bisect(&m->domain->grid, &set, m->their_weight, m->parts->count, share, m->home));
    for (int k = 0; k < set.count; k++)
        m->part_of[m->place[k]] = m->home[k];
    return 0;
}

static int place_by_map(const struct mapped *m, bool *found) {
    const struct weir_block_set *set = &m->domain->set;
    *found = false;
    for (int k = 0; k < set->count; k++) {
        m->region_of[k] = weir_rank_map_region(m->map, &m->domain->grid, set->blocks[k]);
        m->part_of[k] = -1;
        const struct weir_rank_region *region = &m->map->regions[m->region_of[k]];
        *found = *found || region->gpu >= 0 || region->part[0] != '\0';
    }
    if (!*found)
        return 0;
    for (int k = 0; k < set->count; k++)
        if (m->part_of[k] < 0)
            WEIR_TRY(place_regions(m, m->region_of[k]));
    weir_homes_set(m->domain, m->part_of);
    return 0;
}

int weir_homes_by_map(struct weir_domain *domain, const struct weir_parts *parts, const double *share,
                      const struct weir_rank_map *map, const struct weir_rank_seat *seat, bool *found) {
    const size_t blocks = (size_t)domain->set.count;
    struct mapped m = {.domain = domain, .parts = parts, .share = share, .map = map, .seat = seat};
    m.region_of = malloc(sizeof *m.region_of * blocks);
    m.blocks = malloc(sizeof *m.blocks * blocks);
    m.place = malloc(sizeof *m.place * blocks);
    m.home = malloc(sizeof *m.home * blocks);
    m.their_weight = malloc(sizeof *m.their_weight * blocks);
    m.weight = new_weights(domain);
    m.part_of = new_parts(domain);
    const int error = m.region_of && m.blocks && m.place && m.home && m.their_weight && m.weight && m.part_of
                          ? place_by_map(&m, found)
                          : fail_memory(domain);
    free(m.region_of);
    free(m.blocks);
    free(m.place);
    free(m.home);
    free(m.their_weight);
    free(m.weight);
    free(m.part_of);
    return error;
}

/* The blocks as the time model sees them; *part_of is filled with their homes. Both are the caller's. */
static int cut_of(const struct weir_domain *domain, struct weir_cut **cut, int **part_of) {
    int64_t *fluid = malloc(sizeof *fluid * (size_t)domain->set.count);
    *part_of = new_parts(domain);
    int error = fluid && *part_of ? 0 : fail_memory(domain);
    for (int k = 0; error == 0 && k < domain->set.count; k++) {
        fluid[k] = domain->blocks[k].fluid_cells;
        (*part_of)[k] = domain->blocks[k].home.part;
    }
    if (error == 0)
        error = weir_cut_create(domain->problem, &domain->grid, &domain->set, fluid, cut);
    free(fluid);
    return error;
}

int weir_homes_by_model(struct weir_domain *domain, const struct weir_machine *machine,
                        struct weir_prediction *prediction) {
    struct weir_cut *cut = NULL;
    struct weir_split split;
    int *part_of = NULL;
    int error = cut_of(domain, &cut, &part_of);
    if (error == 0)
        error = weir_best_split(machine, cut, part_of, &split);
    if (error == 0) {
        weir_homes_set(domain, part_of);
        *prediction = split.prediction;
    }
    weir_cut_destroy(cut);
    free(part_of);
    return error;
}

int weir_homes_predict(const struct weir_domain *domain, const struct weir_machine *machine,
                       struct weir_prediction *prediction) {
    struct weir_cut *cut = NULL;
    int *part_of = NULL;
    const int error = cut_of(domain, &cut, &part_of);
    if (error == 0)
        weir_time_model_predict(machine, cut, part_of, prediction);
    weir_cut_destroy(cut);
    free(part_of);
    return error;
}

void weir_homes_rates(const struct weir_domain *domain, const struct weir_machine *machine, double *rate) {
    double fluid = 0, solid = 0, weight = 0;
    for (int k = 0; k < domain->set.count; k++) {
        const struct weir_block *block = &domain->blocks[k];
        const struct weir_box box = weir_block_grid_box(&domain->grid, block->number);
        fluid += (double)block->fluid_cells;
        solid += (double)(weir_box_cells(&box) - block->fluid_cells);
        weight += weir_block_weight(block);
    }
    for (int part = 0; part < weir_machine_parts(machine); part++) {
        const struct weir_machine_kind *kind = &machine->kinds[weir_machine_kind_of(machine, part)];
        rate[part] = weight / weir_time_model_part(kind, weir_time_model_work(&kind->rates, fluid, solid),
                                                   domain->set.count);
    }
}
