#include "graph/rank_tree.h"

#include "graph/base/error.h"
#include "graph/ranks/rank_tags.h"
#include "graph/ranks/world.h"

#include <starpu_mpi.h>

/* Ranks below rank r: 2r + 1 and 2r + 2, where there are such. */
static int rank_below(const struct weir_world *world, int k) {
    const int rank = 2 * weir_world_rank(world) + 1 + k;
    return rank < weir_world_size(world) ? rank : -1;
}

void weir_rank_value_create(const struct weir_world *world, starpu_data_handle_t value, size_t bytes,
                            struct weir_rank_value *result) {
    *result = (struct weir_rank_value){.value = value};
    for (int k = 0; k < 2; k++)
        if (rank_below(world, k) >= 0)
            result->below[k] = weir_register_bytes(bytes);
}

void weir_rank_value_destroy(struct weir_rank_value *value) {
    for (int k = 0; k < 2; k++)
        if (value->below[k])
            starpu_data_unregister_no_coherency(value->below[k]);
}

int weir_rank_value_combine(const struct weir_world *world, struct weir_rank_value *value,
                            struct weir_task_kind *add, enum weir_rank_value_number number) {
    if (weir_world_size(world) == 1)
        return 0;
    const MPI_Comm comm = weir_world_comm(world);
    const int rank = weir_world_rank(world), above = (rank - 1) / 2;
    const int64_t up = 2 * (int64_t)number, down = up + 1; /* numbers of tags */
    struct weir_buffers buffers = {.count = 0};
    weir_buffers_add(&buffers, value->value, STARPU_RW);
    for (int k = 0; k < 2; k++)
        if (value->below[k]) {
            WEIR_TRY(weir_check_message(starpu_mpi_irecv_detached(
                value->below[k], rank_below(world, k), weir_tag(WEIR_MESSAGE_SUM, rank_below(world, k), up),
                comm, NULL, NULL)));
            weir_buffers_add(&buffers, value->below[k], STARPU_R);
        }
    if (buffers.count > 1)
        WEIR_TRY(weir_check_submitted(weir_task_submit(add, &buffers, &(struct weir_task_options){0}), add));
    if (rank > 0) {
        WEIR_TRY(weir_check_message(starpu_mpi_isend_detached(
            value->value, above, weir_tag(WEIR_MESSAGE_SUM, rank, up), comm, NULL, NULL)));
        WEIR_TRY(weir_check_message(starpu_mpi_irecv_detached(
            value->value, above, weir_tag(WEIR_MESSAGE_SUM, above, down), comm, NULL, NULL)));
    }
    for (int k = 0; k < 2; k++)
        if (value->below[k])
            WEIR_TRY(weir_check_message(starpu_mpi_isend_detached(value->value, rank_below(world, k),
                                                                  weir_tag(WEIR_MESSAGE_SUM, rank, down),
                                                                  comm, NULL, NULL)));
    return 0;
}
