/* Checksums of what is kept in files for long: XXH64 (Collet, xxHash specification 0.1.1), which finds any
 * single flipped bit. */
#ifndef WEIR_SRC_COMMON_CHECKSUM_H
#define WEIR_SRC_COMMON_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/* Of `size` bytes, with seed 0. */
uint64_t weir_checksum(const void *bytes, size_t size);

#endif
