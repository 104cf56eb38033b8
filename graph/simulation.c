#include "graph/simulation.h"

#include "codelets/collide_stream.h"
#include "codelets/digest.h"
#include "codelets/task_names.h"
#include "graph/balancer.h"
#include "graph/clock.h"
#include "graph/division.h"
#include "graph/domain.h"
#include "graph/error.h"
#include "graph/exchange.h"
#include "graph/homes.h"
#include "graph/migration.h"
#include "graph/observation.h"
#include "graph/rank_balancer.h"
#include "graph/rank_map.h"
#include "graph/record.h"
#include "graph/start.h"
#include "graph/world.h"

#include <starpu_mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Tasks under way at most: enough steps that no worker runs dry, few enough that stopping is quick. */
enum { WINDOW_STEPS_MIN = 2, WINDOW_STEPS_MAX = 16, WINDOW_TASKS = 1024 };

/* What the end of a block's step needs to know. */
struct step_end {
    struct weir_simulation *simulation;
    const struct weir_block *block;
};

struct worker_count {
    _Atomic int64_t tasks, updates;
    _Atomic int64_t weight; /* of the steps done, rounded (weir_block_weight) */
};

/* All kinds of tasks of a simulation; StarPU knows their models until it stops, so they stay until then. */
struct tasks {
    struct weir_start start;
    struct weir_task_kind collide_stream, digest;
    struct weir_observation_tasks observation;
    struct weir_reduction_tasks reduction;
    struct weir_exchange_tasks exchange;
    struct weir_rank_balancer_tasks rank_balancer;
};

struct weir_simulation {
    struct weir_runtime *runtime;
    struct weir_world *world; /* the ranks that compute it together; NULL: this one alone */
    struct weir_domain *domain;
    int64_t bytes; /* of all data that stays */
    struct tasks *tasks;
    struct weir_reduction *reduction;
    struct weir_balancer *balancer;           /* NULL: homes stay, or there are none */
    struct weir_exchange *exchange;           /* NULL in a world of one */
    struct weir_rank_balancer *rank_balancer; /* NULL as well, and where homes stay */
    struct weir_rank_moves rank_moves;
    atomic_bool migrating; /* blocks move between ranks just now */
    struct weir_together together;
    struct step_end *ends;      /* [blocks] */
    int *order;                 /* [blocks] places in the domain, as submitted; those that are at the */
    int border_blocks;          /* border to other ranks first, so many */
    struct weir_record *record; /* NULL: nobody records */
    struct worker_count counts[STARPU_NMAXWORKERS];
    _Atomic int64_t block_steps_done;
    int64_t submitted;
    int64_t checked; /* step whose state the last totals were submitted for, -1: none */
    int window;      /* tasks */
    bool predicted;
    struct weir_prediction prediction; /* of the first homes */
};

static int failure_of(struct weir_domain *domain) {
    if (!weir_failed(&domain->failure))
        return 0;
    return weir_fail((enum weir_error_code)domain->failure.exit_code, "%s", domain->failure.text);
}

void weir_simulation_block_cells(const struct weir_problem *problem,
                                 const struct weir_simulation_options *options,
                                 const struct weir_step_workers *workers, int block_cells[3]) {
    /* GPUs lose more with blocks small enough for a team of cores than the team adds (docs/performance.md).
     */
    enum { CPU_BLOCK = 96 * 96 * 96, GPU_BLOCK = 256 * 256 * 256 };
    if (workers->gpus > 0)
        weir_block_grid_choose(problem, workers->gpus * WEIR_STREAMS_PER_GPU, GPU_BLOCK, block_cells);
    else
        weir_block_grid_choose(problem, workers->cpus, CPU_BLOCK, block_cells);
    for (int axis = 0; axis < 3; axis++)
        if (options->block_cells[axis] > 0)
            block_cells[axis] = options->block_cells[axis];
}

int64_t weir_simulation_bytes_needed(const struct weir_problem *problem,
                                     const struct weir_simulation_options *options,
                                     const struct weir_block_grid *grid) {
    return weir_domain_bytes(problem, grid, NULL) +
           (options->change ? weir_domain_velocity_bytes(grid, NULL) : 0);
}

