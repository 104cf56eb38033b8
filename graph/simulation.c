#include "graph/simulation_state.h"

#include "codelets/digest.h"
#include "codelets/stage.h"
#include "codelets/task_names.h"
#include "graph/base/error.h"
#include "graph/future.h"
#include "graph/ranks/world.h"
#include "graph/record.h"

#include <starpu_mpi.h>
#include <stdlib.h>
#include <string.h>

static int failure_of(struct weir_domain *domain) {
    if (!weir_failed(&domain->failure))
        return 0;
    return weir_fail((enum weir_error_code)domain->failure.exit_code, "%s", domain->failure.text);
}

/* Of each stage, on the worker that took it. */
static void stage_ended(void *argument) {
    struct weir_simulation *simulation = argument;
    if (simulation->record)
        weir_record_end(simulation->record);
}

/* Of the last stage of a step, or of some at once. */
static void steps_ended(void *argument) {
    struct weir_simulation *simulation = argument;
    const struct weir_step_argument *taken = starpu_task_get_current()->cl_arg;
    stage_ended(argument);
    struct weir_worker_count *count = &simulation->counts[starpu_worker_get_id()];
    atomic_fetch_add_explicit(&count->tasks, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&count->weight, (int64_t)(taken->steps * weir_block_weight(taken->block)),
                              memory_order_relaxed);
    atomic_fetch_add_explicit(&count->updates, taken->steps * taken->block->fluid_cells,
                              memory_order_relaxed);
    atomic_fetch_add_explicit(&simulation->block_steps_done, taken->steps, memory_order_relaxed);
}

void weir_simulation_record(struct weir_simulation *simulation, struct weir_record *record) {
    simulation->record = record;
    simulation->domain->context.step_begins = record ? weir_record_begin : NULL;
    simulation->domain->context.recorder = record;
}

/* What is called after each task of a stage; NULL: nothing. Counts are by worker, and tasks that end at once
 * have none. */
static void (*end_of(const struct weir_simulation *simulation, int number, int parity,
                     bool prepares))(void *) {
    if (prepares || weir_world_pretends(simulation->world))
        return NULL;
    return number != weir_model_last_stage(&simulation->domain->model, parity) ? stage_ended : steps_ended;
}

int weir_simulation_submit_stage(struct weir_simulation *simulation, int number, int block, int steps,
                                 int parity, bool prepares) {
    struct weir_domain *domain = simulation->domain;
    struct weir_task_kind *kind = &simulation->tasks->stage[number];
    struct weir_step_argument argument = domain->step_arguments[block][parity];
    argument.steps = steps;
    argument.prepares = prepares;
    return weir_check_submitted(weir_stage_submit(kind, &domain->model.stage[number], &argument,
                                                  end_of(simulation, number, parity, prepares), simulation),
                                kind);
}

/* Submits a stage of all blocks, and what they tell other ranks then. */
static int submit_stage(struct weir_simulation *simulation, int number, int steps, int parity,
                        bool prepares) {
    const struct weir_domain *domain = simulation->domain;
    for (int k = 0; k < domain->set.count; k++) {
        WEIR_TRY(
            weir_simulation_submit_stage(simulation, number, simulation->order[k], steps, parity, prepares));
        if (simulation->exchange && k == simulation->border_blocks - 1)
            WEIR_TRY(
                weir_exchange_submit(simulation->exchange, domain->model.stage[number].access.gives, parity));
    }
    return 0;
}

int weir_simulation_prepare(struct weir_simulation *simulation) {
    const struct weir_model *model = &simulation->domain->model;
    for (int stage = 0; stage < model->stage_count; stage++)
        if (model->stage[stage].prepares)
            WEIR_TRY(submit_stage(simulation, stage, 1, 1 - (int)(simulation->submitted % 2), true));
    return simulation->bubbles ? weir_bubbles_join(simulation->bubbles) : 0;
}

