#include "src/run/traced_run.h"

#include "graph/base/clock.h"
#include "graph/base/error.h"
#include "graph/record.h"
#include "graph/runtime/tracing.h"
#include "src/machine/machine_store.h"

#include <math.h>
#include <stdio.h>

struct weir_traced_run weir_traced_run_of(int64_t from, int64_t steps, struct weir_world *world) {
    return (struct weir_traced_run){.from = from,
                                    .steps = steps,
                                    .world = world,
                                    .seconds = NAN,
                                    .before = NAN,
                                    .after = NAN,
                                    .limit_gbs = NAN};
}

/* The workers and blocks that the trace's numbers stand for. */
static int describe(struct weir_traced_run *traced, const struct weir_runtime *runtime,
                    struct weir_simulation *simulation) {
    struct weir_record *record = NULL;
    WEIR_TRY(weir_record_create(runtime, weir_simulation_domain(simulation), &record));
    const int error = weir_record_collect(record, &traced->record);
    weir_record_destroy(record);
    traced->recorded = error == 0;
    traced->shared_core = weir_world_size(traced->world) > 1 && weir_runtime_message_core(runtime) < 0;
    snprintf(traced->policy, sizeof traced->policy, "%s", weir_runtime_policy_name(runtime));
    return error;
}

/* What is kept of this machine for such blocks. */
static int look_up(struct weir_traced_run *traced, const struct weir_runtime *runtime,
                   struct weir_simulation *simulation) {
    const struct weir_machine_key key = {weir_simulation_domain(simulation)->problem,
                                         weir_simulation_grid(simulation)->block_cells,
                                         weir_runtime_step_workers(runtime)};
    struct weir_machine_trust trust;
    char note[WEIR_MACHINE_NOTE];
    bool found;
    WEIR_TRY(weir_machine_store_read(&key, &traced->machine, &trust, &found, note));
    traced->measured =
        found && !weir_machine_trust_is_lost(&trust) && !weir_tune_is_disturbed(&trust.quality);
    return 0;
}

int weir_traced_run_step(struct weir_traced_run *traced, const struct weir_runtime *runtime,
                         struct weir_simulation *simulation) {
    const int64_t step = weir_simulation_submitted(simulation), from = traced->from, length = traced->steps;
    if (step != from - length && step != from && step != from + length && step != from + 2 * length)
        return 0;
    WEIR_TRY(weir_simulation_wait(simulation));
    const double now = weir_seconds();
    if (step == from && from >= length)
        traced->before = now - traced->mark;
    if (step == from + 2 * length)
        traced->after = now - traced->mark;
    if (step == from) {
        weir_core_use_read(&traced->begin);
        WEIR_TRY(weir_tracing_begin(step, traced->world));
    }
    if (step == from + length) {
        struct weir_core_use end;
        traced->seconds = now - traced->mark;
        weir_tracing_end(&traced->expectations, &traced->expectation_count);
        weir_core_use_read(&end);
        traced->cores = weir_core_use_between(&traced->begin, &end);
        WEIR_TRY(describe(traced, runtime, simulation));
        WEIR_TRY(look_up(traced, runtime, simulation));
    }
    traced->mark = weir_seconds();
    return 0;
}
