/* Density and velocity of a few small boxes of cells of one block, between two steps: what probes see.
 * Samples of many steps gather where the block lives, so that a step costs one short task and no transfer. */
#ifndef WEIR_CODELETS_SAMPLE_H
#define WEIR_CODELETS_SAMPLE_H

#include "codelets/block.h"

void weir_sample_define(struct weir_task_kind *kind, const struct weir_kernels *kernels);

/* Which boxes, and where a sample goes. */
struct weir_sample {
    starpu_data_handle_t boxes;  /* struct weir_local_box [count], of at most WEIR_SAMPLE_CELLS cells each */
    starpu_data_handle_t values; /* real [samples][count][slot], of which a box fills [4 or 5][its cells] */
    int count;
    size_t slot_bytes; /* of 4 or 5 times WEIR_SAMPLE_CELLS reals */
    int number;        /* of the sample; the one with number 0 makes `values` */
};

/* Submits the task for the state before a step of this parity; *sample is copied. */
int weir_sample_submit(struct weir_task_kind *kind, struct weir_block *block, int parity,
                       const struct weir_sample *sample);

#endif
