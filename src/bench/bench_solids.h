/* Solids for benchmarks: spheres of one size at random places, of which many may overlap; the same ones every
 * time. In two dimensions they are discs. */
#ifndef WEIR_SRC_BENCH_BENCH_SOLIDS_H
#define WEIR_SRC_BENCH_BENCH_SOLIDS_H

#include "graph/problem/problem.h"

/* Puts spheres into an empty problem that make about this share of its cells solid, 0 <= share < 1; none for
 * 0. -WEIR_FAILED when memory is short. */
int weir_bench_solids_create(double share, struct weir_problem *problem);

/* Takes them out again. */
void weir_bench_solids_destroy(struct weir_problem *problem);

#endif
