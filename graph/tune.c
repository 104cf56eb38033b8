#include "graph/tune.h"

#include "graph/base/clock.h"
#include "graph/base/core_use.h"
#include "graph/base/error.h"
#include "graph/domain.h"
#include "graph/plan/rate_fit.h"
#include "graph/problem/forms.h"
#include "graph/problem/region.h"
#include "graph/runtime/cores.h"
#include "graph/simulation.h"

#include <math.h>
#include <starpu.h>
#include <stdlib.h>
#include <string.h>

/* Blocks per worker group: enough for a GPU's streams and a core's cache to be as busy as in a run, no more
 * than these cells.
 */
enum { BLOCKS_MOST = 8, GPU_CELLS = 1 << 25, TEAM_CELLS = 1 << 24, CORE_CELLS = 1 << 21 };

enum { TINY_SIDE = 8, TINY_BLOCKS = 16 };

/* For one flow on one kind of worker groups, where steps are short. */
enum { BATCHES_LEAST = 3, BATCHES_MOST = 9, PAIRS_MOST = 50 };
static const double TIMED_SECONDS = 0.2, BATCH_SECONDS = 0.04;

/* Fifths of the cells of a block that are solid in the second flow. */
enum { SOLID_FIFTHS = 4 };

/* Of the speed that a team shows here, what it keeps in a run beside GPUs: 670 to 830 MLUPS of 990 to 1020
 * were measured. A block too many on the team makes GPUs wait, one too few costs little. */
static const double KEPT_BESIDE_GPUS = 0.8;

struct tuning {
    struct weir_runtime *runtime;
    const struct weir_problem *problem;
    const int *block_cells;
    double submit_seconds; /* of all tasks that were submitted at full speed */
    double submitted;
    double spread; /* the largest so far */
};

int weir_tune_describe(const struct weir_runtime *runtime, struct weir_machine *machine) {
    const struct weir_worker_groups *groups = weir_runtime_worker_groups(runtime);
    memset(machine, 0, sizeof *machine);
    for (int group = 0; group < groups->count; group++) {
        const struct weir_worker_group *p = &groups->group[group];
        struct weir_machine_kind *kind = &machine->kinds[machine->kind_count - (machine->kind_count > 0)];
        if (machine->kind_count == 0 || kind->kind != p->kind || kind->cores != p->cores) {
            if (machine->kind_count == WEIR_MACHINE_KINDS_MAX)
                return weir_fail(WEIR_FAILED,
                                 "the machine has more than %d kinds of parts; choose fewer with "
                                 "placement.workers",
                                 WEIR_MACHINE_KINDS_MAX);
            kind = &machine->kinds[machine->kind_count++];
            *kind = (struct weir_machine_kind){.kind = p->kind,
                                               .cores = p->cores,
                                               .tasks_at_once =
                                                   p->kind == WEIR_WORKER_GROUP_GPU ? p->worker_count : 1};
        }
        kind->count++;
    }
    return 0;
}

enum flow {
    FLUID,
    SOLID, /* SOLID_FIFTHS of each block */
    TINY,  /* tiny blocks, solid but for one row of each: as little to compute as there can be */
    FLOWS,
    BALLS = FLOWS /* in each block many: much of the fluid is beside them */
};

/* What is not fluid of a problem, for as long as that is used. */
struct solids {
    struct weir_shape shapes[2];
    struct weir_region balls; /* all over the domain; in two dimensions discs */
};

static bool is_in_ball(const struct weir_region *region, const double point[3]) {
    const double apart = 16, radius = 5.6;
    double square = 0;
    for (int axis = 0; axis < 3; axis++) {
        const double place = point[axis] - apart * floor(point[axis] / apart) - 0.5 * apart;
        square += region->high[axis] > 1 ? place * place : 0;
    }
    return square < radius * radius;
}

/* Of the layers of a block's cells; at least one stays fluid. */
static int solid_layers(int layers) {
    const int solid = (SOLID_FIFTHS * layers + 2) / 5;
    return solid < layers ? solid : layers - 1;
}

