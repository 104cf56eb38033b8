/* Who sleeps while MPI waits: sleeps and what MPI does are counted instead of done. */
#include "graph/ranks/idle_yield.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <time.h>

/* What the linker puts in the place of functions of libc and MPI. */
int __wrap_nanosleep(const struct timespec *length, struct timespec *left);
int __wrap_PMPI_Irecv(void *values, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                      MPI_Request *request);
int __wrap_PMPI_Test(MPI_Request *request, int *done, MPI_Status *status);

/* volatile: libc says of sched_yield that it calls nothing here. */
static __thread volatile int sleeps;

int __wrap_nanosleep(const struct timespec *length, struct timespec *left) {
    (void)length, (void)left;
    sleeps++;
    return 0;
}

int __wrap_PMPI_Irecv(void *values, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
                      MPI_Request *request) {
    (void)values, (void)count, (void)type, (void)from, (void)tag, (void)comm;
    *request = (MPI_Request)request;
    return MPI_SUCCESS;
}

int __wrap_PMPI_Test(MPI_Request *request, int *done, MPI_Status *status) {
    (void)status;
    *done = 1;
    *request = MPI_REQUEST_NULL;
    return MPI_SUCCESS;
}

static MPI_Request begin_receiving(void) {
    MPI_Request request = MPI_REQUEST_NULL;
    assert_int_equal(MPI_Irecv(NULL, 0, MPI_BYTE, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request), MPI_SUCCESS);
    return request;
}

static void end(MPI_Request request) {
    int done = 0;
    assert_int_equal(MPI_Test(&request, &done, MPI_STATUS_IGNORE), MPI_SUCCESS);
    assert_true(done);
}

static int64_t nanoseconds(clockid_t clock) {
    struct timespec now;
    clock_gettime(clock, &now);
    return 1000000000 * (int64_t)now.tv_sec + now.tv_nsec;
}

/* Yields for 100 ms, with something in between, and says how often it slept. wanted: if it has not until
 * then, it may not have had a core; up to 10 s. */
static int sleeps_between(void (*something)(void), bool wanted) {
    const int64_t begin = nanoseconds(CLOCK_MONOTONIC);
    sleeps = 0;
    for (int64_t lasted = 0; lasted < 100000000 || (wanted && sleeps == 0 && lasted < 10000000000);
         lasted = nanoseconds(CLOCK_MONOTONIC) - begin) {
        if (something)
            something();
        sched_yield();
    }
    return sleeps;
}

static void move_a_message(void) {
    end(begin_receiving());
}

static void compute(void) {
    const int64_t begin = nanoseconds(CLOCK_THREAD_CPUTIME_ID);
    while (nanoseconds(CLOCK_THREAD_CPUTIME_ID) - begin < 100000)
        continue;
}

/* What a thread finds: each has a history of its own. */
static int found[3];

static void *polls(void *unused) {
    found[0] = sleeps_between(NULL, true);
    return unused;
}

static void *computes(void *unused) {
    found[0] = sleeps_between(compute, false);
    return unused;
}

static void *moves_messages(void *unused) {
    prctl(PR_SET_NAME, "MPI");
    begin_receiving(); /* which tells of what comes */
    found[0] = sleeps_between(move_a_message, false);
    const MPI_Request request = begin_receiving();
    found[1] = sleeps_between(NULL, false);
    end(request);
    found[2] = sleeps_between(NULL, true);
    return unused;
}

static void in_a_thread(void *(*work)(void *)) {
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, work, NULL), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

static void who_only_polls_sleeps(void **state) {
    (void)state;
    in_a_thread(polls);
    assert_true(found[0] > 0);
}

static void who_computes_does_not(void **state) {
    (void)state;
    in_a_thread(computes);
    assert_int_equal(found[0], 0);
}

static void who_moves_messages_sleeps_while_none_moves(void **state) {
    (void)state;
    in_a_thread(moves_messages);
    assert_int_equal(found[0], 0);
    assert_int_equal(found[1], 0);
    assert_true(found[2] > 0);
}

int main(void) {
    weir_idle_yield_on();
    const struct CMUnitTest tests[] = {cmocka_unit_test(who_only_polls_sleeps),
                                       cmocka_unit_test(who_computes_does_not),
                                       cmocka_unit_test(who_moves_messages_sleeps_while_none_moves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
