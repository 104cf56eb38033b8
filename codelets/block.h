/* A block as tasks see it: its data, by handles, and how a task function finds a view in its buffers. What
 * data a block has is the model's to say (graph/problem/model.h); what a task takes of it, its access
 * (stage.h).
 *
 * Buffers of every task on a block come in this order: kept data, by number; values of boundaries that change
 * in time, of the step (of the next one: weir_access.ahead); messages that it takes of the
 * last step, by channel (each handle once, however many offsets it serves), and of this one; messages that it
 * gives; then what else it needs. */
#ifndef WEIR_CODELETS_BLOCK_H
#define WEIR_CODELETS_BLOCK_H

#include "codelets/failure.h"
#include "codelets/kernels/demand/find.h"
#include "codelets/kernels/stage.h"
#include "codelets/task_kind.h"

struct weir_block;

/* What all blocks of a run share. */
struct weir_block_context {
    /* Of each kind of cells that blocks may have, bricks among them. */
    const struct weir_kernels *kernels[WEIR_CELL_KIND_COUNT];
    struct weir_cell_costs costs[WEIR_CELL_KIND_COUNT]; /* in steps of fluid cells of bricks */
    int channel_count;
    uint32_t with_flow; /* bits of the kept data that tasks have where they have the flow: further sets */
    int potentials; /* number of the kept data that tasks read, with the messages of its channel, where they
                       begin with the flow as the last step left it: what cells of a fluid with phases attract
                       by; -1: none */
    int varying;    /* number of the kept data that tasks have where they have the geometry: this one in even
                       steps, the next one in odd ones; -1: none */
    struct weir_fluid fluid;
    struct weir_failure *failure;
    /* Called by who takes a stage of a step, one of those that the run's model has; NULL: nobody records. */
    void (*step_begins)(void *recorder, const struct weir_block *block, const struct weir_stage *stage);
    void *recorder;
    /* Where not all blocks of the domain have room at a time (graph/slabs.h): called before a task gets these
     * buffers, for what they have of the block and its neighbours; NULL: all have. */
    void (*needs)(void *slabs, const struct weir_block *block, const struct weir_buffers *buffers);
    void *slabs;
    int priority; /* of stages that are submitted now */
};

struct weir_block_datum {
    struct weir_datum is;
    starpu_data_handle_t handle;
};

/* The messages of a block in one channel. */
struct weir_block_channel {
    /* [parity of the step that gives them][face]; NULL: no neighbour there. */
    starpu_data_handle_t outgoing[2][WEIR_FACES];
    starpu_data_handle_t incoming[2][WEIR_NEIGHBOURS - 1]; /* the neighbours' ones, without repetition */
    int incoming_count;
    int8_t incoming_index[WEIR_NEIGHBOURS]; /* per offset: place in incoming, -1: none */
};

struct weir_block {
    const struct weir_block_context *context;
    int number;
    int64_t fluid_cells, wall_cells; /* of the fluid ones: beside walls that are no faces of the domain */
    struct weir_home home;
    struct weir_block_view view; /* sizes; the pointers are filled in per task */
    struct weir_place place;
    struct weir_block_layout layout;             /* of the flow's populations and the geometry */
    struct weir_block_datum data[WEIR_DATA_MAX]; /* [data_count]: kept data, by number, then messages */
    int data_count;
    struct weir_block_channel channel[WEIR_CHANNELS_MAX];
    void *routes; /* of a list, from its first step on a CPU on (routes.h); owned by who has the data */
    bool routed;  /* it has been asked for */
};

/* Argument of tasks that need a block and the parity of a step; each block has the two it needs. Arguments of
 * all tasks on blocks begin with the block. */
struct weir_step_argument {
    struct weir_block *block;
    int parity;
    int steps;     /* that a task which takes steps takes at once, from one of this parity on */
    bool prepares; /* it is done before the first step (weir_stage.prepares) */
};

/* The kernels for a block. */
static inline const struct weir_kernels *weir_block_kernels(const struct weir_block *block) {
    return block->context->kernels[block->layout.kept.kind];
}

/* For performance models of tasks on blocks: the same for blocks of the same size, that keep as many cells in
 * the same way. Keys that have more in them begin with it. */
uint32_t weir_block_footprint(struct starpu_task *task);

/* What a step of the block costs, in updates of fluid cells of bricks. */
static inline double weir_block_weight(const struct weir_block *block) {
    const double cells =
        (double)block->view.extent[0][1] * block->view.extent[1][1] * block->view.extent[2][1];
    return weir_cells_cost(&block->context->costs[block->layout.kept.kind], (double)block->fluid_cells,
                           (double)block->wall_cells, cells - (double)block->fluid_cells);
}

/* Buffers of a task with this access in a step of this parity; for one that observes the block between two
 * steps, of the next. */
void weir_block_buffers(const struct weir_block *block, const struct weir_access *access, int parity,
                        struct weir_buffers *buffers);

/* To be called before a task with these buffers is submitted that have data of the block. */
static inline void weir_block_needs(const struct weir_block *block, const struct weir_buffers *buffers) {
    if (block->context->needs)
        block->context->needs(block->context->slabs, block, buffers);
}

/* The view for a task with these buffers, which came of weir_block_buffers. Returns how many they are:
 * buffers of the task's own follow. */
int weir_block_view_open(const struct weir_block *block, const struct weir_access *access, void *buffers[],
                         struct weir_stage_view *view);

/* What a task function works with. */
struct weir_block_work {
    const struct weir_block *block;
    const struct weir_kernels *kernels;
    const struct weir_fluid *fluid;
    int parity;
    struct weir_stage_view view;
    void **results; /* the task's buffers after those of weir_block_buffers, to be opened by weir_buffer */
};

/* Opens a task function's buffers and argument, which begins with a struct weir_step_argument. false: the run
 * has failed, and there is nothing to do. */
bool weir_block_work_open(struct weir_block_work *work, void *buffers[], const void *argument,
                          const struct weir_access *access);

/* As weir_task_kind_init, for tasks on blocks: the model is keyed by the block's size. */
void weir_block_kind_init(struct weir_task_kind *kind, const char *name, const struct weir_kernels *variant,
                          starpu_cpu_func_t cpu, starpu_cuda_func_t cuda);

/* Submits a task at the block's home. The argument stays valid until it has ended. Returns as
 * weir_task_submit. */
int weir_block_submit(struct weir_task_kind *kind, const struct weir_buffers *buffers,
                      struct weir_step_argument *argument);

/* Rows of a block: what kernels on CPUs divide among threads. */
static inline int weir_block_rows(const struct weir_block *block) {
    return block->view.extent[1][1] * block->view.extent[2][1];
}

/* Address on this worker's device of a buffer of bytes. */
static inline void *weir_buffer(void *buffers[], int k) {
    return (void *)STARPU_VECTOR_GET_PTR(buffers[k]);
}

#if WEIR_WITH_CUDA
/* Records a CUDA error of a kernel's launch as the run's failure. */
void weir_block_check_cuda(const struct weir_block *block, const char *kernel, int error);
#endif

#endif