/* A row of blocks along x, periodic, so that each has all its messages as in the interior of a domain. */
static void make_problem(const struct tuning *t, enum flow flow, enum weir_cell_kind cells,
                         const int block_cells[3], int blocks, struct solids *solids,
                         struct weir_problem *problem) {
    struct weir_shape *const solid = solids->shapes;
    const int dimensions = weir_lattice_dimensions(t->problem->lattice);
    const int divided =
        dimensions == 3 && block_cells[2] >= block_cells[1] ? 2 : 1; /* into solid and fluid */
    weir_problem_default(problem);
    problem->lattice = t->problem->lattice;
    problem->precision = t->problem->precision;
    problem->relaxation_time = t->problem->relaxation_time;
    problem->collision = t->problem->collision;
    problem->equilibrium = t->problem->equilibrium;
    memcpy(problem->parameters, t->problem->parameters, sizeof problem->parameters);
    problem->extend = t->problem->extend;
    problem->driven = t->problem->driven;
    problem->scalar = t->problem->scalar;
    if (weir_problem_is_buoyant(t->problem)) /* else the flow would become ever faster */
        problem->scalar.initial = t->problem->scalar.reference;
    problem->conductor_count = t->problem->conductor_count; /* of which cells take as long as fluid */
    memcpy(problem->conductors, t->problem->conductors, sizeof problem->conductors);
    problem->phases = t->problem->phases;
    problem->phases.reference = problem->initial_density; /* as above, whatever gravity is */
    problem->surface = t->problem->surface;               /* and all is liquid */
    problem->turbulence = t->problem->turbulence;
    problem->list_up_to = cells == WEIR_LIST ? 1 : 0;
    for (int axis = 0; axis < 3; axis++) {
        problem->cells[axis] = block_cells[axis] * (axis == 0 ? blocks : 1);
        problem->periodic[axis] = true;
        problem->force[axis] = t->problem->force[axis];
        /* Moving, so that the arithmetic meets no zeros. */
        problem->initial_velocity[axis] = axis < dimensions ? 0.01 : 0;
    }
    if (flow == FLUID)
        return;
    problem->shapes = solid;
    problem->shape_count = flow == TINY ? dimensions - 1 : 1;
    problem->wall_count = WEIR_FIRST_BODY + 1;
    if (flow == BALLS) {
        solids->balls = (struct weir_region){.contains = is_in_ball};
        for (int axis = 0; axis < 3; axis++)
            solids->balls.high[axis] = problem->cells[axis];
        *solid = (struct weir_shape){.type = WEIR_REGION, .wall = WEIR_FIRST_BODY, .region = &solids->balls};
        return;
    }
    for (int k = 0; k < problem->shape_count; k++) {
        solid[k] = (struct weir_shape){.type = WEIR_BOX, .wall = WEIR_FIRST_BODY};
        for (int axis = 0; axis < 3; axis++)
            solid[k].box.to[axis] = problem->cells[axis];
        if (flow == TINY)
            solid[k].box.from[k + 1] = 1;
        else
            solid[k].box.to[divided] = solid_layers(block_cells[divided]);
    }
}

static double processor_seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Steps of one batch: long beside what filling and draining the graph takes. */
static int batch_steps(double pair_seconds) {
    const double pairs = BATCH_SECONDS / fmax(pair_seconds, 1e-9);
    return 2 * (pairs < 1 ? 1 : pairs > PAIRS_MOST ? PAIRS_MOST : (int)pairs);
}

/* Tasks of a block in a step. */
static double stages_of(struct weir_simulation *simulation) {
    return 0.5 * weir_model_stages_of_pair(&weir_simulation_domain(simulation)->model);
}

static int run_batch(struct tuning *t, struct weir_simulation *simulation, int steps, double *seconds) {
    const double start = weir_seconds(), processor = processor_seconds();
    for (int step = 0; step < steps; step++)
        WEIR_TRY(weir_simulation_step(simulation));
    t->submit_seconds += processor_seconds() - processor;
    t->submitted +=
        steps * stages_of(simulation) * weir_block_grid_fluid_blocks(weir_simulation_grid(simulation));
    WEIR_TRY(weir_simulation_wait(simulation));
    *seconds = weir_seconds() - start;
    return 0;
}

/* Seconds per step at full speed, median of some batches; the first pair of steps allocates, the second only
 * tells how long a batch has to be. */
static int time_steps(struct tuning *t, struct weir_simulation *simulation, double *seconds) {
    double batch[BATCHES_MOST], sum = 0, pair;
    int count = 0;
    WEIR_TRY(run_batch(t, simulation, 2, &pair));
    WEIR_TRY(run_batch(t, simulation, 2, &pair));
    const int steps = batch_steps(pair);
    while (count < BATCHES_MOST && (count < BATCHES_LEAST ? sum < 4 * TIMED_SECONDS : sum < TIMED_SECONDS)) {
        WEIR_TRY(run_batch(t, simulation, steps, &batch[count]));
        sum += batch[count++];
        for (int k = count - 1; k > 0 && batch[k] < batch[k - 1]; k--) {
            const double swap = batch[k];
            batch[k] = batch[k - 1];
            batch[k - 1] = swap;
        }
    }
    const double median = count % 2 ? batch[count / 2] : 0.5 * (batch[count / 2 - 1] + batch[count / 2]);
    t->spread = fmax(t->spread, (batch[3 * count / 4] - batch[count / 4]) / median);
    *seconds = median / steps;
    return 0;
}

