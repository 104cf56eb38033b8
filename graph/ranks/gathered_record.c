#include "graph/ranks/gathered_record.h"

#include "graph/base/error.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void name_workers(struct weir_run_record *record, int rank) {
    for (int k = 0; k < record->worker_count; k++) {
        struct weir_recorded_worker *worker = &record->workers[k];
        char name[sizeof worker->name];
        snprintf(name, sizeof name, "rank %d: %.*s", rank, (int)sizeof name - 20, worker->name);
        memcpy(worker->name, name, sizeof name);
        worker->rank = rank;
        worker->memory_node += rank * WEIR_MEMORIES_OF_A_RANK;
    }
}

/* Each block is described by the rank that has it, and empty elsewhere. */
static void take_block(struct weir_recorded_block *block, const struct weir_recorded_block *other) {
    if (other->extent[0] > 0)
        *block = *other;
}

int weir_run_record_gather(struct weir_run_record *record, struct weir_world *world) {
    const int size = weir_world_size(world), rank = weir_world_rank(world);
    if (size == 1)
        return 0;
    WEIR_TRY(weir_world_agree(world, 0)); /* none has failed on its way here */
    MPI_Comm comm = weir_world_comm(world);
    const int here = record->worker_count;
    int all = 0;
    name_workers(record, rank);
    MPI_Allreduce(&here, &all, 1, MPI_INT, MPI_SUM, comm);
    const size_t row = sizeof *record->workers, blocks = (size_t)record->block_count;
    struct weir_recorded_worker *workers = calloc((size_t)all, row);
    struct weir_recorded_block *other = calloc(blocks + 1, sizeof *other);
    int error = workers && other ? 0 : weir_fail(WEIR_FAILED, "out of memory for the record of all ranks");
    error = weir_world_agree(world, error);
    if (error == 0 && rank > 0) {
        MPI_Send(record->workers, (int)row * here, MPI_BYTE, 0, 0, comm);
        MPI_Send(record->blocks, (int)(sizeof *other * blocks), MPI_BYTE, 0, 1, comm);
    }
    if (error == 0 && rank == 0) {
        memcpy(workers, record->workers, row * (size_t)here);
        int count = here;
        for (int from = 1; from < size; from++) {
            MPI_Status status;
            int bytes;
            MPI_Recv(&workers[count], (int)row * (all - count), MPI_BYTE, from, 0, comm, &status);
            MPI_Get_count(&status, MPI_BYTE, &bytes);
            count += bytes / (int)row;
            MPI_Recv(other, (int)(sizeof *other * blocks), MPI_BYTE, from, 1, comm, MPI_STATUS_IGNORE);
            for (size_t k = 0; k < blocks; k++)
                take_block(&record->blocks[k], &other[k]);
        }
        free(record->workers);
        record->workers = workers;
        record->worker_count = count;
        workers = NULL;
    }
    free(workers);
    free(other);
    return error;
}
