#include "codelets/change_sum.h"

#include "codelets/block.h"
#include "codelets/kernels/totals.h"

static void take_larger(struct weir_partial_change *total, const struct weir_partial_change *part) {
    if (part->largest_change > total->largest_change)
        total->largest_change = part->largest_change;
    if (part->largest_speed > total->largest_speed)
        total->largest_speed = part->largest_speed;
}

static void take_all(void *buffers[]) {
    const struct starpu_task *task = starpu_task_get_current();
    for (int k = 1; k < (int)STARPU_TASK_GET_NBUFFERS(task); k++)
        take_larger(weir_buffer(buffers, 0), weir_buffer(buffers, k));
}

static void combine(void *buffers[], void *argument) {
    const bool *first = argument;
    if (*first)
        *(struct weir_partial_change *)weir_buffer(buffers, 0) = (struct weir_partial_change){0, 0};
    take_all(buffers);
}

static void add(void *buffers[], void *argument) {
    (void)argument;
    take_all(buffers);
}

void weir_combine_change_define(struct weir_task_kind *kind, const struct weir_kernels *kernels) {
    weir_task_kind_init(kind, "combine_change", kernels, combine, NULL);
}

void weir_add_change_define(struct weir_task_kind *kind, const struct weir_kernels *kernels) {
    weir_task_kind_init(kind, "add_change", kernels, add, NULL);
}

int weir_combine_change_submit(struct weir_task_kind *kind, starpu_data_handle_t total,
                               const starpu_data_handle_t *parts, int count, bool first) {
    struct weir_buffers buffers = {.count = 0};
    weir_buffers_add(&buffers, total, first ? STARPU_W : STARPU_RW);
    for (int k = 0; k < count; k++)
        weir_buffers_add(&buffers, parts[k], STARPU_R);
    return weir_task_submit(kind, &buffers,
                            &(struct weir_task_options){.argument = &first, .argument_size = sizeof first});
}