/* Seconds per step when all tasks were submitted before the first could start: so submitting is not in it,
 * however fast the worker groups are. Least of some repeats: what disturbs only adds. */
static int time_tasks(struct tuning *t, struct weir_simulation *simulation, double *seconds) {
    enum { REPEATS_LEAST = 5, REPEATS_MOST = 50, STEPS = 8 };
    WEIR_TRY(run_batch(t, simulation, 2, seconds));
    *seconds = HUGE_VAL;
    const double begin = weir_seconds();
    for (int repeat = 0;
         repeat < REPEATS_LEAST || (repeat < REPEATS_MOST && weir_seconds() - begin < TIMED_SECONDS);
         repeat++) {
        int error = 0;
        weir_simulation_hold(simulation);
        for (int step = 0; step < STEPS && error == 0; step++)
            error = weir_simulation_step(simulation);
        const double start = weir_seconds();
        weir_simulation_let_go(simulation);
        WEIR_TRY(error);
        WEIR_TRY(weir_simulation_wait(simulation));
        *seconds = fmin(*seconds, (weir_seconds() - start) / STEPS);
    }
    return 0;
}

static double wall_cells_of(struct weir_simulation *simulation) {
    const struct weir_domain *domain = weir_simulation_domain(simulation);
    double cells = 0;
    for (int k = 0; k < domain->set.count; k++)
        cells += (double)domain->blocks[k].wall_cells;
    return cells;
}

/* One flow on worker groups of a kind, of which `share` names all or one; the sample is a step of one worker
 * group. */
static int measure_flow(struct tuning *t, enum flow flow, enum weir_cell_kind kind,
                        const struct weir_named_share *share, int groups, int blocks,
                        struct weir_rate_sample *sample) {
    static const int tiny[3] = {TINY_SIDE, TINY_SIDE, TINY_SIDE}, flat[3] = {TINY_SIDE, TINY_SIDE, 1};
    const int *cells = flow != TINY                                        ? t->block_cells
                       : weir_lattice_dimensions(t->problem->lattice) == 3 ? tiny
                                                                           : flat;
    struct weir_problem problem;
    struct solids solids;
    struct weir_simulation *simulation = NULL;
    make_problem(t, flow, kind, cells, blocks * groups, &solids, &problem);
    if (problem.surface.present)
        (void)weir_problem_add_gas(&problem); /* there is room */
    const struct weir_simulation_options options = {.block_cells = {cells[0], cells[1], cells[2]},
                                                    .shares = share,
                                                    .share_count = 1,
                                                    .homes_stay = true,
                                                    .alone = true};
    WEIR_TRY(weir_simulation_create(t->runtime, &problem, &options, &simulation));
    const double all = (double)problem.cells[0] * problem.cells[1] * problem.cells[2];
    const double fluid = (double)weir_simulation_fluid_cells(simulation);
    *sample = (struct weir_rate_sample){.fluid_cells = fluid / groups,
                                        .wall_cells = wall_cells_of(simulation) / groups,
                                        .solid_cells = (all - fluid) / groups,
                                        .tasks = blocks * stages_of(simulation)};
    const int error = (flow == TINY ? time_tasks : time_steps)(t, simulation, &sample->seconds);
    weir_simulation_destroy(simulation);
    return error;
}

static int blocks_for(const struct tuning *t, enum weir_worker_group_kind kind) {
    static const int most_cells[] = {GPU_CELLS, TEAM_CELLS, CORE_CELLS};
    const double cells = (double)t->block_cells[0] * t->block_cells[1] * t->block_cells[2];
    const double blocks = most_cells[kind] / cells;
    return blocks < 1 ? 1 : blocks > BLOCKS_MOST ? BLOCKS_MOST : (int)blocks;
}

/* Cells of which the last-level cache of one of `groups` teams has room for the populations: speed alone does
 * not tell, for on machines that others use too a measurement may be fast by accident. */
