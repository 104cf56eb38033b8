#include "src/bench/bench_rounds.h"

#include "graph/base/clock.h"
#include "graph/base/error.h"

int weir_rounds_run(const struct weir_rounds *rounds, struct weir_contestant *const *contestants, int count) {
    double warm_up;
    for (int k = 0; k < count; k++)
        WEIR_TRY(contestants[k]->sample(contestants[k]->context, &warm_up));
    const double end = weir_seconds() + rounds->seconds;
    int round = 0;
    while (round < WEIR_ROUNDS_MAX && (round < rounds->least || weir_seconds() < end)) {
        for (int k = 0; k < count; k++)
            WEIR_TRY(contestants[k]->sample(contestants[k]->context, &contestants[k]->values[round]));
        round++;
    }
    return round;
}
