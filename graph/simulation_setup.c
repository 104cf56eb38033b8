#include "graph/simulation_state.h"

#include "codelets/digest.h"
#include "codelets/kernels/demand/routes.h"
#include "codelets/stage.h"
#include "graph/base/error.h"
#include "graph/homes.h"
#include "graph/plan/granularity.h"
#include "graph/plan/rank_map.h"
#include "graph/problem/fluid_search.h"
#include "graph/problem/forms.h"
#include "graph/problem/problem_kernels.h"
#include "graph/rank_decomposition.h"
#include "graph/ranks/supervisor.h"
#include "graph/ranks/world.h"
#include "graph/runtime/bookkeeping.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Tasks under way at most: enough steps that no worker runs dry, few enough that stopping is quick. */
enum { WINDOW_STEPS_MIN = 2, WINDOW_STEPS_MAX = 16, WINDOW_TASKS = 1024 };

void weir_simulation_block_cells(const struct weir_problem *problem,
                                 const struct weir_simulation_options *options,
                                 const struct weir_step_workers *workers, int block_cells[3]) {
    if (workers->slab_memory > 0)
        weir_slabs_block_cells(problem, options->change, workers->slab_memory, block_cells);
    else if (options->movable)
        weir_granularity_movable_blocks(problem, workers, block_cells);
    else
        weir_granularity_blocks(problem, workers, block_cells);
    for (int axis = 0; axis < 3; axis++)
        if (options->block_cells[axis] > 0)
            block_cells[axis] = options->block_cells[axis];
}

int64_t weir_simulation_bytes_needed(const struct weir_problem *problem,
                                     const struct weir_simulation_options *options,
                                     const struct weir_block_grid *grid, const struct weir_block_set *set) {
    return weir_domain_bytes(problem, options->change, grid, set);
}

double weir_simulation_routes(const struct weir_problem *problem, const struct weir_block_grid *grid,
                              const struct weir_block_set *set) {
    double cells = 0;
    if (!weir_cells_possible(problem, WEIR_LIST))
        return 0;
    for (int k = 0; k < (set ? set->count : grid->total); k++) {
        const int block = set ? set->blocks[k] : k;
        const struct weir_box box = weir_block_grid_box(grid, block);
        if (weir_block_is_solid(grid, block))
            continue;
        const struct weir_block_form form = weir_block_form(problem, &box);
        cells += form.kept.kind == WEIR_LIST ? (double)form.kept.count : 0;
    }
    return weir_routes_bytes(weir_lattice_table((int)problem->lattice), cells);
}

struct weir_memory_need weir_simulation_memory(const struct weir_problem *problem,
                                               const struct weir_simulation_options *options,
                                               const struct weir_block_grid *grid,
                                               const struct weir_block_set *set) {
    struct weir_memory_need need = {.bytes =
                                        (double)weir_simulation_bytes_needed(problem, options, grid, set),
                                    .values_bytes = weir_memory_of_values(problem, grid),
                                    .blocks = set ? set->count : weir_block_grid_fluid_blocks(grid),
                                    .sums = options->sums_bytes,
                                    .sharers = 1};
    need.copies = fmin(options->copies_most, need.bytes);
    need.books = need.blocks * weir_bookkeeping_bytes(problem, options->change);
    for (int k = 0; k < (set ? set->count : grid->solid ? grid->total : 0); k++) {
        const int block = set ? set->blocks[k] : k;
        const struct weir_box box = weir_block_grid_box(grid, block);
        need.cells += weir_block_is_solid(grid, block) ? 0 : (double)weir_box_cells(&box);
    }
    need.routes = weir_simulation_routes(problem, grid, set);
    if (!set && !grid->solid)
        need.cells = (double)problem->cells[0] * problem->cells[1] * problem->cells[2];
    return need;
}

