#include "graph/migration.h"

#include "graph/base/error.h"
#include "graph/base/host_memory.h"
#include "graph/domain.h"
#include "graph/ranks/rank_tags.h"
#include "graph/ranks/world.h"

#include <starpu_mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Memory that is left free, of what is. */
static const double SPARE = 0.1;

double weir_migration_bytes(const struct weir_domain *domain, int number) {
    return (double)weir_domain_block_bytes(domain, number);
}

/* Whether a block moves when they are divided anew. A solid one has nothing that could. */
static bool moves(const struct weir_domain *domain, const int *rank_of, int number) {
    return domain->rank_of[number] != rank_of[number] && !weir_block_is_solid(&domain->grid, number);
}

/* Free memory of this rank's GPUs together; -1: it has none. */
static int64_t free_gpu_memory(void) {
    struct weir_node_memory nodes[WEIR_NODES_MAX];
    const int count = weir_node_memories(nodes);
    int64_t bytes = -1;
    for (int node = 0; node < count; node++)
        if (nodes[node].gpu_free_bytes >= 0)
            bytes = (bytes < 0 ? 0 : bytes) + nodes[node].gpu_free_bytes;
    return bytes;
}

/* Room here for what comes. What leaves a GPU, or comes to one, passes through main memory, which all ranks
 * of a host share. */
static struct weir_migration_room find_room(const struct weir_domain *domain, const int *rank_of,
                                            int64_t room) {
    const struct weir_world *world = domain->world;
    const int rank = weir_world_rank(world);
    const int64_t gpu_free = room < 0 ? free_gpu_memory() : -1;
    double comes = 0, to_host = 0;
    for (int number = 0; number < domain->grid.total; number++) {
        const int from = domain->rank_of[number], to = rank_of[number];
        if (!moves(domain, rank_of, number))
            continue;
        const double bytes = weir_migration_bytes(domain, number);
        comes += to == rank ? bytes : 0;
        for (int end = 0; end < (gpu_free >= 0 ? 2 : 1); end++)
            if (strcmp(weir_world_host(world, end == 0 ? to : from), weir_world_host(world, rank)) == 0)
                to_host += bytes;
    }
    if (room >= 0)
        return (struct weir_migration_room){.wanted = (int64_t)comes, .there = room, .rank = rank};
    const double gpu_room = (1 - SPARE) * (double)gpu_free;
    if (gpu_free >= 0 && comes > gpu_room)
        return (struct weir_migration_room){
            .wanted = (int64_t)comes, .there = (int64_t)gpu_room, .on_gpu = true, .rank = rank};
    return (struct weir_migration_room){.wanted = (int64_t)to_host,
                                        .there = (int64_t)((1 - SPARE) * weir_memory_room(1).bytes),
                                        .rank = rank};
}

/* Whether all ranks have room; else *lacking is that of the lowest that has none. */
static bool all_have_room(const struct weir_world *world, bool here, struct weir_migration_room *lacking) {
    int lowest = here ? weir_world_size(world) : weir_world_rank(world);
    MPI_Allreduce(MPI_IN_PLACE, &lowest, 1, MPI_INT, MPI_MIN, weir_world_comm(world));
    if (lowest == weir_world_size(world))
        return true;
    MPI_Bcast(lacking, sizeof *lacking, MPI_BYTE, lowest, weir_world_comm(world));
    return false;
}

/* Whether this goes along when a block moves after a step of this parity: what it keeps, and those of the
 * step's messages that the next step takes. */
static bool goes_along(const struct weir_datum *datum, uint32_t lasting, int parity) {
    return !datum->message || (datum->parity == parity && (lasting >> datum->number & 1));
}

/* What one block sends or receives: at both ends the list of its data is the same, and the place in it with
 * the block's number the tag. */
static int submit_block(const struct weir_domain *domain, const struct weir_block *block, int other,
                        bool sends, int parity) {
    const MPI_Comm comm = weir_world_comm(domain->world);
    const uint32_t lasting = weir_model_lasting_channels(&domain->model);
    for (int k = 0; k < block->data_count; k++) {
        const starpu_data_handle_t data = block->data[k].handle;
        const starpu_mpi_tag_t tag =
            weir_tag(WEIR_MESSAGE_BLOCK, sends ? weir_world_rank(domain->world) : other,
                     WEIR_DATA_MAX * (int64_t)block->number + k);
        if (goes_along(&block->data[k].is, lasting, parity))
            WEIR_TRY(weir_check_message(sends
                                            ? starpu_mpi_isend_detached(data, other, tag, comm, NULL, NULL)
                                            : starpu_mpi_irecv_detached(data, other, tag, comm, NULL, NULL)));
    }
    return 0;
}

static int transfer(const struct weir_domain *domain, const struct weir_domain *next, int parity) {
    const int rank = weir_world_rank(domain->world);
    for (int number = 0; number < domain->grid.total; number++) {
        const int from = domain->rank_of[number], to = next->rank_of[number];
        if (!moves(domain, next->rank_of, number))
            continue;
        if (to == rank)
            WEIR_TRY(submit_block(domain, weir_domain_block(next, number), from, false, parity));
        else if (from == rank)
            WEIR_TRY(submit_block(domain, weir_domain_block(domain, number), to, true, parity));
    }
    starpu_mpi_wait_for_all(weir_world_comm(domain->world));
    return 0;
}

int weir_migration_moves(const struct weir_domain *domain, const int *rank_of) {
    int count = 0;
    for (int number = 0; number < domain->grid.total; number++)
        count += moves(domain, rank_of, number);
    return count;
}

/* Fluid cells of the blocks that move, and those beside walls, told by the ranks that had them. cells: room
 * for twice as many. */
static void tell_fluid_cells(const struct weir_domain *domain, const struct weir_domain *next,
                             int64_t *cells) {
    int moved = 0;
    for (int number = 0; number < domain->grid.total; number++)
        if (moves(domain, next->rank_of, number)) {
            const struct weir_block *block = weir_domain_block(domain, number);
            cells[moved++] = block ? block->fluid_cells : 0;
            cells[moved++] = block ? block->wall_cells : 0;
        }
    MPI_Allreduce(MPI_IN_PLACE, cells, moved, MPI_INT64_T, MPI_SUM, weir_world_comm(domain->world));
    moved = 0;
    for (int number = 0; number < domain->grid.total; number++)
        if (moves(domain, next->rank_of, number)) {
            struct weir_block *block = weir_domain_block(next, number);
            if (block) {
                block->fluid_cells = cells[moved];
                block->wall_cells = cells[moved + 1];
            }
            moved += 2;
        }
}

int weir_migration_make(struct weir_world *world, struct weir_domain *domain, const int *rank_of, int parity,
                        int64_t room, bool *moved, struct weir_migration_room *lacking) {
    struct weir_domain *next = NULL;
    int64_t *cells = malloc(sizeof *cells * (2 * (size_t)weir_migration_moves(domain, rank_of) + 1));
    *lacking = find_room(domain, rank_of, room);
    *moved = false;
    const bool prepared = cells && weir_domain_divide_anew(domain, rank_of, &next) == 0;
    if (!prepared)
        lacking->there = 0;
    int error = weir_world_agree(world, 0);
    if (error == 0 && all_have_room(world, prepared && lacking->wanted <= lacking->there, lacking)) {
        tell_fluid_cells(domain, next, cells);
        error = weir_world_agree(world, transfer(domain, next, parity));
        *moved = error == 0;
    }
    free(cells);
    if (*moved)
        weir_domain_become(domain, next);
    else if (next)
        weir_domain_discard_next(domain, next);
    return error;
}
