#include "src/check.h"

#include "codelets/kernels/cells/precisions.h"
#include "graph/base/error.h"
#include "graph/plan/granularity.h"
#include "graph/problem/forms.h"
#include "graph/problem/solid_blocks.h"
#include "graph/problem/utilisation.h"
#include "graph/rank_pieces.h"
#include "graph/ranks/world.h"
#include "graph/simulation.h"
#include "graph/slabs.h"
#include "src/case/case_options.h"
#include "src/case/initial_formulas.h"
#include "src/case/preflight.h"
#include "src/case/speed.h"
#include "src/check_decomposition.h"
#include "src/check_geometry.h"
#include "src/check_storage.h"
#include "src/check_warnings.h"
#include "src/common/set_up_notice.h"
#include "src/machine/machine_store.h"
#include "src/output/formats/checkpoint_format.h"
#include "src/output/output_fields.h"
#include "src/output/writer.h"
#include "src/predict.h"
#include "src/run/checkpoints.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Densities beside each other by theory, with the pressure that both have. */
static void print_phases(const struct weir_phases *phases, double density) {
    struct weir_coexistence both;
    double dissolved;
    if (weir_phases_are_components(phases)) {
        printf("  components    two, repulsion %.6g", phases->repulsion);
        if (weir_components_dissolved(phases, density, &dissolved))
            printf("; at density %.6g, %.6g of the one is dissolved in the other\n", density, dissolved);
        else
            printf("; they mix, as this times the density is not above 2\n");
        return;
    }
    printf("  phases        %s", weir_equation_names[phases->equation]);
    if (weir_equation_has_strength(phases->equation))
        printf(", strength %.6g", phases->strength);
    else
        printf(", %.6g of the critical temperature", phases->temperature);
    if (weir_phases_coexistence(phases, &both))
        printf("; by Maxwell's construction liquid of density %.6g and vapour of %.6g, pressure %.6g\n",
               both.liquid, both.vapour, weir_phases_pressure(phases, both.vapour));
    else
        printf("; there is one phase only\n");
}

/* The force by a scalar, and the flow that it drives, as it is expected. */
static void print_buoyancy(const struct weir_problem *p) {
    const struct weir_buoyant_flow flow = weir_buoyant_flow(p);
    printf("  buoyancy      %.4g cells per step squared for each unit of the scalar above %.6g",
           weir_speed(p->scalar.buoyancy), p->scalar.reference);
    if (flow.speed > 0)
        printf("; with %.4g over %.4g cells Rayleigh %.4g, free fall %.3g cells per step", flow.difference,
               flow.length, flow.rayleigh, flow.speed);
    printf("\n");
}

/* What follows for heat, at temperature 1. */
static void print_heat(const struct weir_problem *p) {
    const struct weir_fluid fluid = weir_problem_fluid(p);
    const double c_s2 = 1 / weir_lattice_table((int)p->lattice)->inverse_cs2;
    const double diffusivity = c_s2 * (1 / fluid.omega_minus - 0.5);
    printf("  heat          at temperature 1 diffusivity %.6g, Prandtl %.6g, speed of sound %.6g cells per "
           "step\n",
           diffusivity, weir_problem_viscosity(p) / diffusivity, weir_problem_sound_speed(p));
}

static void print_surface(const struct weir_surface *surface) {
    printf("  free surface  gas of the pressure that the liquid has at density %.6g", surface->gas_density);
    if (surface->bubbles)
        printf(", at the start; enclosed gas keeps its amount%s", surface->atmosphere ? ", open is" : "");
    for (int face = 0; face < WEIR_FACES; face++)
        if (surface->atmosphere >> face & 1)
            printf(" %s", weir_face_names[face]);
    printf("\n");
}

