/* A halo message: what blocks of one rank send to those of another in one step, cut out of the blocks'
 * messages and put into one buffer. A list of segments says what lies where; it is the same for
 * the rank that packs and for the one that unpacks. docs/streaming.md tells which populations travel. */
#ifndef WEIR_KERNELS_HALO_H
#define WEIR_KERNELS_HALO_H

#include <stddef.h>
#include <stdint.h>

enum {
    WEIR_HALO_FACE_MESSAGES_MAX = 48, /* messages that one halo message takes from, or gives to */
    WEIR_HALO_SEGMENT_MAX = 4096      /* populations of a segment: segments are what threads share out */
};

/* Rows of a message at equal distances, which follow each other without gaps in the halo message. Everything
 * is counted in populations. */
struct weir_halo_segment {
    int32_t message;    /* number of the message in the halo message's list */
    int32_t rows;       /* rows * row_length is at most WEIR_HALO_SEGMENT_MAX */
    int32_t row_length; /* populations of a row, side by side in the message */
    int32_t row_stride; /* from one row to the next in the message */
    int64_t in_message; /* where the first row begins there */
    int64_t in_halo;    /* where the segment begins in the halo message */
};

/* Addresses of a halo message's messages, in the order of its list. */
struct weir_face_messages {
    void *message[WEIR_HALO_FACE_MESSAGES_MAX];
};

/* Segments begin .. end - 1. Different segments may be done at the same time. Packing only reads the
 * messages; unpacking writes nothing of them but the segments' rows. */
typedef void weir_pack_cpu(const struct weir_halo_segment *segments, int begin, int end,
                           const struct weir_face_messages *messages, void *halo);
typedef void weir_unpack_cpu(const struct weir_halo_segment *segments, int begin, int end,
                             const struct weir_face_messages *messages, const void *halo);

/* The functions for populations of so many bytes: 2, 4 or 8. */
weir_pack_cpu *weir_pack_of_size(size_t size);
weir_unpack_cpu *weir_unpack_of_size(size_t size);

#endif
