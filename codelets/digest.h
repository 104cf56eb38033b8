/* The part of one block in the digest of all populations. Done once, at the end of a run, by CPU workers. */
#ifndef WEIR_CODELETS_DIGEST_H
#define WEIR_CODELETS_DIGEST_H

#include "codelets/block.h"

struct weir_digest_argument {
    struct weir_block *block;
    int parity;
    _Atomic uint64_t *sum; /* [2], added to */
};

void weir_digest_define(struct weir_task_kind *kind, const struct weir_kernels *kernels);

/* Submits the task for the state before a step of this parity; sum[2] must stay until it has ended. */
int weir_digest_submit(struct weir_task_kind *kind, struct weir_block *block, int parity, _Atomic uint64_t sum[2]);

#endif
