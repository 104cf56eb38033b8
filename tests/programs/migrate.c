/* Blocks that move between ranks, for tests/system/test_migration.py, which starts it on several. Rank 0
 * tells what came of it.
 *
 * migrate compare [WORKERS]: flows whose blocks go to and fro, against the same flows left alone, on cpu,
 * cuda or all.
 *
 * migrate settle POLICY SHARE STEPS ROUNDS SLEEP...: every step of a block takes SLEEP microseconds more, a
 * number for each rank, and the blocks are divided badly at first: rank 0 has SHARE times as many as any
 * other, or all where that leaves none; what does the policy make of it in so many steps? Then seconds per
 * step with its decomposition and with the one that fits, by turns. In JSON. */
#include "codelets/kernels/demand/find.h"
#include "graph/base/clock.h"
#include "graph/base/error.h"
#include "graph/domain.h"
#include "graph/plan/ranks.h"
#include "graph/probes.h"
#include "graph/ranks/rank_tags.h"
#include "graph/ranks/world.h"
#include "graph/runtime/runtime.h"
#include "graph/simulation.h"
#include "tests/unit/flows.h"

#include <dlfcn.h>
#include <math.h>
#include <pthread.h>
#include <starpu_mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef int send_function(starpu_data_handle_t, int, starpu_mpi_tag_t, MPI_Comm, void (*)(void *), void *);

/* A message that is late, as one may be whose data comes from a GPU. */
struct late {
    send_function *send;
    starpu_data_handle_t copy;
    int to;
    starpu_mpi_tag_t tag;
    MPI_Comm comm;
    void (*sent)(void *);
    void *argument;
};

static void *send_late(void *argument) {
    enum { MICROSECONDS = 20000 };
    struct late *late = argument;
    usleep(MICROSECONDS);
    late->send(late->copy, late->to, late->tag, late->comm, late->sent, late->argument);
    starpu_data_unregister_submit(late->copy);
    free(late);
    return NULL;
}

/* StarPU's own, but half of what outputs look at is late, and may be overtaken by what comes later. */
int starpu_mpi_isend_detached(starpu_data_handle_t data, int to, starpu_mpi_tag_t tag, MPI_Comm comm,
                              void (*sent)(void *), void *argument) {
    static unsigned messages;
    send_function *const send = (send_function *)dlsym(RTLD_NEXT, "starpu_mpi_isend_detached");
    if (weir_tag_kind(tag) != WEIR_MESSAGE_VALUES || ++messages * 2654435761u >> 31)
        return send(data, to, tag, comm, sent, argument);
    struct late *late = malloc(sizeof *late);
    pthread_t thread;
    *late =
        (struct late){send, weir_register_bytes(starpu_data_get_size(data)), to, tag, comm, sent, argument};
    starpu_data_cpy(late->copy, data, 0, NULL, NULL);
    pthread_create(&thread, NULL, send_late, late);
    pthread_detach(thread);
    return 0;
}

/* Everything that a run tells. */
struct outcome {
    char digest[33];
    uint64_t observed;   /* by a sink that is called at rank 0 */
    uint64_t summed;     /* over time, by another one */
    uint64_t probed;     /* by probes, at rank 0: in any order, as batches end where blocks move */
    int64_t samples;     /* of these, in earlier batches */
    uint64_t everywhere; /* by one that is called everywhere, of all ranks; whatever the order */
    uint64_t totals, changes;
    int looks, left_out; /* of blocks: that were seen, that are not there */
    int time_sums;       /* of a cell */
};

static uint64_t mix(uint64_t hash, const void *bytes, size_t size) {
    for (size_t k = 0; k < size; k++)
        hash = (hash ^ ((const unsigned char *)bytes)[k]) * 1099511628211u;
    return hash;
}

static int begin(void *context, int64_t step) {
    struct outcome *outcome = context;
    outcome->observed = mix(outcome->observed, &step, sizeof step);
    return 0;
}

