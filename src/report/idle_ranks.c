#include "src/report/idle_ranks.h"

#include <stdio.h>

/* The first of them, by number: "rank 1", "ranks 1 and 3", "ranks 1, 3, 4, 5 and 12 more". */
static void name_them(const int *blocks, int ranks, int idle, char *text, size_t size) {
    enum { NAMED_MOST = 4 };
    size_t used = (size_t)snprintf(text, size, "rank%s", idle > 1 ? "s" : "");
    int named = 0;
    for (int rank = 0; rank < ranks && named < NAMED_MOST; rank++)
        if (blocks[rank] == 0) {
            const char *joint = named == 0 ? "" : named + 1 == idle ? " and" : ",";
            used += (size_t)snprintf(text + used, size - used, "%s %d", joint, rank);
            named++;
        }
    if (named < idle)
        snprintf(text + used, size - used, " and %d more", idle - named);
}

int weir_idle_ranks(const int *blocks, int ranks, char text[WEIR_IDLE_RANKS_TEXT]) {
    char names[128];
    int idle = 0, all = 0;
    for (int rank = 0; rank < ranks; rank++) {
        idle += blocks[rank] == 0;
        all += blocks[rank];
    }
    text[0] = '\0';
    if (idle == 0)
        return 0;
    name_them(blocks, ranks, idle, names, sizeof names);
    snprintf(text, WEIR_IDLE_RANKS_TEXT,
             "%s of %d %s none of the %d block%s, because %s, and only %s part in outputs and sums; choose "
             "smaller blocks with blocks.cells, or start fewer ranks",
             names, ranks, idle > 1 ? "get" : "gets", all, all > 1 ? "s" : "",
             all < ranks ? "there are more ranks than blocks"
             : idle > 1  ? "they are too slow for one beside the others"
                         : "it is too slow for one beside the others",
             idle > 1 ? "take" : "takes");
    return idle;
}
