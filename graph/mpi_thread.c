#include "graph/mpi_thread.h"

#include <dirent.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* Not by niceness: workers spin when they wait, so a thread of the lowest weight would hardly ever run, and they
 * would wait for it. A batch thread has its share, and interrupts nobody. */
void weir_mpi_thread_give_way(int id) {
    const struct sched_param none = {0};
    if (id != 0)
        (void)sched_setscheduler(id, SCHED_BATCH, &none);
}
