#include "codelets/solid_values.h"

#include "codelets/block.h"

#include <math.h>
#include <string.h>

static void on_cpu(void *buffers[], void *argument) {
    const size_t real_bytes = *(const size_t *)argument;
    const size_t bytes = STARPU_VECTOR_GET_NX(buffers[0]) * STARPU_VECTOR_GET_ELEMSIZE(buffers[0]);
    void *const values = weir_buffer(buffers, 0);
    const float single = NAN;
    const double none = NAN;
    memset(values, 0, bytes);
    for (size_t k = 0; real_bytes > 0 && k < bytes / real_bytes; k++)
        memcpy((char *)values + k * real_bytes,
               real_bytes == sizeof single ? (const void *)&single : (const void *)&none, real_bytes);
}

void weir_solid_values_define(struct weir_task_kind *kind, const struct weir_kernels *kernels) {
    weir_task_kind_init(kind, "solid_values", kernels, on_cpu, NULL);
}

int weir_solid_values_submit(struct weir_task_kind *kind, starpu_data_handle_t values, size_t real_bytes,
                             starpu_data_handle_t slot) {
    struct weir_buffers buffers = {.count = 0};
    weir_buffers_add(&buffers, values, STARPU_W);
    if (slot)
        weir_buffers_add(&buffers, slot, STARPU_W);
    return weir_task_submit(
        kind, &buffers,
        &(struct weir_task_options){.argument = &real_bytes, .argument_size = sizeof real_bytes});
}
