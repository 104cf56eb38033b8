#include "graph/homes.h"

#include "graph/base/error.h"
#include "graph/plan/best_split.h"
#include "graph/plan/decomposition.h"
#include "graph/plan/map_homes.h"
#include "graph/plan/placement.h"

#include <stdlib.h>

/* Room for a worker group of each block of this rank, for a weight of each; NULL when memory is short. */
static int *new_groups(const struct weir_domain *domain) {
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
static bool at_border(const struct weir_domain *domain, const int *group_of, int place) {
    for (int k = 0; k < WEIR_NEIGHBOURS; k++) {
        const int neighbour =
            weir_block_grid_fluid_neighbour(&domain->grid, domain->set.blocks[place], weir_offset(k).along);
        if (neighbour < 0)
            continue;
        const int other = weir_block_set_index(&domain->set, neighbour);
        if (other < 0 || group_of[other] != group_of[place])
            return true;
    }
    return false;
}

void weir_homes_set(struct weir_domain *domain, const int *group_of) {
    for (int k = 0; k < domain->set.count; k++) {
        struct weir_block *block = &domain->blocks[k];
        block->home.group = group_of[k];
        block->home.border = at_border(domain, group_of, k);
    }
}

int weir_homes_choose(struct weir_domain *domain, int groups, const double *share) {
    double *weight = new_weights(domain);
    int *group_of = new_groups(domain);
    int error = weight && group_of ? 0 : fail_memory(domain);
    if (error == 0)
        error = weir_placement_bisect(&domain->grid, &domain->set, weight, groups, share, group_of);
    if (error == 0)
        weir_homes_set(domain, group_of);
    free(weight);
    free(group_of);
    return error;
}

int weir_homes_for_newcomers(struct weir_domain *domain, int groups, const double *rate) {
    double load[WEIR_WORKER_GROUPS_MAX] = {0};
    int *group_of = new_groups(domain);
    if (!group_of)
        return fail_memory(domain);
    for (int k = 0; k < domain->set.count; k++)
        if (domain->blocks[k].home.group >= 0)
            load[domain->blocks[k].home.group] += weir_block_weight(&domain->blocks[k]);
    for (int k = 0; k < domain->set.count; k++) {
        const struct weir_block *block = &domain->blocks[k];
        int best = block->home.group;
        for (int group = 0; block->home.group < 0 && group < groups; group++)
            if (rate[group] > 0 && (best < 0 || (load[group] + weir_block_weight(block)) / rate[group] <
                                                    (load[best] + weir_block_weight(block)) / rate[best]))
                best = group;
        if (block->home.group < 0)
            load[best] += weir_block_weight(block);
        group_of[k] = best;
    }
    weir_homes_set(domain, group_of);
    free(group_of);
    return 0;
}

int weir_homes_by_map(struct weir_domain *domain, const struct weir_worker_groups *groups,
                      const double *share, const struct weir_rank_map *map, const struct weir_rank_seat *seat,
                      bool *found) {
    double *weight = new_weights(domain);
    int *group_of = new_groups(domain), *region_of = malloc(sizeof *region_of * (size_t)domain->set.count);
    int error = weight && group_of && region_of ? 0 : fail_memory(domain);
    for (int k = 0; error == 0 && k < domain->set.count; k++)
        region_of[k] = weir_rank_map_region(map, &domain->grid, domain->set.blocks[k]);
    const struct weir_map_homes homes = {map,       seat,   &domain->grid, &domain->set,
                                         region_of, weight, groups,        share};
    if (error == 0)
        error = weir_map_homes_choose(&homes, group_of, found);
    if (error == 0 && *found)
        weir_homes_set(domain, group_of);
    free(weight);
    free(group_of);
    free(region_of);
    return error;
}

/* The blocks as the time model sees them; *group_of is filled with their homes. Both are the caller's. */
static int decomposition_of(const struct weir_domain *domain, struct weir_decomposition **decomposition,
                            int **group_of) {
    int64_t *fluid = malloc(sizeof *fluid * (size_t)domain->set.count);
    *group_of = new_groups(domain);
    int error = fluid && *group_of ? 0 : fail_memory(domain);
    for (int k = 0; error == 0 && k < domain->set.count; k++) {
        fluid[k] = domain->blocks[k].fluid_cells;
        (*group_of)[k] = domain->blocks[k].home.group;
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
    int *group_of = NULL;
    int error = decomposition_of(domain, &decomposition, &group_of);
    if (error == 0)
        error = weir_best_split(machine, decomposition, group_of, &split);
    if (error == 0) {
        weir_homes_set(domain, group_of);
        *prediction = split.prediction;
    }
    weir_decomposition_destroy(decomposition);
    free(group_of);
    return error;
}

int weir_homes_predict(const struct weir_domain *domain, const struct weir_machine *machine,
                       struct weir_prediction *prediction) {
    struct weir_decomposition *decomposition = NULL;
    int *group_of = NULL;
    const int error = decomposition_of(domain, &decomposition, &group_of);
    if (error == 0)
        weir_time_model_predict(machine, decomposition, group_of, prediction);
    weir_decomposition_destroy(decomposition);
    free(group_of);
    return error;
}

void weir_homes_rates(const struct weir_domain *domain, const struct weir_machine *machine, double *rate) {
    struct weir_cell_counts cells[WEIR_CELL_KIND_COUNT] = {{0, 0, 0}};
    double weight = 0;
    for (int k = 0; k < domain->set.count; k++) {
        const struct weir_block *block = &domain->blocks[k];
        const struct weir_box box = weir_block_grid_box(&domain->grid, block->number);
        struct weir_cell_counts *of_kind = &cells[block->layout.kept.kind];
        of_kind->fluid += (double)block->fluid_cells;
        of_kind->wall += (double)block->wall_cells;
        of_kind->solid += (double)(weir_box_cells(&box) - block->fluid_cells);
        weight += weir_block_weight(block);
    }
    for (int group = 0; group < weir_machine_worker_groups(machine); group++) {
        const struct weir_machine_kind *kind = &machine->kinds[weir_machine_kind_of(machine, group)];
        double work = 0;
        for (int k = 0; k < WEIR_CELL_KIND_COUNT; k++)
            work += weir_time_model_work(&kind->rates, (enum weir_cell_kind)k, &cells[k]);
        rate[group] = weight / weir_time_model_worker_group(kind, work, domain->set.count);
    }
}