/* Boxes come in the order of blocks. */
static int put(void *context, const struct weir_observation *observation) {
    struct outcome *outcome = context;
    const size_t bytes = sizeof(double) * (size_t)weir_box_cells(&observation->box);
    outcome->observed = mix(outcome->observed, observation->density, bytes);
    for (int axis = 0; axis < 3; axis++)
        outcome->observed = mix(outcome->observed, observation->velocity[axis], bytes);
    double gradient[3][3]; /* which takes cells of other blocks */
    weir_observation_gradient(observation, (const int[3]){0, 0, 0}, gradient);
    outcome->observed = mix(outcome->observed, gradient, sizeof gradient);
    outcome->looks++;
    return 0;
}

/* Of cells of the blocks that hold any, the sums so far. */
static int put_sums(void *context, const struct weir_observation *observation) {
    struct outcome *outcome = context;
    const size_t numbers = (size_t)outcome->time_sums * (size_t)weir_box_cells(&observation->box);
    for (size_t k = 0; k < numbers; k++) {
        const double sum = isnan(observation->time_sums[k]) ? 0 : observation->time_sums[k];
        outcome->summed = mix(outcome->summed, &sum, sizeof sum);
    }
    return 0;
}

static int begin_everywhere(void *context, int64_t step) {
    (void)context;
    (void)step;
    return 0;
}

static int put_everywhere(void *context, const struct weir_observation *observation) {
    struct outcome *outcome = context, box = {.observed = 1};
    box.observed = mix(box.observed, &observation->box, sizeof observation->box);
    WEIR_TRY(put(&box, observation));
    outcome->everywhere += box.observed;
    return 0;
}

static int finish(void *context, bool sound) {
    (void)context;
    return sound ? 0 : weir_fail(WEIR_FAILED, "the flow is not sound");
}

static void receive_totals(void *context, const struct weir_totals *totals) {
    struct outcome *outcome = context;
    outcome->totals = mix(outcome->totals, &totals->mass, sizeof totals->mass);
    outcome->totals = mix(outcome->totals, totals->momentum, sizeof totals->momentum);
    outcome->totals = mix(outcome->totals, totals->max_speed_cell, sizeof totals->max_speed_cell);
    outcome->totals = mix(outcome->totals, totals->force, sizeof totals->force);
}

static void receive_change(void *context, int64_t step, double change, double speed) {
    struct outcome *outcome = context;
    const double both[3] = {(double)step, change, speed};
    outcome->changes = mix(outcome->changes, both, sizeof both);
}

static int put_probe(void *context, const struct weir_probe_values *values) {
    struct outcome *outcome = context;
    const int64_t sample = outcome->samples + values->sample;
    const size_t cells = (size_t)weir_box_cells(&values->box);
    uint64_t hash = mix(mix(1, &sample, sizeof sample), &values->box, sizeof values->box);
    outcome->probed += mix(hash, values->values, 4 * cells * sizeof *values->values);
    return 0;
}

static int finish_probes(void *context, const int64_t *steps, int samples, bool sound) {
    struct outcome *outcome = context;
    for (int k = 0; k < samples; k++)
        if (!sound || steps[k] != outcome->samples + k)
            return weir_fail(WEIR_FAILED, "sample %d is of step %lld", k, (long long)steps[k]);
    outcome->samples += samples;
    return 0;
}

static int draw(uint64_t *seed, int below) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (int)(*seed >> 33) % below;
}

/* A decomposition without any order, the same on all ranks, in which one rank or another may have no blocks.
 */
static void shuffle(uint64_t *seed, int ranks, int blocks, int *rank_of) {
    const int left_out = draw(seed, ranks + 1);
    for (int block = 0; block < blocks; block++) {
        const int rank = draw(seed, ranks);
        rank_of[block] = rank == left_out ? (rank + 1) % ranks : rank;
    }
}

enum { STEPS = 11, BLOCKS_MAX = 64 };

/* Moves blocks before step `step` where the test has it so: twice in succession, at both parities, before the
 * first step, before and after observations. */
