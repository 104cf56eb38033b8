/* A kind of task: StarPU's codelet with its performance model, built at run time because the kernel variant
 * is chosen then. */
#ifndef WEIR_CODELETS_TASK_KIND_H
#define WEIR_CODELETS_TASK_KIND_H

#include "codelets/kernels/demand/find.h"
#include "codelets/kernels/stage.h"

#include <starpu.h>
#include <stdatomic.h>

/* Part of the performance models' names: raise it when kernels change, so that stale timings do not decide.
 */
#define WEIR_KERNEL_VERSION 10

/* Buffers of a task at most: of one on a block all that the block keeps, in each channel the messages around
 * it of two steps and its own of both parities, and three of the task's own. One that packs or unpacks has
 * fewer: segments, messages and halo message. */
enum {
    WEIR_TASK_BUFFERS_MAX =
        WEIR_KEPT_MAX + WEIR_CHANNELS_MAX * (2 * (WEIR_NEIGHBOURS - 1) + 2 * WEIR_FACES) + 3
};
_Static_assert(WEIR_HALO_FACE_MESSAGES_MAX + 2 <= WEIR_TASK_BUFFERS_MAX, "those of a halo message fit");

/* What tasks of call.h do. data[k]: address of the task's buffer k. */
typedef void weir_call_function(void *argument, void *const data[]);

struct weir_task_kind {
    struct starpu_codelet codelet; /* first, so that a task's codelet leads here */
    struct starpu_perfmodel model;
    char symbol[96 + WEIR_VARIANT_NAME_SIZE];
    weir_call_function *call; /* of kinds of call.h; else NULL */
#if WEIR_WITH_NVTX
    starpu_cpu_func_t cpu; /* what runs within the range */
    starpu_cuda_func_t cuda;
#endif
};

/* A CUDA function for a kind, where this build and its StarPU have CUDA and the kernel exists. */
#if WEIR_WITH_CUDA
#define WEIR_ON_CUDA(kernel, function) ((kernel) ? (function) : NULL)
#else
#define WEIR_ON_CUDA(kernel, function) NULL
#endif

/* Sets up a kind named `name` (what traces show) for a kernel variant; either function may be NULL. `kind`
 * must outlive all tasks of it. The model is keyed by name, variant, version and, for tasks of a block, the
 * block's size. */
void weir_task_kind_init(struct weir_task_kind *kind, const char *name, const struct weir_kernels *variant,
                         starpu_cpu_func_t cpu, starpu_cuda_func_t cuda);

/* A list of buffers while a task is put together. */
struct weir_buffers {
    starpu_data_handle_t handle[WEIR_TASK_BUFFERS_MAX];
    enum starpu_data_access_mode mode[WEIR_TASK_BUFFERS_MAX];
    int count;
};

static inline void weir_buffers_add(struct weir_buffers *buffers, starpu_data_handle_t handle,
                                    enum starpu_data_access_mode mode) {
    buffers->handle[buffers->count] = handle;
    buffers->mode[buffers->count++] = mode;
}

/* Where the tasks of a block run. Changed while tasks wait: it is read when they become ready. */
struct weir_home {
    atomic_int group;   /* number of a worker group of the machine, -1: wherever the scheduler likes */
    atomic_bool border; /* other worker groups wait for its messages: its tasks go first */
    int block;          /* its number among those with fluid, for names of tasks and records */
};

struct weir_task_options {
    void *argument;               /* the codelet functions' second parameter */
    size_t argument_size;         /* bytes of it to copy for the task; 0: it outlives the task */
    const struct weir_home *home; /* NULL: anywhere */
    const int *worker;            /* StarPU's number of the one that runs it; NULL: by home */
    int priority;                 /* where the scheduler heeds them (graph/runtime/scheduler.h); mostly 0 */
    void (*done)(void *);         /* called when the task has ended, may be NULL */
    void *done_argument;
};

/* Submits one task. Returns 0 or a negative errno: StarPU's, -ENODEV when no worker can run it; -ENOMEM.
 * weir_check_submitted (graph/domain.h) makes an error of it. */
int weir_task_submit(struct weir_task_kind *kind, const struct weir_buffers *buffers,
                     const struct weir_task_options *options);

#endif
