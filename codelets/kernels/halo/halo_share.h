/* Which populations of a segment one of several threads moves, and where they lie: one text for GPU threads
 * and for the test that takes their place; with the rule that CPUs, who go row by row, use too. */
#ifndef WEIR_KERNELS_HALO_SHARE_H
#define WEIR_KERNELS_HALO_SHARE_H

#include "codelets/kernels/halo.h"
#include "codelets/kernels/variant.h"

/* Where a population of a segment lies in its message. */
FUNCTION int64_t place_in_message(const struct weir_halo_segment *segment, int row, int column) {
    return segment->in_message + (int64_t)row * segment->row_stride + column;
}

/* And in the halo message. */
FUNCTION int64_t place_in_halo(const struct weir_halo_segment *segment, int row, int column) {
    return segment->in_halo + (int64_t)row * segment->row_length + column;
}

/* Neighbouring threads take neighbours in the halo message. */
FUNCTION void pack_share(const struct weir_halo_segment *segment, const struct weir_face_messages *messages,
                         stored *__restrict__ halo, int thread, int threads) {
    const stored *const __restrict__ message = (const stored *)messages->message[segment->message];
    const int count = segment->rows * segment->row_length;
    for (int k = thread; k < count; k += threads) {
        const int row = k / segment->row_length, column = k - row * segment->row_length;
        halo[place_in_halo(segment, row, column)] = message[place_in_message(segment, row, column)];
    }
}

FUNCTION void unpack_share(const struct weir_halo_segment *segment, const struct weir_face_messages *messages,
                           const stored *__restrict__ halo, int thread, int threads) {
    stored *const __restrict__ message = (stored *)messages->message[segment->message];
    const int count = segment->rows * segment->row_length;
    for (int k = thread; k < count; k += threads) {
        const int row = k / segment->row_length, column = k - row * segment->row_length;
        message[place_in_message(segment, row, column)] = halo[place_in_halo(segment, row, column)];
    }
}

#endif