static int disturb(struct weir_simulation *simulation, struct weir_world *world, int64_t step,
                   uint64_t *seed) {
    static const bool moves[STEPS] = {[0] = true, [3] = true, [4] = true, [7] = true, [8] = true};
    int rank_of[BLOCKS_MAX], has[BLOCKS_MAX]; /* there are fewer ranks than blocks */
    const int blocks = weir_simulation_grid(simulation)->total, last = weir_world_size(world) - 1;
    if (!moves[step])
        return 0;
    shuffle(seed, weir_world_size(world), blocks, rank_of);
    if (step == 4) { /* one rank lacks room: all stay as they are */
        const int64_t before = weir_simulation_rank_moves(simulation)->blocks;
        rank_of[blocks - 1] = last;
        rank_of[blocks - 2] = 0;
        WEIR_TRY(weir_simulation_migrate(simulation, rank_of, -1));
        rank_of[blocks - 2] = last;
        WEIR_TRY(
            weir_simulation_migrate(simulation, rank_of, weir_world_rank(world) == last ? 100 : 1 << 30));
        const struct weir_rank_moves *now = weir_simulation_rank_moves(simulation);
        if (now->refusals != 1 || now->blocks == before || now->lacking.rank != last ||
            now->lacking.there != 100 || now->lacking.wanted <= 100)
            return weir_fail(WEIR_FAILED, "a rank without room was not refused");
        return 0;
    }
    WEIR_TRY(weir_simulation_migrate(simulation, rank_of, -1));
    weir_simulation_rank_blocks(simulation, has);
    for (int rank = 0; rank <= last; rank++) {
        int wanted = 0;
        for (int block = 0; block < blocks; block++)
            wanted += rank_of[block] == rank && !weir_block_is_solid(weir_simulation_grid(simulation), block);
        if (has[rank] != wanted)
            return weir_fail(WEIR_FAILED, "rank %d has not the blocks that it should", rank);
    }
    return 0;
}

enum { SUMS = 2 }; /* number of the watch of sums over time, behind those of what is seen */

/* What looks at a flow. */
struct eyes {
    struct weir_watch *watches[3];
    struct weir_probes *probes;
};

/* What there is before step `step`. */
static int look(struct weir_simulation *simulation, int64_t step, const struct eyes *eyes,
                struct outcome *outcome) {
    WEIR_TRY(weir_simulation_sample(simulation, eyes->probes));
    WEIR_TRY(weir_simulation_add_to_time_sums(simulation, 0));
    if (step == 5 || step == 9)
        WEIR_TRY(weir_simulation_observe(simulation, eyes->watches[SUMS]));
    if (step % 2 == 1)
        WEIR_TRY(weir_simulation_totals(simulation, receive_totals, outcome));
    if (step % 3 == 2)
        WEIR_TRY(weir_simulation_change(simulation, receive_change, outcome));
    for (int k = 0; k < 2; k++)
        if (step == 2 || step == 3 || step == 9)
            WEIR_TRY(weir_simulation_observe(simulation, eyes->watches[k]));
    return 0;
}

static int advance_disturbed(struct weir_simulation *simulation, struct weir_world *world, bool disturbed,
                             const struct eyes *eyes, struct outcome *outcome) {
    uint64_t seed = 1;
    for (int64_t step = 0; step < STEPS; step++) {
        WEIR_TRY(look(simulation, step, eyes, outcome));
        if (disturbed)
            WEIR_TRY(disturb(simulation, world, step, &seed));
        WEIR_TRY(weir_simulation_step(simulation));
    }
    WEIR_TRY(weir_simulation_hand_over(simulation, eyes->probes));
    return weir_simulation_digest(simulation, outcome->digest);
}

/* One amid 8 blocks, one within a block, one at the domain's end; batches of 3 samples. */
static int add_probes(struct weir_simulation *simulation, const struct weir_problem *problem,
                      struct outcome *outcome, struct weir_probes **probes) {
    static struct weir_box boxes[3];
    const int deep = problem->cells[2] > 1;
    boxes[0] = (struct weir_box){{3, 4, 2 * deep}, {2, 2, 1 + deep}};
    boxes[1] = (struct weir_box){{1, 1, 0}, {1, 2, 1}};
    boxes[2] =
        (struct weir_box){{problem->cells[0] - 1, problem->cells[1] - 2, problem->cells[2] - 1}, {1, 2, 1}};
    const struct weir_probe_sink sink = {.context = outcome,
                                         .boxes = boxes,
                                         .count = 3,
                                         .batch = 3,
                                         .put = put_probe,
                                         .finish = finish_probes};
    return weir_simulation_add_probes(simulation, &sink, probes);
}

