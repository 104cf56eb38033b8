#include "graph/ranks/heartbeats.h"

static bool is_culprit(const struct weir_heartbeat *heartbeat, enum weir_rank_trouble trouble,
                       double heard_since, int64_t fewest) {
    return trouble == WEIR_RANKS_DEAD     ? heartbeat->dead
           : trouble == WEIR_RANKS_SILENT ? heartbeat->heard < heard_since
                                          : heartbeat->done == fewest;
}

enum weir_rank_trouble weir_heartbeats_judge(const struct weir_heartbeat *heartbeats, int ranks, double now,
                                             double timeout, bool *culprit) {
    bool dead = false, silent = false, stuck = timeout > 0;
    int64_t fewest = INT64_MAX;
    for (int rank = 0; rank < ranks; rank++) {
        dead = dead || heartbeats[rank].dead;
        silent = silent || (timeout > 0 && heartbeats[rank].heard < now - timeout);
        stuck = stuck && heartbeats[rank].idle > timeout;
        fewest = heartbeats[rank].done < fewest ? heartbeats[rank].done : fewest;
    }
    if (!dead && !silent && !stuck)
        return WEIR_RANKS_WELL;
    const enum weir_rank_trouble trouble = dead     ? WEIR_RANKS_DEAD
                                           : silent ? WEIR_RANKS_SILENT
                                                    : WEIR_RANKS_STUCK;
    for (int rank = 0; rank < ranks; rank++)
        culprit[rank] = is_culprit(&heartbeats[rank], trouble, now - timeout, fewest);
    return trouble;
}

void weir_heartbeats_excuse(struct weir_heartbeat *heartbeats, int ranks, double seconds) {
    for (int rank = 0; rank < ranks; rank++)
        heartbeats[rank].heard += seconds;
}

int64_t weir_heartbeats_stop(const struct weir_heartbeat *heartbeats, int ranks) {
    int64_t stop = 0;
    for (int rank = 0; rank < ranks; rank++) {
        if (heartbeats[rank].promised < 0)
            return -1;
        if (heartbeats[rank].promised > stop)
            stop = heartbeats[rank].promised;
    }
    return stop;
}
