/* Packs and unpacks parcels on a CPU, row by row. Bits are moved as they are, so one function for each size
 * of a population serves all variants. */
#define WEIR_PRECISION single /* what is stored does not matter here */
#include "codelets/kernels/parcel_share.h"

#include <stdint.h>

#define PARCELS(type)                                                                                  \
    static void pack_##type(const struct weir_parcel_piece *pieces, int begin, int end,                \
                            const struct weir_parcel_messages *messages, void *parcel) {               \
        for (const struct weir_parcel_piece *piece = pieces + begin; piece < pieces + end; piece++)    \
            for (int row = 0; row < piece->rows; row++) {                                              \
                const type *restrict from =                                                            \
                    (const type *)messages->message[piece->message] + place_in_message(piece, row, 0); \
                type *restrict to = (type *)parcel + place_in_parcel(piece, row, 0);                   \
                for (int column = 0; column < piece->row_length; column++)                             \
                    to[column] = from[column];                                                         \
            }                                                                                          \
    }                                                                                                  \
    static void unpack_##type(const struct weir_parcel_piece *pieces, int begin, int end,              \
                              const struct weir_parcel_messages *messages, const void *parcel) {       \
        for (const struct weir_parcel_piece *piece = pieces + begin; piece < pieces + end; piece++)    \
            for (int row = 0; row < piece->rows; row++) {                                              \
                const type *restrict from = (const type *)parcel + place_in_parcel(piece, row, 0);     \
                type *restrict to =                                                                    \
                    (type *)messages->message[piece->message] + place_in_message(piece, row, 0);       \
                for (int column = 0; column < piece->row_length; column++)                             \
                    to[column] = from[column];                                                         \
            }                                                                                          \
    }
PARCELS(uint16_t)
PARCELS(uint32_t)
PARCELS(uint64_t)

weir_pack_cpu *weir_pack_of_size(size_t size) {
    return size == sizeof(uint16_t)   ? pack_uint16_t
           : size == sizeof(uint32_t) ? pack_uint32_t
                                      : pack_uint64_t;
}

weir_unpack_cpu *weir_unpack_of_size(size_t size) {
    return size == sizeof(uint16_t)   ? unpack_uint16_t
           : size == sizeof(uint32_t) ? unpack_uint32_t
                                      : unpack_uint64_t;
}
