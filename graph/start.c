#include "graph/start.h"

#include "codelets/call.h"
#include "codelets/fill.h"
#include "codelets/initialise.h"
#include "graph/base/error.h"
#include "graph/base/parallel.h"
#include "graph/problem/boundaries.h"
#include "graph/problem/geometry.h"
#include "graph/problem/start_values.h"
#include "graph/simulation.h"

/* Argument of the tasks here; begins with the block, as all tasks' on blocks do. */
struct start_argument {
    struct weir_block *block;
    const struct weir_domain *domain;
    const struct weir_restart *restart;
};

/* Threads for each worker that fills blocks: those of a team's cores, and of cores that no worker has.
 * Workers may be more than cores. */
static int threads_of_worker(void) {
    const int workers = (int)starpu_cpu_worker_get_count(), cores = weir_parallel_cores();
    return workers > 0 && workers < cores ? cores / workers : 1;
}

static void compute_geometry(void *argument, void *const data[]) {
    const struct start_argument *a = argument;
    const struct weir_box box = weir_block_grid_box(&a->domain->grid, a->block->number);
    uint8_t *geometry = data[0];
    const int64_t fluid =
        weir_boundaries_fill(a->domain->problem, &box, threads_of_worker(), &a->block->layout, geometry);
    if (fluid < 0)
        weir_failure_record(a->block->context->failure, (int)-fluid, "%s", weir_error_text());
    else
        a->block->wall_cells = weir_geometry_near_wall(
            weir_lattice_table((int)a->domain->model.problem->lattice), box.extent, geometry, false);
    a->block->fluid_cells = fluid;
}

/* The block with the ring around it. */
static struct weir_box ringed_box(const struct start_argument *a) {
    struct weir_box box = weir_block_grid_box(&a->domain->grid, a->block->number);
    for (int axis = 0; axis < 3; axis++) {
        const int ring = weir_lattice_ring(weir_lattice_table((int)a->domain->model.problem->lattice), axis);
        box.origin[axis] -= ring;
        box.extent[axis] += 2 * ring;
    }
    return box;
}

/* What the cells of a block and its ring start with. */
static void compute_values(void *argument, void *const data[]) {
    const struct start_argument *a = argument;
    const struct weir_box ringed = ringed_box(a);
    const int error = weir_start_values_fill(a->domain->problem, &ringed, data[0]);
    if (error < 0)
        weir_failure_record(a->block->context->failure, -error, "%s", weir_error_text());
}

/* Populations of a block and its ring from a checkpoint. */
static void read_populations(void *argument, void *const data[]) {
    const struct start_argument *a = argument;
    const struct weir_box ringed = ringed_box(a);
    if (weir_failed(a->block->context->failure))
        return;
    const int error = a->restart->read(a->restart->context, ringed.origin, ringed.extent, data[0]);
    if (error < 0)
        weir_failure_record(a->block->context->failure, -error, "%s", weir_error_text());
}

void weir_start_define(struct weir_start *start, const struct weir_kernels *kernels) {
    weir_call_define_on_blocks(&start->geometry, "geometry", kernels, compute_geometry);
    weir_call_define_on_blocks(&start->values, "initial_values", kernels, compute_values);
    weir_call_define_on_blocks(&start->restored, "read_checkpoint", kernels, read_populations);
    weir_initialise_define(&start->initialise, kernels);
    weir_fill_define(&start->fill, kernels);
}

static int submit_on_cpu(struct weir_task_kind *kind, struct weir_domain *domain, struct weir_block *block,
                         const struct weir_restart *restart, starpu_data_handle_t written) {
    struct start_argument argument = {block, domain, restart};
    return weir_check_submitted(weir_call_fill_submit(kind, block, &argument, sizeof argument, written),
                                kind);
}

