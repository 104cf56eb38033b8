#include "codelets/task_names.h"
#include "graph/base/error.h"
#include "graph/simulation_state.h"

/* A sweep over the slabs of a domain. */
struct sweep {
    struct weir_simulation *simulation;
    const struct weir_slab_plan *plan;
    bool back;  /* from the last slab to the first one */
    int stages; /* of all of its steps */
};

/* The slab that is so far from where the sweep begins. */
static int slab_at(const struct sweep *sweep, int place) {
    return sweep->back ? sweep->plan->count - 1 - place : place;
}

/* Totals that are wanted of the state before a step of the sweep; NULL: none are. */
static const struct weir_slab_totals *totals_before(const struct weir_simulation *simulation, int64_t step) {
    const struct weir_slab_totals *next = &simulation->next_totals, *between = &simulation->totals_between;
    if (step == simulation->submitted)
        return next->wanted ? next : NULL;
    return between->every > 0 && step % between->every == 0 ? between : NULL;
}

static int submit_totals(struct weir_simulation *simulation, int slab, int64_t step) {
    const int *blocks;
    const int count = weir_slabs_blocks(simulation->slabs, slab, &blocks);
    for (int k = 0; k < count; k++)
        WEIR_TRY(weir_reduction_totals_of_block(simulation->reduction, step, blocks[k]));
    return 0;
}

/* Once those of all slabs have been submitted. */
static int combine_totals(struct weir_simulation *simulation, int64_t step) {
    const struct weir_slab_totals totals = *totals_before(simulation, step);
    if (step == simulation->submitted)
        simulation->next_totals.wanted = false;
    return weir_reduction_combine_totals(simulation->reduction, step, totals.function, totals.context);
}

/* One stage of one step of all blocks of a slab. */
static int take_stage(const struct sweep *sweep, int slab, int stage) {
    struct weir_simulation *simulation = sweep->simulation;
    const struct weir_model *model = &simulation->domain->model;
    const int64_t step = simulation->submitted + stage / model->stage_count;
    const int number = stage % model->stage_count, parity = (int)(step % 2), *blocks;
    const int count = weir_slabs_blocks(simulation->slabs, slab, &blocks);
    weir_task_names_step(step);
    if (number == 0 && totals_before(simulation, step))
        WEIR_TRY(submit_totals(simulation, slab, step));
    for (int k = 0; k < count; k++) {
        if (weir_stage_is_taken(&model->stage[number], parity))
            WEIR_TRY(weir_simulation_submit_stage(simulation, number, blocks[k], 1, parity, false));
        if (number == model->stage_count - 1)
            WEIR_TRY(weir_boundary_values_of_block(&simulation->tasks->boundary_values, simulation->domain,
                                                   blocks[k], step + 2));
    }
    if (number == 0 && slab == slab_at(sweep, sweep->plan->count - 1) && totals_before(simulation, step))
        WEIR_TRY(combine_totals(simulation, step));
    if (stage == sweep->stages - 1)
        weir_slabs_advanced(simulation->slabs, slab, step + 1);
    return 0;
}

/* What has its turn next is brought while slabs behind it take steps. Waves go first that came first: if they
 * went side by side they would begin and end together, and nothing would be moved meanwhile. */
static int take_wave(const struct sweep *sweep, int wave) {
    const int last = sweep->plan->count - 1, ahead = wave + sweep->plan->beside - 1;
    for (int place = wave == 0 ? 0 : ahead; place <= ahead && place <= last; place++)
        weir_slabs_expect(sweep->simulation->slabs, slab_at(sweep, place));
    sweep->simulation->domain->context.priority--;
    for (int stage = wave > last ? wave - last : 0; stage <= wave && stage < sweep->stages; stage++)
        WEIR_TRY(take_stage(sweep, slab_at(sweep, wave - stage), stage));
    weir_simulation_throttle(sweep->simulation);
    return 0;
}

static struct sweep next_sweep(struct weir_simulation *simulation) {
    return (struct sweep){.simulation = simulation,
                          .plan = weir_slabs_plan(simulation->slabs),
                          .back = weir_slabs_last_is_there(simulation->slabs)};
}

/* Sweeps of about the same length until `most` steps are done; totals of two steps are not in one. */
static int steps_of_sweep(const struct weir_simulation *simulation, const struct weir_slab_plan *plan,
                          int64_t most) {
    const int64_t every = simulation->totals_between.every,
                  longest = every > 0 && every < plan->steps ? every : plan->steps,
                  sweeps = (most + longest - 1) / longest;
    return (int)((most + sweeps - 1) / sweeps);
}

int weir_simulation_sweep(struct weir_simulation *simulation, int64_t most) {
    struct sweep sweep = next_sweep(simulation);
    const int steps = steps_of_sweep(simulation, sweep.plan, most);
    sweep.stages = steps * simulation->domain->model.stage_count;
    const int waves = weir_slab_waves(sweep.plan, sweep.stages);
    for (int wave = 0; wave < waves; wave++)
        WEIR_TRY(take_wave(&sweep, wave));
    simulation->submitted += steps;
    return 0;
}

/* From the end where slabs are. */
int weir_simulation_settle(struct weir_simulation *simulation) {
    if (!simulation->next_totals.wanted)
        return 0;
    const struct sweep sweep = next_sweep(simulation);
    for (int place = 0; place < sweep.plan->count; place++)
        WEIR_TRY(submit_totals(simulation, slab_at(&sweep, place), simulation->submitted));
    return combine_totals(simulation, simulation->submitted);
}
