#include "graph/ranks/rank_processes.h"

#include "graph/ranks/world.h"

#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Numbers of processes mean the same where their name space does. */
struct process {
    int64_t space;
    int rank, number;
};

static struct process own_process(const struct weir_world *world) {
    struct stat status;
    return (struct process){.space = stat("/proc/self/ns/pid", &status) == 0 ? (int64_t)status.st_ino : -1,
                            .rank = weir_world_rank(world),
                            .number = (int)getpid()};
}

void weir_rank_processes_find(const struct weir_world *world, struct weir_rank_processes *processes) {
    const size_t size = (size_t)weir_world_local_size(world);
    const struct process own = own_process(world);
    struct process *all = malloc(sizeof *all * size);
    int here = all != NULL, everywhere;
    *processes = (struct weir_rank_processes){.rank = malloc(sizeof *processes->rank * size),
                                              .watch = malloc(sizeof *processes->watch * size)};
    MPI_Allreduce(&here, &everywhere, 1, MPI_INT, MPI_LAND, weir_world_local_comm(world));
    if (everywhere)
        MPI_Allgather(&own, sizeof own, MPI_BYTE, all, sizeof own, MPI_BYTE, weir_world_local_comm(world));
    for (size_t k = 0; everywhere && processes->rank && processes->watch && k < size; k++) {
        if (all[k].rank == own.rank || all[k].space != own.space || own.space < 0)
            continue;
        const int descriptor = (int)syscall(SYS_pidfd_open, all[k].number, 0);
        if (descriptor < 0)
            continue;
        processes->rank[processes->count] = all[k].rank;
        processes->watch[processes->count++] = (struct pollfd){.fd = descriptor, .events = POLLIN};
    }
    free(all);
}

void weir_rank_processes_release(struct weir_rank_processes *processes) {
    for (int k = 0; k < processes->count; k++)
        if (processes->watch[k].fd >= 0)
            close(processes->watch[k].fd);
    free(processes->rank);
    free(processes->watch);
    *processes = (struct weir_rank_processes){.count = 0};
}

int weir_rank_processes_ended(struct weir_rank_processes *processes) {
    if (processes->count == 0 || poll(processes->watch, (nfds_t)processes->count, 0) <= 0)
        return -1;
    for (int k = 0; k < processes->count; k++)
        if (processes->watch[k].fd >= 0 && processes->watch[k].revents != 0) {
            close(processes->watch[k].fd);
            processes->watch[k].fd = -1; /* poll passes it over */
            return processes->rank[k];
        }
    return -1;
}
