#include "graph/agreement.h"

#include "graph/error.h"

#include <stdio.h>

struct notice {
    int error;
    char text[2048];
};

int weir_agreement(MPI_Comm ranks, int error) {
    int rank, size, lowest;
    if (ranks == MPI_COMM_NULL)
        return error;
    MPI_Comm_rank(ranks, &rank);
    MPI_Comm_size(ranks, &size);
    const int mine = error != 0 ? rank : size;
    MPI_Allreduce(&mine, &lowest, 1, MPI_INT, MPI_MIN, ranks);
    if (lowest == size)
        return 0;
    struct notice notice = {.error = error};
    if (lowest == rank)
        snprintf(notice.text, sizeof notice.text, "%s", weir_error_text());
    MPI_Bcast(&notice, sizeof notice, MPI_BYTE, lowest, ranks);
    return weir_fail((enum weir_error_code) - notice.error, "%s", notice.text);
}
