#include "graph/agreement.h"

#include "graph/error.h"

#include <stdio.h>

int weir_agreement_lowest(MPI_Comm ranks, int error, bool named, struct weir_notice *notice) {
    int rank, size, lowest;
    MPI_Comm_rank(ranks, &rank);
    MPI_Comm_size(ranks, &size);
    const int mine = error != 0 ? rank : size;
    MPI_Allreduce(&mine, &lowest, 1, MPI_INT, MPI_MIN, ranks);
    if (lowest == size)
        return -1;
    *notice = (struct weir_notice){.error = error, .named = named};
    if (lowest == rank)
        snprintf(notice->text, sizeof notice->text, "%s", weir_error_text());
    MPI_Bcast(notice, sizeof *notice, MPI_BYTE, lowest, ranks);
    return lowest;
}

int weir_agreement(MPI_Comm ranks, int error) {
    struct weir_notice notice;
    if (ranks == MPI_COMM_NULL)
        return error;
    if (weir_agreement_lowest(ranks, error, false, &notice) < 0)
        return 0;
    return weir_fail((enum weir_error_code) - notice.error, "%s", notice.text);
}
