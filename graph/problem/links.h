/* Links of a block that have values of their own: how many there are, and the table of them that kernels read
 * (struct weir_links in block_view.h). */
#ifndef WEIR_GRAPH_PROBLEM_LINKS_H
#define WEIR_GRAPH_PROBLEM_LINKS_H

#include "codelets/kernels/cells/layout.h"
#include "graph/problem/box.h"
#include "graph/problem/geometry.h"
#include "graph/problem/problem.h"

/* Where a link meets a wall. */
struct weir_wall_link {
    double share;       /* of the link's length that lies before it: 1/2 but for interpolated walls */
    double velocity[3]; /* of the wall there, per step */
};

/* Of the link from a fluid cell of the domain along direction i of the problem's lattice, which meets `wall`;
 * near: shapes near a box that has the cell. */
void weir_wall_link(const struct weir_shapes *near, int wall, const int cell[3], int i,
                    struct weir_wall_link *link);

/* Whether some wall of the problem has such links. */
bool weir_problem_has_links(const struct weir_problem *problem);

/* Whether some links of the block may be such; may say yes where none is. */
bool weir_links_possible(const struct weir_problem *problem, const struct weir_box *block);

/* How many a block has: counted, in domains of some million cells; in larger ones estimated from the sizes of
 * the solids, for what is said of memory. The same wherever it is asked. */
struct weir_link_counts weir_links_estimate(const struct weir_problem *problem, const struct weir_box *block);

/* Counted. -WEIR_FAILED when memory is short. */
int weir_links_count(const struct weir_problem *problem, const struct weir_box *block,
                     struct weir_link_counts *counts);

/* Fills the table of a block, whose geometry has this layout and these flags, by that many threads.
 * -WEIR_FAILED when memory is short. */
int weir_links_fill(const struct weir_problem *problem, const struct weir_box *block,
                    const struct weir_block_layout *layout, int threads, void *geometry);

#endif
