/* Which populations of a piece one of several threads moves, and where they lie: one text for GPU threads and
 * for the test that takes their place; with the rule that CPUs, who go row by row, use too. */
#ifndef WEIR_KERNELS_PARCEL_SHARE_H
#define WEIR_KERNELS_PARCEL_SHARE_H

#include "codelets/kernels/parcel.h"
#include "codelets/kernels/variant.h"

/* Where a population of a piece lies in its message. */
FUNCTION int64_t place_in_message(const struct weir_parcel_piece *piece, int row, int column) {
    return piece->in_message + (int64_t)row * piece->row_stride + column;
}

/* And in the parcel. */
FUNCTION int64_t place_in_parcel(const struct weir_parcel_piece *piece, int row, int column) {
    return piece->in_parcel + (int64_t)row * piece->row_length + column;
}

/* Neighbouring threads take neighbours in the parcel. */
FUNCTION void pack_share(const struct weir_parcel_piece *piece, const struct weir_parcel_messages *messages,
                         stored *__restrict__ parcel, int thread, int threads) {
    const stored *const __restrict__ message = (const stored *)messages->message[piece->message];
    const int count = piece->rows * piece->row_length;
    for (int k = thread; k < count; k += threads) {
        const int row = k / piece->row_length, column = k - row * piece->row_length;
        parcel[place_in_parcel(piece, row, column)] = message[place_in_message(piece, row, column)];
    }
}

FUNCTION void unpack_share(const struct weir_parcel_piece *piece, const struct weir_parcel_messages *messages,
                           const stored *__restrict__ parcel, int thread, int threads) {
    stored *const __restrict__ message = (stored *)messages->message[piece->message];
    const int count = piece->rows * piece->row_length;
    for (int k = thread; k < count; k += threads) {
        const int row = k / piece->row_length, column = k - row * piece->row_length;
        message[place_in_message(piece, row, column)] = parcel[place_in_parcel(piece, row, column)];
    }
}

#endif