static int run(struct weir_simulation *simulation, struct weir_world *world,
               const struct weir_problem *problem, bool disturbed, struct outcome *outcome) {
    struct eyes eyes;
    struct weir_sink sink = {
        .context = outcome,
        .region = {.extent = {problem->cells[0], problem->cells[1] - 2, problem->cells[2]}},
        .gradients = true,
        .begin = begin,
        .put = put,
        .finish = finish};
    WEIR_TRY(weir_simulation_watch(simulation, &sink, &eyes.watches[0]));
    sink.begin = begin_everywhere;
    sink.put = put_everywhere;
    sink.everywhere = true;
    WEIR_TRY(weir_simulation_watch(simulation, &sink, &eyes.watches[1]));
    sink = (struct weir_sink){.context = outcome,
                              .region = {.extent = {problem->cells[0], problem->cells[1], problem->cells[2]}},
                              .time_sums = 1,
                              .at_once = 2,
                              .begin = begin_everywhere,
                              .put = put_sums,
                              .finish = finish};
    outcome->time_sums = weir_problem_time_sums(problem);
    WEIR_TRY(weir_simulation_watch(simulation, &sink, &eyes.watches[SUMS]));
    WEIR_TRY(add_probes(simulation, problem, outcome, &eyes.probes));
    const int error = advance_disturbed(simulation, world, disturbed, &eyes, outcome);
    for (int k = 0; k <= SUMS; k++)
        weir_simulation_unwatch(eyes.watches[k]);
    weir_probes_destroy(eyes.probes);
    MPI_Allreduce(MPI_IN_PLACE, &outcome->everywhere, 1, MPI_UINT64_T, MPI_SUM, weir_world_comm(world));
    return error;
}

static int compute(struct weir_runtime *runtime, const struct weir_problem *problem, bool disturbed,
                   struct outcome *outcome) {
    const struct weir_simulation_options options = {
        .block_cells = {4, 5, 3}, .homes_stay = true, .poison = true, .change = true};
    struct weir_simulation *simulation;
    memset(outcome, 0, sizeof *outcome);
    WEIR_TRY(weir_simulation_create(runtime, problem, &options, &simulation));
    const struct weir_block_grid *grid = weir_simulation_grid(simulation);
    outcome->left_out = grid->total - weir_block_grid_fluid_blocks(grid);
    const int error = run(simulation, weir_runtime_world(runtime), problem, disturbed, outcome);
    weir_simulation_destroy(simulation);
    return error;
}

/* A flow as it is; with a scalar, which acts on it in D3Q19; in blocks of which some, or all, are lists of
 * fluid cells; with solids that fill blocks, which are kept, or left out, or left out where others are lists.
 */
enum with {
    WITH_NOTHING,
    WITH_SCALAR,
    WITH_SOME_LISTS,
    WITH_LISTS,
    WITH_SOLID_KEPT,
    WITH_SOLID,
    WITH_SOLID_AND_LISTS
};
static const char *const with_what[] = {"",        "+scalar",   "+some_lists",        "+lists",
                                        "+filled", "+left_out", "+left_out_and_lists"};

/* Fills nine blocks in three places: one is a corner, and beside one the domain's seam is. */
static void fill_blocks(struct weir_problem *problem, bool keep) {
    enum { SHAPES_MAX = 16, PLUGS = 3 };
    static struct weir_shape shapes[SHAPES_MAX];
    static const double plugs[PLUGS][2][3] = {
        {{4, 0, 0}, {12, 10, 6}}, {{0, 10, 6}, {4, 11, 9}}, {{12, 5, 3}, {13, 10, 6}}};
    memcpy(shapes, problem->shapes, sizeof *shapes * (size_t)problem->shape_count);
    for (int k = 0; k < PLUGS; k++) {
        struct weir_shape *shape = &shapes[problem->shape_count++];
        *shape = (struct weir_shape){.type = WEIR_BOX, .wall = problem->wall_count};
        memcpy(shape->box.from, plugs[k][0], sizeof plugs[k][0]);
        memcpy(shape->box.to, plugs[k][1], sizeof plugs[k][1]);
    }
    problem->wall_count++;
    problem->shapes = shapes;
    problem->keep_solid_blocks = keep;
}

