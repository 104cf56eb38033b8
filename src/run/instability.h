/* Signs that a flow is about to diverge, while there is still something to be seen of it. */
#ifndef WEIR_SRC_RUN_INSTABILITY_H
#define WEIR_SRC_RUN_INSTABILITY_H

#include "graph/problem/totals.h"
#include "src/common/warnings.h"

#include <pthread.h>
#include <stdbool.h>

struct weir_instability {
    pthread_mutex_t lock; /* of all below */
    double before;        /* greatest speed at the check before; 0: there was none */
    struct weir_totals sign;
    bool found, told;
};

void weir_instability_init(struct weir_instability *instability);
void weir_instability_release(struct weir_instability *instability);

/* Looks at the totals of a step, in the order of steps, from any one thread. A sign is a greatest speed
 * beyond Mach 0.7, where the method's errors of order Mach^3 are as large as the flow, or one beyond Mach 0.5
 * that has grown by half since the totals before. */
void weir_instability_note(struct weir_instability *instability, const struct weir_totals *totals);

/* Warns of the first sign, once. Returns whether it did. */
bool weir_instability_tell(struct weir_instability *instability, struct weir_warnings *warnings);

#endif
