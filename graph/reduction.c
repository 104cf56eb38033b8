#include "graph/reduction.h"

#include "codelets/call.h"
#include "codelets/change_sum.h"
#include "codelets/kernels/collision/collisions.h"
#include "codelets/kernels/lattice/speed_limit.h"
#include "codelets/totals.h"
#include "codelets/totals_sum.h"
#include "codelets/velocity_change.h"
#include "graph/base/error.h"
#include "graph/rank_tree.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct weir_reduction {
    struct weir_domain *domain;
    struct weir_reduction_tasks *tasks;
    starpu_data_handle_t *partial_totals, *partial_change; /* [blocks], registered when first needed */
    int blocks;                                            /* as many */
    starpu_data_handle_t total, total_change;
    struct weir_rank_value ranks_total, ranks_change; /* the same, over all ranks */
};

/* One handle per block. NULL when memory is short. */
static starpu_data_handle_t *register_all(int blocks, size_t bytes) {
    starpu_data_handle_t *handles = calloc((size_t)blocks + 1, sizeof *handles);
    for (int k = 0; handles && k < blocks; k++)
        handles[k] = weir_register_bytes(bytes);
    return handles;
}

static void unregister_all(starpu_data_handle_t *handles, int blocks) {
    for (int k = 0; handles && k < blocks; k++)
        starpu_data_unregister_no_coherency(handles[k]);
    free(handles);
}

static void cell_position(const struct weir_domain *domain, int64_t cell, int position[3]) {
    const int64_t nx = domain->grid.cells[0], ny = domain->grid.cells[1];
    position[0] = (int)(cell % nx);
    position[1] = (int)(cell / nx % ny);
    position[2] = (int)(cell / nx / ny);
}

/* Argument of report tasks. */
struct report_argument {
    struct weir_reduction *reduction;
    int64_t step;
    weir_totals_function *totals;
    weir_change_function *change;
    void *context;
};

enum { CAUSE_LENGTH = 256 };

/* Why a flow diverged, most likely, and what to do. */
static void likely_cause(const struct weir_problem *problem, char cause[CAUSE_LENGTH]) {
    const char *steadier = weir_steadier_collision(problem->collision, problem->lattice);
    if (problem->relaxation_time < 0.51)
        snprintf(cause, CAUSE_LENGTH,
                 "the relaxation time is too near 1/2: %s%s%sraise the viscosity, refine the grid, or lower "
                 "the Reynolds number",
                 steadier ? "use the collision " : "", steadier ? steadier : "", steadier ? ", " : "");
    else
        snprintf(cause, CAUSE_LENGTH,
                 "the velocity is too high: lower the velocities (below 0.1 is safe) or the force, or raise "
                 "the viscosity");
}

static void record_divergence(struct weir_domain *domain, int64_t step, const struct weir_totals_sum *total) {
    const struct weir_problem *problem = domain->problem;
    int cell[3];
    cell_position(domain, total->diverged_cell, cell);
    char cause[CAUSE_LENGTH];
    likely_cause(problem, cause);
    weir_failure_record_everywhere(
        &domain->failure, WEIR_FAILED,
        "the flow diverged: at step %lld the populations of cell (%d, %d, %d) in block %d are not finite or "
        "its speed is above " WEIR_SPEED_LIMIT_TEXT "; likely cause: %s",
        (long long)step, cell[0], cell[1], cell[2], total->diverged_block, cause);
}

static void report_totals(void *argument, void *const data[]) {
    const struct report_argument *a = argument;
    struct weir_domain *domain = a->reduction->domain;
    const struct weir_totals_sum *total = data[0];
    if (weir_failed(&domain->failure))
        return;
    if (total->diverged_cell >= 0) {
        record_divergence(domain, a->step, total);
        return;
    }
    if (!a->totals)
        return;
    struct weir_totals totals = {.step = a->step};
    double square;
    memcpy(&square, &total->sum.largest_square, sizeof square);
    totals.mass = weir_exact_sum_value(&total->sum.mass_excess);
    if (!domain->problem->surface.present) /* whose sum is of all mass */
        totals.mass += (double)domain->all_fluid_cells;
    totals.fifth = weir_exact_sum_value(&total->sum.fifth);
    totals.kinetic_energy = weir_exact_sum_value(&total->sum.kinetic_energy);
    totals.max_speed = sqrt(square);
    if (total->fastest_cell >= 0)
        cell_position(domain, total->fastest_cell, totals.max_speed_cell);
    for (int axis = 0; axis < 3; axis++) {
        totals.momentum[axis] = weir_exact_sum_value(&total->sum.momentum[axis]);
        for (int wall = 1; wall < domain->problem->wall_count; wall++) {
            totals.force[wall][axis] = weir_exact_sum_value(&total->sum.force[wall][axis]);
            totals.torque[wall][axis] = weir_exact_sum_value(&total->sum.torque[wall][axis]);
        }
    }
    struct weir_exact_sum passed = {0, 0};
    for (int wall = 1; wall < domain->problem->wall_count; wall++) {
        weir_exact_sum_add(&passed, &total->sum.mass_passed[wall]);
        totals.mass_flow[wall] = weir_exact_sum_value(&total->sum.mass_flow[wall]);
        totals.mass_passed[wall] = weir_exact_sum_value(&total->sum.mass_passed[wall]);
        totals.scalar_flow[wall] = weir_exact_sum_value(&total->sum.scalar_flow[wall]);
    }
    totals.all_mass_passed = weir_exact_sum_value(&passed);
    if (domain->gas_totals)
        totals.gas = *(const struct weir_gas_totals *)data[1];
    a->totals(a->context, &totals);
}

