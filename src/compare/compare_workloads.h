/* The workloads that weir compare sets policies: a case as it is, cases whose blocks differ, and a
 * machine that is disturbed. */
#ifndef WEIR_SRC_COMPARE_COMPARE_WORKLOADS_H
#define WEIR_SRC_COMPARE_COMPARE_WORKLOADS_H

#include "graph/problem/blocks.h"
#include "src/case/case.h"

enum weir_workload {
    WEIR_UNIFORM,
    WEIR_SKEWED,
    WEIR_DISTURBED,
    WEIR_VESSELS,
    WEIR_DAM_BREAK,
    WEIR_WORKLOAD_COUNT
};
extern const char *const weir_workload_names[]; /* closed by NULL */

/* Part of a filled block that is solid at least. */
#define WEIR_SKEWED_SOLID 0.8

/* The plates of the workload skewed, in cells: for each row of blocks along x one box, such that of the first
 * half of the blocks (in their order; the smaller half of an odd number) at least WEIR_SKEWED_SOLID of the
 * cells are solid. Each plate begins at the low end of its blocks along y (z or x where blocks are too thin
 * along y) and leaves a channel at the high end. *boxes is the caller's; returns how many, or -WEIR_FAILED
 * when memory is short. */
int weir_workload_plates(const struct weir_block_grid *grid, struct weir_box **boxes);

/* Writes the case of a workload: cut as `grid` says, without outputs, checks on the way and tests for a
 * steady flow, with plates
 * where the workload is skewed, a tree of vessels in place of all solids where it is vessels, and a column of
 * liquid with a free surface in place of all but cells and arithmetic where it is dam_break. Errors:
 * -WEIR_FAILED; -WEIR_USAGE where no vessels fit (vessel_workload.h). */
int weir_workload_write(const struct weir_case *c, enum weir_workload workload,
                        const struct weir_block_grid *grid, const char *path);

#endif