int weir_start_geometry(struct weir_start *start, struct weir_domain *domain) {
    for (int k = 0; k < domain->set.count; k++)
        WEIR_TRY(submit_on_cpu(&start->geometry, domain, &domain->blocks[k], NULL,
                               domain->blocks[k].data[WEIR_GEOMETRY].handle));
    starpu_task_wait_for_all();
    if (weir_failed(&domain->failure))
        return weir_fail(WEIR_FAILED, "%s", domain->failure.text);
    domain->fluid_cells = 0;
    for (int k = 0; k < domain->set.count; k++)
        domain->fluid_cells += domain->blocks[k].fluid_cells;
    return 0;
}

/* Whether a step looks at a datum before it fills it. */
static bool remembered(const struct weir_model *model, const struct weir_datum *datum) {
    return datum->message ? weir_model_lasting_channels(model) >> datum->number & 1
                          : weir_model_remembers(model, datum->number);
}

/* What the kernel of the flow does not know starts with zeros. */
static int fill_others(struct weir_start *start, const struct weir_domain *domain,
                       const struct weir_block *block, bool poison) {
    for (int k = 0; k < block->data_count; k++) {
        const struct weir_datum *is = &block->data[k].is;
        const struct weir_kept *kept = &domain->model.kept[is->number];
        const bool of_flow = is->message ? is->number == 0
                                         : is->number < WEIR_FIRST_FURTHER_DATUM || kept->with_flow ||
                                               kept->kind == WEIR_KEPT_VARYING;
        const unsigned char byte = poison && !remembered(&domain->model, is) ? 0xff : 0; /* all bits: NaN */
        if (!of_flow)
            WEIR_TRY(weir_check_submitted(weir_fill_submit(&start->fill, block, block->data[k].handle, byte),
                                          &start->fill));
    }
    return 0;
}

/* Bytes of a block and its ring: of what cells start with, or of populations. */
static size_t ringed_bytes(const struct weir_domain *domain, const struct weir_block *block, bool restored) {
    const struct weir_box box = weir_block_grid_box(&domain->grid, block->number);
    return weir_layout_ringed_cells(weir_lattice_table((int)domain->model.problem->lattice), box.extent) *
           (restored ? weir_model_cell_bytes(&domain->model)
                     : (size_t)weir_start_values_count(domain->problem) * sizeof(double));
}

/* `kind` fills what the block's state comes of; NULL: nothing does. */
static int start_block(struct weir_start *start, struct weir_domain *domain, struct weir_block *block,
                       struct weir_task_kind *kind, const struct weir_restart *restart,
                       const struct weir_initial_state *state) {
    starpu_data_handle_t values = NULL;
    if (kind) {
        values = weir_register_bytes(ringed_bytes(domain, block, restart != NULL));
        WEIR_TRY(submit_on_cpu(kind, domain, block, restart, values));
    }
    WEIR_TRY(weir_check_submitted(weir_initialise_submit(&start->initialise, block, state, values),
                                  &start->initialise));
    if (values)
        starpu_data_unregister_submit(values);
    return fill_others(start, domain, block, state->poison);
}

int weir_start_populations(struct weir_start *start, struct weir_domain *domain,
                           const struct weir_restart *restart, bool poison) {
    enum { AT_ONCE = 8 }; /* blocks whose populations are there twice */
    const struct weir_problem *problem = domain->problem;
    struct weir_initial_state state = {.density = problem->initial_density,
                                       .fifth = weir_problem_initial_fifth(problem),
                                       .source = problem->scalar.source,
                                       .populations = restart,
                                       .parity = restart ? (int)(restart->step % 2) : 0,
                                       .poison = poison};
    struct weir_task_kind *kind = restart                             ? &start->restored
                                  : weir_start_values_differ(problem) ? &start->values
                                                                      : NULL;
    for (int axis = 0; axis < 3; axis++)
        state.velocity[axis] = problem->initial_velocity[axis];
    for (int k = 0; k < domain->set.count; k++) {
        WEIR_TRY(start_block(start, domain, &domain->blocks[k], kind, restart, &state));
        if (restart && (k + 1) % AT_ONCE == 0)
            starpu_task_wait_for_all();
    }
    return 0;
}
