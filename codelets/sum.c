#include "codelets/sum.h"

#include "codelets/block.h"

static void on_cpu(void *buffers[], void *argument) {
    const struct starpu_task *task = starpu_task_get_current();
    const size_t bytes = STARPU_VECTOR_GET_NX(buffers[0]) * STARPU_VECTOR_GET_ELEMSIZE(buffers[0]);
    double *sum = weir_buffer(buffers, 0);
    (void)argument;
    for (int k = 1; k < (int)STARPU_TASK_GET_NBUFFERS(task); k++) {
        const double *other = weir_buffer(buffers, k);
        for (size_t n = 0; n < bytes / sizeof *sum; n++)
            sum[n] += other[n];
    }
}

void weir_sum_define(struct weir_task_kind *kind, const char *name, const struct weir_kernels *kernels) {
    weir_task_kind_init(kind, name, kernels, on_cpu, NULL);
}