/* Whether this rank's blocks have room here. rank_of[grid->total]: NULL in a world of one. */
static int check_memory(const struct weir_simulation *simulation, const struct weir_problem *problem,
                        const struct weir_simulation_options *options, const struct weir_block_grid *grid,
                        const int *rank_of) {
    const struct weir_world *world = simulation->world;
    int *blocks = malloc(sizeof *blocks * (size_t)grid->total), count = 0;
    if (!blocks)
        return weir_fail(WEIR_FAILED, "out of memory for %d blocks; choose larger blocks", grid->total);
    for (int block = 0; block < grid->total; block++)
        if (!weir_block_is_solid(grid, block) && (!rank_of || rank_of[block] == weir_world_rank(world)))
            blocks[count++] = block;
    const struct weir_block_set set = {blocks, count};
    struct weir_memory_need need = weir_simulation_memory(problem, options, grid, rank_of ? &set : NULL);
    free(blocks);
    need.workers = weir_runtime_step_workers(simulation->runtime);
    need.sharers = weir_world_local_size(world);
    need.started = true;
    return weir_memory_check(&need);
}

/* Deals the blocks out to the worker groups of the machine. rate: what is expected of each, 0 where nothing
 * is. */
static int place_blocks(struct weir_simulation *simulation, const struct weir_simulation_options *options,
                        double rate[WEIR_WORKER_GROUPS_MAX]) {
    const struct weir_worker_groups *groups = weir_runtime_worker_groups(simulation->runtime);
    double share[WEIR_WORKER_GROUPS_MAX];
    for (int k = 0; k < groups->count; k++)
        share[k] = 1;
    /* Where nothing is known of worker groups of different kinds, the GPUs take all: cores would keep them
     * waiting.
     */
    if (groups->group[0].kind == WEIR_WORKER_GROUP_GPU)
        for (int k = 0; k < groups->count; k++)
            share[k] = groups->group[k].kind == WEIR_WORKER_GROUP_GPU;
    if (options->share_count > 0)
        WEIR_TRY(weir_worker_groups_shares(groups, options->shares, options->share_count, share));
    const enum weir_policy policy = weir_runtime_policy(simulation->runtime);
    if (options->machine)
        weir_homes_rates(simulation->domain, options->machine, rate);
    if (options->machine && options->share_count == 0) /* measured shares */
        memcpy(share, rate, sizeof share);
    bool mapped = false;
    if (options->map)
        WEIR_TRY(weir_homes_by_map(simulation->domain, groups, share, options->map,
                                   &options->seats[weir_world_rank(simulation->world)], &mapped));
    if (!mapped && options->machine && options->share_count == 0 && policy != WEIR_POLICY_STATIC) {
        WEIR_TRY(weir_homes_by_model(simulation->domain, options->machine, &simulation->prediction));
    } else {
        if (!mapped)
            WEIR_TRY(weir_homes_choose(simulation->domain, groups->count, share));
        if (options->machine)
            WEIR_TRY(weir_homes_predict(simulation->domain, options->machine, &simulation->prediction));
    }
    return 0;
}

static int place(struct weir_simulation *simulation, const struct weir_simulation_options *options) {
    const struct weir_worker_groups *groups = weir_runtime_worker_groups(simulation->runtime);
    double rate[WEIR_WORKER_GROUPS_MAX] = {0};
    simulation->predicted = options->machine != NULL;
    if (simulation->domain->set.count > 0)
        WEIR_TRY(place_blocks(simulation, options, rate));
    if (weir_runtime_policy(simulation->runtime) != WEIR_POLICY_BALANCED || options->homes_stay ||
        simulation->slabs || weir_block_grid_fluid_blocks(&simulation->domain->grid) == 1)
        return 0;
    return weir_balancer_create(simulation->domain, groups, rate, &simulation->balancer);
}

/* Where this rank's workers want kernels; none are called where the world only pretends. */
static unsigned kernels_wanted(const struct weir_simulation *simulation, const struct weir_problem *problem) {
    const unsigned where = weir_runtime_step_where(simulation->runtime);
    if (weir_world_pretends(simulation->world))
        return 0;
    return (where & STARPU_CPU || problem->surface.bubbles ? WEIR_KERNELS_CPU : 0) |
           (where & STARPU_CUDA ? WEIR_KERNELS_CUDA : 0);
}

