/* Ranks that fail, outside of the time loop, in ways in which the program rarely does; test_ranks.py and
 * test_rank_failures.py start them and say what is to come of it. Usage:
 *
 *     failing_ranks early|same|apart|busy|leave|finalize
 *
 * the last rank is the one that fails. */
#include "graph/base/error.h"
#include "graph/ranks/supervisor.h"
#include "graph/ranks/world.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static volatile sig_atomic_t never;
static bool stops_in_finalize;

/* MPI's own, called by weir_world_leave. */
int MPI_Finalize(void) {
    if (stops_in_finalize)
        raise(SIGSTOP);
    return PMPI_Finalize();
}

/* One rank has failed and is at its end while the others are on their way to something else. */
static int fail_early(struct weir_world *world, bool failing) {
    if (failing)
        return weir_fail(WEIR_UNAVAILABLE, "early");
    usleep(200000);
    WEIR_TRY(weir_world_same(world, "the number", "1", 1));
    return weir_fail(WEIR_FAILED, "came through");
}

static int compare(struct weir_world *world, bool failing) {
    WEIR_TRY(weir_world_same(world, "the same", "1", 1));
    return weir_world_same(world, "the size", "12", failing ? 1 : 2);
}

/* The others are where nobody tells them of an error: they wait for this rank, or for nothing at all. */
static int fail_apart(struct weir_world *world, bool failing, bool busy) {
    if (failing)
        return weir_fail(WEIR_FAILED, "gone astray");
    if (busy)
        for (;;)
            pause();
    MPI_Barrier(weir_world_comm(world));
    return weir_fail(WEIR_FAILED, "came through");
}

static int run(struct weir_world *world, bool failing, const char *way) {
    weir_supervisor_heed(weir_world_supervisor(world), 2, &never);
    if (strcmp(way, "early") == 0)
        return fail_early(world, failing);
    if (strcmp(way, "same") == 0)
        return compare(world, failing);
    if (strcmp(way, "apart") == 0 || strcmp(way, "busy") == 0)
        return fail_apart(world, failing, strcmp(way, "busy") == 0);
    stops_in_finalize = failing && strcmp(way, "finalize") == 0;
    if (failing && strcmp(way, "leave") == 0)
        raise(SIGSTOP);
    return 0;
}

int main(int argc, char **argv) {
    struct weir_world *world;
    int error = weir_world_join(&world);
    const bool failing = weir_world_rank(world) == weir_world_size(world) - 1;
    if (error == 0 && argc == 2)
        error = run(world, failing, argv[1]);
    error = weir_world_agree(world, error);
    if (error != 0)
        weir_world_tell(world);
    weir_world_leave(world);
    return -error;
}
