#include "graph/homes.h"

#include "graph/best_split.h"
#include "graph/cut.h"
#include "graph/error.h"
#include "graph/placement.h"

#include <stdlib.h>

/* Whether any block around this one is at home elsewhere. */
static bool at_border(const struct weir_domain *domain, const int *part_of, int number) {
    for (int k = 0; k < WEIR_NEIGHBOURS; k++) {
        const int offset[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
        const int neighbour = weir_block_grid_neighbour(&domain->grid, number, offset);
        if (neighbour >= 0 && part_of[neighbour] != part_of[number])
            return true;
    }
    return false;
}

void weir_homes_set(struct weir_domain *domain, const int *part_of) {
    for (int number = 0; number < domain->grid.total; number++) {
        domain->blocks[number].home.part = part_of[number];
        domain->blocks[number].home.border = at_border(domain, part_of, number);
    }
}

int weir_homes_choose(struct weir_domain *domain, int parts, const double *share) {
    const size_t blocks = (size_t)domain->grid.total;
    double *weight = malloc(sizeof *weight * blocks);
    int *part_of = malloc(sizeof *part_of * blocks);
    int error;
    if (weight && part_of) {
        for (int number = 0; number < domain->grid.total; number++)
            weight[number] = weir_block_weight(&domain->blocks[number]);
        error = weir_placement_bisect(&domain->grid, weight, parts, share, part_of);
        if (error == 0)
            weir_homes_set(domain, part_of);
    } else
        error = weir_fail(WEIR_FAILED, "out of memory while placing %d blocks; choose larger blocks",
                          domain->grid.total);
    free(weight);
    free(part_of);
    return error;
}

/* The blocks as the time model sees them; *part_of is filled with their homes. Both are the caller's. */
static int cut_of(const struct weir_domain *domain, struct weir_cut **cut, int **part_of) {
    const size_t blocks = (size_t)domain->grid.total;
    int64_t *fluid = malloc(sizeof *fluid * blocks);
    *part_of = malloc(sizeof **part_of * blocks);
    int error;
    if (fluid && *part_of) {
        for (int number = 0; number < domain->grid.total; number++) {
            fluid[number] = domain->blocks[number].fluid_cells;
            (*part_of)[number] = domain->blocks[number].home.part;
        }
        error = weir_cut_create(domain->problem, &domain->grid, fluid, cut);
    } else
        error = weir_fail(WEIR_FAILED, "out of memory while placing %d blocks; choose larger blocks",
                          domain->grid.total);
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
    for (int number = 0; number < domain->grid.total; number++) {
        const struct weir_box box = weir_block_grid_box(&domain->grid, number);
        fluid += (double)domain->blocks[number].fluid_cells;
        solid += (double)(weir_box_cells(&box) - domain->blocks[number].fluid_cells);
        weight += weir_block_weight(&domain->blocks[number]);
    }
    for (int part = 0; part < weir_machine_parts(machine); part++) {
        const struct weir_machine_kind *kind = &machine->kinds[weir_machine_kind_of(machine, part)];
        rate[part] = weight / weir_time_model_part(kind, weir_time_model_work(&kind->rates, fluid, solid),
                                                   domain->grid.total);
    }
}
