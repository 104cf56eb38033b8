/* A domain that has no room where it is computed, most of all on a GPU, is computed slab by slab: a slab is
 * all blocks of one place along one axis (where that axis is periodic, of the places k and n - 1 - k, so that
 * slabs follow each other in a line all the same), and so many slabs that follow each other have places there
 * at a time. A slab takes many steps while it is there: in wave w slab w takes its first step, slab w - 1 its
 * second one, and so on. So each finds its neighbours one step behind or ahead of it, nothing is computed
 * twice, and what is moved is hidden behind what is computed (time skewing: Wonnacott 2000, "Using time
 * skewing to eliminate idle time due to memory bandwidth and network limitations"). Pure arithmetic; who does
 * it is graph/slabs.h. */
#ifndef WEIR_GRAPH_PLAN_SLAB_PLAN_H
#define WEIR_GRAPH_PLAN_SLAB_PLAN_H

#include "graph/problem/blocks.h"

struct weir_slab_plan {
    int axis;   /* along which slabs follow each other */
    int count;  /* slabs of the domain */
    int places; /* slabs that have room at a time; slab s has place s % places */
    /* Of these, slabs that are there beside those that take steps: of the ones behind, one that waits for its
     * last reader and some that are put back; and ones ahead that come in. Several waves are under way at a
     * time, as a step of a wave waits for the one before it. */
    int beside;
    int steps; /* that a slab takes at most while it is there */
};

/* Axis along which slabs of this grid follow each other: the last one with more than one block, else the last
 * one with more than one cell. */
int weir_slab_axis(const struct weir_block_grid *grid);

/* Slabs of a grid, and the one that a block belongs to. */
int weir_slab_count(const struct weir_block_grid *grid);
int weir_slab_of(const struct weir_block_grid *grid, int block);

/* What can be done with `memory` bytes. slab_bytes: of the largest slab; stages: of a step. -WEIR_USAGE where
 * not even one step can: blocks must be thinner along the axis. */
int weir_slab_plan_make(const struct weir_block_grid *grid, double slab_bytes, double memory, int stages,
                        struct weir_slab_plan *plan);

/* Waves in which all slabs take so many stages, each after the one before it, where their neighbours are. */
static inline int weir_slab_waves(const struct weir_slab_plan *plan, int stages) {
    return plan->count + stages - 1;
}

/* Speed as a share of what it would be if all had room. step_seconds: of a step of a slab while all it needs
 * is there; undivided_seconds: the same in one large block; move_seconds: to bring a slab in, or to take it
 * away, both at once. Sweeps turn at the ends, so that what is there needs not go and come again. */
double weir_slab_plan_efficiency(const struct weir_slab_plan *plan, double step_seconds,
                                 double undivided_seconds, double move_seconds);

#endif
