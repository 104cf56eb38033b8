/* Brings what is seen of cells to the patches of a surface that need it, on whatever rank these are: a rank
 * sees the cells of its own blocks, which may move, while patches stay where they were made. */
#ifndef WEIR_SRC_OUTPUT_SURFACE_EXCHANGE_H
#define WEIR_SRC_OUTPUT_SURFACE_EXCHANGE_H

#include "graph/problem/problem.h"
#include "graph/ranks/agreement.h"
#include "src/surface/wall_surface.h"

struct weir_surface_exchange;

/* Collective: every rank learns which cells all need, as one bit of each cell in boxes where there are some.
 * All must outlive the result, which is the caller's. -WEIR_FAILED when memory is short, on all ranks
 * alike. */
int weir_surface_exchange_create(const struct weir_problem *problem, const struct weir_wall_surface *surface,
                                 const struct weir_agreeing *who, struct weir_surface_exchange **result);

/* NULL is allowed. */
void weir_surface_exchange_destroy(struct weir_surface_exchange *exchange);

/* Forgets what was seen. */
void weir_surface_exchange_begin(struct weir_surface_exchange *exchange);

/* Takes, of a box of cells of this rank, those that any rank needs. look: what is seen of a cell.
 * -WEIR_FAILED when memory is short. */
int weir_surface_exchange_put(struct weir_surface_exchange *exchange, const struct weir_box *box,
                              void (*look)(void *context, const int cell[3], struct weir_surface_cell *seen),
                              void *context);

/* Collective: sends each rank what it needs. -WEIR_FAILED when memory is short, on all ranks alike. */
int weir_surface_exchange_finish(struct weir_surface_exchange *exchange);

/* What is seen of the cells of a patch; 0 where nobody put any. */
const struct weir_surface_cell *weir_surface_exchange_seen(const struct weir_surface_exchange *exchange,
                                                           int patch);

#endif
