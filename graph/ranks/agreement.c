#include "graph/ranks/agreement.h"

#include "graph/base/error.h"
#include "graph/ranks/supervisor.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The error of one rank, as all know it. */
struct notice {
    int error;
    bool for_all;
    char host[64], text[2048];
};

void weir_agreeing_enter(const struct weir_agreeing *who) {
    if (who->inside)
        atomic_fetch_add(who->inside, 1);
}

void weir_agreeing_leave(const struct weir_agreeing *who) {
    if (who->inside)
        atomic_fetch_sub(who->inside, 1);
}

static int agree(MPI_Comm ranks, int error, bool for_all) {
    int rank, size, lowest;
    MPI_Comm_rank(ranks, &rank);
    MPI_Comm_size(ranks, &size);
    const int mine = error != 0 ? rank : size;
    MPI_Allreduce(&mine, &lowest, 1, MPI_INT, MPI_MIN, ranks);
    if (lowest == size)
        return 0;
    struct notice notice = {.error = error, .for_all = for_all};
    if (lowest == rank) {
        gethostname(notice.host, sizeof notice.host - 1);
        snprintf(notice.text, sizeof notice.text, "%s", weir_error_text());
    }
    MPI_Bcast(&notice, sizeof notice, MPI_BYTE, lowest, ranks);
    int same = error != 0 && strcmp(notice.text, weir_error_text()) == 0, all_same;
    MPI_Allreduce(&same, &all_same, 1, MPI_INT, MPI_LAND, ranks);
    const enum weir_error_code code = (enum weir_error_code) - notice.error;
    if (all_same || notice.for_all)
        return weir_fail(code, "%s", notice.text);
    return weir_fail(code, "rank %d on %s: %.1900s", lowest, notice.host, notice.text);
}

int weir_agreement(const struct weir_agreeing *who, int error, bool for_all) {
    if (who->ranks == MPI_COMM_NULL)
        return error;
    if (error != 0)
        weir_supervisor_expect_end(who->supervisor, error, for_all);
    weir_agreeing_enter(who);
    const int agreed = agree(who->ranks, error, for_all);
    weir_agreeing_leave(who);
    return agreed;
}