/* Main memory must hold what StarPU keeps of every block, and the blocks themselves where no GPU does. bytes:
 * of this rank's blocks. */
static int check_memory(const struct weir_world *world, int64_t bytes, int blocks, int gpus) {
    enum { BOOKKEEPING_BYTES = 16384 }; /* per block: some 14 handles */
    const int sharers = weir_world_local_size(world);
    const double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) / sharers;
    const double bookkeeping = (double)blocks * BOOKKEEPING_BYTES;
    const double data = gpus > 0 ? 0 : (double)bytes;
    const double gib = 1 << 30;
    if (data + bookkeeping <= 0.95 * memory)
        return 0;
    if (bookkeeping > data)
        return weir_fail(
            WEIR_FAILED,
            "blocks.cells: the bookkeeping of %d blocks takes %.1f GiB and this machine has %.1f GiB%s; "
            "choose larger blocks",
            blocks, bookkeeping / gib, memory / gib, sharers > 1 ? " for each of its ranks" : "");
    return weir_fail(
        WEIR_FAILED,
        "domain.cells: the domain needs %.1f GiB and this machine has %.1f GiB%s; choose fewer cells, "
        "or single precision",
        (data + bookkeeping) / gib, memory / gib, sharers > 1 ? " for each of its ranks" : "");
}

/* Deals the blocks out to the parts of the machine. */
static int place(struct weir_simulation *simulation, const struct weir_simulation_options *options) {
    const struct weir_parts *parts = weir_runtime_parts(simulation->runtime);
    double share[WEIR_PARTS_MAX];
    for (int k = 0; k < parts->count; k++)
        share[k] = 1;
    /* Where nothing is known of parts of different kinds, the GPUs take all: cores would keep them waiting.
     */
    if (parts->part[0].kind == WEIR_PART_GPU)
        for (int k = 0; k < parts->count; k++)
            share[k] = parts->part[k].kind == WEIR_PART_GPU;
    if (options->share_count > 0)
        WEIR_TRY(weir_parts_shares(parts, options->shares, options->share_count, share));
    const enum weir_policy policy = weir_runtime_policy(simulation->runtime);
    double rate[WEIR_PARTS_MAX] = {0};
    simulation->predicted = options->machine != NULL;
    if (options->machine)
        weir_homes_rates(simulation->domain, options->machine, rate);
    if (options->machine && options->share_count == 0) /* measured shares */
        memcpy(share, rate, sizeof share);
    bool mapped = false;
    if (options->map)
        WEIR_TRY(weir_homes_by_map(simulation->domain, parts, share, options->map,
                                   &options->seats[weir_world_rank(simulation->world)], &mapped));
    if (!mapped && options->machine && options->share_count == 0 && policy != WEIR_POLICY_STATIC) {
        WEIR_TRY(weir_homes_by_model(simulation->domain, options->machine, &simulation->prediction));
    } else {
        if (!mapped)
            WEIR_TRY(weir_homes_choose(simulation->domain, parts->count, share));
        if (options->machine)
            WEIR_TRY(weir_homes_predict(simulation->domain, options->machine, &simulation->prediction));
    }
    if (policy != WEIR_POLICY_BALANCED || options->homes_stay)
        return 0;
    return weir_balancer_create(simulation->domain, parts, rate, &simulation->balancer);
}

/* Cuts the domain, divides it among ranks, and registers this rank's part. */
static int create_domain(struct weir_simulation *simulation, const struct weir_problem *problem,
                         const struct weir_simulation_options *options) {
    struct weir_world *world = simulation->world;
    const struct weir_step_workers here = weir_runtime_step_workers(simulation->runtime),
                                   all = weir_division_workers(world, &here);
    int block_cells[3], *rank_of = NULL;
    weir_simulation_block_cells(problem, options, &all, block_cells);
    struct weir_block_grid grid;
    WEIR_TRY(weir_block_grid_create(problem, block_cells, &grid));
    simulation->bytes = weir_simulation_bytes_needed(problem, options, &grid);
    if (weir_world_size(world) > 1 || options->map) {
        const double speed = options->machine ? weir_machine_speed(options->machine) : 0;
        rank_of = malloc(sizeof *rank_of * (size_t)grid.total);
        if (!rank_of)
            return weir_fail(WEIR_FAILED, "out of memory for %d blocks; choose larger blocks", grid.total);
        const int error = weir_division_make(world, problem, &grid, &here, speed, options->ranks_along,
                                             options->map, options->seats, rank_of);
        if (error != 0) {
            free(rank_of);
            return error;
        }
    }
    int error = weir_domain_create(problem, &grid, world, weir_world_size(world) > 1 ? rank_of : NULL,
                                   &simulation->domain);
    free(rank_of);
    if (error == 0) {
        const struct weir_block_set *set = &simulation->domain->set;
        const int64_t bytes = weir_domain_bytes(problem, &grid, set) +
                              (options->change ? weir_domain_velocity_bytes(&grid, set) : 0);
        error = check_memory(world, bytes, set->count, here.gpus);
    }
    return weir_world_agree(world, error);
}