static int compare_flow(struct weir_runtime *runtime, enum flow flow, enum weir_lattice lattice,
                        enum weir_precision precision, enum with with) {
    struct weir_problem problem;
    struct outcome calm, disturbed;
    flow_problem(flow, lattice, flow == FLOW_TUBE, &problem);
    problem.precision = precision;
    problem.time_sums = 1;
    if (with == WITH_SCALAR)
        flow_add_scalar(&problem);
    if (with == WITH_SCALAR && lattice == WEIR_D3Q19)
        flow_add_buoyancy(&problem);
    problem.list_up_to = with == WITH_LISTS                                        ? 1
                         : with == WITH_SOME_LISTS || with == WITH_SOLID_AND_LISTS ? 0.7
                                                                                   : 0;
    if (with >= WITH_SOLID_KEPT)
        fill_blocks(&problem, with == WITH_SOLID_KEPT);
    if (lattice == WEIR_D2Q37) { /* streaming only; no block thinner than 3 cells */
        problem.collision = WEIR_NONE;
        problem.cells[0] = 15;
        problem.cells[1] = 13;
    }
    WEIR_TRY(compute(runtime, &problem, false, &calm));
    WEIR_TRY(compute(runtime, &problem, true, &disturbed));
    const bool same = strcmp(calm.digest, disturbed.digest) == 0 && calm.observed == disturbed.observed &&
                      calm.summed == disturbed.summed && calm.probed == disturbed.probed &&
                      calm.everywhere == disturbed.everywhere && calm.totals == disturbed.totals &&
                      calm.changes == disturbed.changes && calm.looks == disturbed.looks;
    int error = 0;
    if (!same)
        error = weir_fail(WEIR_FAILED, "%s of %s: digests %s and %s; %s, %s, %s", flow_names[flow],
                          weir_lattice_table((int)lattice)->name, calm.digest, disturbed.digest,
                          calm.observed == disturbed.observed && calm.summed == disturbed.summed &&
                                  calm.probed == disturbed.probed && calm.everywhere == disturbed.everywhere
                              ? "observations agree"
                              : "observations differ",
                          calm.totals == disturbed.totals ? "totals agree" : "totals differ",
                          calm.changes == disturbed.changes ? "changes agree" : "changes differ");
    /* Not all is told to all ranks. */
    WEIR_TRY(weir_world_agree(weir_runtime_world(runtime), error));
    if ((calm.left_out > 0) != (with >= WITH_SOLID))
        return weir_fail(WEIR_FAILED, "%d blocks of %s%s are left out", calm.left_out, flow_names[flow],
                         with_what[with]);
    printf("%s %s%s %s %d %016llx\n", flow_names[flow], weir_lattice_table((int)lattice)->name,
           with_what[with], calm.digest, calm.looks, (unsigned long long)calm.everywhere);
    return 0;
}

static int compare(struct weir_runtime *runtime) {
    for (int lattice = 0; lattice < WEIR_ALL_LATTICES; lattice++)
        for (int flow = 0; flow < FLOW_COUNT && lattice < WEIR_ISOTHERMAL_COUNT; flow++)
            WEIR_TRY(compare_flow(runtime, (enum flow)flow, (enum weir_lattice)lattice,
                                  flow % 2 ? WEIR_DOUBLE : WEIR_SINGLE, WITH_NOTHING));
    WEIR_TRY(compare_flow(runtime, FLOW_BODIES, WEIR_D2Q9, WEIR_DOUBLE, WITH_SCALAR));
    WEIR_TRY(compare_flow(runtime, FLOW_CHANNEL, WEIR_D3Q19, WEIR_SINGLE, WITH_SCALAR));
    WEIR_TRY(compare_flow(runtime, FLOW_RUBBLE, WEIR_D3Q19, WEIR_SINGLE, WITH_SOME_LISTS));
    WEIR_TRY(compare_flow(runtime, FLOW_BODIES, WEIR_D3Q19, WEIR_DOUBLE, WITH_LISTS));
    for (int with = WITH_SOLID_KEPT; with <= WITH_SOLID_AND_LISTS; with++)
        WEIR_TRY(compare_flow(runtime, FLOW_BODIES, WEIR_D3Q19, WEIR_SINGLE, (enum with)with));
    return 0;
}

