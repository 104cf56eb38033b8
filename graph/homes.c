#include "graph/homes.h"

#include "graph/base/error.h"
#include "graph/plan/best_split.h"
#include "graph/plan/decomposition.h"
#include "graph/plan/map_homes.h"
#include "graph/plan/placement.h"

#include <stdlib.h>

/* Room for a part of each block of this rank, for a weight of each; NULL when memory is short. */
static int *new_parts(const struct weir_domain *domain) {
    return malloc(sizeof(int) * ((size_t)domain->set.count + 1));
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
        const int neighbour =
            weir_block_grid_neighbour(&domain->grid, domain->set.blocks[place], weir_offset(k).along);
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

int weir_homes_by_map(struct weir_domain *domain, const struct weir_parts *parts, const double *share,
                      const struct weir_rank_map *map, const struct weir_rank_seat *seat, bool *found) {
    double *weight = new_weights(domain);
    int *part_of = new_parts(domain), *region_of = malloc(sizeof *region_of * (size_t)domain->set.count);
    int error = weight && part_of && region_of ? 0 : fail_memory(domain);
    for (int k = 0; error == 0 && k < domain->set.count; k++)
        region_of[k] = weir_rank_map_region(map, &domain->grid, domain->set.blocks[k]);
    const struct weir_map_homes homes = {map,       seat,   &domain->grid, &domain->set,
                                         region_of, weight, parts,         share};
    if (error == 0)
        error = weir_map_homes_choose(&homes, part_of, found);
    if (error == 0 && *found)
        weir_homes_set(domain, part_of);
    free(weight);
    free(part_of);
    free(region_of);
    return error;
}

/* The blocks as the time model sees them; *part_of is filled with their homes. Both are the caller's. */
static int decomposition_of(const struct weir_domain *domain, struct weir_decomposition **decomposition,
                            int **part_of) {
    int64_t *fluid = malloc(sizeof *fluid * (size_t)domain->set.count);
    *part_of = new_parts(domain);
    int error = fluid && *part_of ? 0 : fail_memory(domain);
    for (int k = 0; error == 0 && k < domain->set.count; k++) {
        fluid[k] = domain->blocks[k].fluid_cells;
        (*part_of)[k] = domain->blocks[k].home.part;
    }
    if (error == 0)
        error = weir_decomposition_create(domain->problem, &domain->grid, &domain->set, fluid, decomposition);
    free(fluid);
    return error;
}

int weir_homes_by_model(struct weir_domain *domain, const struct weir_machine *machine,
                        struct weir_prediction *prediction) {
    struct weir_decomposition *decomposition = NULL;
    struct weir_split split;
    int *part_of = NULL;
    int error = decomposition_of(domain, &decomposition, &part_of);
    if (error == 0)
        error = weir_best_split(machine, decomposition, part_of, &split);
    if (error == 0) {
        weir_homes_set(domain, part_of);
        *prediction = split.prediction;
    }
    weir_decomposition_destroy(decomposition);
    free(part_of);
    return error;
}

int weir_homes_predict(const struct weir_domain *domain, const struct weir_machine *machine,
                       struct weir_prediction *prediction) {
    struct weir_decomposition *decomposition = NULL;
    int *part_of = NULL;
    const int error = decomposition_of(domain, &decomposition, &part_of);
    if (error == 0)
        weir_time_model_predict(machine, decomposition, part_of, prediction);
    weir_decomposition_destroy(decomposition);
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
