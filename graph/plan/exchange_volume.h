/* What a rank sends to others in a step, the mean of even and odd ones. */
#ifndef WEIR_GRAPH_PLAN_EXCHANGE_VOLUME_H
#define WEIR_GRAPH_PLAN_EXCHANGE_VOLUME_H

#include <stdint.h>

struct weir_exchange_volume {
    int neighbours; /* other ranks that it sends to */
    int halos;      /* messages between ranks, at least one to each of these */
    int64_t bytes;
};

#endif