/* Called by who takes a step of a block. */
static void sleep_a_while(void *microseconds, const struct weir_block *block,
                          const struct weir_stage *stage) {
    const struct timespec time = {.tv_nsec = 1000L * *(const int *)microseconds};
    (void)block, (void)stage;
    nanosleep(&time, NULL);
}

enum { SIDE = 4, SLEEPY_BLOCKS = SIDE * SIDE * SIDE };

/* A cube of 4 x 4 x 4 small blocks that flows against its walls. Steps sleep from now on. */
static int create_sleepy(struct weir_runtime *runtime, bool homes_stay, int *microseconds,
                         struct weir_problem *problem, struct weir_simulation **simulation) {
    const struct weir_simulation_options options = {.block_cells = {8, 8, 8}, .homes_stay = homes_stay};
    weir_problem_default(problem);
    for (int axis = 0; axis < 3; axis++)
        problem->cells[axis] = 8 * SIDE;
    problem->initial_velocity[0] = 0.05;
    WEIR_TRY(weir_simulation_create(runtime, problem, &options, simulation));
    struct weir_domain *domain = weir_simulation_domain(*simulation);
    domain->context.step_begins = sleep_a_while;
    domain->context.recorder = microseconds;
    return 0;
}

static int advance(struct weir_simulation *simulation, int steps, double *seconds) {
    const double start = weir_seconds();
    for (int step = 0; step < steps; step++)
        WEIR_TRY(weir_simulation_step(simulation));
    WEIR_TRY(weir_simulation_wait(simulation));
    *seconds = (weir_seconds() - start) / steps;
    return 0;
}

/* Divides by shares, of which each rank knows its own. */
static int divide(struct weir_runtime *runtime, const struct weir_block_grid *grid, double own,
                  int *rank_of) {
    enum { RANKS_MAX = 64 };
    struct weir_world *world = weir_runtime_world(runtime);
    double share[RANKS_MAX], weight[SLEEPY_BLOCKS];
    for (int block = 0; block < SLEEPY_BLOCKS; block++)
        weight[block] = 1;
    MPI_Allgather(&own, 1, MPI_DOUBLE, share, 1, MPI_DOUBLE, weir_world_comm(world));
    return weir_ranks_divide(grid, weight, weir_world_size(world), share, NULL, rank_of);
}

/* What the policy makes of a bad decomposition, by rank 0's share: rank_of is what it came to. */
static int settle(struct weir_runtime *runtime, double share, int steps, int *microseconds, int *rank_of) {
    const int ranks = weir_world_size(weir_runtime_world(runtime));
    struct weir_problem problem;
    struct weir_simulation *simulation;
    char digest[33];
    double seconds;
    WEIR_TRY(create_sleepy(runtime, false, microseconds, &problem, &simulation));
    int error = divide(runtime, weir_simulation_grid(simulation),
                       weir_world_speaks(weir_runtime_world(runtime)) ? share : 1, rank_of);
    if (error == 0)
        error = weir_simulation_migrate(simulation, rank_of, -1);
    if (error == 0)
        error = advance(simulation, steps, &seconds);
    if (error == 0)
        error = weir_simulation_digest(simulation, digest);
    if (error == 0) {
        const struct weir_rank_moves *moves = weir_simulation_rank_moves(simulation);
        memcpy(rank_of, weir_simulation_domain(simulation)->rank_of, sizeof *rank_of * SLEEPY_BLOCKS);
        printf("{\"digest\": \"%s\", \"moved\": %lld, \"times\": %d, \"last_move_seconds\": %.4f, "
               "\"blocks\": [",
               digest, (long long)moves->blocks, moves->times, moves->last_seconds);
        int blocks[SLEEPY_BLOCKS]; /* there are fewer ranks */
        weir_simulation_rank_blocks(simulation, blocks);
        for (int rank = 0; rank < ranks; rank++)
            printf("%s%d", rank > 0 ? ", " : "", blocks[rank]);
        printf("]");
    }
    weir_simulation_destroy(simulation);
    return error;
}

