#include "src/common/compact_copies.h"

#include <stdint.h>

void weir_compact_copies(const int cells[3], int dimensions, int ranks, int times[3]) {
    times[0] = times[1] = times[2] = 1;
    int prime[32], primes = 0;
    for (int p = 2; ranks > 1; p++)
        for (; ranks % p == 0; ranks /= p)
            prime[primes++] = p;
    /* The largest first, each along the axis that is shortest so far; of equal ones the last. */
    for (int k = primes - 1; k >= 0; k--) {
        int shortest = dimensions - 1;
        for (int axis = dimensions - 2; axis >= 0; axis--)
            if ((int64_t)cells[axis] * times[axis] < (int64_t)cells[shortest] * times[shortest])
                shortest = axis;
        times[shortest] *= prime[k];
    }
}