static void print_physics(const struct weir_case *c) {
    const struct weir_problem *p = &c->problem;
    const struct weir_precision_row *precision = weir_precision_row(p->precision);
    const double viscosity = weir_problem_viscosity(p), speed = c->characteristic_velocity;
    const struct weir_parameter *parameters = weir_collision_row(p->collision)->parameters;
    bool some = false;
    printf("  lattice       %s, %s", weir_lattice_names[p->lattice], weir_collision_names[p->collision]);
    for (int k = 0; k < WEIR_PARAMETERS_MAX && parameters[k].key; k++)
        if (weir_parameter_on(&parameters[k], p->lattice)) {
            printf("%s%s %.6g", some ? ", " : " (", parameters[k].key, p->parameters[k]);
            some = true;
        }
    printf("%s, %s%s precision%s\n", some ? ")" : "",
           p->equilibrium == WEIR_INCOMPRESSIBLE ? "incompressible equilibrium, " : "", precision->arithmetic,
           precision->about);
    printf("  relaxation    tau %.6g, viscosity %.6g", p->relaxation_time, viscosity);
    if (c->units.si)
        printf(" (%.6g m2/s)", viscosity * weir_units_viscosity(&c->units));
    printf("\n");
    if (speed > 0) {
        printf("  velocity      %.6g cells per step", speed);
        if (c->units.si)
            printf(" (%.6g m/s)", speed * weir_units_velocity(&c->units));
        printf(", Mach %.3f", speed / weir_problem_sound_speed(p));
        if (c->characteristic_length > 0)
            printf(", Reynolds %.4g", speed * c->characteristic_length / viscosity);
        printf("\n");
    }
    if (weir_problem_is_thermal(p))
        print_heat(p);
    if (p->turbulence.present)
        printf("  turbulence    %s, constant %.6g\n", weir_turbulence_names[p->turbulence.model],
               p->turbulence.constant);
    if (p->scalar.present) {
        const double diffusivity = weir_scalar_diffusivity(p);
        printf("  scalar        %s, tau %.6g, magic %.6g, diffusivity %.6g",
               weir_lattice_table((int)weir_scalar_lattice(p))->name, p->scalar.relaxation_time,
               p->scalar.magic, diffusivity);
        if (c->units.si)
            printf(" (%.6g m2/s)", diffusivity * weir_units_viscosity(&c->units));
        printf(", Schmidt or Prandtl %.4g", viscosity / diffusivity);
        if (p->turbulence.present)
            printf(", turbulent Prandtl %.4g", p->scalar.turbulent_prandtl);
        if (p->scalar.sources)
            printf(", with sources");
        if (p->conductor_count > 0)
            printf(", in solids too");
        if (speed > 0 && c->characteristic_length > 0)
            printf(", Peclet %.4g", speed * c->characteristic_length / diffusivity);
        printf("\n");
        if (weir_problem_is_buoyant(p))
            print_buoyancy(p);
    }
    if (p->phases.present)
        print_phases(&p->phases, p->reference_density);
    if (p->surface.present)
        print_surface(&p->surface);
    if (c->units.si)
        printf("  units         cell %.6g m, step %.6g s: %.6g s in all\n", c->units.length, c->units.time,
               c->units.time * (double)c->steps);
}

/* The mean velocity that a force holds. */
static void print_flow_rate(const struct weir_case *c) {
    const struct weir_flow_rate *const rate = &c->flow_rate;
    const double speed = weir_speed(rate->velocity);
    if (speed == 0)
        return;
    printf("  flow rate     mean velocity %.6g cells per step", speed);
    if (c->units.si)
        printf(" (%.6g m/s)", speed * weir_units_velocity(&c->units));
    printf(", held by a force that changes every %lld steps, gain %.4g\n", (long long)rate->every,
           rate->gain);
}

/* The flow that a force drives, as it is expected. */
static void print_driven_flow(const struct weir_case *c, const struct weir_driven_flow *flow) {
    const double viscosity = weir_problem_viscosity(&c->problem);
    if (flow->speed == 0)
        return;
    printf("  driven flow   about %.3g cells per step", flow->speed);
    if (c->units.si)
        printf(" (%.3g m/s)", flow->speed * weir_units_velocity(&c->units));
    printf("%s, Mach %.3f", flow->steady ? "" : " at the end",
           flow->speed / weir_problem_sound_speed(&c->problem));
    if (flow->width > 0)
        printf(", Reynolds %.3g over %.4g cells %s", flow->speed * flow->width / viscosity, flow->width,
               flow->by_walls ? "between walls" : "around solids");
    printf("\n");
}

