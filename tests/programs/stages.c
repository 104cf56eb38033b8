/* A model of two stages (attraction.h), for tests/system/test_stages.py, which starts it on one rank or
 * several: whether its flows are what a slow reference computes, however they are cut, and wherever their
 * blocks go on the way. Rank 0 tells what came of each, to be compared with what other numbers of ranks say.
 *
 * stages [cpu|cuda|all] */
#include "codelets/kernels/kernels.h"
#include "graph/bare_loop.h"
#include "graph/base/error.h"
#include "graph/domain.h"
#include "graph/problem/geometry.h"
#include "graph/ranks/world.h"
#include "graph/record.h"
#include "graph/runtime/runtime.h"
#include "graph/simulation.h"
#include "tests/programs/attraction.h"
#include "tests/unit/flows.h"
#include "tests/unit/reference.h"

#include <math.h>
#include <starpu_mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 10, BLOCKS_MAX = 128 };

#define DECLARE(lattice, collision, COLLISION, precision, PRECISION)                \
    weir_stage_cpu attraction_density_##lattice##_##collision##_##precision;        \
    weir_stage_cpu attraction_collide_stream_##lattice##_##collision##_##precision; \
    weir_stage_cuda attraction_density_cuda_##lattice##_##collision##_##precision;  \
    weir_stage_cuda attraction_collide_stream_cuda_##lattice##_##collision##_##precision;
ATTRACTION_VARIANTS(DECLARE)

#if WEIR_WITH_CUDA
#define ON_CUDA(what) what
#else
#define ON_CUDA(what) NULL
#endif

struct variant {
    enum weir_lattice lattice;
    enum weir_collision collision;
    enum weir_precision precision;
    weir_stage_cpu *cpu[2];
    weir_stage_cuda *cuda[2];
    double tolerance; /* of densities and velocities */
};

