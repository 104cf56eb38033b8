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

static bool is_noted(const char *kind, uint32_t footprint, bool cuda, int device) {
    for (int k = 0; k < count; k++) {
        const struct weir_task_expectation *one = &noted[k];
        if (one->footprint == footprint && one->cuda == cuda && one->device == device &&
            strcmp(one->kind, kind) == 0)
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
    bool cpu_done = false;
    int gpu_done = -1; /* a GPU's workers come one after the other */
    for (unsigned worker = 0; worker < starpu_worker_get_count(); worker++) {
        const bool cuda = starpu_worker_get_type((int)worker) == STARPU_CUDA_WORKER;
        const int device = cuda ? starpu_worker_get_devid((int)worker) : 0;
        if ((cuda ? gpu_done == device : cpu_done) || !starpu_worker_can_execute_task(worker, task, 0))
            continue;
        if (cuda)
            gpu_done = device;
        else
            cpu_done = true;
        struct starpu_perfmodel_arch *arch = starpu_worker_get_perf_archtype((int)worker, 0);
        struct weir_task_expectation one = {.footprint =
                                                starpu_task_footprint(task->cl->model, task, arch, 0),
                                            .cuda = cuda,
                                            .device = device};
        if (is_noted(task->cl->name, one.footprint, cuda, device))
            continue;
        snprintf(one.kind, sizeof one.kind, "%s", task->cl->name);
        one.seconds = 1e-6 * starpu_task_expected_length(task, arch, 0);
        add(&one);
    }
}