/* The worker groups as weir_runtime_expect foretells them. */
static void expected_groups(const struct weir_step_workers *workers, struct weir_worker_groups *groups) {
    groups->count = 0;
    for (int k = 0; k < workers->gpus; k++)
        weir_worker_groups_add(groups, WEIR_WORKER_GROUP_GPU, k, k, 0);
    for (int k = 0; k < workers->teams; k++) {
        const int begin = workers->cpus * k / workers->teams, end = workers->cpus * (k + 1) / workers->teams;
        weir_worker_groups_add(groups, WEIR_WORKER_GROUP_TEAM, k, workers->gpus + k, end - begin);
    }
    for (int k = 0; k < workers->cpus && workers->teams == 0; k++)
        weir_worker_groups_add(groups, WEIR_WORKER_GROUP_CORE, k, workers->gpus + k, 1);
}

/* "4", or "4 to 5". */
static void print_range(int least, int most) {
    printf("%d", least);
    if (most > least)
        printf(" to %d", most);
}

/* The homes of a rank with these worker groups, where shares are known. */
static int print_groups(const struct weir_case *c, const struct weir_check_decomposition *decomposition,
                        const struct weir_worker_groups *groups, const char *there) {
    double share[WEIR_WORKER_GROUPS_MAX];
    int least, most;
    bool mapped, missing;
    for (int k = 0; k < groups->count; k++)
        share[k] = 1;
    if (c->share_count > 0)
        WEIR_TRY(weir_worker_groups_shares(groups, c->shares, c->share_count, share));
    WEIR_TRY(weir_check_homes(decomposition, groups, share, &least, &most, &mapped, &missing));
    const bool by_speed = c->share_count == 0 &&
                          weir_worker_groups_count(groups, WEIR_WORKER_GROUP_GPU) > 0 &&
                          weir_worker_groups_count(groups, WEIR_WORKER_GROUP_GPU) < groups->count;
    if (missing) {
        printf("the map names parts that are not here, where there %s %s\n", groups->count > 1 ? "are" : "is",
               there);
        return 0;
    }
    printf("%s", there);
    if (by_speed) {
        printf(", %swith shares by measured speed\n", mapped ? "where the map says, other blocks " : "");
        return 0;
    }
    printf(" with %s", c->problem.shape_count > 0 ? "about " : "");
    print_range(least, most);
    printf(" block%s%s%s\n", most > 1 ? "s" : "", groups->count > 1 ? " each" : "",
           mapped ? ", by the map" : "");
    return 0;
}

static int print_homes(const struct weir_case *c, const struct weir_check_decomposition *decomposition,
                       int ranks, const struct weir_step_workers *workers) {
    struct weir_worker_groups *groups = malloc(sizeof *groups);
    if (!groups)
        return weir_fail(WEIR_FAILED, "out of memory while looking at the workers");
    expected_groups(workers, groups);
    char there[WEIR_WORKER_GROUPS_TEXT];
    weir_worker_groups_describe(groups, there);
    printf("  homes         policy %s; ", c->policy[0] ? c->policy : "balanced");
    if (ranks > 1)
        printf("for a rank that is alone here: ");
    int error = 0;
    if (strncmp(c->policy, "starpu:", 7) == 0)
        printf("the scheduler decides, among %s\n", there);
    else if (weir_check_map_is_foreign(decomposition))
        printf("the map in %s is for other ranks than one here; --ranks N shows them\n",
               c->map_file ? c->map_file : c->file);
    else
        error = print_groups(c, decomposition, groups, there);
    free(groups);
    return error;
}

/* Tasks per second beside what one thread can submit, where that may decide the speed. */
static void print_submission(const struct weir_case *c, const struct weir_block_grid *grid, int ranks,
                             const struct weir_step_workers *workers) {
    const int blocks = weir_block_grid_fluid_blocks(grid);
    const double busy = weir_granularity_submission(&c->problem, workers, blocks) / (ranks > 1 ? ranks : 1);
    if (blocks == 1 && !c->problem.phases.present && !c->problem.surface.present) {
        printf("  tasks         many steps each: the domain is one block\n");
        return;
    }
    printf("  tasks         %d per step%s; handing them out takes about %.0f %% of a step's time\n", blocks,
           ranks > 1 ? " of all ranks" : "", 100 * busy);
    if (busy > 0.5 && c->block_cells[0] > 0) /* who left the choice to the program cannot choose better */
        printf("  warning: tasks are too small to be handed out as fast as they are computed: leave "
               "blocks.cells "
               "out, or choose larger blocks\n");
}