#define TOLERANCE_single 2e-6
#define TOLERANCE_double 1e-13
#define TOLERANCE_half 2e-3
#define ROW(lattice_, collision_, COLLISION, precision_, PRECISION)                              \
    {.lattice = WEIR_##lattice_,                                                                 \
     .collision = WEIR_##COLLISION,                                                              \
     .precision = WEIR_##PRECISION,                                                              \
     .cpu = {attraction_density_##lattice_##_##collision_##_##precision_,                        \
             attraction_collide_stream_##lattice_##_##collision_##_##precision_},                \
     .cuda = {ON_CUDA(attraction_density_cuda_##lattice_##_##collision_##_##precision_),         \
              ON_CUDA(attraction_collide_stream_cuda_##lattice_##_##collision_##_##precision_)}, \
     .tolerance = TOLERANCE_##precision_},

static const struct variant variants[] = {ATTRACTION_VARIANTS(ROW)};
enum { VARIANTS = sizeof variants / sizeof *variants };

static const struct variant *variant_of(const struct weir_problem *problem) {
    const struct variant *v = variants;
    while (v->lattice != problem->lattice || v->collision != problem->collision ||
           v->precision != problem->precision)
        v++;
    return v;
}

/* The whole model, but for its kernels. */
static void attract(const struct weir_problem *problem, struct weir_model *model) {
    const struct variant *v = variant_of(problem);
    const uint32_t density = 1u << ATTRACTION_DENSITY, force = 1u << ATTRACTION_FORCE,
                   channel = 1u << ATTRACTION_CHANNEL, geometry = 1u << WEIR_GEOMETRY, flow = 1u << WEIR_FLOW;
    weir_model_add_field(model, "density", 1, model->real_size);
    weir_model_add_field(model, "force", 3, model->real_size);
    weir_model_add_channel(model, model->real_size);
    weir_message_add_field(&model->channel[ATTRACTION_CHANNEL].layout, ATTRACTION_DENSITY, 1, 1,
                           weir_lattice_dimensions(problem->lattice));
    model->stage_count = 0; /* in the place of the flow's own */
    weir_model_add_stage(
        model, &(struct weir_stage){
                   .name = "density",
                   .access = {.reads = flow | geometry, .fills = density, .takes = 1, .gives = channel},
                   .cpu = v->cpu[0],
                   .cuda = v->cuda[0]});
    weir_model_add_stage(model, &(struct weir_stage){.name = "collide_stream",
                                                     .access = {.reads = geometry | density,
                                                                .updates = flow | force,
                                                                .takes = 1,
                                                                .takes_now = channel,
                                                                .gives = 1},
                                                     .cpu = v->cpu[1],
                                                     .cuda = v->cuda[1]});
}

/* The same in textbook arithmetic. */
struct slow {
    const struct weir_problem *problem;
    struct reference *flow;
    double (*force)[3]; /* [cells] */
};

static size_t cells_of(const struct weir_problem *problem) {
    return (size_t)problem->cells[0] * (size_t)problem->cells[1] * (size_t)problem->cells[2];
}

static struct slow slow_create(const struct weir_problem *problem) {
    struct slow slow = {.problem = problem, .flow = reference_create(problem)};
    slow.force = calloc(cells_of(problem), sizeof *slow.force);
    slow.flow->force = slow.force;
    if (!slow.force)
        abort();
    return slow;
}

static void slow_destroy(struct slow *slow) {
    reference_destroy(slow->flow);
    free(slow->force);
}

static double slow_density(const struct slow *slow, const int cell[3]) {
    const double *f = reference_populations(slow->flow, cell);
    double density = 0;
    for (int i = 0; i < weir_lattice_populations(slow->problem->lattice); i++)
        density += f[i];
    return density;
}

static void attract_cell(struct slow *slow, const int cell[3], double force[3]) {
    const int dimensions = weir_lattice_dimensions(slow->problem->lattice);
    const double density = slow_density(slow, cell);
    double sum[3] = {0};
    for (int k = 0; k < WEIR_NEIGHBOURS; k++) {
        const struct weir_offset c = weir_offset(k);
        const int axes = abs(c.along[0]) + abs(c.along[1]) + abs(c.along[2]);
        int there[3];
        if (axes == 0 || (dimensions == 2 && c.along[2] != 0) ||
            reference_next_cell(slow->problem, cell, c.along, there) != 0)
            continue;
        for (int axis = 0; axis < 3; axis++)
            sum[axis] +=
                ATTRACTION_WEIGHT(dimensions, axes) * (slow_density(slow, there) - 1) * c.along[axis];
    }
    for (int axis = 0; axis < 3; axis++)
        force[axis] = 0.5 * (force[axis] + ATTRACTION_STRENGTH * density * sum[axis]);
}

static void slow_step(struct slow *slow) {
    const int *n = slow->problem->cells;
    size_t number = 0;
    for (int z = 0; z < n[2]; z++)
        for (int y = 0; y < n[1]; y++)
            for (int x = 0; x < n[0]; x++, number++) {
                const int cell[3] = {x, y, z};
                if (weir_geometry_wall(slow->problem, cell) == 0)
                    attract_cell(slow, cell, slow->force[number]);
            }
    reference_step(slow->flow);
}

/* What came of a run. */
struct outcome {
    char digest[33];
    uint64_t force;   /* of all cells */
    double deviation; /* from the reference, at most */
    const struct slow *slow;
};

static int begin(void *context, int64_t step) {
    (void)context;
    (void)step;
    return 0;
}

static int put(void *context, const struct weir_observation *o) {
    struct outcome *outcome = context;
    const struct weir_box *box = &o->box;
    size_t k = 0;
    for (int z = 0; z < box->extent[2]; z++)
        for (int y = 0; y < box->extent[1]; y++)
            for (int x = 0; x < box->extent[0]; x++, k++) {
                const int cell[3] = {box->origin[0] + x, box->origin[1] + y, box->origin[2] + z};
                double density, velocity[3];
                if (weir_geometry_wall(outcome->slow->problem, cell) != 0)
                    continue;
                reference_moments(outcome->slow->flow, cell, &density, velocity);
                double off = fabs(o->density[k] - density);
                for (int axis = 0; axis < 3; axis++)
                    off = fmax(off, fabs(o->velocity[axis][k] - velocity[axis]));
                if (!(off <= outcome->deviation))
                    outcome->deviation = off;
            }
    return 0;
}

static int finish(void *context, bool sound) {
    (void)context;
    return sound ? 0 : weir_fail(WEIR_FAILED, "the flow diverged");
}

/* Sum over all fluid cells of what their number and force hash to. */
static int hash_forces(struct weir_simulation *simulation, uint64_t *sum) {
    const struct weir_domain *domain = weir_simulation_domain(simulation);
    const struct weir_problem *problem = domain->problem;
    const size_t size = domain->model.real_size;
    *sum = 0;
    for (int k = 0; k < domain->set.count; k++) {
        const struct weir_block *block = &domain->blocks[k];
        const starpu_data_handle_t handle = block->data[ATTRACTION_FORCE].handle;
        const struct weir_box box = weir_block_grid_box(&domain->grid, block->number);
        const size_t cells = (size_t)weir_box_cells(&box);
        starpu_data_acquire(handle, STARPU_R);
        const char *force = (const char *)starpu_vector_get_local_ptr(handle);
        for (size_t n = 0; n < cells; n++) {
            const int x = (int)n % box.extent[0], y = (int)n / box.extent[0] % box.extent[1],
                      z = (int)n / box.extent[0] / box.extent[1];
            const int cell[3] = {box.origin[0] + x, box.origin[1] + y, box.origin[2] + z};
            uint64_t hash = (uint64_t)((cell[2] * problem->cells[1] + cell[1]) * problem->cells[0] + cell[0]);
            for (size_t axis = 0; axis < 3; axis++)
                for (size_t byte = 0; byte < size; byte++)
                    hash = (hash ^ (unsigned char)force[(axis * cells + n) * size + byte]) * 1099511628211u;
            if (weir_geometry_wall(problem, cell) == 0)
                *sum += hash;
        }
        starpu_data_release(handle);
    }
    if (weir_world_size(domain->world) > 1)
        MPI_Allreduce(MPI_IN_PLACE, sum, 1, MPI_UINT64_T, MPI_SUM, weir_world_comm(domain->world));
    return 0;
}

/* A decomposition without any order, the same on all ranks, in which one rank or another may have no blocks.
 */
static int move_blocks(struct weir_simulation *simulation, int ranks, uint64_t *seed) {
    int rank_of[BLOCKS_MAX];
    for (int block = 0; block < weir_simulation_grid(simulation)->total; block++) {
        *seed = *seed * 6364136223846793005u + 1442695040888963407u;
        rank_of[block] = (int)(*seed >> 33) % ranks;
    }
    return weir_simulation_migrate(simulation, rank_of, -1);
}

/* Blocks move before the first step, and before and after others, at both parities. */
static int advance(struct weir_simulation *simulation, int ranks) {
    static const bool moves[STEPS] = {[0] = true, [3] = true, [4] = true, [7] = true};
    uint64_t seed = 1;
    for (int step = 0; step < STEPS; step++) {
        if (ranks > 1 && moves[step])
            WEIR_TRY(move_blocks(simulation, ranks, &seed));
        WEIR_TRY(weir_simulation_step(simulation));
    }
    return 0;
}

static int look(struct weir_simulation *simulation, const struct weir_problem *problem,
                struct outcome *outcome) {
    struct weir_watch *watch;
    const struct weir_sink sink = {
        .context = outcome,
        .region = {.extent = {problem->cells[0], problem->cells[1], problem->cells[2]}},
        .begin = begin,
        .put = put,
        .finish = finish};
    WEIR_TRY(weir_simulation_watch(simulation, &sink, &watch));
    int error = weir_simulation_observe(simulation, watch);
    if (error == 0)
        error = weir_simulation_wait(simulation);
    weir_simulation_unwatch(watch);
    WEIR_TRY(error);
    WEIR_TRY(hash_forces(simulation, &outcome->force));
    return weir_simulation_digest(simulation, outcome->digest);
}

static int compute(struct weir_runtime *runtime, const struct weir_problem *problem, const int block_cells[3],
                   struct outcome *outcome) {
    const struct weir_simulation_options options = {
        .block_cells = {block_cells[0], block_cells[1], block_cells[2]}, .homes_stay = true, .poison = true};
    struct weir_simulation *simulation;
    WEIR_TRY(weir_simulation_create(runtime, problem, &options, &simulation));
    int error = advance(simulation, weir_world_size(weir_runtime_world(runtime)));
    if (error == 0)
        error = look(simulation, problem, outcome);
    weir_simulation_destroy(simulation);
    return error;
}

/* The same in a bare loop; recorded, too, and every stage of every step of every block is in the record. */
static int compute_otherwise(struct weir_runtime *runtime, const struct weir_problem *problem, bool record,
                             struct outcome *outcome) {
    const struct weir_simulation_options options = {.block_cells = {4, 5, 3}, .homes_stay = true};
    struct weir_simulation *simulation;
    struct weir_bare_loop *loop;
    struct weir_record *recorder = NULL;
    struct weir_run_record recorded = {0};
    double seconds;
    WEIR_TRY(weir_simulation_create(runtime, problem, &options, &simulation));
    struct weir_domain *domain = weir_simulation_domain(simulation);
    int error;
    if (record) {
        error = weir_record_create(runtime, domain, &recorder);
        if (error == 0)
            weir_simulation_record(simulation, recorder);
        if (error == 0)
            error = advance(simulation, 1);
        if (error == 0)
            error = weir_simulation_wait(simulation);
        if (error == 0)
            error = weir_record_collect(recorder, &recorded);
        if (error == 0 &&
            recorded.task_count != (int64_t)STEPS * domain->model.stage_count * domain->set.count)
            error = weir_fail(WEIR_FAILED, "%lld tasks were recorded", (long long)recorded.task_count);
        for (int64_t k = 0; k < recorded.task_count && error == 0; k++)
            if (recorded.tasks[k].step >= STEPS || recorded.tasks[k].stage >= domain->model.stage_count)
                error = weir_fail(WEIR_FAILED, "a step or stage beyond the last was recorded");
        weir_simulation_record(simulation, NULL);
        weir_record_destroy(recorder);
        weir_run_record_release(&recorded);
    } else {
        error = weir_bare_loop_create(runtime, domain, &loop);
        if (error == 0) {
            error = weir_bare_loop_run(loop, STEPS, &seconds);
            weir_bare_loop_destroy(loop);
        }
    }
    if (error == 0)
        error = look(simulation, problem, outcome);
    weir_simulation_destroy(simulation);
    return error;
}

static int differ(const struct outcome *a, const struct outcome *b) {
    return strcmp(a->digest, b->digest) != 0 || a->force != b->force;
}

static int compare_flow(struct weir_runtime *runtime, enum flow flow, const struct variant *variant) {
    static const int cuts[][3] = {{4, 5, 3}, {13, 11, 9}, {1, 4, 2}};
    struct weir_world *world = weir_runtime_world(runtime);
    const bool alone = weir_world_size(world) == 1;
    struct outcome outcome[5];
    struct weir_problem problem;
    flow_problem(flow, variant->lattice, false, &problem);
    weir_problem_collide_by(&problem, variant->collision);
    problem.precision = variant->precision;
    problem.extend = attract;
    struct slow slow = slow_create(&problem);
    for (int step = 0; step < STEPS; step++)
        slow_step(&slow);
    const int ways = !alone ? 1 : weir_runtime_policy(runtime) == WEIR_POLICY_STATIC ? 5 : 3;
    int error = 0;
    for (int way = 0; way < ways && error == 0; way++) {
        outcome[way] = (struct outcome){.slow = &slow};
        error = way < 3 ? compute(runtime, &problem, cuts[way], &outcome[way])
                        : compute_otherwise(runtime, &problem, way == 4, &outcome[way]);
        if (error == 0 && !(outcome[way].deviation <= variant->tolerance))
            error = weir_fail(WEIR_FAILED, "way %d deviates by %g from the reference", way,
                              outcome[way].deviation);
        if (error == 0 && differ(&outcome[way], &outcome[0]))
            error = weir_fail(WEIR_FAILED, "way %d: %s %016llx, first %s %016llx", way, outcome[way].digest,
                              (unsigned long long)outcome[way].force, outcome[0].digest,
                              (unsigned long long)outcome[0].force);
    }
    slow_destroy(&slow);
    WEIR_TRY(weir_world_agree(world, error));
    if (weir_world_speaks(world))
        printf("%s %s %s %s %016llx\n", flow_names[flow], weir_lattice_names[variant->lattice],
               weir_precision_names[variant->precision], outcome[0].digest,
               (unsigned long long)outcome[0].force);
    return 0;
}

static int work(struct weir_world *world, const char *workers) {
    static const char *const names[] = {
        [WEIR_WORKERS_CPU] = "cpu", [WEIR_WORKERS_CUDA] = "cuda", [WEIR_WORKERS_ALL] = "all"};
    int choice = WEIR_WORKERS_CPU;
    while (choice <= WEIR_WORKERS_ALL && strcmp(names[choice], workers) != 0)
        choice++;
    if (choice > WEIR_WORKERS_ALL)
        return weir_fail(WEIR_USAGE, "usage: stages [cpu|cuda|all]");
    const struct weir_runtime_options options = {.policy = "static",
                                                 .workers = (enum weir_worker_choice)choice,
                                                 .has_cuda_kernels = WEIR_WITH_CUDA,
                                                 .world = world};
    struct weir_runtime *runtime;
    WEIR_TRY(weir_runtime_create(&options, &runtime));
    int error = 0;
    for (int variant = 0; variant < VARIANTS && error == 0; variant++)
        for (int flow = 0; flow < FLOW_CHANNEL && error == 0; flow++)
            error = compare_flow(runtime, (enum flow)flow, &variants[variant]);
    weir_runtime_destroy(runtime);
    return error;
}

int main(int count, char **arguments) {
    struct weir_world *world;
    int error = weir_world_join(&world);
    if (error == 0)
        error = weir_world_agree(world, work(world, count > 1 ? arguments[1] : "cpu"));
    if (error != 0 && weir_world_speaks(world))
        fprintf(stderr, "stages: %s\n", weir_error_text());
    weir_world_leave(world);
    return error == 0 ? 0 : -error;
}
