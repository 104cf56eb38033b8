/* What the arithmetic of a processor can do at most: multiply-adds in chains that do not wait for each other,
 * and nothing else. Compiled and found as the kernels are (demand/find.h). They compute nothing of use: every
 * real x becomes x - 1e-7 x, again and again, in one rounding where the processor has an instruction for it.
 */
#ifndef WEIR_KERNELS_MULTIPLY_ADDS_H
#define WEIR_KERNELS_MULTIPLY_ADDS_H

#include "codelets/kernels/streams.h"

/* On a CPU: by vectors as wide as the instruction set has. `values` is aligned to 64 bytes and has so many;
 * fewer are taken where registers are fewer. Returns the operations, two for each multiply-add. */
enum { WEIR_CHAINS_BYTES = 24 * 64 };
typedef double weir_multiply_adds_cpu(void *values, long rounds);

struct weir_arithmetic_kernels {
    weir_multiply_adds_cpu *multiply_adds[WEIR_STREAM_PRECISIONS];
};

#endif