/* Cuts the domain, divides it among ranks, and registers this rank's part. */
static int create_domain(struct weir_simulation *simulation, const struct weir_problem *problem,
                         const struct weir_simulation_options *options) {
    struct weir_world *world = simulation->world;
    const struct weir_step_workers here = weir_runtime_step_workers(simulation->runtime),
                                   all = weir_rank_decomposition_workers(world, &here);
    struct weir_cell_costs costs[WEIR_CELL_KIND_COUNT];
    int block_cells[3], *rank_of = NULL;
    weir_simulation_block_cells(problem, options, &all, block_cells);
    struct weir_block_grid grid;
    WEIR_TRY(weir_block_grid_create(problem, block_cells, &grid));
    WEIR_TRY(weir_rank_decomposition_find_solid(world, problem, &grid, &simulation->solid_blocks));
    simulation->bytes = weir_simulation_bytes_needed(problem, options, &grid, NULL);
    weir_rank_decomposition_costs(world, options->machine, costs);
    if (weir_world_size(world) > 1 || options->map) {
        const double speed = options->machine ? weir_machine_speed(options->machine) : 0;
        rank_of = malloc(sizeof *rank_of * (size_t)grid.total);
        int error =
            rank_of ? 0
                    : weir_fail(WEIR_FAILED, "out of memory for %d blocks; choose larger blocks", grid.total);
        error = weir_world_agree(world, error);
        if (error == 0)
            error = weir_rank_decomposition_make(world, problem, &grid, &here, speed, costs,
                                                 options->ranks_along, options->map, options->seats, rank_of);
        if (error != 0) {
            free(rank_of);
            return error;
        }
    }
    const int *divided = weir_world_size(world) > 1 ? rank_of : NULL;
    const struct weir_kernels *kernels[WEIR_CELL_KIND_COUNT] = {NULL};
    int error = check_memory(simulation, problem, options, &grid, divided);
    for (int kind = 0; kind < WEIR_CELL_KIND_COUNT && error == 0; kind++)
        if (weir_cells_possible(problem, (enum weir_cell_kind)kind))
            error = weir_problem_kernels(problem, (enum weir_cell_kind)kind,
                                         kernels_wanted(simulation, problem), &kernels[kind]);
    if (error == 0)
        error =
            weir_domain_create(problem, options->change, &grid, world, kernels, divided, &simulation->domain);
    if (error == 0)
        memcpy(simulation->domain->context.costs, costs, sizeof costs);
    free(rank_of);
    return weir_world_agree(world, error);
}

/* Kernels off. */
static void end_at_once(struct weir_simulation_tasks *tasks) {
    struct weir_task_kind *const kinds[] = {
        &tasks->start.geometry,   &tasks->start.values,  &tasks->start.restored,  &tasks->start.fill,
        &tasks->start.initialise, &tasks->exchange.pack, &tasks->exchange.unpack, &tasks->boundary_values};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        kinds[k]->codelet.where = STARPU_NOWHERE;
    for (int stage = 0; stage < WEIR_STAGES_MAX; stage++)
        tasks->stage[stage].codelet.where = STARPU_NOWHERE;
}

