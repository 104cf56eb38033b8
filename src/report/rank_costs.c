#include "src/report/rank_costs.h"

#include "graph/base/clock.h"
#include "graph/ranks/world.h"
#include "graph/runtime/scheduler.h"

#include <math.h>

void weir_loop_start(const struct weir_runtime *runtime, struct weir_loop_start *start) {
    start->seconds = weir_seconds();
    for (int group = 0; group < weir_runtime_worker_groups(runtime)->count; group++)
        start->busy[group] = weir_scheduler_load(group).busy;
}

void weir_rank_costs_here(const struct weir_runtime *runtime, const struct weir_simulation *simulation,
                          const struct weir_loop_start *start, struct weir_rank_costs *costs) {
    const struct weir_exchange_volume volume = weir_simulation_volume(simulation);
    const int groups = weir_runtime_worker_groups(runtime)->count;
    const double seconds = weir_seconds() - start->seconds;
    double sum = 0, longest = 0;
    for (int group = 0; group < groups; group++) {
        const double waiting = 1 - (weir_scheduler_load(group).busy - start->busy[group]) / seconds;
        sum += waiting;
        longest = fmax(longest, waiting);
    }
    const bool known = weir_runtime_policy(runtime) != WEIR_POLICY_STARPU;
    *costs = (struct weir_rank_costs){
        .bytes = volume.bytes,
        .messages = volume.halos,
        .largest_neighbours = volume.neighbours,
        .waiting = known ? sum / groups : NAN,
        .longest_waiting = known ? longest : NAN,
        .balance = weir_simulation_balance(simulation),
    };
}

/* As weir_simulation_balance, over the workers of all ranks. */
static double balance_of_all(const struct weir_runtime *runtime, const struct weir_simulation *simulation,
                             const struct weir_world *world) {
    double sum[4] = {0}, most[2] = {0}; /* sum: updates of CPU and GPU workers, and how many these are */
    for (int k = 0; k < weir_runtime_worker_count(runtime); k++) {
        const struct weir_worker *worker = weir_runtime_worker(runtime, k);
        const double updates = (double)weir_simulation_share(simulation, k).updates;
        if (!worker->steps)
            continue;
        sum[worker->cuda] += updates;
        sum[2 + worker->cuda] += 1;
        most[worker->cuda] = fmax(most[worker->cuda], updates);
    }
    weir_world_sum(world, sum, 4);
    weir_world_max(world, most, 2);
    double worst = 1;
    for (int kind = 0; kind < 2; kind++)
        if (most[kind] > 0)
            worst = fmin(worst, sum[kind] / sum[2 + kind] / most[kind]);
    return worst;
}

void weir_rank_costs_add_up(const struct weir_runtime *runtime, const struct weir_simulation *simulation,
                            struct weir_rank_costs *costs) {
    struct weir_world *world = weir_runtime_world(runtime);
    if (weir_world_size(world) == 1)
        return;
    const double groups = weir_runtime_worker_groups(runtime)->count;
    double sum[2] = {groups * costs->waiting, groups};
    int64_t sent[2] = {costs->bytes, costs->messages};
    int64_t neighbours = costs->largest_neighbours;
    weir_world_sum(world, sum, 2);
    weir_world_sum_counts(world, sent, 2);
    weir_world_max_counts(world, &neighbours, 1);
    weir_world_max(world, &costs->longest_waiting, 1);
    costs->largest_neighbours = (int)neighbours;
    costs->waiting = sum[0] / sum[1];
    costs->bytes = sent[0];
    costs->messages = sent[1];
    costs->balance = balance_of_all(runtime, simulation, world);
}
