/* The tasks at the border between ranks: pack, which fills a halo message from messages of blocks, and
 * unpack, which spreads a received halo message into the copies of messages of another rank's blocks. */
#ifndef WEIR_CODELETS_PACKING_H
#define WEIR_CODELETS_PACKING_H

#include "codelets/block.h"
#include "codelets/kernels/halo.h"

/* A halo message as tasks see it. Filled in by its owner, before the first task; stays until the last one of
 * it has ended. Handles may be registered by weir_register_bytes; they are not owned. */
struct weir_packing {
    const struct weir_block_context *context;
    const struct weir_kernels *kernels; /* that pack and unpack values of this size */
    int rank;                           /* the other one, for texts of errors */
    int message_count;                  /* at most WEIR_HALO_FACE_MESSAGES_MAX */
    int segment_count;                  /* at least 1 */
    int64_t bytes;                      /* of the halo message: key of the models */
    struct weir_home home;              /* block: -1, the tasks belong to none */
    starpu_data_handle_t segments;      /* struct weir_halo_segment[segment_count] */
    starpu_data_handle_t message[2][WEIR_HALO_FACE_MESSAGES_MAX]; /* [parity of the step that writes them] */
    starpu_data_handle_t halo[2];                                 /* the same */
};

void weir_pack_define(struct weir_task_kind *kind, const struct weir_kernels *kernels);
void weir_unpack_define(struct weir_task_kind *kind, const struct weir_kernels *kernels);

/* Submits the packing of what a step of this parity left in the messages: R segments and messages, W halo
 * message; and the unpacking of what one left in the halo message: R segments and halo message, W messages. A
 * message that is unpacked holds, but for what comes with the halo message, anything. Returns 0 or StarPU's
 * negative errno, as weir_task_submit. */
int weir_pack_submit(struct weir_task_kind *kind, struct weir_packing *packing, int parity);
int weir_unpack_submit(struct weir_task_kind *kind, struct weir_packing *packing, int parity);

#endif
