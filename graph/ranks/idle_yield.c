/* What MPI does while it waits: it asks for its messages again and again, and with mpi_yield_when_idle
 * leaves the core to others in between by sched_yield, which this program therefore has of its own.
 *
 * A wait of some milliseconds is spent so, because a message should not have to wake anybody. One that lasts
 * (for a rank that writes, for one that computes much longer) goes on in short sleeps: half a million calls a
 * second and thread take cores from those who have work, and schedulers of some kernels do not bear them:
 * Linux 6.18 has left threads that could run, its own among them, without a core for minutes
 * (docs/cluster.md). */
#include "graph/ranks/idle_yield.h"

#include <mpi.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* Nanoseconds: who uses no more of a core than POLL from call to call has nothing else to do; PATIENCE is how
 * long that may last before the sleeps begin, and PATIENCE_FOR_MESSAGES how long that no message moves:
 * longer than most steps take, as the first message after a sleep waits for its end. CALLS between two looks
 * at the clocks, while there are none. */
enum { POLL = 50000, PATIENCE = 5000000, PATIENCE_FOR_MESSAGES = 30000000, SLEEP = 50000, CALLS = 8 };

/* The name of the thread in which starpu_mpi moves messages. Its polls cost little even while messages come
 * and go, so what it uses of a core does not tell: what it has asked of MPI does. */
static bool moves_messages(void) {
    char name[16] = "";
    return prctl(PR_GET_NAME, name) == 0 && strcmp(name, "MPI") == 0;
}

/* What a thread has asked of MPI: messages begun, and those of them that have not ended. It always waits for
 * one, which tells of the next that comes. */
static __thread struct {
    unsigned begun;
    int under_way;
} messages;

static bool messages_move(unsigned begun_before) {
    return messages.begun != begun_before || messages.under_way > 1;
}

static int begin_message(int result) {
    messages.begun++;
    messages.under_way += result == MPI_SUCCESS;
    return result;
}

/* By the profiling interface of MPI. */

int MPI_Isend(const void *values, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request) {
    return begin_message(PMPI_Isend(values, count, type, to, tag, comm, request));
}

int MPI_Issend(const void *values, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
               MPI_Request *request) {
    return begin_message(PMPI_Issend(values, count, type, to, tag, comm, request));
}

int MPI_Irecv(void *values, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
              MPI_Request *request) {
    return begin_message(PMPI_Irecv(values, count, type, from, tag, comm, request));
}

int MPI_Test(MPI_Request *request, int *done, MPI_Status *status) {
    const bool any = *request != MPI_REQUEST_NULL;
    const int result = PMPI_Test(request, done, status);
    messages.under_way -= any && result == MPI_SUCCESS && *done;
    return result;
}

int MPI_Wait(MPI_Request *request, MPI_Status *status) {
    const bool any = *request != MPI_REQUEST_NULL;
    const int result = PMPI_Wait(request, status);
    messages.under_way -= any && result == MPI_SUCCESS;
    return result;
}

static int64_t nanoseconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return 1000000000 * (int64_t)now.tv_sec + now.tv_nsec;
}

int sched_yield(void) {
    static __thread int64_t begin, used;
    static __thread int calls;
    static __thread unsigned begun;
    static __thread bool sleeps, known, moves;
    if (!known) {
        known = true;
        moves = moves_messages();
        begin = nanoseconds(CLOCK_MONOTONIC);
    }
    if (++calls == (sleeps ? 1 : CALLS)) {
        const int64_t now = nanoseconds(CLOCK_MONOTONIC), uses = nanoseconds(CLOCK_THREAD_CPUTIME_ID);
        if (moves ? messages_move(begun) : uses - used > (int64_t)calls * POLL)
            begin = now;
        used = uses;
        begun = messages.begun;
        sleeps = now - begin > (moves ? PATIENCE_FOR_MESSAGES : PATIENCE);
        calls = 0;
    }
    if (!sleeps)
        return (int)syscall(SYS_sched_yield);
    nanosleep(&(struct timespec){.tv_nsec = SLEEP}, NULL);
    return 0;
}

void weir_idle_yield_on(void) {
    /* Open MPI: on a core of its own who polls gets it back at once; on one shared with a worker the run was
     * ten times as fast. The launcher has set 0, so it is overwritten. */
    setenv("OMPI_MCA_mpi_yield_when_idle", "1", 1);
}
