#include "graph/ranks/wish.h"

#include "graph/base/error.h"

#include <stdlib.h>

struct weir_wish {
    MPI_Comm ranks; /* MPI_COMM_NULL: one alone */
    MPI_Request request;
    int mine, any;
};

int weir_wish_create(struct weir_world *world, struct weir_wish **result) {
    struct weir_wish *wish = calloc(1, sizeof *wish);
    if (!wish)
        return weir_fail(WEIR_FAILED, "out of memory");
    wish->ranks = MPI_COMM_NULL;
    wish->request = MPI_REQUEST_NULL;
    if (weir_world_size(world) > 1)
        MPI_Comm_dup(weir_world_comm(world), &wish->ranks);
    *result = wish;
    return 0;
}

bool weir_wish_ask(struct weir_wish *wish, bool wished) {
    if (wish->ranks == MPI_COMM_NULL)
        return wished;
    MPI_Wait(&wish->request, MPI_STATUS_IGNORE); /* at once, where there is none */
    const bool answer = wish->any;
    wish->mine = wished && !answer; /* it is granted */
    MPI_Iallreduce(&wish->mine, &wish->any, 1, MPI_INT, MPI_MAX, wish->ranks, &wish->request);
    return answer;
}

void weir_wish_destroy(struct weir_wish *wish, bool ended_well) {
    if (!wish)
        return;
    if (wish->ranks != MPI_COMM_NULL && ended_well) {
        MPI_Wait(&wish->request, MPI_STATUS_IGNORE);
        MPI_Comm_free(&wish->ranks);
        free(wish);
    } else if (wish->ranks == MPI_COMM_NULL) {
        free(wish);
    } /* else MPI may still write to it */
}
