#include "graph/start.h"

#include "codelets/call.h"
#include "codelets/fill.h"
#include "codelets/initialise.h"
#include "graph/base/error.h"
#include "graph/problem/boundaries.h"

/* Argument of both tasks here; begins with the block, as all tasks' on blocks do. */
struct start_argument {
    struct weir_block *block;
    const struct weir_domain *domain;
};

static void compute_geometry(void *argument, void *const data[]) {
    const struct start_argument *a = argument;
    const struct weir_box box = weir_block_grid_box(&a->domain->grid, a->block->number);
    uint8_t *geometry = data[0];
    const int64_t fluid = weir_boundaries_fill(a->domain->problem, &box, &a->block->layout, geometry);
    if (fluid < 0)
        weir_failure_record(a->block->context->failure, (int)-fluid, "%s", weir_error_text());
    a->block->fluid_cells = fluid;
}

/* Density, velocity and scalar of a block and its ring from the problem's initial function. */
static void compute_values(void *argument, void *const data[]) {
    const struct start_argument *a = argument;
    const struct weir_problem *problem = a->domain->problem;
    const struct weir_box box = weir_block_grid_box(&a->domain->grid, a->block->number);
    const struct weir_lattice_table *lattice = a->domain->model.kept[WEIR_FLOW].lattice;
    const size_t cells = weir_layout_ringed_cells(lattice, box.extent);
    int origin[3], extent[3];
    for (int axis = 0; axis < 3; axis++) {
        const int ring = weir_lattice_ring(lattice, axis);
        origin[axis] = box.origin[axis] - ring;
        extent[axis] = box.extent[axis] + 2 * ring;
    }
    double *values = data[0];
    double *arrays[WEIR_MACROSCOPIC_MAX];
    for (int k = 0; k < WEIR_MACROSCOPIC_MAX; k++)
        arrays[k] = values + (size_t)k * cells;
    const int error = problem->initial(problem->initial_context, origin, extent, arrays);
    if (error < 0)
        weir_failure_record(a->block->context->failure, -error, "%s", weir_error_text());
}

void weir_start_define(struct weir_start *start, const struct weir_kernels *kernels) {
    weir_call_define_on_blocks(&start->geometry, "geometry", kernels, compute_geometry);
    weir_call_define_on_blocks(&start->values, "initial_values", kernels, compute_values);
    weir_initialise_define(&start->initialise, kernels);
    weir_fill_define(&start->fill, kernels);
}

static int submit_on_cpu(struct weir_task_kind *kind, struct weir_domain *domain, struct weir_block *block,
                         starpu_data_handle_t written) {
    struct start_argument argument = {block, domain};
    struct weir_buffers buffers = {.count = 0};
    weir_buffers_add(&buffers, written, STARPU_W);
    return weir_check_submitted(
        weir_task_submit(
            kind, &buffers,
            &(struct weir_task_options){.argument = &argument, .argument_size = sizeof argument}),
        kind);
}

int weir_start_geometry(struct weir_start *start, struct weir_domain *domain) {
    for (int k = 0; k < domain->set.count; k++)
        WEIR_TRY(submit_on_cpu(&start->geometry, domain, &domain->blocks[k],
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
        const bool of_flow =
            is->message ? is->number == 0
                        : is->number < WEIR_FIRST_FURTHER_DATUM || domain->model.kept[is->number].with_flow;
        const unsigned char byte = poison && !remembered(&domain->model, is) ? 0xff : 0; /* all bits: NaN */
        if (!of_flow)
            WEIR_TRY(weir_check_submitted(weir_fill_submit(&start->fill, block->data[k].handle, byte),
                                          &start->fill));
    }
    return 0;
}

int weir_start_populations(struct weir_start *start, struct weir_domain *domain, bool poison) {
    const struct weir_problem *problem = domain->problem;
    struct weir_initial_state state = {
        .density = problem->initial_density, .scalar = problem->scalar.initial, .poison = poison};
    for (int axis = 0; axis < 3; axis++)
        state.velocity[axis] = problem->initial_velocity[axis];
    for (int k = 0; k < domain->set.count; k++) {
        struct weir_block *block = &domain->blocks[k];
        starpu_data_handle_t values = NULL;
        if (problem->initial) {
            const struct weir_box box = weir_block_grid_box(&domain->grid, block->number);
            values = weir_register_bytes(
                (size_t)weir_problem_macroscopic(problem) *
                weir_layout_ringed_cells(domain->model.kept[WEIR_FLOW].lattice, box.extent) * sizeof(double));
            WEIR_TRY(submit_on_cpu(&start->values, domain, block, values));
        }
        WEIR_TRY(weir_check_submitted(weir_initialise_submit(&start->initialise, block, &state, values),
                                      &start->initialise));
        if (values)
            starpu_data_unregister_submit(values);
        WEIR_TRY(fill_others(start, domain, block, poison));
    }
    return 0;
}
