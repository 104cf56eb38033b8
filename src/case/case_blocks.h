/* How a case will be cut into blocks, found without starting StarPU. */
#ifndef WEIR_SRC_CASE_CASE_BLOCKS_H
#define WEIR_SRC_CASE_CASE_BLOCKS_H

#include "graph/problem/blocks.h"
#include "src/case/case.h"

/* The case's blocks, or those that weir run would choose on this machine; movable: where there are several
 * workers, several blocks for each, whatever the case's policy. Errors: block size (-WEIR_USAGE); nothing
 * here can run it (-WEIR_UNAVAILABLE). */
int weir_case_blocks(const struct weir_case *c, bool movable, struct weir_block_grid *grid);

#endif