/* Kernels off. */
static void end_at_once(struct tasks *tasks) {
    struct weir_task_kind *const kinds[] = {&tasks->start.geometry,   &tasks->start.values,
                                            &tasks->start.initialise, &tasks->collide_stream,
                                            &tasks->exchange.pack,    &tasks->exchange.unpack};
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        kinds[k]->codelet.where = STARPU_NOWHERE;
}

static int define_tasks(struct weir_simulation *simulation) {
    const struct weir_kernels *kernels = simulation->domain->context.kernels;
    const unsigned where = weir_runtime_step_where(simulation->runtime);
    struct tasks *tasks = calloc(1, sizeof *tasks);
    if (!tasks)
        return weir_fail(WEIR_FAILED, "out of memory while setting up the simulation");
    simulation->tasks = tasks;
    weir_runtime_free_at_stop(simulation->runtime, tasks);
    weir_start_define(&tasks->start, kernels);
    weir_collide_stream_define(&tasks->collide_stream, kernels);
    weir_digest_define(&tasks->digest, kernels);
    weir_observation_define(&tasks->observation, kernels, where);
    weir_reduction_define(&tasks->reduction, kernels, where);
    weir_exchange_define(&tasks->exchange, kernels, where);
    weir_rank_balancer_define(&tasks->rank_balancer, kernels);
    tasks->collide_stream.codelet.where &= where;
    tasks->start.initialise.codelet.where &= where;
    tasks->digest.codelet.where &= where;
    if (weir_world_pretends(simulation->world))
        end_at_once(tasks);
    return 0;
}

