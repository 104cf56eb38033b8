#include "graph/plan/rank_shares.h"

#include "graph/base/error.h"

#include <stdlib.h>

/* Joins the groups of ranks that may use one thing: group_of becomes the lowest rank of each group. */
static void join_groups(int ranks, int count, const bool *may, int *group_of) {
    for (int thing = 0; thing < count; thing++) {
        int first = -1;
        for (int rank = 0; rank < ranks; rank++) {
            if (!may[rank * count + thing])
                continue;
            if (first < 0) {
                first = rank;
                continue;
            }
            const int one = group_of[first], other = group_of[rank];
            for (int k = 0; k < ranks; k++)
                if (group_of[k] == one || group_of[k] == other)
                    group_of[k] = one < other ? one : other;
        }
    }
}

/* Whether any rank of a group may use a thing. */
static bool group_may(int ranks, int count, const bool *may, const int *group_of, int group, int thing) {
    bool may_use = false;
    for (int rank = 0; rank < ranks; rank++)
        may_use = may_use || (group_of[rank] == group && may[rank * count + thing]);
    return may_use;
}

static void divide_group(int ranks, int count, const bool *may, const int *group_of, int group, bool *gets) {
    int members = 0, things = 0, number = 0;
    for (int rank = 0; rank < ranks; rank++)
        members += group_of[rank] == group;
    for (int thing = 0; thing < count; thing++)
        things += group_may(ranks, count, may, group_of, group, thing);
    for (int thing = 0; thing < count; thing++) {
        if (!group_may(ranks, count, may, group_of, group, thing))
            continue;
        const int owner = (int)((long)number++ * members / things);
        int member = 0;
        for (int rank = 0; rank < ranks; rank++)
            if (group_of[rank] == group)
                gets[rank * count + thing] = member++ == owner;
    }
}

int weir_rank_shares(int ranks, int count, const bool *may, bool *gets) {
    int *group_of = malloc(sizeof *group_of * (size_t)ranks);
    if (!group_of)
        return weir_fail(WEIR_FAILED, "out of memory while dividing this host among %d ranks", ranks);
    for (int rank = 0; rank < ranks; rank++)
        group_of[rank] = rank;
    for (int k = 0; k < ranks * count; k++)
        gets[k] = false;
    join_groups(ranks, count, may, group_of);
    for (int group = 0; group < ranks; group++)
        if (group_of[group] == group)
            divide_group(ranks, count, may, group_of, group, gets);
    free(group_of);
    return 0;
}
