#include "src/common/checksum.h"

#include <string.h>

static const uint64_t PRIME_1 = 0x9e3779b185ebca87, PRIME_2 = 0xc2b2ae3d27d4eb4f,
                      PRIME_3 = 0x165667b19e3779f9, PRIME_4 = 0x85ebca77c2b2ae63,
                      PRIME_5 = 0x27d4eb2f165667c5;

static uint64_t rotated(uint64_t value, int bits) {
    return value << bits | value >> (64 - bits);
}

static uint64_t word_at(const uint8_t *bytes) {
    uint64_t word;
    memcpy(&word, bytes, sizeof word);
    return word;
}

static uint64_t add_word(uint64_t lane, uint64_t word) {
    return rotated(lane + word * PRIME_2, 31) * PRIME_1;
}

static uint64_t merge(uint64_t sum, uint64_t lane) {
    return (sum ^ add_word(0, lane)) * PRIME_1 + PRIME_4;
}

/* Pieces of 32 bytes: four lanes that do not wait for each other. */
static uint64_t add_pieces(const uint8_t **next, const uint8_t *end) {
    uint64_t lane[4] = {PRIME_1 + PRIME_2, PRIME_2, 0, 0 - PRIME_1};
    for (; end - *next >= 32; *next += 32)
        for (int k = 0; k < 4; k++)
            lane[k] = add_word(lane[k], word_at(*next + 8 * k));
    uint64_t sum = rotated(lane[0], 1) + rotated(lane[1], 7) + rotated(lane[2], 12) + rotated(lane[3], 18);
    for (int k = 0; k < 4; k++)
        sum = merge(sum, lane[k]);
    return sum;
}

uint64_t weir_checksum(const void *bytes, size_t size) {
    const uint8_t *next = bytes, *const end = next + size;
    uint64_t sum = (size >= 32 ? add_pieces(&next, end) : PRIME_5) + size;
    for (; end - next >= 8; next += 8)
        sum = rotated(sum ^ add_word(0, word_at(next)), 27) * PRIME_1 + PRIME_4;
    if (end - next >= 4) {
        uint32_t half;
        memcpy(&half, next, sizeof half);
        sum = rotated(sum ^ half * PRIME_1, 23) * PRIME_2 + PRIME_3;
        next += 4;
    }
    for (; next < end; next++)
        sum = rotated(sum ^ *next * PRIME_5, 11) * PRIME_1;
    sum = (sum ^ sum >> 33) * PRIME_2;
    sum = (sum ^ sum >> 29) * PRIME_3;
    return sum ^ sum >> 32;
}
