/* Blocks with all that belongs to them moved from rank to rank: what they keep, and the messages of the last
 * step. */
#ifndef WEIR_GRAPH_MIGRATION_H
#define WEIR_GRAPH_MIGRATION_H

#include <stdbool.h>
#include <stdint.h>

struct weir_domain;
struct weir_world;

/* Bytes that go along when a block moves. */
double weir_migration_bytes(const struct weir_domain *domain, int number);

/* Blocks that change their rank when they are divided as rank_of[grid.total] says. */
int weir_migration_moves(const struct weir_domain *domain, const int *rank_of);

/* Whether the memory of a rank holds what is to come. */
struct weir_migration_room {
    int64_t wanted, there; /* bytes, of main memory or of the GPUs' */
    bool on_gpu;
    int rank;
};

/* Divides the domain's blocks among ranks as rank_of[grid.total] says, the same on all ranks, and moves them;
 Collective; no task may be under way on any rank. parity: of the last step.
 * room: bytes that may come to this rank; -1: what is free there. Where a rank has less room than it needs,
 * nothing changes, *moved is false, and *lacking is about the lowest such rank, on all ranks alike. What knew
 * the domain's blocks has to look at them anew. -WEIR_FAILED, agreed. */
int weir_migration_make(struct weir_world *world, struct weir_domain *domain, const int *rank_of, int parity,
                        int64_t room, bool *moved, struct weir_migration_room *lacking);

#endif
