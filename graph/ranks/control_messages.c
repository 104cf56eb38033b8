#include "graph/ranks/control_messages.h"

#include "graph/base/clock.h"

#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

bool weir_control_messages_create(MPI_Comm comm, struct weir_control_messages *messages) {
    *messages = (struct weir_control_messages){.comm = comm};
    MPI_Comm_rank(comm, &messages->rank);
    MPI_Comm_size(comm, &messages->size);
    const size_t count = WEIR_CONTROL_KINDS * (size_t)messages->size;
    messages->requests = malloc(sizeof *messages->requests * count);
    for (size_t k = 0; messages->requests && k < count; k++)
        messages->requests[k] = MPI_REQUEST_NULL;
    return messages->requests != NULL;
}

void weir_control_messages_destroy(struct weir_control_messages *messages) {
    int sent;
    MPI_Testall(WEIR_CONTROL_KINDS * messages->size, messages->requests, &sent, MPI_STATUSES_IGNORE);
    if (sent)
        free(messages->requests);
}

static bool has_text(enum weir_control_message_kind kind) {
    return kind == WEIR_CONTROL_FAILED || kind == WEIR_CONTROL_END;
}

void weir_control_messages_post(struct weir_control_messages *messages, enum weir_control_message_kind kind,
                                int rank) {
    MPI_Request *request = &messages->requests[(int)kind * messages->size + rank];
    const size_t bytes =
        has_text(kind) ? sizeof(struct weir_control_message) : offsetof(struct weir_control_message, text);
    int sent;
    MPI_Test(request, &sent, MPI_STATUS_IGNORE); /* true where there is no request */
    if (sent)
        MPI_Isend(&messages->out[kind], (int)bytes, MPI_BYTE, rank, (int)kind, messages->comm, request);
}

void weir_control_messages_post_to_others(struct weir_control_messages *messages,
                                          enum weir_control_message_kind kind) {
    for (int rank = 0; rank < messages->size; rank++)
        if (rank != messages->rank)
            weir_control_messages_post(messages, kind, rank);
}

bool weir_control_messages_receive(struct weir_control_messages *messages, int *from,
                                   enum weir_control_message_kind *kind,
                                   struct weir_control_message *message) {
    MPI_Status status;
    int there;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, messages->comm, &there, &status);
    if (!there)
        return false;
    *from = status.MPI_SOURCE;
    *kind = (enum weir_control_message_kind)status.MPI_TAG;
    MPI_Recv(message, sizeof *message, MPI_BYTE, *from, status.MPI_TAG, messages->comm, MPI_STATUS_IGNORE);
    return true;
}

bool weir_control_messages_wait_sent(struct weir_control_messages *messages,
                                     enum weir_control_message_kind kind, double seconds) {
    const double start = weir_seconds();
    for (int sent;; usleep(1000)) {
        MPI_Testall(messages->size, &messages->requests[(int)kind * messages->size], &sent,
                    MPI_STATUSES_IGNORE);
        if (sent || weir_seconds() - start > seconds)
            return sent;
    }
}
