/* How long StarPU's performance models expect tasks to take, noted as the tasks of a recorded window are
 * submitted: each kind, size of data and kind of worker once, so as the models had it when the window began.
 * Without recording nothing is noted. One list per process, as names of tasks are (task_names.h). */
#ifndef WEIR_CODELETS_TASK_EXPECTATIONS_H
#define WEIR_CODELETS_TASK_EXPECTATIONS_H

#include <stdbool.h>
#include <stdint.h>

enum { WEIR_EXPECTED_KIND = 48 };

struct weir_task_expectation {
    char kind[WEIR_EXPECTED_KIND];
    uint32_t footprint; /* StarPU's hash of the sizes of a task's data */
    bool cuda;
    int32_t device; /* number of the GPU; of CPU workers 0: models hold those of one size for alike */
    int32_t cores;  /* of a CPU worker: 1, or those of the team that it leads; of a GPU 0 */
    double seconds; /* NAN: measured less than ten times so far */
};

struct starpu_task;

/* Begins an empty list. */
void weir_task_expectations_start(void);

/* Adds what is expected of a task that is about to be submitted, for each kind of worker that it may run on,
 * unless it is there. Where memory is short, nothing is added. */
void weir_task_expectations_note(struct starpu_task *task);

/* The list, the caller's to free; nothing is noted from now on. Returns how many there are. */
int weir_task_expectations_end(struct weir_task_expectation **list);

#endif
