/* Main memory that this process can still have: what its host has free, what its control groups (version 1
 * and 2) leave it, and what its own limits do (ulimit -v). */
#ifndef WEIR_GRAPH_BASE_HOST_MEMORY_H
#define WEIR_GRAPH_BASE_HOST_MEMORY_H

enum weir_memory_bound {
    WEIR_BOUND_BY_HOST,   /* MemAvailable: without swapping, by the kernel's estimate */
    WEIR_BOUND_BY_GROUP,  /* of this process' group or one above it */
    WEIR_BOUND_BY_PROCESS /* RLIMIT_AS: addresses, whether used or not */
};

struct weir_memory_room {
    double bytes;
    enum weir_memory_bound bound; /* what leaves the least */
};

/* Free now. sharers: processes that divide the host and its groups among them, such as its ranks; at least 1.
 */
struct weir_memory_room weir_memory_room(int sharers);

/* The same, with the kernel's files looked for below the folder `root` ("": where they are): for tests. */
struct weir_memory_room weir_memory_room_below(const char *root, int sharers);

#endif
