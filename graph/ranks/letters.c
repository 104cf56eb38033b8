#include "graph/ranks/letters.h"

#include "graph/base/clock.h"

#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

bool weir_letters_create(MPI_Comm comm, struct weir_letters *letters) {
    *letters = (struct weir_letters){.comm = comm};
    MPI_Comm_rank(comm, &letters->rank);
    MPI_Comm_size(comm, &letters->size);
    const size_t count = WEIR_LETTER_KINDS * (size_t)letters->size;
    letters->requests = malloc(sizeof *letters->requests * count);
    for (size_t k = 0; letters->requests && k < count; k++)
        letters->requests[k] = MPI_REQUEST_NULL;
    return letters->requests != NULL;
}

void weir_letters_destroy(struct weir_letters *letters) {
    int sent;
    MPI_Testall(WEIR_LETTER_KINDS * letters->size, letters->requests, &sent, MPI_STATUSES_IGNORE);
    if (sent)
        free(letters->requests);
}

static bool has_text(enum weir_letter_kind kind) {
    return kind == WEIR_LETTER_FAILED || kind == WEIR_LETTER_END;
}

void weir_letters_post(struct weir_letters *letters, enum weir_letter_kind kind, int rank) {
    MPI_Request *request = &letters->requests[(int)kind * letters->size + rank];
    const size_t bytes = has_text(kind) ? sizeof(struct weir_letter) : offsetof(struct weir_letter, text);
    int sent;
    MPI_Test(request, &sent, MPI_STATUS_IGNORE); /* true where there is no request */
    if (sent)
        MPI_Isend(&letters->out[kind], (int)bytes, MPI_BYTE, rank, (int)kind, letters->comm, request);
}

void weir_letters_post_to_others(struct weir_letters *letters, enum weir_letter_kind kind) {
    for (int rank = 0; rank < letters->size; rank++)
        if (rank != letters->rank)
            weir_letters_post(letters, kind, rank);
}

bool weir_letters_receive(struct weir_letters *letters, int *from, enum weir_letter_kind *kind,
                          struct weir_letter *letter) {
    MPI_Status status;
    int there;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, letters->comm, &there, &status);
    if (!there)
        return false;
    *from = status.MPI_SOURCE;
    *kind = (enum weir_letter_kind)status.MPI_TAG;
    MPI_Recv(letter, sizeof *letter, MPI_BYTE, *from, status.MPI_TAG, letters->comm, MPI_STATUS_IGNORE);
    return true;
}

bool weir_letters_wait_sent(struct weir_letters *letters, enum weir_letter_kind kind, double seconds) {
    const double start = weir_seconds();
    for (int sent;; usleep(1000)) {
        MPI_Testall(letters->size, &letters->requests[(int)kind * letters->size], &sent, MPI_STATUSES_IGNORE);
        if (sent || weir_seconds() - start > seconds)
            return sent;
    }
}