static int cells_in_cache(const struct tuning *t, int groups, double *cells) {
    struct weir_cores *cores;
    WEIR_TRY(weir_cores_create(&cores));
    const double bytes = (double)weir_cores_cache_bytes(cores, weir_cores_count(cores)) / groups;
    weir_cores_destroy(cores);
    struct weir_model model;
    weir_model_make(t->problem, false, &model);
    *cells = bytes / weir_model_set_bytes(&model);
    return 0;
}

/* How many blocks, of a few, stay in the cache of a worker group, and how fast they are there: at least a
 * tenth of the usual seconds per cell is saved. */
static int measure_cached(struct tuning *t, struct weir_machine_kind *kind,
                          const struct weir_named_share *share, int groups, int usual_blocks) {
    const double much = 0.9, cells = (double)t->block_cells[0] * t->block_cells[1] * t->block_cells[2];
    double room;
    WEIR_TRY(cells_in_cache(t, groups, &room));
    for (int blocks = 1; blocks < usual_blocks && blocks * cells <= room; blocks *= 2) {
        struct weir_rate_sample sample;
        WEIR_TRY(measure_flow(t, FLUID, WEIR_BRICK, share, groups, blocks, &sample));
        const double rate = (sample.seconds - blocks * kind->rates.task_seconds) / sample.fluid_cells;
        if (!(rate > 0 && rate < much * kind->rates.fluid_cell_seconds))
            break;
        kind->cached_cells = blocks * cells;
        kind->cached_fluid_cell_seconds = rate;
    }
    return 0;
}

/* Blocks that are lists, where the problem may have some. tiny: what was measured of tasks, which cost the
 * same. */
static int measure_lists(struct tuning *t, struct weir_machine_kind *kind,
                         const struct weir_named_share *share, int groups,
                         const struct weir_rate_sample *tiny) {
    struct weir_rate_sample samples[FLOWS + 1] = {[TINY] = *tiny};
    struct weir_rates rates;
    for (int flow = FLUID; flow <= BALLS; flow++)
        if (flow != TINY)
            WEIR_TRY(measure_flow(t, (enum flow)flow, WEIR_LIST, share, groups, blocks_for(t, kind->kind),
                                  &samples[flow]));
    WEIR_TRY(weir_rate_fit_with_walls(samples, FLOWS, &samples[BALLS], kind->tasks_at_once, &rates));
    kind->rates.lists =
        (struct weir_cell_seconds){.fluid = rates.fluid_cell_seconds,
                                   .wall = rates.wall_cell_seconds,
                                   .solid = fmin(rates.solid_cell_seconds, rates.fluid_cell_seconds)};
    return 0;
}

static int measure_kind(struct tuning *t, struct weir_machine_kind *kind, int groups) {
    struct weir_named_share share = {.name = "cpu", .share = 1};
    if (kind->kind == WEIR_WORKER_GROUP_GPU) {
        strcpy(share.name,
               weir_runtime_worker_groups(t->runtime)->group[0].name); /* GPUs come first, and are alike */
        groups = 1;
    }
    struct weir_rate_sample samples[FLOWS + 1];
    for (int flow = 0; flow <= BALLS; flow++)
        WEIR_TRY(measure_flow(t, (enum flow)flow, WEIR_BRICK, &share, groups,
                              flow == TINY ? TINY_BLOCKS : blocks_for(t, kind->kind), &samples[flow]));
    WEIR_TRY(weir_rate_fit_with_walls(samples, FLOWS, &samples[BALLS], kind->tasks_at_once, &kind->rates));
    if (weir_cells_possible(t->problem, WEIR_LIST))
        WEIR_TRY(measure_lists(t, kind, &share, groups, &samples[TINY]));
    if (!(kind->rates.fluid_cell_seconds > 0)) /* blocks so small that all their time went into tasks */
        kind->rates.fluid_cell_seconds = samples[FLUID].seconds / samples[FLUID].fluid_cells;
    if (kind->kind == WEIR_WORKER_GROUP_TEAM)
        WEIR_TRY(measure_cached(t, kind, &share, groups, blocks_for(t, kind->kind)));
    /* Solids are skipped: that they seem to cost more than fluid is noise, or rows of a block that has no
     * layers. */
    kind->rates.solid_cell_seconds = fmin(kind->rates.solid_cell_seconds, kind->rates.fluid_cell_seconds);
    if (kind->kind == WEIR_WORKER_GROUP_TEAM &&
        weir_worker_groups_count(weir_runtime_worker_groups(t->runtime), WEIR_WORKER_GROUP_GPU) > 0) {
        kind->rates.fluid_cell_seconds /= KEPT_BESIDE_GPUS;
        kind->rates.wall_cell_seconds /= KEPT_BESIDE_GPUS;
        kind->rates.solid_cell_seconds /= KEPT_BESIDE_GPUS;
        kind->rates.lists.fluid /= KEPT_BESIDE_GPUS;
        kind->rates.lists.wall /= KEPT_BESIDE_GPUS;
        kind->rates.lists.solid /= KEPT_BESIDE_GPUS;
        kind->cached_fluid_cell_seconds /= KEPT_BESIDE_GPUS;
    }
    return 0;
}

