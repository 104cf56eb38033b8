/* The form of a block: which cells of the domain it has, and how it keeps them. What a block's arrays take
 * follows from it (model.h). */
#ifndef WEIR_GRAPH_PROBLEM_FORMS_H
#define WEIR_GRAPH_PROBLEM_FORMS_H

#include "codelets/kernels/cells/cell_kinds.h"
#include "codelets/kernels/cells/layout.h"
#include "graph/problem/box.h"
#include "graph/problem/problem.h"

struct weir_block_form {
    struct weir_box box;
    struct weir_kept_cells kept;
    struct weir_link_counts links; /* that have values of their own */
};

/* A block that keeps all of its cells, and has no links with values of their own. */
static inline struct weir_block_form weir_brick_form(const struct weir_box *box) {
    return (struct weir_block_form){*box, weir_kept_cells(WEIR_BRICK, weir_box_cells(box), 0), {0, 0}};
}

/* Whether blocks may be of a kind, by the problem's rule; bricks always may. */
static inline bool weir_cells_possible(const struct weir_problem *problem, enum weir_cell_kind kind) {
    return kind == WEIR_BRICK || problem->list_up_to > 0;
}

/* The list_up_to with which the problem is computed fastest, where nobody has said one: 0.9, in half
 * precision 0.5, where at most that share of the whole domain is fluid, and lists have steps of their own;
 * else 0, so that domains with few solids do with kernels of one kind. In two dimensions lists are faster on
 * GPUs only: gpus says whether there may be some. */
double weir_fastest_list_up_to(const struct weir_problem *problem, bool gpus);

/* The kind that the problem's rule gives a block with so many fluid cells. */
enum weir_cell_kind weir_block_kind(const struct weir_problem *problem, const struct weir_box *box,
                                    double fluid);

/* The form that the problem's rule (list_up_to) gives a block: the same wherever it is asked. How many cells
 * are fluid is estimated in large domains (fluid_estimate.h). */
struct weir_block_form weir_block_form(const struct weir_problem *problem, const struct weir_box *box);

/* The same with its cells counted. -WEIR_FAILED when memory is short. */
int weir_block_form_count(const struct weir_problem *problem, const struct weir_box *box,
                          struct weir_block_form *form);

#endif
