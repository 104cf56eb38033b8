#include "graph/simulation.h"

#include "codelets/collide_stream.h"
#include "codelets/digest.h"
#include "codelets/task_names.h"
#include "graph/balancer.h"
#include "graph/domain.h"
#include "graph/error.h"
#include "graph/homes.h"
#include "graph/observation.h"
#include "graph/record.h"
#include "graph/start.h"

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
};

struct weir_simulation {
    struct weir_runtime *runtime;
    struct weir_domain *domain;
    int64_t bytes; /* of all data that stays */
    struct tasks *tasks;
    struct weir_reduction *reduction;
    struct weir_balancer *balancer; /* NULL: homes stay, or there are none */
    struct step_end *ends;          /* [blocks] */
    struct weir_record *record;     /* NULL: nobody records */
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
    return weir_domain_bytes(problem, grid) + (options->change ? weir_reduction_change_bytes(grid) : 0);
}

/* Main memory must hold what StarPU keeps of every block, and the blocks themselves where no GPU does. */
static int check_memory(int64_t bytes, const struct weir_block_grid *grid, int gpus) {
    enum { BOOKKEEPING_BYTES = 16384 }; /* per block: some 14 handles */
    const double memory = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGESIZE);
    const double bookkeeping = (double)grid->total * BOOKKEEPING_BYTES;
    const double blocks = gpus > 0 ? 0 : (double)bytes;
    const double gib = 1 << 30;
    if (blocks + bookkeeping <= 0.95 * memory)
        return 0;
    if (bookkeeping > blocks)
        return weir_fail(
            WEIR_FAILED,
            "blocks.cells: the bookkeeping of %d blocks takes %.1f GiB and this machine has %.1f GiB; "
            "choose larger blocks",
            grid->total, bookkeeping / gib, memory / gib);
    return weir_fail(
        WEIR_FAILED,
        "domain.cells: the domain needs %.1f GiB and this machine has %.1f GiB; choose fewer cells, "
        "or single precision",
        (blocks + bookkeeping) / gib, memory / gib);
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
    if (options->machine && options->share_count == 0 && policy != WEIR_POLICY_STATIC) {
        WEIR_TRY(weir_homes_by_model(simulation->domain, options->machine, &simulation->prediction));
    } else {
        WEIR_TRY(weir_homes_choose(simulation->domain, parts->count, share));
        if (options->machine)
            WEIR_TRY(weir_homes_predict(simulation->domain, options->machine, &simulation->prediction));
    }
    if (policy != WEIR_POLICY_BALANCED || options->homes_stay)
        return 0;
    return weir_balancer_create(simulation->domain, parts, rate, &simulation->balancer);
}

static int set_up(struct weir_simulation *simulation, const struct weir_problem *problem,
                  const struct weir_simulation_options *options) {
    const struct weir_step_workers workers = weir_runtime_step_workers(simulation->runtime);
    int block_cells[3];
    weir_simulation_block_cells(problem, options, &workers, block_cells);
    struct weir_block_grid grid;
    WEIR_TRY(weir_block_grid_create(problem, block_cells, &grid));
    simulation->bytes = weir_simulation_bytes_needed(problem, options, &grid);
    WEIR_TRY(check_memory(simulation->bytes, &grid, workers.gpus));
    WEIR_TRY(weir_domain_create(problem, &grid, NULL, 0, &simulation->domain));
    struct weir_domain *domain = simulation->domain;
    const struct weir_kernels *kernels = domain->context.kernels;
    const unsigned where = weir_runtime_step_where(simulation->runtime);
    simulation->tasks = calloc(1, sizeof *simulation->tasks);
    if (!simulation->tasks)
        return weir_fail(WEIR_FAILED, "out of memory while setting up the simulation");
    weir_runtime_free_at_stop(simulation->runtime, simulation->tasks);
    weir_start_define(&simulation->tasks->start, kernels);
    weir_collide_stream_define(&simulation->tasks->collide_stream, kernels);
    weir_digest_define(&simulation->tasks->digest, kernels);
    weir_observation_define(&simulation->tasks->observation, kernels, where);
    simulation->tasks->collide_stream.codelet.where &= where;
    simulation->tasks->start.initialise.codelet.where &= where;
    simulation->tasks->digest.codelet.where &= where;
    weir_reduction_define(&simulation->tasks->reduction, kernels, where);
    WEIR_TRY(weir_reduction_create(domain, &simulation->tasks->reduction, &simulation->reduction));
    simulation->ends = calloc((size_t)domain->set.count, sizeof *simulation->ends);
    if (!simulation->ends)
        return weir_fail(WEIR_FAILED, "out of memory for %d blocks; choose larger blocks", domain->set.count);
    for (int k = 0; k < domain->set.count; k++)
        simulation->ends[k] = (struct step_end){simulation, &domain->blocks[k]};
    int steps = WINDOW_TASKS / domain->set.count;
    steps = steps < WINDOW_STEPS_MIN ? WINDOW_STEPS_MIN : steps > WINDOW_STEPS_MAX ? WINDOW_STEPS_MAX : steps;
    simulation->window = steps * domain->set.count;
    WEIR_TRY(weir_start_geometry(&simulation->tasks->start, domain));
    if (domain->fluid_cells == 0)
        return weir_fail(WEIR_USAGE, "solids: no fluid cell is left in the domain; make the solids smaller");
    if (weir_runtime_policy(simulation->runtime) != WEIR_POLICY_STARPU)
        WEIR_TRY(place(simulation, options));
    WEIR_TRY(weir_start_populations(&simulation->tasks->start, domain, options->poison));
    return weir_simulation_wait(simulation);
}

