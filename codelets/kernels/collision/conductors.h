/* Cells of solids that conduct a scalar. To whatever moves populations they are fluid, so that the scalar's
 * pass their surface as they pass any cell's; of the flow's all that arrives turns round and leaves the way
 * it came (full-way bounce-back), one step later than at other walls: the surface is half-way between cells.
 * What rests in a cell says that it is of a conductor (variant.h). docs/numerics.md, Conducting solids. */
#ifndef WEIR_KERNELS_CONDUCTORS_H
#define WEIR_KERNELS_CONDUCTORS_H

#include "codelets/kernels/variant.h"

#if CONDUCTOR_VALUES

/* Replaces what collision made of the flow's populations in a conductor. arrived: before it. Chosen
 * population by population, so that cells of a vector may differ. */
FUNCTION void turn_round(const real arrived[FLOW_POPULATIONS], real f[POPULATIONS]) {
    const bool here = f[CONDUCTOR_INVERSE] > 0;
    f[0] = here ? arrived[0] : f[0];
#define PAIR(i, o, ...)              \
    f[i] = here ? arrived[o] : f[i]; \
    f[o] = here ? arrived[i] : f[o];
    FOR_FLOW_PAIRS(PAIR)
#undef PAIR
}

#endif

#endif
