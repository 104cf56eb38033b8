/* A parcel: what blocks of one rank send to those of another in one step, cut out of the blocks' messages and
 * put into one piece of memory. A list of pieces says what lies where; it is the same for the rank that packs
 * and for the one that unpacks. docs/streaming.md tells which populations travel. */
#ifndef WEIR_KERNELS_PARCEL_H
#define WEIR_KERNELS_PARCEL_H

#include <stddef.h>
#include <stdint.h>

enum {
    WEIR_PARCEL_MESSAGES_MAX = 48, /* messages that one parcel takes from, or gives to */
    WEIR_PARCEL_PIECE_MAX = 4096   /* populations of a piece: pieces are what threads share out */
};

/* Rows of a message at equal distances, which follow each other without gaps in the parcel. Everything is
 * counted in populations. */
struct weir_parcel_piece {
    int32_t message;    /* number of the message in the parcel's list */
    int32_t rows;       /* rows * row_length is at most WEIR_PARCEL_PIECE_MAX */
    int32_t row_length; /* populations of a row, side by side in the message */
    int32_t row_stride; /* from one row to the next in the message */
    int64_t in_message; /* where the first row begins there */
    int64_t in_parcel;  /* where the piece begins in the parcel */
};

/* Addresses of a parcel's messages, in the order of its list. */
struct weir_parcel_messages {
    void *message[WEIR_PARCEL_MESSAGES_MAX];
};

/* Pieces begin .. end - 1. Different pieces may be done at the same time. Packing only reads the messages;
 * unpacking writes nothing of them but the pieces' rows. */
typedef void weir_pack_cpu(const struct weir_parcel_piece *pieces, int begin, int end,
                           const struct weir_parcel_messages *messages, void *parcel);
typedef void weir_unpack_cpu(const struct weir_parcel_piece *pieces, int begin, int end,
                             const struct weir_parcel_messages *messages, const void *parcel);

/* The functions for populations of so many bytes: 2, 4 or 8. */
weir_pack_cpu *weir_pack_of_size(size_t size);
weir_unpack_cpu *weir_unpack_of_size(size_t size);

#endif