static void report_change(void *argument, void *const data[]) {
    const struct report_argument *a = argument;
    const struct weir_partial_change *total = data[0];
    double change, speed;
    memcpy(&change, &total->largest_change, sizeof change);
    memcpy(&speed, &total->largest_speed, sizeof speed);
    if (!weir_failed(&a->reduction->domain->failure))
        a->change(a->context, a->step, change, speed);
}

void weir_reduction_define(struct weir_reduction_tasks *tasks, const struct weir_kernels *kernels,
                           unsigned where) {
    weir_totals_define(&tasks->totals, kernels);
    weir_velocity_change_define(&tasks->change, kernels);
    tasks->totals.codelet.where &= where;
    tasks->change.codelet.where &= where;
    weir_combine_totals_define(&tasks->combine_totals, kernels);
    weir_combine_change_define(&tasks->combine_change, kernels);
    weir_add_totals_define(&tasks->add_totals, kernels);
    weir_add_change_define(&tasks->add_change, kernels);
    weir_call_define(&tasks->report_totals, "report_totals", kernels, report_totals);
    weir_call_define(&tasks->report_change, "report_change", kernels, report_change);
}

static int no_memory_for_totals(int blocks) {
    return weir_fail(WEIR_FAILED, "out of memory for the totals of %d blocks; choose larger blocks", blocks);
}

int weir_reduction_create(struct weir_domain *domain, struct weir_reduction_tasks *tasks,
                          struct weir_reduction **result) {
    struct weir_reduction *reduction = calloc(1, sizeof *reduction);
    if (reduction) {
        reduction->blocks = domain->set.count;
        reduction->partial_totals = register_all(reduction->blocks, sizeof(struct weir_partial_totals));
    }
    if (!reduction || !reduction->partial_totals) {
        free(reduction);
        return no_memory_for_totals(domain->set.count);
    }
    reduction->domain = domain;
    reduction->tasks = tasks;
    reduction->total = weir_register_bytes(sizeof(struct weir_totals_sum));
    reduction->total_change = weir_register_bytes(sizeof(struct weir_partial_change));
    weir_rank_value_create(domain->world, reduction->total, sizeof(struct weir_totals_sum),
                           &reduction->ranks_total);
    weir_rank_value_create(domain->world, reduction->total_change, sizeof(struct weir_partial_change),
                           &reduction->ranks_change);
    *result = reduction;
    return 0;
}

void weir_reduction_destroy(struct weir_reduction *reduction) {
    if (!reduction)
        return;
    unregister_all(reduction->partial_totals, reduction->blocks);
    unregister_all(reduction->partial_change, reduction->blocks);
    weir_rank_value_destroy(&reduction->ranks_total);
    weir_rank_value_destroy(&reduction->ranks_change);
    starpu_data_unregister_no_coherency(reduction->total);
    starpu_data_unregister_no_coherency(reduction->total_change);
    free(reduction);
}

starpu_data_handle_t weir_reduction_verdict(struct weir_reduction *reduction) {
    return reduction->total;
}

/* Blocks from `first` on that a task combines. Where a rank has none, one task makes the total of nothing. */
static int combined_from(const struct weir_reduction *reduction, int first) {
    const int left = reduction->domain->set.count - first;
    return left < WEIR_COMBINED_MAX ? left : WEIR_COMBINED_MAX;
}

/* Submits the tasks that combine the blocks' totals, in the order of the blocks. */
static int combine_totals(struct weir_reduction *reduction) {
    struct weir_task_kind *kind = &reduction->tasks->combine_totals;
    for (int first = 0; first == 0 || first < reduction->domain->set.count; first += WEIR_COMBINED_MAX)
        WEIR_TRY(weir_check_submitted(weir_combine_totals_submit(kind, reduction->total,
                                                                 reduction->partial_totals + first,
                                                                 reduction->domain->blocks + first,
                                                                 combined_from(reduction, first), first == 0),
                                      kind));
    return 0;
}

