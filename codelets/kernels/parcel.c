/* Packs and unpacks parcels on a CPU, row by row. Bits are moved as they are. */
#include "codelets/kernels/parcel_share.h"

weir_pack_cpu WEIR_NAME(pack);
weir_unpack_cpu WEIR_NAME(unpack);

void WEIR_NAME(pack)(const struct weir_parcel_piece *pieces, int begin, int end,
                     const struct weir_parcel_messages *messages, void *parcel) {
    for (const struct weir_parcel_piece *piece = pieces + begin; piece < pieces + end; piece++)
        for (int row = 0; row < piece->rows; row++) {
            const stored *restrict from =
                (const stored *)messages->message[piece->message] + place_in_message(piece, row, 0);
            stored *restrict to = (stored *)parcel + place_in_parcel(piece, row, 0);
            for (int column = 0; column < piece->row_length; column++)
                to[column] = from[column];
        }
}

void WEIR_NAME(unpack)(const struct weir_parcel_piece *pieces, int begin, int end,
                       const struct weir_parcel_messages *messages, const void *parcel) {
    for (const struct weir_parcel_piece *piece = pieces + begin; piece < pieces + end; piece++)
        for (int row = 0; row < piece->rows; row++) {
            const stored *restrict from = (const stored *)parcel + place_in_parcel(piece, row, 0);
            stored *restrict to =
                (stored *)messages->message[piece->message] + place_in_message(piece, row, 0);
            for (int column = 0; column < piece->row_length; column++)
                to[column] = from[column];
        }
}
