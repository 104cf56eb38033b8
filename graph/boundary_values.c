#include "graph/boundary_values.h"

#include "codelets/call.h"
#include "graph/base/error.h"
#include "graph/problem/boundaries.h"
#include "graph/problem/problem.h"

/* Argument of the tasks; begins with the block, as all tasks' on blocks do. */
struct argument {
    struct weir_block *block;
    const struct weir_domain *domain;
    int64_t step;
};

static void compute(void *argument, void *const data[]) {
    const struct argument *a = argument;
    const struct weir_box box = weir_block_grid_box(&a->domain->grid, a->block->number);
    if (weir_failed(a->block->context->failure))
        return;
    const int error = weir_boundaries_vary(a->domain->problem, &box, &a->block->layout, a->step, data[0]);
    if (error < 0)
        weir_failure_record(a->block->context->failure, -error, "%s", weir_error_text());
}

void weir_boundary_values_define(struct weir_task_kind *kind, const struct weir_kernels *kernels) {
    weir_call_define_on_blocks(kind, "boundary_values", kernels, compute);
}

int weir_boundary_values_of_block(struct weir_task_kind *kind, struct weir_domain *domain, int number,
                                  int64_t step, bool first) {
    const int varying = domain->context.varying;
    struct weir_block *block = &domain->blocks[number];
    /* What was given two steps before, the last time for this parity, stays. */
    if (varying < 0 ||
        (!first && (block->layout.varying == 0 || !weir_problem_varies(domain->problem, (double)step - 2))))
        return 0;
    struct argument argument = {block, domain, step};
    struct weir_buffers buffers = {.count = 0};
    weir_buffers_add(&buffers, block->data[varying + (int)(step % 2)].handle, STARPU_W);
    weir_block_needs(block, &buffers);
    return weir_check_submitted(
        weir_task_submit(
            kind, &buffers,
            &(struct weir_task_options){.argument = &argument, .argument_size = sizeof argument}),
        kind);
}

int weir_boundary_values_submit(struct weir_task_kind *kind, struct weir_domain *domain, int64_t step,
                                bool first) {
    for (int k = 0; k < domain->set.count; k++)
        WEIR_TRY(weir_boundary_values_of_block(kind, domain, k, step, first));
    return 0;
}
