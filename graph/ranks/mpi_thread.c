#include "graph/ranks/mpi_thread.h"

#include <dirent.h>
#include <mpi.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* By its name, which StarPU gives it before it says that MPI is ready. */
int weir_mpi_thread_id(void) {
    int id = 0;
    DIR *threads = opendir("/proc/self/task");
    for (const struct dirent *entry; threads && (entry = readdir(threads));) {
        char path[64], name[32] = "";
        snprintf(path, sizeof path, "/proc/self/task/%.16s/comm", entry->d_name);
        FILE *file = fopen(path, "r");
        if (!file)
            continue;
        if (fgets(name, sizeof name, file) && strcmp(name, "MPI\n") == 0)
            id = atoi(entry->d_name);
        fclose(file);
    }
    if (threads)
        closedir(threads);
    return id;
}

/* Where polling leaves the core to others in between (world.c), a batch thread has its share and interrupts
 * nobody. Another MPI would take half of the core from the worker: there the lowest weight is the lesser
 * evil. */
void weir_mpi_thread_give_way(int id) {
    if (id == 0)
        return;
#ifdef OPEN_MPI
    const struct sched_param none = {0};
    (void)sched_setscheduler(id, SCHED_BATCH, &none);
#else
    enum { STEPS_DOWN = 19 }; /* the system stops at its lowest */
    (void)setpriority(PRIO_PROCESS, (id_t)id, getpriority(PRIO_PROCESS, 0) + STEPS_DOWN);
#endif
}
