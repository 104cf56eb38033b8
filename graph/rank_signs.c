#include "graph/rank_signs.h"

#include <math.h>

enum weir_rank_trouble weir_rank_signs_judge(const struct weir_rank_sign *signs, int ranks, double now,
                                             double timeout, bool *culprit) {
    bool silent = false, stuck = true;
    int64_t fewest = INT64_MAX;
    if (timeout <= 0)
        return WEIR_RANKS_WELL;
    for (int rank = 0; rank < ranks; rank++) {
        silent = silent || now - signs[rank].heard > timeout;
        stuck = stuck && isfinite(signs[rank].heard) && signs[rank].idle > timeout;
        fewest = signs[rank].done < fewest ? signs[rank].done : fewest;
    }
    if (!silent && !stuck)
        return WEIR_RANKS_WELL;
    for (int rank = 0; rank < ranks; rank++)
        culprit[rank] = silent ? now - signs[rank].heard > timeout : signs[rank].done == fewest;
    return silent ? WEIR_RANKS_SILENT : WEIR_RANKS_STUCK;
}

void weir_rank_signs_excuse(struct weir_rank_sign *signs, int ranks, double seconds) {
    for (int rank = 0; rank < ranks; rank++)
        signs[rank].heard += seconds;
}

int64_t weir_rank_signs_stop(const struct weir_rank_sign *signs, int ranks) {
    int64_t stop = 0;
    for (int rank = 0; rank < ranks; rank++) {
        if (signs[rank].promised < 0)
            return -1;
        if (signs[rank].promised > stop)
            stop = signs[rank].promised;
    }
    return stop;
}
