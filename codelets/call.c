#include "codelets/call.h"

static void on_cpu(void *buffers[], void *argument) {
    const struct starpu_task *task = starpu_task_get_current();
    const int count = (int)STARPU_TASK_GET_NBUFFERS(task);
    void *data[WEIR_TASK_BUFFERS_MAX];
    for (int k = 0; k < count; k++)
        data[k] = weir_buffer(buffers, k);
    ((const struct weir_task_kind *)task->cl)->call(argument, data);
}

void weir_call_define(struct weir_task_kind *kind, const char *name, const struct weir_kernels *kernels,
                      weir_call_function *function) {
    weir_task_kind_init(kind, name, kernels, on_cpu, NULL);
    kind->call = function;
}

void weir_call_define_on_blocks(struct weir_task_kind *kind, const char *name,
                                const struct weir_kernels *kernels, weir_call_function *function) {
    weir_block_kind_init(kind, name, kernels, on_cpu, NULL);
    kind->call = function;
}

int weir_call_fill_submit(struct weir_task_kind *kind, const struct weir_block *block, const void *argument,
                          size_t argument_size, starpu_data_handle_t filled) {
    struct weir_buffers buffers = {.count = 0};
    weir_buffers_add(&buffers, filled, STARPU_W);
    weir_block_needs(block, &buffers);
    return weir_task_submit(
        kind, &buffers,
        &(struct weir_task_options){.argument = (void *)argument, .argument_size = argument_size});
}
