/* Populations as they are kept in memory: `stored`, in blocks and messages alike. In variants of precision
 * half these are numbers in 16 bits. The arithmetic is in single precision then. */
#ifndef WEIR_KERNELS_STORAGE_H
#define WEIR_KERNELS_STORAGE_H

#define WEIR_STORED_IN_HALF_single 0
#define WEIR_STORED_IN_HALF_double 0
#define WEIR_STORED_IN_HALF_half 1
#define STORED_IN_HALF WEIR_JOIN(WEIR_STORED_IN_HALF_, WEIR_PRECISION)

#if STORED_IN_HALF

#include "codelets/kernels/cells/halves.h"

typedef uint16_t stored;

FUNCTION real real_of(stored s) {
    return real_of_half(s);
}

FUNCTION stored stored_of(real value) {
    return half_of_real(value);
}

#else /* stored as they are */

typedef real stored;

FUNCTION real real_of(stored s) {
    return s;
}

FUNCTION stored stored_of(real value) {
    return value;
}

#endif

/* What a population is after it has been stored. */
FUNCTION real as_stored(real value) {
    return real_of(stored_of(value));
}

#endif
