/* Numbers of cells and rows into coordinates, on GPUs, where division is slow. */
#ifndef WEIR_KERNELS_DIVIDER_CUH
#define WEIR_KERNELS_DIVIDER_CUH

#include <stdint.h>

/* Division by a constant that the host knows: floor(n / divisor) for 0 <= n < 2^31 (Granlund, Montgomery,
 * PLDI 1994, figure 4.1). */
struct divider {
    uint32_t factor;
    int shift; /* -1: the divisor is 1 */
};

static inline divider divider_of(int divisor) {
    int log = 0;
    while (((int64_t)1 << log) < divisor)
        log++;
    if (log == 0)
        return divider{0, -1};
    return divider{(uint32_t)((((uint64_t)1 << (31 + log)) + (uint64_t)divisor - 1) / (uint64_t)divisor),
                   log - 1};
}

static __device__ __forceinline__ int divided(int n, divider d) {
    return d.shift < 0 ? n : (int)(__umulhi((uint32_t)n, d.factor) >> d.shift);
}

#endif