/* What the time model says, where the machine has been measured. */
static int print_prediction(const struct weir_case *c, const struct weir_block_grid *grid,
                            const struct weir_step_workers *workers) {
    const struct weir_machine_key key = {&c->problem, grid->block_cells, *workers};
    struct weir_machine machine;
    struct weir_machine_trust trust;
    struct weir_split split;
    char note[WEIR_MACHINE_NOTE];
    bool found;
    const bool divides =
        c->policy[0] == '\0' || strcmp(c->policy, "balanced") == 0 || strcmp(c->policy, "model") == 0;
    if (!divides || c->share_count > 0 || workers->slab_memory > 0)
        return 0;
    WEIR_TRY(weir_machine_store_read(&key, &machine, &trust, &found, note));
    if (!found) {
        printf("  prediction    %s%snone: these blocks have not been measured here; run weir calibrate %s\n",
               note, note[0] ? "; " : "", c->file);
        return 0;
    }
    WEIR_TRY(weir_predict_case(c, &machine, grid, NULL, &split));
    weir_predict_print(&machine, &split.prediction);
    weir_predict_print_trust(c, &trust);
    return weir_check_storage(c, workers, &split.prediction);
}

/* The formulas of the initial state, which a run evaluates in every cell before it touches any file. */
static int check_initial(const struct weir_case *c) {
    int64_t looked = 0, all = 0;
    if (!c->problem.initial)
        return 0;
    WEIR_TRY(weir_initial_formulas_check(c->problem.initial_context, &looked, &all));
    if (looked < all)
        printf("  initial       formulas evaluated in %lld of %lld cells; weir run looks at all\n",
               (long long)looked, (long long)all);
    return 0;
}

/* Of ranks that are started, the one with most blocks, beside the others of this host. Which GPUs it would
 * get is not known here. */
static int check_rank_memory(const struct weir_case *c, const struct weir_block_grid *grid,
                             const struct weir_check_decomposition *decomposition,
                             const struct weir_step_workers *workers, const struct weir_world *world) {
    const struct weir_simulation_options options = weir_case_simulation_options(c);
    const struct weir_block_set set = weir_check_largest_rank(decomposition);
    struct weir_memory_need need = weir_simulation_memory(&c->problem, &options, grid, &set);
    need.workers = *workers;
    need.sharers = weir_world_local_size(world);
    return workers->gpus > 0 ? 0 : weir_memory_check(&need);
}

/* Blocks that keep their fluid cells only, and how much of the others is fluid. */
static void print_kinds(const struct weir_case *c, const struct weir_block_grid *grid, bool cpus) {
    const struct weir_problem *p = &c->problem;
    struct weir_utilisation kinds[WEIR_CELL_KIND_COUNT];
    const struct weir_utilisation *bricks = &kinds[WEIR_BRICK], *lists = &kinds[WEIR_LIST];
    weir_utilisation_find(p, grid, kinds);
    if (weir_cells_possible(p, WEIR_LIST)) {
        printf("  lists         %d of these blocks keep their fluid cells only", lists->blocks);
        if (c->lists_chosen)
            printf(", which is faster where at most %g of the cells are fluid", p->list_up_to);
        if (cpus && lists->blocks > 0)
            printf("; tables by which cores step them take some %.3g MiB more",
                   weir_simulation_routes(p, grid, NULL) / (1 << 20));
        printf("\n");
    }
    if (p->shape_count == 0)
        return;
    printf("  utilisation   ");
    if (bricks->blocks > 0)
        printf("%.3g %% of the cells of %d brick%s are fluid: %.3g solid ones are kept for each%s",
               100 * weir_utilisation_share(bricks), bricks->blocks, bricks->blocks == 1 ? "" : "s",
               weir_utilisation_overhead(bricks), lists->blocks > 0 ? "; " : "");
    if (lists->blocks > 0)
        printf("%.3g %% of the cells of %d list%s, as bricks %.3g for each",
               100 * weir_utilisation_share(lists), lists->blocks, lists->blocks == 1 ? "" : "s",
               weir_utilisation_overhead(lists));
    printf("\n");
}