/* Blocks with neighbours on other ranks. */
static bool at_rank_border(const struct weir_domain *domain, int number) {
    for (int k = 0; k < WEIR_NEIGHBOURS; k++) {
        const int offset[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
        const int neighbour = weir_block_grid_neighbour(&domain->grid, number, offset);
        if (neighbour >= 0 && !weir_domain_block(domain, neighbour))
            return true;
    }
    return false;
}

/* How the steps of the domain's blocks are submitted: those at the border to other ranks first, and how far
 * ahead. */
static int set_order(struct weir_simulation *simulation) {
    const struct weir_domain *domain = simulation->domain;
    const int blocks = domain->set.count;
    int steps = WINDOW_TASKS / blocks;
    steps = steps < WINDOW_STEPS_MIN ? WINDOW_STEPS_MIN : steps > WINDOW_STEPS_MAX ? WINDOW_STEPS_MAX : steps;
    simulation->window = steps * blocks;
    free(simulation->ends);
    free(simulation->order);
    simulation->ends = calloc((size_t)blocks, sizeof *simulation->ends);
    simulation->order = malloc(sizeof *simulation->order * (size_t)blocks);
    if (!simulation->ends || !simulation->order)
        return weir_fail(WEIR_FAILED, "out of memory for %d blocks; choose larger blocks", blocks);
    for (int k = 0; k < blocks; k++)
        simulation->ends[k] = (struct step_end){simulation, &domain->blocks[k]};
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
static int count_fluid(struct weir_domain *domain) {
    domain->all_fluid_cells = domain->fluid_cells;
    if (weir_world_size(domain->world) > 1)
        MPI_Allreduce(&domain->fluid_cells, &domain->all_fluid_cells, 1, MPI_INT64_T, MPI_SUM,
                      weir_world_comm(domain->world));
    if (domain->all_fluid_cells == 0)
        return weir_fail(WEIR_USAGE, "solids: no fluid cell is left in the domain; make the solids smaller");
    return 0;
}

static int set_up_exchange(struct weir_simulation *simulation) {
    if (weir_world_size(simulation->domain->world) == 1)
        return 0;
    WEIR_TRY(weir_exchange_create(simulation->domain, &simulation->tasks->exchange, &simulation->exchange));
    weir_exchange_follow_homes(simulation->exchange);
    return 0;
}

/* What one rank does by itself once the domain is divided. */
static int set_up_rank(struct weir_simulation *simulation) {
    struct weir_domain *domain = simulation->domain;
    WEIR_TRY(define_tasks(simulation));
    WEIR_TRY(weir_reduction_create(domain, &simulation->tasks->reduction, &simulation->reduction));
    WEIR_TRY(set_order(simulation));
    return weir_start_geometry(&simulation->tasks->start, domain);
}

static int set_up_state(struct weir_simulation *simulation, const struct weir_simulation_options *options) {
    if (weir_runtime_policy(simulation->runtime) != WEIR_POLICY_STARPU &&
        !weir_world_pretends(simulation->world))
        WEIR_TRY(place(simulation, options));
    WEIR_TRY(set_up_exchange(simulation));
    return weir_start_populations(&simulation->tasks->start, simulation->domain, options->poison);
}

static int set_up_rank_balancer(struct weir_simulation *simulation,
                                const struct weir_simulation_options *options) {
    if (!simulation->exchange || options->homes_stay ||
        weir_runtime_policy(simulation->runtime) != WEIR_POLICY_BALANCED)
        return 0;
    return weir_rank_balancer_create(simulation->domain, weir_runtime_parts(simulation->runtime),
                                     &simulation->tasks->rank_balancer, &simulation->rank_balancer);
}

static int set_up(struct weir_simulation *simulation, const struct weir_problem *problem,
                  const struct weir_simulation_options *options) {
    struct weir_world *world = simulation->world;
    WEIR_TRY(create_domain(simulation, problem, options));
    weir_together_create(world, &simulation->together);
    WEIR_TRY(weir_world_agree(world, set_up_rank(simulation)));
    if (!weir_world_pretends(world))
        WEIR_TRY(count_fluid(simulation->domain));
    WEIR_TRY(weir_world_agree(world, set_up_state(simulation, options)));
    WEIR_TRY(weir_world_agree(world, set_up_rank_balancer(simulation, options)));
    if (simulation->exchange) /* the first step reads what a step of odd parity would have written */
        WEIR_TRY(weir_exchange_submit(simulation->exchange, 1));
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
    weir_balancer_destroy(simulation->balancer);
    weir_reduction_destroy(simulation->reduction);
    weir_exchange_destroy(simulation->exchange);
    weir_domain_destroy(simulation->domain);
    free(simulation->ends);
    free(simulation->order);
    free(simulation);
}

static void step_ended(void *argument) {
    const struct step_end *end = argument;
    if (end->simulation->record)
        weir_record_end(end->simulation->record);
    struct worker_count *count = &end->simulation->counts[starpu_worker_get_id()];
    atomic_fetch_add_explicit(&count->tasks, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&count->weight, (int64_t)weir_block_weight(end->block), memory_order_relaxed);
    atomic_fetch_add_explicit(&count->updates, end->block->fluid_cells, memory_order_relaxed);
    atomic_fetch_add_explicit(&end->simulation->block_steps_done, 1, memory_order_relaxed);
}

/* Weight of the steps that each part has ended so far. */
static void count_work(const struct weir_simulation *simulation, double work[WEIR_PARTS_MAX]) {
    const struct weir_parts *parts = weir_runtime_parts(simulation->runtime);
    for (int part = 0; part < parts->count; part++) {
        work[part] = 0;
        for (int k = 0; k < parts->part[part].worker_count; k++)
            work[part] += (double)simulation->counts[parts->part[part].workers[k]].weight;
    }
}

/* Has homes looked over. */
static int balance(struct weir_simulation *simulation) {
    if (!simulation->balancer)
        return 0;
    double work[WEIR_PARTS_MAX];
    count_work(simulation, work);
    const int64_t moves = weir_balancer_moves(simulation->balancer);
    WEIR_TRY(weir_balancer_look(simulation->balancer, weir_simulation_done(simulation), work));
    if (simulation->exchange && weir_balancer_moves(simulation->balancer) != moves)
        weir_exchange_follow_homes(simulation->exchange);
    return 0;
}

/* Homes for blocks that came from other ranks. */
static int place_newcomers(struct weir_simulation *simulation) {
    const struct weir_parts *parts = weir_runtime_parts(simulation->runtime);
    double rate[WEIR_PARTS_MAX], known = 0;
    for (int part = 0; part < parts->count; part++) {
        rate[part] = simulation->balancer ? weir_balancer_rates(simulation->balancer)[part] : 0;
        known += rate[part];
    }
    for (int part = 0; part < parts->count && known <= 0; part++)
        rate[part] = parts->part[part].kind == parts->part[0].kind; /* GPUs where there are any */
    WEIR_TRY(weir_homes_for_newcomers(simulation->domain, parts->count, rate));
    if (simulation->balancer)
        weir_balancer_follow_blocks(simulation->balancer);
    return 0;
}

/* All that knew the blocks of this rank looks at them anew. */
static int follow_blocks(struct weir_simulation *simulation) {
    simulation->block_steps_done = simulation->submitted * simulation->domain->set.count;
    WEIR_TRY(weir_reduction_follow_blocks(simulation->reduction));
    WEIR_TRY(set_order(simulation));
    if (weir_runtime_policy(simulation->runtime) != WEIR_POLICY_STARPU)
        WEIR_TRY(place_newcomers(simulation));
    return set_up_exchange(simulation);
}

static int count_moves(const struct weir_domain *domain, const int *rank_of) {
    int moves = 0;
    for (int number = 0; number < domain->grid.total; number++)
        moves += rank_of[number] != domain->rank_of[number];
    return moves;
}

/* No task is under way on any rank. */
static int migrate(struct weir_simulation *simulation, const int *rank_of, int64_t room) {
    struct weir_domain *domain = simulation->domain;
    struct weir_rank_moves *moves = &simulation->rank_moves;
    const int parity = (int)((simulation->submitted + 1) % 2); /* of the last step */
    const int blocks = count_moves(domain, rank_of);
    const double start = weir_seconds();
    bool moved;
    WEIR_TRY(weir_migration_make(simulation->world, domain, rank_of, parity, room, &moved, &moves->lacking));
    if (!moved) {
        moves->refusals++;
        return 0;
    }
    weir_exchange_destroy(simulation->exchange);
    simulation->exchange = NULL;
    WEIR_TRY(weir_world_agree(simulation->world, follow_blocks(simulation)));
    moves->times++;
    moves->blocks += blocks;
    moves->last_blocks = blocks;
    moves->last_seconds = weir_seconds() - start;
    return weir_exchange_submit(simulation->exchange, parity);
}

int weir_simulation_migrate(struct weir_simulation *simulation, const int *rank_of, int64_t room) {
    WEIR_TRY(weir_world_agree(simulation->world, weir_simulation_wait(simulation)));
    simulation->migrating = true;
    const int error = migrate(simulation, rank_of, room);
    simulation->migrating = false;
    return error;
}

bool weir_simulation_migrating(const struct weir_simulation *simulation) {
    return simulation->migrating;
}

/* Has the division among ranks looked over. */
static int balance_ranks(struct weir_simulation *simulation) {
    if (!simulation->rank_balancer)
        return 0;
    double work[WEIR_PARTS_MAX];
    const int *rank_of;
    count_work(simulation, work);
    WEIR_TRY(weir_rank_balancer_look(simulation->rank_balancer, simulation->submitted, work, &rank_of));
    if (!rank_of)
        return 0;
    const int refusals = simulation->rank_moves.refusals;
    WEIR_TRY(weir_simulation_migrate(simulation, rank_of, -1));
    weir_rank_balancer_moved(simulation->rank_balancer, simulation->submitted,
                             simulation->rank_moves.refusals == refusals,
                             simulation->rank_moves.last_seconds);
    return 0;
}

void weir_simulation_record(struct weir_simulation *simulation, struct weir_record *record) {
    simulation->record = record;
    simulation->domain->context.step_begins = record ? weir_record_begin : NULL;
    simulation->domain->context.recorder = record;
}

int weir_simulation_step(struct weir_simulation *simulation) {
    struct weir_domain *domain = simulation->domain;
    WEIR_TRY(failure_of(domain));
    WEIR_TRY(balance(simulation));
    WEIR_TRY(balance_ranks(simulation));
    const int parity = (int)(simulation->submitted % 2);
    /* Counts are by worker, and tasks that end at once have none. */
    void (*const ended)(void *) = weir_world_pretends(simulation->world) ? NULL : step_ended;
    for (int k = 0; k < domain->set.count; k++) {
        const int place = simulation->order[k];
        WEIR_TRY(weir_check_submitted(weir_collide_stream_submit(&simulation->tasks->collide_stream,
                                                                 &domain->step_arguments[place][parity],
                                                                 ended, &simulation->ends[place]),
                                      &simulation->tasks->collide_stream));
        if (simulation->exchange && k == simulation->border_blocks - 1)
            WEIR_TRY(weir_exchange_submit(simulation->exchange, parity));
    }
    simulation->submitted++;
    weir_task_names_step(simulation->submitted);
    if (starpu_task_nsubmitted() > simulation->window)
        starpu_task_wait_for_n_submitted((unsigned)simulation->window / 2);
    return 0;
}

int64_t weir_simulation_submitted(const struct weir_simulation *simulation) {
    return simulation->submitted;
}

struct weir_domain *weir_simulation_domain(struct weir_simulation *simulation) {
    return simulation->domain;
}

int64_t weir_simulation_done(const struct weir_simulation *simulation) {
    return simulation->block_steps_done / simulation->domain->set.count;
}

int weir_simulation_totals(struct weir_simulation *simulation, weir_totals_function *function,
                           void *context) {
    simulation->checked = simulation->submitted;
    return weir_reduction_totals(simulation->reduction, simulation->submitted, function, context);
}

int weir_simulation_change(struct weir_simulation *simulation, weir_change_function *function,
                           void *context) {
    return weir_reduction_change(simulation->reduction, simulation->submitted, function, context);
}

int weir_simulation_watch(struct weir_simulation *simulation, const struct weir_sink *sink,
                          struct weir_watch **watch) {
    return weir_watch_create(simulation->domain, &simulation->tasks->observation, &simulation->together, sink,
                             watch);
}

int weir_simulation_observe(struct weir_simulation *simulation, struct weir_watch *watch) {
    if (simulation->checked != simulation->submitted)
        WEIR_TRY(weir_simulation_totals(simulation, NULL, NULL));
    return weir_watch_submit(watch, simulation->submitted, weir_reduction_verdict(simulation->reduction));
}

void weir_simulation_unwatch(struct weir_watch *watch) {
    weir_watch_destroy(watch);
}

MPI_Comm weir_simulation_sink_ranks(const struct weir_simulation *simulation) {
    return simulation->together.ranks;
}

void weir_simulation_abandon(struct weir_watch *watch, const struct timespec *until) {
    weir_watch_abandon(watch, until);
}

void weir_simulation_wait_some(struct weir_simulation *simulation) {
    (void)simulation; /* tasks are counted by StarPU, for the whole program */
    starpu_task_wait_for_n_submitted((unsigned)starpu_task_nsubmitted() / 2);
}

void weir_simulation_fail(struct weir_simulation *simulation, const char *text) {
    weir_failure_record(&simulation->domain->failure, WEIR_FAILED, "%s", text);
}

int weir_simulation_wait(struct weir_simulation *simulation) {
    if (simulation->exchange && !weir_world_pretends(simulation->world))
        starpu_mpi_wait_for_all(weir_world_comm(simulation->world));
    else
        starpu_task_wait_for_all();
    return failure_of(simulation->domain);
}

int weir_simulation_status(struct weir_simulation *simulation) {
    return failure_of(simulation->domain);
}

bool weir_simulation_failed_everywhere(const struct weir_simulation *simulation) {
    return simulation->domain->failure.everywhere;
}

int weir_simulation_digest(struct weir_simulation *simulation, char digest[33]) {
    struct weir_domain *domain = simulation->domain;
    const int total = domain->set.count;
    uint64_t sum[2] = {0, 0};
    starpu_data_handle_t *parts = calloc((size_t)total, sizeof *parts);
    if (!parts)
        return weir_fail(WEIR_FAILED, "out of memory for the digest of %d blocks; choose larger blocks",
                         total);
    int error = 0;
    for (int number = 0; number < total; number++) {
        parts[number] = weir_register_bytes(sizeof sum);
        if (error == 0)
            error = weir_check_submitted(
                weir_digest_submit(&simulation->tasks->digest,
                                   &domain->step_arguments[number][simulation->submitted % 2], parts[number]),
                &simulation->tasks->digest);
    }
    const int failure = weir_simulation_wait(simulation);
    error = error != 0 ? error : failure;
    for (int number = 0; number < total; number++) {
        if (error == 0) {
            starpu_data_acquire(parts[number], STARPU_R);
            const uint64_t *part = (const uint64_t *)starpu_vector_get_local_ptr(parts[number]);
            sum[0] += part[0];
            sum[1] += part[1];
            starpu_data_release(parts[number]);
        }
        starpu_data_unregister_no_coherency(parts[number]);
    }
    free(parts);
    WEIR_TRY(weir_world_agree(simulation->world, error));
    if (weir_world_size(domain->world) > 1)
        MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_UINT64_T, MPI_SUM, weir_world_comm(simulation->world));
    snprintf(digest, 33, "%016llx%016llx", (unsigned long long)sum[1], (unsigned long long)sum[0]);
    return 0;
}

const struct weir_block_grid *weir_simulation_grid(const struct weir_simulation *simulation) {
    return &simulation->domain->grid;
}

int64_t weir_simulation_fluid_cells(const struct weir_simulation *simulation) {
    return simulation->domain->all_fluid_cells;
}

int64_t weir_simulation_bytes(const struct weir_simulation *simulation) {
    return simulation->bytes;
}

const struct weir_prediction *weir_simulation_prediction(const struct weir_simulation *simulation) {
    return simulation->predicted ? &simulation->prediction : NULL;
}

const char *weir_simulation_instruction_set(const struct weir_simulation *simulation) {
    return simulation->domain->context.kernels->instruction_set;
}

struct weir_worker_share weir_simulation_share(const struct weir_simulation *simulation, int index) {
    const int id = weir_runtime_worker(simulation->runtime, index)->id;
    struct weir_worker_share share = {.tasks = simulation->counts[id].tasks,
                                      .updates = simulation->counts[id].updates};
    const int part = weir_parts_of_worker(weir_runtime_parts(simulation->runtime), id);
    for (int k = 0; k < simulation->domain->set.count; k++)
        share.blocks += part >= 0 && simulation->domain->blocks[k].home.part == part;
    return share;
}

int64_t weir_simulation_moves(const struct weir_simulation *simulation) {
    return simulation->balancer ? weir_balancer_moves(simulation->balancer) : 0;
}

struct weir_exchange_volume weir_simulation_volume(const struct weir_simulation *simulation) {
    return simulation->exchange ? weir_exchange_volume(simulation->exchange)
                                : (struct weir_exchange_volume){0};
}

const struct weir_rank_moves *weir_simulation_rank_moves(const struct weir_simulation *simulation) {
    return &simulation->rank_moves;
}

int weir_simulation_blocks_of(const struct weir_simulation *simulation, int rank) {
    const struct weir_domain *domain = simulation->domain;
    int blocks = 0;
    for (int number = 0; number < domain->grid.total; number++)
        blocks += (domain->rank_of ? domain->rank_of[number] : 0) == rank;
    return blocks;
}

double weir_simulation_balance(const struct weir_simulation *simulation) {
    double worst = 1;
    for (int kind = 0; kind < 2; kind++) {
        double sum = 0, largest = 0;
        int workers = 0;
        for (int k = 0; k < weir_runtime_worker_count(simulation->runtime); k++) {
            const struct weir_worker *worker = weir_runtime_worker(simulation->runtime, k);
            if (!worker->steps || worker->cuda != (kind == 1))
                continue;
            const double updates = (double)simulation->counts[worker->id].updates;
            sum += updates;
            largest = updates > largest ? updates : largest;
            workers++;
        }
        if (largest > 0 && sum / workers / largest < worst)
            worst = sum / workers / largest;
    }
    return worst;
}