static int define_tasks(struct weir_simulation *simulation) {
    const struct weir_kernels *kernels = simulation->domain->context.kernels[WEIR_BRICK];
    const struct weir_model *model = &simulation->domain->model;
    const unsigned where = weir_runtime_step_where(simulation->runtime);
    struct weir_simulation_tasks *tasks = calloc(1, sizeof *tasks);
    if (!tasks)
        return weir_fail(WEIR_FAILED, "out of memory while setting up the simulation");
    simulation->tasks = tasks;
    weir_runtime_free_at_stop(simulation->runtime, tasks);
    weir_start_define(&tasks->start, kernels);
    for (int k = 0; k < model->stage_count; k++) {
        weir_stage_define(&tasks->stage[k], &model->stage[k], kernels);
        if (!model->stage[k].on_cores)
            tasks->stage[k].codelet.where &= where;
    }
    weir_digest_define(&tasks->digest, kernels);
    weir_boundary_values_define(&tasks->boundary_values, kernels);
    weir_observation_define(&tasks->observation, kernels, where);
    weir_time_sums_define(&tasks->time_sums, kernels, where);
    weir_probes_define(&tasks->probes, kernels, where);
    weir_reduction_define(&tasks->reduction, kernels, where);
    weir_exchange_define(&tasks->exchange, kernels, where);
    weir_rank_balancer_define(&tasks->rank_balancer, kernels);
    weir_pace_define(&tasks->pace, kernels);
    weir_slabs_define(&tasks->slabs, kernels);
    weir_bubbles_define(&tasks->bubbles, kernels);
    tasks->start.initialise.codelet.where &= where;
    tasks->start.fill.codelet.where &= where;
    tasks->digest.codelet.where &= where;
    if (weir_world_pretends(simulation->world))
        end_at_once(tasks);
    return 0;
}

/* Blocks with neighbours on other ranks. */
static bool at_rank_border(const struct weir_domain *domain, int number) {
    for (int k = 0; k < WEIR_NEIGHBOURS; k++) {
        const int neighbour = weir_block_grid_fluid_neighbour(&domain->grid, number, weir_offset(k).along);
        if (neighbour >= 0 && !weir_domain_block(domain, neighbour))
            return true;
    }
    return false;
}

/* A domain of one block, or whose others are solid, waits for nobody between two steps: a task takes as many
 * as fill some milliseconds, so that handing it out costs nothing, and progress, interrupts and failures are
 * still seen at once. */
static int steps_per_task(const struct weir_simulation *simulation) {
    /* Updates in about 5 ms, and steps that a GPU's queue of launches holds. */
    enum { CORE_UPDATES = 500000, GPU_UPDATES = 100000000, STEPS_MOST = 500 };
    const struct weir_domain *domain = simulation->domain;
    if (domain->set.count != 1 || weir_world_size(domain->world) > 1 || domain->model.stage_count > 1 ||
        domain->context.varying >= 0)
        return 1;
    const struct weir_step_workers workers = weir_runtime_step_workers(simulation->runtime);
    const struct weir_box box = weir_block_grid_box(&domain->grid, domain->set.blocks[0]);
    const double cells = (double)weir_box_cells(&box),
                 updates = workers.gpus > 0 ? GPU_UPDATES : (double)CORE_UPDATES * workers.cpus,
                 steps = updates / cells;
    return steps < 1 ? 1 : steps > STEPS_MOST ? STEPS_MOST : (int)steps;
}

int weir_simulation_set_order(struct weir_simulation *simulation) {
    const struct weir_domain *domain = simulation->domain;
    const int blocks = domain->set.count,
              of_pair = (blocks > 0 ? blocks : 1) * weir_model_stages_of_pair(&domain->model);
    int steps = 2 * WINDOW_TASKS / of_pair;
    steps = steps < WINDOW_STEPS_MIN ? WINDOW_STEPS_MIN : steps > WINDOW_STEPS_MAX ? WINDOW_STEPS_MAX : steps;
    simulation->window = steps * of_pair / 2;
    simulation->steps_per_task = steps_per_task(simulation);
    free(simulation->order);
    simulation->order = malloc(sizeof *simulation->order * ((size_t)blocks + 1));
    if (!simulation->order)
        return weir_fail(WEIR_FAILED, "out of memory for %d blocks; choose larger blocks", blocks);
    int place = 0;
    for (int border = 1; border >= 0; border--) {
        for (int k = 0; k < blocks; k++)
            if (at_rank_border(domain, domain->set.blocks[k]) == border)
                simulation->order[place++] = k;
        if (border)
            simulation->border_blocks = place;
    }
    return 0;
}

