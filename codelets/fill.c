#include "codelets/fill.h"

#include <string.h>

static void on_cpu(void *buffers[], void *argument) {
    memset(weir_buffer(buffers, 0), *(const unsigned char *)argument,
           STARPU_VECTOR_GET_NX(buffers[0]) * STARPU_VECTOR_GET_ELEMSIZE(buffers[0]));
}

void weir_fill_define(struct weir_task_kind *kind, const struct weir_kernels *kernels) {
    weir_task_kind_init(kind, "zero", kernels, on_cpu, NULL);
}

int weir_fill_submit(struct weir_task_kind *kind, starpu_data_handle_t data, unsigned char byte) {
    struct weir_buffers buffers = {.count = 0};
    weir_buffers_add(&buffers, data, STARPU_W);
    return weir_task_submit(kind, &buffers,
                            &(struct weir_task_options){.argument = &byte, .argument_size = sizeof byte});
}
