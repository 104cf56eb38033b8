#include "codelets/task_expectations.h"

#include <starpu.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct weir_task_expectation *noted;
static int count, room;
static bool noting;

void weir_task_expectations_start(void) {
    noting = true;
}

int weir_task_expectations_end(struct weir_task_expectation **list) {
    const int found = count;
    *list = noted;
    noted = NULL;
    count = room = 0;
    noting = false;
    return found;
}

static bool is_noted(const struct weir_task_expectation *one) {
    for (int k = 0; k < count; k++) {
        const struct weir_task_expectation *other = &noted[k];
        if (one->footprint == other->footprint && one->cuda == other->cuda && one->device == other->device &&
            one->cores == other->cores && strcmp(one->kind, other->kind) == 0)
            return true;
    }
    return false;
}

static void add(const struct weir_task_expectation *one) {
    if (count == room) {
        const int more = room > 0 ? 2 * room : 64;
        struct weir_task_expectation *larger = realloc(noted, sizeof *noted * (size_t)more);
        if (!larger)
            return;
        noted = larger;
        room = more;
    }
    noted[count++] = *one;
}

void weir_task_expectations_note(struct starpu_task *task) {
    if (!noting)
        return;
    int device_before = -1, cores_before = -1; /* most workers are as the one before them */
    for (unsigned worker = 0; worker < starpu_worker_get_count(); worker++) {
        struct starpu_perfmodel_arch *arch = starpu_worker_get_perf_archtype((int)worker, 0);
        const bool cuda = starpu_worker_get_type((int)worker) == STARPU_CUDA_WORKER;
        const int device = cuda ? starpu_worker_get_devid((int)worker) : 0;
        const int cores = cuda ? 0 : arch->devices[0].ncores;
        if ((device == device_before && cores == cores_before) ||
            !starpu_worker_can_execute_task(worker, task, 0))
            continue;
        device_before = device;
        cores_before = cores;
        /* StarPU loads the model when it is asked for times, not when it is asked for the footprint. */
        struct weir_task_expectation one = {.cuda = cuda,
                                            .device = device,
                                            .cores = cores,
                                            .seconds = 1e-6 * starpu_task_expected_length(task, arch, 0)};
        one.footprint = starpu_task_footprint(task->cl->model, task, arch, 0);
        snprintf(one.kind, sizeof one.kind, "%s", task->cl->name);
        if (!is_noted(&one))
            add(&one);
    }
}
