/* Who took which step of which block of a run, and when, as plain arrays: what a recorder fills, a file keeps
 * and an analysis reads. Knows neither StarPU nor files. */
#ifndef WEIR_GRAPH_PLAN_RUN_RECORD_H
#define WEIR_GRAPH_PLAN_RUN_RECORD_H

#include "codelets/kernels/stage.h"

#include <stdbool.h>
#include <stdint.h>

enum { WEIR_RECORD_FACES = 6, WEIR_RECORD_OFFSETS = 27, WEIR_RECORD_STAGE_NAME = 48 };

/* One stage of one step of one block. Seconds count from the moment when the time loop began. */
struct weir_recorded_task {
    int64_t step;
    double start; /* the task's function was entered; on a GPU: its kernel was about to be launched */
    double end;   /* StarPU had finished the task and what hangs on its end */
    int32_t block;
    int32_t worker; /* index into the table of workers */
    int32_t home;   /* number of the worker group where the block was at home, -1: it had no home */
    int32_t stage;  /* place among the record's stages */
};

struct weir_recorded_worker {
    int32_t id; /* StarPU's */
    char name[64];
    bool cuda;
    bool steps;     /* steps of blocks may run here; other workers only serve output */
    int32_t device; /* number of the GPU, or of the CPU worker */
    int32_t cores;  /* that compute together: 1, or those of the team that it leads; of a GPU 0 */
    int32_t core;   /* logical number of the processing unit that its thread is bound to, -1: not bound */
    int32_t memory_node; /* StarPU's number of the memory that it works on */
    int32_t rank;        /* whose it is; 0 in a world of one */
};

struct weir_recorded_block {
    int32_t origin[3], extent[3]; /* cells, x, y, z */
    int64_t fluid_cells, cells;
    int64_t near_wall_cells; /* fluid, with a wall among the neighbours; not in files of records */
    int64_t bytes;           /* of populations and geometry: what moves with the block */
    /* Through each face (x-, x+, y-, ...), of the messages of one step, the mean of even and odd ones; 0
     * where no block is there. */
    int64_t message_bytes[WEIR_RECORD_FACES];
    /* Block at the offset (ox, oy, oz), index (ox+1) + 3(oy+1) + 9(oz+1), that a message is read from; -1
     * where there is none, or where no population of the lattice comes from. It is the message that this
     * block wrote through the face on which it meets the reader along the first axis of the offset that is
     * not 0. */
    int32_t neighbour[WEIR_RECORD_OFFSETS];
};

struct weir_run_record {
    struct weir_recorded_task *tasks; /* [task_count], in no particular order */
    int64_t task_count;
    struct weir_recorded_worker *workers; /* [worker_count] */
    int worker_count;
    struct weir_recorded_block *blocks; /* [block_count] */
    int block_count;
    int stage_count; /* of a step, in which blocks take them; at least 1 */
    char stages[WEIR_STAGES_MAX][WEIR_RECORD_STAGE_NAME]; /* their tasks' names; "" in a record from a file */
    bool taken[2][WEIR_STAGES_MAX]; /* whether even steps of the run have them, and odd ones; not in files */
    int64_t steps;                  /* that were taken */
    double wall_seconds;            /* of the time loop */
    /* A load in the background: moments of its start and end in seconds of the time loop, NaN without one. */
    double load_start, load_end;
    int64_t load_from, load_to; /* the steps asked for, -1 without one */
    int load_threads;
};

/* An empty record of steps of one stage, which all have, with tables of these sizes, all zero; tasks none.
 * The caller releases it. -WEIR_FAILED when memory is short. */
int weir_run_record_create(struct weir_run_record *record, int64_t tasks, int workers, int blocks);

/* Frees the tables; the record is empty then. */
void weir_run_record_release(struct weir_run_record *record);

/* Face through which the message left that a block reads from its neighbour at this offset index. */
int weir_run_record_face(int offset_index);

#endif
