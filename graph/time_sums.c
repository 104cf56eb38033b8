#include "graph/time_sums.h"

#include "codelets/call.h"
#include "codelets/time_sums.h"
#include "graph/base/error.h"

/* Argument of the tasks that read; begins with the block, as all tasks' on blocks do. */
struct read_argument {
    struct weir_block *block;
    const struct weir_domain *domain;
    const struct weir_time_sums_source *source;
};

static void read_sums(void *argument, void *const data[]) {
    const struct read_argument *a = argument;
    const struct weir_box box = weir_block_grid_box(&a->domain->grid, a->block->number);
    if (weir_failed(a->block->context->failure))
        return;
    const int error = a->source->read(a->source->context, &box, data[0]);
    if (error < 0)
        weir_failure_record(a->block->context->failure, -error, "%s", weir_error_text());
}

void weir_time_sums_define(struct weir_time_sums_tasks *tasks, const struct weir_kernels *kernels,
                           unsigned where) {
    weir_add_to_time_sums_define(&tasks->add, kernels);
    weir_restore_time_sums_define(&tasks->restore, kernels);
    tasks->add.codelet.where &= where;
    tasks->restore.codelet.where &= where;
    weir_call_define_on_blocks(&tasks->read, "read_time_sums", kernels, read_sums);
}

static starpu_data_handle_t sums_of(const struct weir_domain *domain, const struct weir_block *block,
                                    int number) {
    return block->data[weir_model_time_sums(&domain->model, number)].handle;
}

int weir_time_sums_add(struct weir_domain *domain, struct weir_time_sums_tasks *tasks, int number,
                       int64_t step) {
    for (int k = 0; k < domain->set.count; k++)
        WEIR_TRY(weir_check_submitted(
            weir_add_to_time_sums_submit(&tasks->add, &domain->step_arguments[k][step % 2],
                                         sums_of(domain, &domain->blocks[k], number)),
            &tasks->add));
    return 0;
}

static int restore_block(struct weir_domain *domain, struct weir_time_sums_tasks *tasks, int number,
                         int64_t step, int index, const struct weir_time_sums_source *source) {
    struct weir_block *block = &domain->blocks[index];
    struct read_argument argument = {block, domain, source};
    const struct weir_box box = weir_block_grid_box(&domain->grid, block->number);
    const starpu_data_handle_t values = weir_register_bytes((size_t)weir_problem_time_sums(domain->problem) *
                                                            (size_t)weir_box_cells(&box) * sizeof(double));
    struct weir_buffers buffers = {.count = 0};
    weir_buffers_add(&buffers, values, STARPU_W);
    int error =
        weir_check_submitted(weir_task_submit(&tasks->read, &buffers,
                                              &(struct weir_task_options){.argument = &argument,
                                                                          .argument_size = sizeof argument}),
                             &tasks->read);
    if (error == 0)
        error = weir_check_submitted(weir_restore_time_sums_submit(&tasks->restore,
                                                                   &domain->step_arguments[index][step % 2],
                                                                   sums_of(domain, block, number), values),
                                     &tasks->restore);
    starpu_data_unregister_submit(values);
    return error;
}

int weir_time_sums_restore(struct weir_domain *domain, struct weir_time_sums_tasks *tasks, int number,
                           int64_t step, const struct weir_time_sums_source *source) {
    enum { AT_ONCE = 8 }; /* blocks whose sums are there twice */
    int error = 0;
    for (int k = 0; error == 0 && k < domain->set.count; k++) {
        error = restore_block(domain, tasks, number, step, k, source);
        if ((k + 1) % AT_ONCE == 0)
            starpu_task_wait_for_all();
    }
    starpu_task_wait_for_all();
    if (error == 0 && weir_failed(&domain->failure))
        error = weir_fail((enum weir_error_code)domain->failure.exit_code, "%s", domain->failure.text);
    return error;
}
