/* SHA-256 (FIPS 180-4), by which compiled kernels are named and checked. */
#ifndef WEIR_KERNELS_SHA256_H
#define WEIR_KERNELS_SHA256_H

#include <stddef.h>
#include <stdint.h>

struct weir_sha256 {
    uint32_t state[8];
    uint64_t bytes;
    unsigned char block[64];
};

enum { WEIR_SHA256_HEX_SIZE = 65 };

void weir_sha256_begin(struct weir_sha256 *s);
void weir_sha256_add(struct weir_sha256 *s, const void *data, size_t size);

/* A string with its end, so that what follows cannot be taken for a part of it. */
void weir_sha256_add_string(struct weir_sha256 *s, const char *text);

/* Ends it: the digest in hexadecimal. */
void weir_sha256_end(struct weir_sha256 *s, char hex[WEIR_SHA256_HEX_SIZE]);

#endif