/* The fluid cells of all ranks. */
static void count_fluid(struct weir_domain *domain) {
    domain->all_fluid_cells = domain->fluid_cells;
    if (weir_world_size(domain->world) > 1)
        MPI_Allreduce(&domain->fluid_cells, &domain->all_fluid_cells, 1, MPI_INT64_T, MPI_SUM,
                      weir_world_comm(domain->world));
}

int weir_simulation_set_up_exchange(struct weir_simulation *simulation) {
    if (weir_world_size(simulation->domain->world) == 1)
        return 0;
    WEIR_TRY(weir_exchange_create(simulation->domain, &simulation->tasks->exchange, &simulation->exchange));
    weir_exchange_follow_homes(simulation->exchange);
    return 0;
}

/* Ranks that compute together keep together. */
static int set_up_pace(struct weir_simulation *simulation) {
    if (weir_world_size(simulation->world) == 1 || weir_world_pretends(simulation->world))
        return 0;
    return weir_pace_create(simulation->domain, &simulation->tasks->pace, &simulation->pace);
}

/* Where the domain has no room where it is computed. */
static int set_up_slabs(struct weir_simulation *simulation, const struct weir_simulation_options *options) {
    const struct weir_step_workers workers = weir_runtime_step_workers(simulation->runtime);
    int movers[2 * WEIR_MOVERS_EACH_WAY];
    if (workers.slab_memory <= 0 || (double)simulation->bytes <= workers.slab_memory ||
        weir_world_pretends(simulation->world))
        return 0;
    if (simulation->domain->problem->surface.bubbles)
        return weir_fail(WEIR_USAGE,
                         "the domain has no room in the GPUs' memory, and slabs of it, which take many steps "
                         "each, cannot know the bubbles of the others; choose fewer cells, more GPUs, "
                         "\"placement.workers\": \"cpu\", or remove \"free_surface.bubbles\"");
    weir_runtime_movers(simulation->runtime, movers);
    return weir_slabs_create(simulation->domain, options->change, &simulation->tasks->slabs,
                             workers.slab_memory, movers, &simulation->slabs);
}

/* What one rank does by itself once the domain is divided. */
static int set_up_rank(struct weir_simulation *simulation, const struct weir_simulation_options *options) {
    struct weir_domain *domain = simulation->domain;
    WEIR_TRY(define_tasks(simulation));
    WEIR_TRY(set_up_slabs(simulation, options));
    WEIR_TRY(weir_reduction_create(domain, &simulation->tasks->reduction, &simulation->reduction));
    if (domain->problem->surface.bubbles)
        WEIR_TRY(weir_bubbles_create(domain, &simulation->tasks->bubbles, &simulation->bubbles));
    WEIR_TRY(weir_simulation_set_order(simulation));
    WEIR_TRY(set_up_pace(simulation));
    return weir_start_geometry(&simulation->tasks->start, domain);
}

static int set_up_state(struct weir_simulation *simulation, const struct weir_simulation_options *options) {
    if (weir_runtime_policy(simulation->runtime) != WEIR_POLICY_STARPU &&
        !weir_world_pretends(simulation->world))
        WEIR_TRY(place(simulation, options));
    WEIR_TRY(weir_simulation_set_up_exchange(simulation));
    if (options->restart) {
        simulation->submitted = options->restart->step;
        simulation->block_steps_done = simulation->submitted * simulation->domain->set.count;
    }
    for (int k = 0; k < 2; k++)
        WEIR_TRY(weir_boundary_values_submit(&simulation->tasks->boundary_values, simulation->domain,
                                             simulation->submitted + k, true));
    return weir_start_populations(&simulation->tasks->start, simulation->domain, options->restart,
                                  options->poison);
}

