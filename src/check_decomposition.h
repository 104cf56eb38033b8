/* How weir check divides a domain: among ranks, none of which has to be there, or for this process alone. */
#ifndef WEIR_SRC_CHECK_DECOMPOSITION_H
#define WEIR_SRC_CHECK_DECOMPOSITION_H

#include "graph/plan/worker_groups.h"
#include "graph/problem/blocks.h"
#include "src/case/case.h"

struct weir_check_decomposition;

/* ranks: all equally fast; 0: this process, where a map counts if it is for this host. Cells count as a run
 * with these workers on each rank would have them: as measured here, where they are. Case and grid must
 * outlive the decomposition, which is the caller's (weir_check_decomposition_destroy). Errors: those of
 * decompositions and maps (-WEIR_USAGE), memory. */
int weir_check_divide(const struct weir_case *c, const struct weir_block_grid *grid, int ranks,
                      const struct weir_step_workers *workers,
                      struct weir_check_decomposition **decomposition);

/* NULL is allowed. */
void weir_check_decomposition_destroy(struct weir_check_decomposition *decomposition);

/* Whether the case's map is for other hosts than this one, which is asked about alone. */
bool weir_check_map_is_foreign(const struct weir_check_decomposition *decomposition);

/* Fewest and most blocks that have their first homes on a worker group of a rank, of all ranks, each of which
 * has these groups and share[groups->count] of its own. *mapped: whether the case's map names worker groups
 * for any of the blocks; *missing: whether some of these are not among `groups`, and then the numbers are not
 * known. -WEIR_FAILED when memory is short. */
int weir_check_homes(const struct weir_check_decomposition *decomposition,
                     const struct weir_worker_groups *groups, const double *share, int *least, int *most,
                     bool *mapped, bool *missing);

/* The blocks of the rank that has the most cells. Valid as long as the decomposition. */
struct weir_block_set weir_check_largest_rank(const struct weir_check_decomposition *decomposition);

/* Prints what each of several ranks has and sends. */
void weir_check_decomposition_print(const struct weir_check_decomposition *decomposition);

#endif