/* Submits the next steps of all blocks, stage by stage. */
static int submit_steps(struct weir_simulation *simulation, int steps) {
    const struct weir_model *model = &simulation->domain->model;
    const int parity = (int)(simulation->submitted % 2);
    for (int stage = 0; stage < model->stage_count; stage++)
        if (weir_stage_is_taken(&model->stage[stage], parity)) {
            if (model->stage[stage].joins_gas)
                WEIR_TRY(weir_bubbles_join(simulation->bubbles));
            WEIR_TRY(submit_stage(simulation, stage, steps, parity, false));
        }
    return weir_boundary_values_submit(&simulation->tasks->boundary_values, simulation->domain,
                                       simulation->submitted + 2, false);
}

void weir_simulation_throttle(const struct weir_simulation *simulation) {
    if (starpu_task_nsubmitted() > simulation->window && !simulation->held)
        starpu_task_wait_for_n_submitted((unsigned)simulation->window / 2);
}

int weir_simulation_advance(struct weir_simulation *simulation, int64_t most) {
    WEIR_TRY(failure_of(simulation->domain));
    WEIR_TRY(weir_simulation_review(simulation));
    if (simulation->pace)
        WEIR_TRY(weir_pace_keep(simulation->pace, simulation->submitted));
    /* A record has every step. */
    if (simulation->record)
        most = 1;
    if (simulation->slabs) {
        WEIR_TRY(weir_simulation_sweep(simulation, most));
    } else {
        const int steps = simulation->steps_per_task < most ? simulation->steps_per_task : (int)most;
        WEIR_TRY(submit_steps(simulation, steps));
        simulation->submitted += steps;
    }
    weir_task_names_step(simulation->submitted);
    weir_simulation_throttle(simulation);
    return 0;
}

int weir_simulation_step(struct weir_simulation *simulation) {
    return weir_simulation_advance(simulation, 1);
}

void weir_simulation_set_force(struct weir_simulation *simulation, const double force[3]) {
    memcpy(simulation->domain->context.fluid.force, force, 3 * sizeof *force);
}

void weir_simulation_hold(struct weir_simulation *simulation) {
    simulation->held = true;
    starpu_pause();
}

void weir_simulation_let_go(struct weir_simulation *simulation) {
    starpu_resume();
    simulation->held = false;
}

int64_t weir_simulation_submitted(const struct weir_simulation *simulation) {
    return simulation->submitted;
}

struct weir_domain *weir_simulation_domain(struct weir_simulation *simulation) {
    return simulation->domain;
}

int64_t weir_simulation_done(const struct weir_simulation *simulation) {
    const int blocks = simulation->domain->set.count;
    return blocks > 0 ? simulation->block_steps_done / blocks : simulation->submitted;
}

int weir_simulation_totals(struct weir_simulation *simulation, weir_totals_function *function,
                           void *context) {
    WEIR_TRY(weir_simulation_settle(simulation));
    simulation->checked = simulation->submitted;
    if (simulation->slabs) {
        simulation->next_totals =
            (struct weir_slab_totals){.wanted = true, .function = function, .context = context};
        return 0;
    }
    return weir_reduction_totals(simulation->reduction, simulation->submitted, function, context);
}

bool weir_simulation_totals_between(struct weir_simulation *simulation, int64_t every,
                                    weir_totals_function *function, void *context) {
    simulation->totals_between =
        (struct weir_slab_totals){.every = every, .function = function, .context = context};
    return simulation->slabs != NULL;
}

int weir_simulation_change(struct weir_simulation *simulation, weir_change_function *function,
                           void *context) {
    WEIR_TRY(weir_simulation_settle(simulation));
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
    WEIR_TRY(weir_simulation_settle(simulation));
    return weir_watch_submit(watch, simulation->submitted, weir_reduction_verdict(simulation->reduction));
}

int weir_simulation_add_to_time_sums(struct weir_simulation *simulation, int number) {
    return weir_time_sums_add(simulation->domain, &simulation->tasks->time_sums, number,
                              simulation->submitted);
}

int weir_simulation_restore_time_sums(struct weir_simulation *simulation, int number,
                                      const struct weir_time_sums_source *source) {
    return weir_time_sums_restore(simulation->domain, &simulation->tasks->time_sums, number,
                                  simulation->submitted, source);
}

