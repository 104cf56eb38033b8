/* Packs and unpacks halo messages on a CPU, row by row. Bits are moved as they are, so one function for each
 * size of a population serves all variants. */
#define WEIR_PRECISION single /* what is stored does not matter here */
#include "codelets/kernels/halo/halo_share.h"

#include <stdint.h>

#define HALOS(type)                                                                                        \
    static void pack_##type(const struct weir_halo_segment *segments, int begin, int end,                  \
                            const struct weir_face_messages *messages, void *halo) {                       \
        for (const struct weir_halo_segment *segment = segments + begin; segment < segments + end;         \
             segment++)                                                                                    \
            for (int row = 0; row < segment->rows; row++) {                                                \
                const type *restrict from =                                                                \
                    (const type *)messages->message[segment->message] + place_in_message(segment, row, 0); \
                type *restrict to = (type *)halo + place_in_halo(segment, row, 0);                         \
                for (int column = 0; column < segment->row_length; column++)                               \
                    to[column] = from[column];                                                             \
            }                                                                                              \
    }                                                                                                      \
    static void unpack_##type(const struct weir_halo_segment *segments, int begin, int end,                \
                              const struct weir_face_messages *messages, const void *halo) {               \
        for (const struct weir_halo_segment *segment = segments + begin; segment < segments + end;         \
             segment++)                                                                                    \
            for (int row = 0; row < segment->rows; row++) {                                                \
                const type *restrict from = (const type *)halo + place_in_halo(segment, row, 0);           \
                type *restrict to =                                                                        \
                    (type *)messages->message[segment->message] + place_in_message(segment, row, 0);       \
                for (int column = 0; column < segment->row_length; column++)                               \
                    to[column] = from[column];                                                             \
            }                                                                                              \
    }
HALOS(uint16_t)
HALOS(uint32_t)
HALOS(uint64_t)

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
