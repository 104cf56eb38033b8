#include "graph/ranks/rank_signs.h"

static bool is_culprit(const struct weir_rank_sign *sign, enum weir_rank_trouble trouble, double heard_since,
                       int64_t fewest) {
    return trouble == WEIR_RANKS_DEAD     ? sign->dead
           : trouble == WEIR_RANKS_SILENT ? sign->heard < heard_since
                                          : sign->done == fewest;
}

enum weir_rank_trouble weir_rank_signs_judge(const struct weir_rank_sign *signs, int ranks, double now,
                                             double timeout, bool *culprit) {
    bool dead = false, silent = false, stuck = timeout > 0;
    int64_t fewest = INT64_MAX;
    for (int rank = 0; rank < ranks; rank++) {
        dead = dead || signs[rank].dead;
        silent = silent || (timeout > 0 && signs[rank].heard < now - timeout);
        stuck = stuck && signs[rank].idle > timeout;
        fewest = signs[rank].done < fewest ? signs[rank].done : fewest;
    }
    if (!dead && !silent && !stuck)
        return WEIR_RANKS_WELL;
    const enum weir_rank_trouble trouble = dead     ? WEIR_RANKS_DEAD
                                           : silent ? WEIR_RANKS_SILENT
                                                    : WEIR_RANKS_STUCK;
    for (int rank = 0; rank < ranks; rank++)
        culprit[rank] = is_culprit(&signs[rank], trouble, now - timeout, fewest);
    return trouble;
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
