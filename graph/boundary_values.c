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

/* Whether any block has other values in a step than two steps before, the last time for its parity. */
static bool are_new(const struct weir_domain *domain, int64_t step, bool first) {
    return domain->context.varying >= 0 && (first || weir_problem_varies(domain->problem, (double)step - 2));
}

static int submit(struct weir_task_kind *kind, struct weir_domain *domain, int number, int64_t step,
                  bool first) {
    struct weir_block *block = &domain->blocks[number];
    const struct argument argument = {block, domain, step};
    if (!first && block->layout.varying == 0)
        return 0;
    return weir_check_submitted(
        weir_call_fill_submit(kind, block, &argument, sizeof argument,
                              block->data[domain->context.varying + (int)(step % 2)].handle),
        kind);
}

int weir_boundary_values_of_block(struct weir_task_kind *kind, struct weir_domain *domain, int block,
                                  int64_t step) {
    return are_new(domain, step, false) ? submit(kind, domain, block, step, false) : 0;
}

int weir_boundary_values_submit(struct weir_task_kind *kind, struct weir_domain *domain, int64_t step,
                                bool first) {
    if (!are_new(domain, step, first))
        return 0;
    for (int k = 0; k < domain->set.count; k++)
        WEIR_TRY(submit(kind, domain, k, step, first));
    return 0;
}