/* Where not all blocks have room where they are computed. */
static int print_slabs(const struct weir_case *c, const struct weir_block_grid *grid,
                       const struct weir_step_workers *workers) {
    const bool steady = c->steady > 0;
    const double memory = workers->slab_memory;
    struct weir_slab_plan plan;
    if (memory <= 0)
        return 0;
    WEIR_TRY(weir_preflight_named(c, weir_slabs_find_plan(&c->problem, steady, grid, memory, &plan)));
    printf(
        "  slabs         %d along %c, of which %d have room at a time (%.4g MiB) and take %d steps in turn",
        plan.count, "xyz"[plan.axis], plan.places, memory / (1 << 20), plan.steps);
    if (workers->gpus > 0)
        printf("; about %.0f %% of the speed of a GPU with room for all",
               100 * weir_slabs_efficiency(&c->problem, steady, grid, memory));
    printf("\n");
    return 0;
}

/* Blocks that are left out. bytes: of memory that the others take. */
static void print_solid(const struct weir_problem *p, const struct weir_simulation_options *options,
                        const struct weir_block_grid *grid, double bytes) {
    struct weir_block_grid all = *grid;
    all.solid = NULL;
    const double kept = (double)weir_simulation_bytes_needed(p, options, &all, NULL);
    const int count = grid->total - weir_block_grid_fluid_blocks(grid);
    if (count > 0)
        printf("  solid         %d of these blocks (%.3g %%) have no fluid and are left out, which saves "
               "%.4g MiB\n",
               count, 100.0 * count / grid->total, (kept - bytes) / (1 << 20));
}

/* How much disk checkpoints take, and memory of a rank while one is written. */
static void print_checkpoint(const struct weir_case *c, const struct weir_block_grid *grid) {
    int chunk[3], blocks;
    if (!c->checkpoint.wanted)
        return;
    weir_output_fields_chunk(grid->block_cells, c->problem.cells, chunk);
    const double mib = 1 << 20, file = weir_checkpoint_bytes(c, chunk),
                 most = weir_checkpoints_buffer(c, grid->block_cells, &blocks),
                 all = most / blocks * grid->total,
                 queued = (double)weir_writer_bytes_most(weir_checkpoint_chunk_bytes(c, chunk),
                                                         weir_checkpoint_room(c));
    printf(
        "  checkpoint    %.4g MiB each, up to %lld of them while one is written; copies of blocks that wait "
        "take %.4g MiB of a rank, chunks on their way to the disk %.4g MiB%s\n",
        file / mib, (long long)c->checkpoint.keep + 1, (most < all ? most : all) / mib,
        (queued < file ? queued : file) / mib,
        most < all ? "; other blocks wait with their next step (checkpoint.buffer)" : "");
}

/* What there is of a case once its blocks are known. workers: of this process, if it can run here; all: of
 * all ranks. */
struct view {
    const struct weir_case *c;
    int ranks;
    bool can_run;
    const char *unavailable; /* why it cannot */
    struct weir_step_workers workers, all;
    struct weir_block_grid grid;
};

/* bytes: of all blocks. */
static void print_averages(const struct weir_problem *problem, const struct weir_simulation_options *options,
                           const struct weir_block_grid *grid, double bytes) {
    struct weir_problem without = *problem;
    without.time_sums = 0;
    if (problem->time_sums == 0)
        return;
    printf("  averages      %.4g MiB of it, sums in double precision",
           (bytes - (double)weir_simulation_bytes_needed(&without, options, grid, NULL)) / (1 << 20));
    if (options->sums_bytes > 0)
        printf("; while a checkpoint is written %.4g MiB in main memory, of one rank",
               options->sums_bytes / (1 << 20));
    printf("\n");
}

static int print_domain(const struct view *v) {
    const struct weir_problem *p = &v->c->problem;
    const struct weir_block_grid *grid = &v->grid;
    const struct weir_simulation_options options = weir_case_simulation_options(v->c);
    const double cells = (double)p->cells[0] * p->cells[1] * p->cells[2];
    const double bytes = (double)weir_simulation_bytes_needed(p, &options, grid, NULL);
    printf("  domain        %d x %d x %d = %.4g cells, %lld steps\n", p->cells[0], p->cells[1], p->cells[2],
           cells, (long long)v->c->steps);
    printf("  memory        %.4g MiB, %.1f bytes per cell\n", bytes / (1 << 20), bytes / cells);
    print_averages(p, &options, grid, bytes);
    printf("  blocks        %d of %d x %d x %d\n", grid->total, grid->block_cells[0], grid->block_cells[1],
           grid->block_cells[2]);
    WEIR_TRY(print_slabs(v->c, grid, &v->all));
    print_solid(p, &options, grid, bytes);
    print_kinds(v->c, grid, v->all.cpus > 0);
    print_checkpoint(v->c, grid);
    print_submission(v->c, grid, v->ranks, &v->all);
    return 0;
}