int weir_simulation_create(struct weir_runtime *runtime, const struct weir_problem *problem,
                           const struct weir_simulation_options *options, struct weir_simulation **result) {
    struct weir_simulation *simulation = calloc(1, sizeof *simulation);
    if (!simulation)
        return weir_fail(WEIR_FAILED, "out of memory while setting up the simulation");
    simulation->runtime = runtime;
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
    weir_balancer_destroy(simulation->balancer);
    weir_reduction_destroy(simulation->reduction);
    weir_domain_destroy(simulation->domain);
    free(simulation->ends);
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

/* Has homes looked over. */
static int balance(struct weir_simulation *simulation) {
    if (!simulation->balancer)
        return 0;
    const struct weir_parts *parts = weir_runtime_parts(simulation->runtime);
    double work[WEIR_PARTS_MAX];
    for (int part = 0; part < parts->count; part++) {
        work[part] = 0;
        for (int k = 0; k < parts->part[part].worker_count; k++)
            work[part] += (double)simulation->counts[parts->part[part].workers[k]].weight;
    }
    return weir_balancer_look(simulation->balancer, weir_simulation_done(simulation), work);
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
    for (int k = 0; k < domain->set.count; k++)
        WEIR_TRY(weir_check_submitted(
            weir_collide_stream_submit(&simulation->tasks->collide_stream,
                                       &domain->step_arguments[k][simulation->submitted % 2], step_ended,
                                       &simulation->ends[k]),
            &simulation->tasks->collide_stream));
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
    return weir_watch_create(simulation->domain, &simulation->tasks->observation, sink, watch);
}

int weir_simulation_observe(struct weir_simulation *simulation, struct weir_watch *watch) {
    if (simulation->checked != simulation->submitted)
        WEIR_TRY(weir_simulation_totals(simulation, NULL, NULL));
    return weir_watch_submit(watch, simulation->submitted, weir_reduction_verdict(simulation->reduction));
}

void weir_simulation_unwatch(struct weir_watch *watch) {
    weir_watch_destroy(watch);
}

void weir_simulation_wait_some(struct weir_simulation *simulation) {
    (void)simulation; /* tasks are counted by StarPU, for the whole program */
    starpu_task_wait_for_n_submitted((unsigned)starpu_task_nsubmitted() / 2);
}

void weir_simulation_fail(struct weir_simulation *simulation, const char *text) {
    weir_failure_record(&simulation->domain->failure, WEIR_FAILED, "%s", text);
}

int weir_simulation_wait(struct weir_simulation *simulation) {
    starpu_task_wait_for_all();
    return failure_of(simulation->domain);
}

int weir_simulation_status(struct weir_simulation *simulation) {
    return failure_of(simulation->domain);
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
    if (error != 0)
        return error;
    snprintf(digest, 33, "%016llx%016llx", (unsigned long long)sum[1], (unsigned long long)sum[0]);
    return 0;
}

const struct weir_block_grid *weir_simulation_grid(const struct weir_simulation *simulation) {
    return &simulation->domain->grid;
}

int64_t weir_simulation_fluid_cells(const struct weir_simulation *simulation) {
    return simulation->domain->fluid_cells;
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
