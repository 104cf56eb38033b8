#include "codelets/task_kind.h"

#include "codelets/task_colours.h"
#include "codelets/task_expectations.h"
#include "codelets/task_names.h"
#include "codelets/task_ranges.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if WEIR_WITH_NVTX
static const struct weir_task_kind *current_kind(void) {
    return (const struct weir_task_kind *)starpu_task_get_current()->cl;
}

static void in_range_on_cpu(void *buffers[], void *argument) {
    const struct weir_task_kind *kind = current_kind();
    weir_task_range_begin(kind->codelet.name, kind->codelet.color);
    kind->cpu(buffers, argument);
    weir_task_range_end();
}

/* The range is that of the launch; profilers show which kernels came of it. */
static void in_range_on_cuda(void *buffers[], void *argument) {
    const struct weir_task_kind *kind = current_kind();
    weir_task_range_begin(kind->codelet.name, kind->codelet.color);
    kind->cuda(buffers, argument);
    weir_task_range_end();
}

static void put_in_ranges(struct weir_task_kind *kind) {
    kind->cpu = kind->codelet.cpu_funcs[0];
    kind->cuda = kind->codelet.cuda_funcs[0];
    kind->codelet.cpu_funcs[0] = kind->cpu ? in_range_on_cpu : NULL;
    kind->codelet.cuda_funcs[0] = kind->cuda ? in_range_on_cuda : NULL;
}
#else
static void put_in_ranges(struct weir_task_kind *kind) {
    (void)kind;
}
#endif

void weir_task_kind_init(struct weir_task_kind *kind, const char *name, const struct weir_kernels *variant,
                         starpu_cpu_func_t cpu, starpu_cuda_func_t cuda) {
    memset(kind, 0, sizeof *kind);
    starpu_codelet_init(&kind->codelet);
    snprintf(kind->symbol, sizeof kind->symbol, "weir_%s_%s_%s_%d", name, variant->name,
             variant->instruction_set, WEIR_KERNEL_VERSION);
    kind->model.type = STARPU_HISTORY_BASED;
    kind->model.symbol = kind->symbol;
    kind->codelet.cpu_funcs[0] = cpu;
    if (cuda) {
        kind->codelet.cuda_funcs[0] = cuda;
        kind->codelet.cuda_flags[0] = STARPU_CUDA_ASYNC;
    }
    kind->codelet.where = (cpu ? STARPU_CPU : 0u) | (cuda ? STARPU_CUDA : 0u);
    kind->codelet.nbuffers = STARPU_VARIABLE_NBUFFERS;
    kind->codelet.model = &kind->model;
    kind->codelet.name = name;
    kind->codelet.color = weir_task_colour(name);
    put_in_ranges(kind);
}

/* Gives the task its argument and its lists of buffers, which StarPU frees with it. -ENOMEM: not all of them.
 */
static int give_memory(struct starpu_task *task, const struct weir_buffers *buffers,
                       const struct weir_task_options *options) {
    task->cl_arg = options->argument;
    task->cl_arg_size = 0;
    if (options->argument_size > 0) {
        task->cl_arg = malloc(options->argument_size);
        task->cl_arg_free = 1;
        if (!task->cl_arg)
            return -ENOMEM;
        memcpy(task->cl_arg, options->argument, options->argument_size);
    }
    if (buffers->count > STARPU_NMAXBUFS) {
        task->dyn_handles = malloc(sizeof *task->dyn_handles * (size_t)buffers->count);
        task->dyn_modes = malloc(sizeof *task->dyn_modes * (size_t)buffers->count);
        if (!task->dyn_handles || !task->dyn_modes)
            return -ENOMEM;
    }
    return 0;
}

static int submit(struct starpu_task *task, const struct weir_buffers *buffers,
                  const struct weir_task_options *options) {
    const int without_memory = give_memory(task, buffers, options);
    if (without_memory)
        return without_memory;
    task->nbuffers = buffers->count;
    for (int k = 0; k < buffers->count; k++) {
        STARPU_TASK_SET_HANDLE(task, buffers->handle[k], k);
        STARPU_TASK_SET_MODE(task, buffers->mode[k], k);
    }
    task->callback_func = options->done;
    task->callback_arg = options->done_argument;
    task->name = weir_task_name(task->cl->name, options->home ? options->home->block : -1);
    if (options->home &&
        options->home->group >= 0) /* StarPU's own schedulers are not shown a field that is theirs */
        task->sched_data = (void *)options->home;
    task->priority = options->priority;
    if (options->worker) {
        task->execute_on_a_specific_worker = 1;
        task->workerid = (unsigned)*options->worker;
    }
    weir_task_expectations_note(task);
    return starpu_task_submit(task);
}

int weir_task_submit(struct weir_task_kind *kind, const struct weir_buffers *buffers,
                     const struct weir_task_options *options) {
    struct starpu_task *task = starpu_task_create();
    task->cl = &kind->codelet;
    const int result = submit(task, buffers, options);
    if (result != 0) {
        task->destroy = 0;
        starpu_task_destroy(task);
    }
    return result;
}