static int combine_change(struct weir_reduction *reduction) {
    struct weir_task_kind *kind = &reduction->tasks->combine_change;
    for (int first = 0; first == 0 || first < reduction->domain->set.count; first += WEIR_COMBINED_MAX)
        WEIR_TRY(weir_check_submitted(weir_combine_change_submit(kind, reduction->total_change,
                                                                 reduction->partial_change + first,
                                                                 combined_from(reduction, first), first == 0),
                                      kind));
    return 0;
}

/* The report writes nothing, but takes the total for writing, so that reports come one after the other and
 * before whoever asks for the verdict. */
static int submit_report(struct weir_task_kind *kind, starpu_data_handle_t total,
                         struct report_argument *report) {
    const struct weir_domain *domain = report->reduction->domain;
    struct weir_buffers buffers = {.count = 0};
    weir_buffers_add(&buffers, total, STARPU_RW);
    if (domain->gas_totals)
        weir_buffers_add(&buffers, domain->gas_totals, STARPU_R);
    return weir_check_submitted(
        weir_task_submit(kind, &buffers,
                         &(struct weir_task_options){.argument = report, .argument_size = sizeof *report}),
        kind);
}

int weir_reduction_totals_of_block(struct weir_reduction *reduction, int64_t step, int block) {
    return weir_check_submitted(weir_totals_submit(&reduction->tasks->totals,
                                                   &reduction->domain->step_arguments[block][step % 2],
                                                   reduction->partial_totals[block]),
                                &reduction->tasks->totals);
}

int weir_reduction_totals(struct weir_reduction *reduction, int64_t step, weir_totals_function *function,
                          void *context) {
    for (int k = 0; k < reduction->domain->set.count; k++)
        WEIR_TRY(weir_reduction_totals_of_block(reduction, step, k));
    return weir_reduction_combine_totals(reduction, step, function, context);
}

int weir_reduction_combine_totals(struct weir_reduction *reduction, int64_t step,
                                  weir_totals_function *function, void *context) {
    WEIR_TRY(combine_totals(reduction));
    WEIR_TRY(weir_rank_value_combine(reduction->domain->world, &reduction->ranks_total,
                                     &reduction->tasks->add_totals, WEIR_RANKS_TOTALS));
    return submit_report(&reduction->tasks->report_totals, reduction->total,
                         &(struct report_argument){
                             .reduction = reduction, .step = step, .totals = function, .context = context});
}

static int register_change(struct weir_reduction *reduction) {
    reduction->partial_change = register_all(reduction->blocks, sizeof(struct weir_partial_change));
    return reduction->partial_change
               ? 0
               : weir_fail(WEIR_FAILED, "out of memory for the test for a steady flow; choose larger blocks");
}

int weir_reduction_follow_blocks(struct weir_reduction *reduction) {
    const bool change = reduction->partial_change != NULL;
    unregister_all(reduction->partial_totals, reduction->blocks);
    unregister_all(reduction->partial_change, reduction->blocks);
    reduction->partial_change = NULL;
    reduction->blocks = reduction->domain->set.count;
    reduction->partial_totals = register_all(reduction->blocks, sizeof(struct weir_partial_totals));
    if (!reduction->partial_totals)
        return no_memory_for_totals(reduction->blocks);
    return change ? register_change(reduction) : 0;
}

int weir_reduction_change(struct weir_reduction *reduction, int64_t step, weir_change_function *function,
                          void *context) {
    struct weir_domain *domain = reduction->domain;
    const int velocities = weir_model_find(&domain->model, WEIR_LAST_VELOCITY);
    if (!reduction->partial_change)
        WEIR_TRY(register_change(reduction));
    for (int k = 0; k < domain->set.count; k++)
        WEIR_TRY(weir_check_submitted(weir_velocity_change_submit(&reduction->tasks->change,
                                                                  &domain->step_arguments[k][step % 2],
                                                                  domain->blocks[k].data[velocities].handle,
                                                                  reduction->partial_change[k]),
                                      &reduction->tasks->change));
    WEIR_TRY(combine_change(reduction));
    WEIR_TRY(weir_rank_value_combine(domain->world, &reduction->ranks_change, &reduction->tasks->add_change,
                                     WEIR_RANKS_CHANGE));
    return submit_report(&reduction->tasks->report_change, reduction->total_change,
                         &(struct report_argument){
                             .reduction = reduction, .step = step, .change = function, .context = context});
}