/* Of a rank the model knows its own part; a step takes as long as that of the slowest. */
static void predict_together(struct weir_simulation *simulation) {
    double seconds = simulation->predicted ? simulation->prediction.step_seconds : HUGE_VAL;
    MPI_Allreduce(MPI_IN_PLACE, &seconds, 1, MPI_DOUBLE, MPI_MAX, weir_world_comm(simulation->world));
    simulation->predicted = isfinite(seconds);
    simulation->prediction.step_seconds = seconds;
    simulation->prediction.updates_per_second = (double)simulation->domain->all_fluid_cells / seconds;
}

static int set_up_rank_balancer(struct weir_simulation *simulation,
                                const struct weir_simulation_options *options) {
    if (!simulation->exchange || options->homes_stay ||
        weir_runtime_policy(simulation->runtime) != WEIR_POLICY_BALANCED)
        return 0;
    const struct weir_step_workers here = weir_runtime_step_workers(simulation->runtime);
    return weir_rank_balancer_create(
        simulation->world, simulation->domain, weir_runtime_worker_groups(simulation->runtime), &here,
        options->machine ? weir_machine_speed(options->machine) : 0, &simulation->tasks->rank_balancer,
        simulation->submitted, options->steps, &simulation->rank_balancer);
}

static int set_up(struct weir_simulation *simulation, const struct weir_problem *problem,
                  const struct weir_simulation_options *options) {
    struct weir_world *world = simulation->world;
    WEIR_TRY(weir_world_agree(world, weir_fluid_search(problem)));
    WEIR_TRY(create_domain(simulation, problem, options));
    weir_together_create(world, &simulation->together);
    WEIR_TRY(weir_world_agree(world, set_up_rank(simulation, options)));
    if (!weir_world_pretends(world))
        count_fluid(simulation->domain);
    WEIR_TRY(weir_world_agree(world, set_up_state(simulation, options)));
    if (weir_world_size(world) > 1 && !weir_world_pretends(world))
        predict_together(simulation);
    WEIR_TRY(set_up_rank_balancer(simulation, options));
    if (simulation->exchange) { /* the first step reads what the one before would have written */
        const struct weir_model *model = &simulation->domain->model;
        const int error = weir_exchange_submit(simulation->exchange, weir_model_lasting_channels(model),
                                               1 - (int)(simulation->submitted % 2));
        if (error != 0) /* messages under way have no other end */
            weir_supervisor_end(weir_world_supervisor(world), error);
    }
    const int error = weir_simulation_prepare(simulation);
    if (error != 0 && simulation->exchange)
        weir_supervisor_end(weir_world_supervisor(world), error);
    WEIR_TRY(error);
    return weir_world_agree(world, weir_simulation_wait(simulation));
}

int weir_simulation_create(struct weir_runtime *runtime, const struct weir_problem *problem,
                           const struct weir_simulation_options *options, struct weir_simulation **result) {
    struct weir_simulation *simulation = calloc(1, sizeof *simulation);
    if (!simulation)
        return weir_fail(WEIR_FAILED, "out of memory while setting up the simulation");
    simulation->runtime = runtime;
    simulation->world = options->pretended ? options->pretended
                        : options->alone   ? NULL
                                           : weir_runtime_world(runtime);
    simulation->checked = -1;
    const int error = set_up(simulation, problem, options);
    if (error != 0) {
        weir_simulation_destroy(simulation);
        return error;
    }
    *result = simulation;
    return 0;
}

void weir_simulation_destroy(struct weir_simulation *simulation) {
    if (!simulation)
        return;
    starpu_task_wait_for_all();
    weir_together_destroy(&simulation->together);
    weir_rank_balancer_destroy(simulation->rank_balancer);
    weir_pace_destroy(simulation->pace);
    weir_balancer_destroy(simulation->balancer);
    weir_reduction_destroy(simulation->reduction);
    weir_bubbles_destroy(simulation->bubbles);
    weir_exchange_destroy(simulation->exchange);
    weir_slabs_destroy(simulation->slabs);
    weir_domain_destroy(simulation->domain);
    free(simulation->solid_blocks);
    free(simulation->order);
    free(simulation);
}