int weir_simulation_add_probes(struct weir_simulation *simulation, const struct weir_probe_sink *sink,
                               struct weir_probes **probes) {
    WEIR_TRY(weir_probes_create(simulation->domain, &simulation->tasks->probes, &simulation->together, sink,
                                simulation->probes, probes));
    simulation->probes = *probes;
    return 0;
}

int weir_simulation_hand_over(struct weir_simulation *simulation, struct weir_probes *probes) {
    if (weir_probes_waiting(probes) == 0)
        return 0;
    if (simulation->checked != simulation->submitted)
        WEIR_TRY(weir_simulation_totals(simulation, NULL, NULL));
    WEIR_TRY(weir_simulation_settle(simulation));
    return weir_probes_hand_over(probes, weir_reduction_verdict(simulation->reduction));
}

int weir_simulation_sample(struct weir_simulation *simulation, struct weir_probes *probes) {
    WEIR_TRY(weir_probes_sample(probes, simulation->submitted));
    return weir_probes_full(probes) || simulation->checked == simulation->submitted
               ? weir_simulation_hand_over(simulation, probes)
               : 0;
}

void weir_simulation_unwatch(struct weir_watch *watch) {
    weir_watch_destroy(watch);
}

bool weir_simulation_has_ranks(const struct weir_simulation *simulation) {
    return simulation->together.who.ranks != MPI_COMM_NULL;
}

const struct weir_agreeing *weir_simulation_sink_ranks(const struct weir_simulation *simulation) {
    return &simulation->together.who;
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
    const int settled = weir_failed(&simulation->domain->failure) ? 0 : weir_simulation_settle(simulation);
    if (simulation->exchange && !weir_world_pretends(simulation->world))
        starpu_mpi_wait_for_all(weir_world_comm(simulation->world));
    else
        starpu_task_wait_for_all();
    WEIR_TRY(settled);
    return failure_of(simulation->domain);
}

bool weir_simulation_await(struct weir_simulation *simulation, struct weir_future *future) {
    return weir_future_wait(future, &simulation->domain->failure);
}

int weir_simulation_status(struct weir_simulation *simulation) {
    return failure_of(simulation->domain);
}

bool weir_simulation_waits(const struct weir_simulation *simulation) {
    return (starpu_task_nready() == 0 || simulation->together.inside > 0) && !simulation->migrating;
}

bool weir_simulation_failed_everywhere(const struct weir_simulation *simulation) {
    return simulation->domain->failure.everywhere;
}

int weir_simulation_digest(struct weir_simulation *simulation, char digest[33]) {
    struct weir_domain *domain = simulation->domain;
    const int total = domain->set.count;
    uint64_t sum[2] = {0, 0};
    starpu_data_handle_t *parts = calloc((size_t)total + 1, sizeof *parts);
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

const struct weir_slab_plan *weir_simulation_slabs(const struct weir_simulation *simulation) {
    return simulation->slabs ? weir_slabs_plan(simulation->slabs) : NULL;
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
    return simulation->domain->context.kernels[WEIR_BRICK]->instruction_set;
}

struct weir_worker_share weir_simulation_share(const struct weir_simulation *simulation, int index) {
    const int id = weir_runtime_worker(simulation->runtime, index)->id;
    struct weir_worker_share share = {.tasks = simulation->counts[id].tasks,
                                      .updates = simulation->counts[id].updates};
    const int group = weir_worker_groups_of_worker(weir_runtime_worker_groups(simulation->runtime), id);
    for (int k = 0; k < simulation->domain->set.count; k++)
        share.blocks += group >= 0 && simulation->domain->blocks[k].home.group == group;
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

void weir_simulation_rank_blocks(const struct weir_simulation *simulation, int *blocks) {
    const struct weir_domain *domain = simulation->domain;
    for (int rank = 0; rank < weir_world_size(domain->world); rank++)
        blocks[rank] = 0;
    for (int number = 0; number < domain->grid.total; number++)
        if (!weir_block_is_solid(&domain->grid, number))
            blocks[domain->rank_of ? domain->rank_of[number] : 0]++;
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
