/* A value of every rank made one that all have, without a collective call: up a binary tree of ranks, each
 * adding what it has, and down again. Submitted like tasks; nothing waits. */
#ifndef WEIR_GRAPH_RANK_TREE_H
#define WEIR_GRAPH_RANK_TREE_H

#include "codelets/task_kind.h"
#include "graph/domain.h"

struct weir_world;

/* Values that ranks combine, by number: messages of two never meet. */
enum weir_rank_value_number {
    WEIR_RANKS_TOTALS,
    WEIR_RANKS_CHANGE,
    WEIR_RANKS_SPEEDS,
    WEIR_RANKS_PACE,
    WEIR_RANKS_GAS
};

/* A value, with room for what comes up from below. */
struct weir_rank_value {
    starpu_data_handle_t value;    /* of this rank, then of all */
    starpu_data_handle_t below[2]; /* registered where there is a rank below, else NULL */
};

/* Registers room for values of `bytes` bytes; `value` is the caller's. In a world of one, does nothing. */
void weir_rank_value_create(const struct weir_world *world, starpu_data_handle_t value, size_t bytes,
                            struct weir_rank_value *result);
void weir_rank_value_destroy(struct weir_rank_value *value);

/* Submits what makes the value that of all ranks; all ranks must, in the same order. add: task without
 * argument that adds its second and following buffers (R) to the first (RW). */
int weir_rank_value_combine(const struct weir_world *world, struct weir_rank_value *value,
                            struct weir_task_kind *add, enum weir_rank_value_number number);

#endif