/* Steps under the decomposition that the policy came to and under the one that fits, by turns. */
static int compare_decompositions(struct weir_runtime *runtime, int rounds, int steps, int *microseconds,
                                  const int *settled) {
    struct weir_problem problem;
    struct weir_simulation *simulation;
    int best[SLEEPY_BLOCKS];
    double seconds[2];
    WEIR_TRY(create_sleepy(runtime, true, microseconds, &problem, &simulation));
    int error = divide(runtime, weir_simulation_grid(simulation),
                       (double)weir_runtime_step_workers(runtime).cpus / *microseconds, best);
    printf(", \"step_seconds\": [");
    for (int round = 0; round < rounds && error == 0; round++) {
        for (int k = 0; k < 2 && error == 0; k++) {
            error = weir_simulation_migrate(simulation, k == 0 ? settled : best, -1);
            if (error == 0)
                error = advance(simulation, steps, &seconds[k]);
        }
        printf("%s[%.6f, %.6f]", round > 0 ? ", " : "", seconds[0], seconds[1]);
    }
    printf("]");
    weir_simulation_destroy(simulation);
    return error;
}

static int settle_and_compare(struct weir_runtime *runtime, char **arguments) {
    int microseconds = atoi(arguments[6 + weir_world_rank(weir_runtime_world(runtime))]);
    int rank_of[SLEEPY_BLOCKS];
    enum { STEPS_PER_ROUND = 10 };
    WEIR_TRY(settle(runtime, atof(arguments[3]), atoi(arguments[4]), &microseconds, rank_of));
    WEIR_TRY(compare_decompositions(runtime, atoi(arguments[5]), STEPS_PER_ROUND, &microseconds, rank_of));
    printf("}\n");
    return 0;
}

static bool find_workers(const char *name, enum weir_worker_choice *workers) {
    static const char *const names[] = {
        [WEIR_WORKERS_CPU] = "cpu", [WEIR_WORKERS_CUDA] = "cuda", [WEIR_WORKERS_ALL] = "all"};
    for (int k = WEIR_WORKERS_CPU; k <= WEIR_WORKERS_ALL; k++)
        if (strcmp(name, names[k]) == 0) {
            *workers = (enum weir_worker_choice)k;
            return true;
        }
    return false;
}

static int work(struct weir_world *world, int count, char **arguments) {
    const bool settles = count > 5 && strcmp(arguments[1], "settle") == 0;
    const bool compares = (count == 2 || count == 3) && strcmp(arguments[1], "compare") == 0;
    enum weir_worker_choice workers = WEIR_WORKERS_CPU;
    if (weir_world_size(world) < 2 || (settles ? count != 6 + weir_world_size(world) : !compares) ||
        (compares && count == 3 && !find_workers(arguments[2], &workers)))
        return weir_fail(
            WEIR_USAGE,
            "usage: mpirun -np 2 migrate compare [cpu|cuda|all] | settle POLICY SHARE STEPS ROUNDS SLEEP...");
    const bool has_cuda = weir_kernels_with_cuda();
    const struct weir_runtime_options options = {.policy = settles ? arguments[2] : "",
                                                 .workers = workers,
                                                 .has_cuda_kernels = has_cuda,
                                                 .world = world};
    struct weir_runtime *runtime;
    WEIR_TRY(weir_runtime_create(&options, &runtime));
    const int error = settles ? settle_and_compare(runtime, arguments) : compare(runtime);
    weir_runtime_destroy(runtime);
    return error;
}

int main(int count, char **arguments) {
    struct weir_world *world;
    int error = weir_world_join(&world);
    if (error == 0)
        error = weir_world_agree(world, work(world, count, arguments));
    if (error != 0 && weir_world_speaks(world))
        fprintf(stderr, "migrate: %s\n", weir_error_text());
    weir_world_leave(world);
    return error == 0 ? 0 : -error;
}
