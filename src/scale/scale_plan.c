#include "src/scale/scale_plan.h"

#include "graph/base/error.h"
#include "graph/problem/blocks.h"
#include "graph/runtime/cores.h"
#include "graph/simulation.h"
#include "src/case/case_options.h"
#include "src/common/compact_copies.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* 1, 2, 4 and so on. */
static void choose_ranks(struct weir_scale_plan *plan, int most) {
    for (int ranks = 1; ranks <= most && plan->rank_count < WEIR_SCALING_POINTS_MAX; ranks *= 2)
        plan->ranks[plan->rank_count++] = ranks;
}

/* What each rank gets of this host. */
static int share_host(struct weir_scale_plan *plan, bool with_gpus) {
    const struct weir_scale_options *options = plan->options;
    const int most = plan->ranks[plan->rank_count - 1];
    plan->shared = options->all_cores;
    plan->cores = options->cores > 0 ? options->cores : plan->host_cores / most;
    if (options->all_cores)
        plan->cores = 0;
    if (most > plan->host_cores && !options->oversubscribe)
        return weir_fail(WEIR_USAGE,
                         "--ranks: %d ranks are more than the %d cores of this host; give fewer, another "
                         "--launcher, or --oversubscribe to see that it works at all",
                         most, plan->host_cores);
    if ((int64_t)most * plan->cores > plan->host_cores && !options->oversubscribe)
        return weir_fail(WEIR_USAGE, "--cores: %d ranks of %d cores are more than the %d cores of this host",
                         most, plan->cores, plan->host_cores);
    if (options->oversubscribe)
        plan->cores = 1;
    plan->confined = !options->all_cores && !options->oversubscribe;
    if (!with_gpus || plan->host_gpus == 0 || options->all_cores)
        return 0;
    plan->gpus = plan->host_gpus / most;
    if (plan->gpus == 0)
        return weir_fail(WEIR_USAGE,
                         "--ranks: %d ranks are more than the %d GPUs of this host; give fewer, or "
                         "--set placement.workers=cpu",
                         most, plan->host_gpus);
    return 0;
}

/* The blocks of all runs: those that the case names, or those that the largest number of ranks would choose
 * (for --weak, one rank: each has as many). */
static int choose_blocks(struct weir_scale_plan *plan, struct weir_step_workers workers) {
    const struct weir_simulation_options options = weir_case_simulation_options(plan->c);
    const int most = plan->ranks[plan->rank_count - 1];
    struct weir_block_grid grid;
    if (plan->gpus > 0)
        workers.gpus = plan->gpus;
    else if (plan->cores > 0)
        workers.cpus = plan->cores;
    if (plan->options->strong && !plan->shared) {
        workers.gpus *= most;
        workers.cpus *= most;
    }
    workers.ranks = most;
    if (plan->options->strong && workers.gpus == 0 && workers.cpus < most)
        workers.cpus = most; /* every rank brings a worker at least */
    weir_simulation_block_cells(&plan->c->problem, &options, &workers, plan->block_cells);
    WEIR_TRY(weir_block_grid_create(&plan->c->problem, plan->block_cells, &grid));
    memcpy(plan->block_cells, grid.block_cells, sizeof plan->block_cells);
    if (plan->options->strong && grid.total < most)
        return weir_fail(WEIR_USAGE,
                         "--ranks: %d ranks are more than the %d blocks of %d x %d x %d; give smaller "
                         "blocks.cells, or fewer ranks",
                         most, grid.total, grid.block_cells[0], grid.block_cells[1], grid.block_cells[2]);
    return 0;
}

int weir_scale_plan_make(const struct weir_scale_options *options, const struct weir_case *c,
                         const struct weir_cores *cores, struct weir_scale_plan *plan) {
    struct weir_runtime_options runtime_options;
    struct weir_step_workers workers;
    *plan = (struct weir_scale_plan){.options = options, .c = c, .rank_count = options->rank_count};
    memcpy(plan->ranks, options->ranks, sizeof plan->ranks);
    if (c->ranks_along[0] > 0)
        return weir_fail(WEIR_USAGE, "%s: ranks.grid: fits one number of ranks only; leave it out", c->file);
    WEIR_TRY(weir_case_runtime_options(c, &runtime_options));
    runtime_options.problem = NULL; /* ranks share nothing */
    WEIR_TRY(weir_runtime_expect(&runtime_options, &workers));
    plan->host_cores = weir_cores_count(cores);
    plan->host_gpus = weir_runtime_gpus();
    if (plan->rank_count == 0)
        choose_ranks(plan, workers.gpus > 0 ? workers.gpus : plan->host_cores);
    if (options->launcher)
        snprintf(plan->launcher, sizeof plan->launcher, "%s", options->launcher);
    else {
        snprintf(plan->launcher, sizeof plan->launcher, "mpirun -np {ranks} --bind-to none%s",
                 options->oversubscribe ? " --oversubscribe" : "");
        WEIR_TRY(share_host(plan, workers.gpus > 0));
    }
    return choose_blocks(plan, workers);
}

void weir_scale_plan_cells(const struct weir_scale_plan *plan, int ranks, int cells[3]) {
    const struct weir_problem *p = &plan->c->problem;
    int times[3] = {1, 1, 1};
    if (plan->options->weak)
        weir_compact_copies(p->cells, weir_lattice_dimensions(p->lattice), ranks, times);
    for (int axis = 0; axis < 3; axis++)
        cells[axis] = p->cells[axis] * times[axis];
}

void weir_scale_plan_gpus(const struct weir_scale_plan *plan, int ranks, char *list, size_t size) {
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    list[0] = '\0';
    if (plan->gpus == 0)
        return;
    for (int gpu = 0; gpu < ranks * plan->gpus; gpu++) {
        const size_t used = strlen(list);
        const char *comma = gpu > 0 ? "," : "";
        if (!visible) {
            snprintf(list + used, size - used, "%s%d", comma, gpu);
            continue;
        }
        const int length = (int)strcspn(visible, ",");
        snprintf(list + used, size - used, "%s%.*s", comma, length, visible);
        visible += length + (visible[length] == ',');
    }
}