/* What StarPU measured between two memory nodes, in one direction; false where it knows nothing. */
static bool link_between(unsigned from, unsigned to, struct weir_link *link) {
    const double megabytes = starpu_transfer_bandwidth(from, to),
                 microseconds = starpu_transfer_latency(from, to);
    if (!(megabytes > 0) || !isfinite(megabytes))
        return false;
    *link = (struct weir_link){.message_seconds =
                                   isfinite(microseconds) && microseconds > 0 ? 1e-6 * microseconds : 0,
                               .byte_seconds = 1e-6 / megabytes};
    return true;
}

static void measure_links(const struct tuning *t, struct weir_machine *machine) {
    const struct weir_worker_groups *groups = weir_runtime_worker_groups(t->runtime);
    unsigned nodes[2];
    int gpus = 0;
    for (int group = 0; group < groups->count && gpus < 2; group++)
        if (groups->group[group].kind == WEIR_WORKER_GROUP_GPU)
            nodes[gpus++] = starpu_worker_get_memory_node((unsigned)groups->group[group].workers[0]);
    if (gpus > 0)
        link_between(STARPU_MAIN_RAM, nodes[0], &machine->memory_link);
    if (gpus > 1)
        machine->has_gpu_link = link_between(nodes[0], nodes[1], &machine->gpu_link);
}

/* How much, against what is much. */
static double disturbance_of(const struct weir_tune_quality *quality) {
    return fmax(quality->spread / WEIR_TUNE_SPREAD_MUCH, quality->lost / WEIR_CORES_LOST_MUCH);
}

bool weir_tune_is_disturbed(const struct weir_tune_quality *quality) {
    return disturbance_of(quality) >= 1;
}

bool weir_tune_is_calmer(const struct weir_tune_quality *first, const struct weir_tune_quality *second) {
    return disturbance_of(first) < disturbance_of(second);
}

static int tune(struct weir_runtime *runtime, const struct weir_problem *problem, const int block_cells[3],
                struct weir_machine *machine, double *spread) {
    struct tuning t = {.runtime = runtime, .problem = problem, .block_cells = block_cells};
    const struct weir_worker_groups *groups = weir_runtime_worker_groups(runtime);
    WEIR_TRY(weir_tune_describe(runtime, machine));
    for (int k = 0; k < machine->kind_count; k++) {
        struct weir_machine_kind *kind = &machine->kinds[k];
        int like = 0; /* an earlier one whose worker groups were measured together with these */
        while (like < k &&
               (machine->kinds[like].kind == WEIR_WORKER_GROUP_GPU) != (kind->kind == WEIR_WORKER_GROUP_GPU))
            like++;
        if (like < k) {
            kind->rates = machine->kinds[like].rates;
            kind->cached_cells = machine->kinds[like].cached_cells;
            kind->cached_fluid_cell_seconds = machine->kinds[like].cached_fluid_cell_seconds;
            continue;
        }
        WEIR_TRY(measure_kind(&t, kind,
                              kind->kind == WEIR_WORKER_GROUP_GPU
                                  ? 1
                                  : groups->count - weir_worker_groups_count(groups, WEIR_WORKER_GROUP_GPU)));
    }
    measure_links(&t, machine);
    machine->submit_seconds = t.submit_seconds / t.submitted;
    *spread = t.spread;
    return 0;
}

int weir_tune(struct weir_runtime *runtime, const struct weir_problem *problem, const int block_cells[3],
              struct weir_machine *machine, struct weir_tune_quality *quality) {
    struct weir_core_use before, after;
    weir_core_use_read(&before);
    WEIR_TRY(tune(runtime, problem, block_cells, machine, &quality->spread));
    weir_core_use_read(&after);
    const struct weir_core_span span = weir_core_use_between(&before, &after);
    quality->lost = weir_core_span_loss(&span, 0).lost;
    return 0;
}
