#include "graph/ranks/rank_processes.h"

#include "graph/ranks/world.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
                                              .number = malloc(sizeof *processes->number * size),
                                              .watch = malloc(sizeof *processes->watch * size)};
    MPI_Allreduce(&here, &everywhere, 1, MPI_INT, MPI_LAND, weir_world_local_comm(world));
    if (everywhere)
        MPI_Allgather(&own, sizeof own, MPI_BYTE, all, sizeof own, MPI_BYTE, weir_world_local_comm(world));
    const bool room = processes->rank && processes->number && processes->watch;
    for (size_t k = 0; everywhere && room && k < size; k++) {
        if (all[k].rank == own.rank || all[k].space != own.space || own.space < 0)
            continue;
        const int descriptor = (int)syscall(SYS_pidfd_open, all[k].number, 0);
        if (descriptor < 0)
            continue;
        processes->rank[processes->count] = all[k].rank;
        processes->number[processes->count] = all[k].number;
        processes->watch[processes->count++] = (struct pollfd){.fd = descriptor, .events = POLLIN};
    }
    free(all);
}

void weir_rank_processes_release(struct weir_rank_processes *processes) {
    for (int k = 0; k < processes->count; k++)
        if (processes->watch[k].fd >= 0)
            close(processes->watch[k].fd);
    free(processes->rank);
    free(processes->number);
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

/* Of a file like /proc/7/stat: what stands behind the name, which may hold anything but its last bracket. */
static enum weir_process_state state_in(const char *path) {
    char text[256];
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return WEIR_PROCESS_WAITS;
    const ssize_t length = read(file, text, sizeof text - 1);
    close(file);
    text[length > 0 ? length : 0] = '\0';
    const char *bracket = strrchr(text, ')');
    const char letter = bracket && bracket[1] == ' ' ? bracket[2] : '\0';
    if (letter == 'R' || letter == 'D')
        return WEIR_PROCESS_RUNNABLE;
    return letter == 'T' || letter == 't' ? WEIR_PROCESS_STOPPED : WEIR_PROCESS_WAITS;
}

enum weir_process_state weir_rank_process_state_in_handler(const struct weir_rank_processes *processes,
                                                           int k) {
    /* No printf in a handler. */
    char path[32] = "/proc/", digits[12];
    int count = 0;
    for (int rest = processes->number[k]; rest > 0; rest /= 10)
        digits[count++] = (char)('0' + rest % 10);
    size_t end = strlen(path);
    while (count > 0)
        path[end++] = digits[--count];
    memcpy(path + end, "/stat", sizeof "/stat");
    return state_in(path);
}

enum weir_process_state weir_rank_process_state(const struct weir_rank_processes *processes, int k) {
    char folder[64];
    enum weir_process_state state = WEIR_PROCESS_WAITS;
    snprintf(folder, sizeof folder, "/proc/%d/task", processes->number[k]);
    DIR *threads = opendir(folder);
    for (const struct dirent *entry; threads && state == WEIR_PROCESS_WAITS && (entry = readdir(threads));) {
        char path[sizeof folder + NAME_MAX + 8];
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s/stat", folder, entry->d_name);
        state = state_in(path);
    }
    if (threads)
        closedir(threads);
    return state;
}