static int check_blocks(const struct view *v, const struct weir_fluid_pieces *pieces, const char *draw,
                        const struct weir_world *world) {
    const struct weir_case *c = v->c;
    const int ranks = v->ranks;
    const struct weir_driven_flow flow = weir_driven_flow(c);
    printf("%s: %s\n", c->file, c->name);
    print_physics(c);
    print_flow_rate(c);
    print_driven_flow(c, &flow);
    weir_set_up_notice_stage(c->notice, "counting cells and links of blocks");
    WEIR_TRY(print_domain(v));
    struct weir_check_decomposition *decomposition = NULL;
    weir_set_up_notice_stage(c->notice, "dividing the domain");
    int error = weir_check_divide(c, &v->grid, ranks, &v->workers, &decomposition);
    if (error == 0 && v->can_run)
        error = print_homes(c, decomposition, ranks, &v->workers);
    if (error == 0 && v->can_run && ranks <= 1 && !c->map) /* the model knows one process, and no map */
        error = print_prediction(c, &v->grid, &v->workers);
    if (error == 0 && !v->can_run)
        printf("  warning: it cannot run here: %s\n", v->unavailable);
    if (error == 0 && ranks > 0)
        weir_check_decomposition_print(decomposition);
    if (error == 0) {
        weir_check_geometry(c, pieces);
        weir_check_warnings(c, &flow);
    }
    weir_set_up_notice_stage(c->notice, "drawing, and evaluating initial values");
    if (error == 0 && draw)
        error = weir_check_draw(c, draw);
    if (error == 0)
        error = check_initial(c);
    weir_set_up_notice_stage(c->notice, "looking for fluid, and for room in memory");
    if (error == 0)
        error = weir_preflight(c, v->can_run && ranks <= 1);
    if (error == 0 && v->can_run && ranks > 1 && ranks == weir_world_size(world))
        error = check_rank_memory(c, &v->grid, decomposition, &v->workers, world);
    weir_check_decomposition_destroy(decomposition);
    return error;
}

int weir_check(const struct weir_case *c, int ranks, const char *draw, struct weir_world *world) {
    const struct weir_problem *p = &c->problem;
    struct weir_runtime_options runtime_options;
    struct weir_fluid_pieces pieces;
    bool looked;
    weir_set_up_notice_stage(c->notice, "looking which cells are fluid");
    WEIR_TRY(weir_check_look(c, world, &pieces, &looked));
    if (!weir_world_speaks(world))
        return 0;
    WEIR_TRY(weir_case_runtime_options(c, &runtime_options));
    if (ranks > 1) { /* ranks share nothing */
        runtime_options.problem = NULL;
        runtime_options.data_bytes = 0;
    }
    struct view v = {.c = c, .ranks = ranks};
    v.can_run = weir_runtime_expect(&runtime_options, &v.workers) == 0;
    char unavailable[512];
    snprintf(unavailable, sizeof unavailable, "%s", weir_error_text());
    v.unavailable = unavailable;
    if (!v.can_run) /* a case for another machine may be right all the same: as if for one worker there */
        v.workers = runtime_options.workers == WEIR_WORKERS_CUDA ? (struct weir_step_workers){.gpus = 1}
                                                                 : (struct weir_step_workers){.cpus = 1};
    const struct weir_simulation_options options = weir_case_simulation_options(c);
    /* Every rank brings a worker at least. */
    v.all = v.workers;
    if (v.all.gpus > 0 && v.all.gpus < ranks)
        v.all.gpus = ranks;
    else if (v.all.cpus < ranks)
        v.all.cpus = ranks;
    v.all.ranks = ranks;
    int block_cells[3];
    bool *solid;
    weir_set_up_notice_stage(c->notice, "looking for blocks without fluid");
    weir_simulation_block_cells(p, &options, &v.all, block_cells);
    WEIR_TRY(weir_preflight_named(c, weir_block_grid_create(p, block_cells, &v.grid)));
    WEIR_TRY(weir_solid_blocks_find(p, &v.grid, &solid));
    const int error = check_blocks(&v, looked ? &pieces : NULL, draw, world);
    free(solid);
    return error;
}
