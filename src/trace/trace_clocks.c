#include "src/trace/trace_clocks.h"

#include "graph/base/error.h"
#include "src/common/statistics.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

struct clocks {
    const struct weir_traced_transfer *transfers;
    int64_t count;
    double *seconds; /* [count]: room */
};

/* From one rank to another; NAN where nothing was sent. */
static int travel_time(const struct clocks *clocks, int from, int to, double *median) {
    struct weir_spread spread;
    int count = 0;
    for (int64_t k = 0; k < clocks->count; k++)
        if (clocks->transfers[k].from_rank == from && clocks->transfers[k].to_rank == to)
            clocks->seconds[count++] = clocks->transfers[k].end - clocks->transfers[k].start;
    const int error = weir_spread_of(clocks->seconds, count, &spread);
    *median = spread.median;
    return error;
}

/* Sets the clock of `to` by that of `from`, where messages went both ways. */
static int compare(const struct clocks *clocks, int from, int to, double *ahead, bool *known) {
    double there, back;
    WEIR_TRY(travel_time(clocks, from, to, &there));
    WEIR_TRY(travel_time(clocks, to, from, &back));
    if (!isfinite(there) || !isfinite(back))
        return 0;
    ahead[to] = ahead[from] + 0.5 * (there - back);
    known[to] = true;
    return 0;
}

static int compare_all(const struct clocks *clocks, int ranks, double *ahead, int *queue, bool *known) {
    int taken = 0, queued = 0;
    for (int rank = 0; rank < ranks; rank++)
        ahead[rank] = 0;
    known[0] = true;
    queue[queued++] = 0;
    while (taken < queued) {
        const int from = queue[taken++];
        for (int to = 0; to < ranks; to++) {
            if (known[to])
                continue;
            WEIR_TRY(compare(clocks, from, to, ahead, known));
            if (known[to])
                queue[queued++] = to;
        }
    }
    return 0;
}

int weir_trace_clocks(const struct weir_traced_transfer *transfers, int64_t count, int ranks, double *ahead) {
    struct clocks clocks = {transfers, count, malloc(sizeof *clocks.seconds * (size_t)(count + 1))};
    int *queue = malloc(sizeof *queue * (size_t)ranks);
    bool *known = calloc((size_t)ranks, sizeof *known);
    const int error = clocks.seconds && queue && known
                          ? compare_all(&clocks, ranks, ahead, queue, known)
                          : weir_fail(WEIR_FAILED, "out of memory for the clocks of %d ranks", ranks);
    free(clocks.seconds);
    free(queue);
    free(known);
    return error;
}
