/* Ranks that fail in ways in which the program rarely does; test_ranks.py starts them and says what is to
 * come of it. Usage: failing_ranks early|same; the last rank is the one that fails. */
#include "graph/error.h"
#include "graph/world.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

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

int main(int argc, char **argv) {
    struct weir_world *world;
    int error = weir_world_join(&world);
    const bool failing = weir_world_rank(world) == weir_world_size(world) - 1;
    if (error == 0 && argc == 2)
        error = strcmp(argv[1], "early") == 0 ? fail_early(world, failing) : compare(world, failing);
    error = weir_world_agree(world, error);
    if (error != 0 && weir_world_speaks(world))
        fprintf(stderr, "weir: %s\n", weir_error_text());
    weir_world_leave(world);
    return -error;
}
