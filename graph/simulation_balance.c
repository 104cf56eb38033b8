#include "graph/simulation_state.h"

#include "graph/base/clock.h"
#include "graph/base/error.h"
#include "graph/homes.h"
#include "graph/migration.h"
#include "graph/ranks/world.h"

/* Weight of the steps that each worker group has ended so far. */
static void count_work(const struct weir_simulation *simulation, double work[WEIR_WORKER_GROUPS_MAX]) {
    const struct weir_worker_groups *groups = weir_runtime_worker_groups(simulation->runtime);
    for (int group = 0; group < groups->count; group++) {
        work[group] = 0;
        for (int k = 0; k < groups->group[group].worker_count; k++)
            work[group] += (double)simulation->counts[groups->group[group].workers[k]].weight;
    }
}

static int review_homes(struct weir_simulation *simulation, const double *work) {
    if (!simulation->balancer)
        return 0;
    const int64_t moves = weir_balancer_moves(simulation->balancer);
    WEIR_TRY(weir_balancer_review(simulation->balancer, weir_simulation_done(simulation), work));
    if (simulation->exchange && weir_balancer_moves(simulation->balancer) != moves)
        weir_exchange_follow_homes(simulation->exchange);
    return 0;
}

/* Homes for blocks that came from other ranks. */
static int place_newcomers(struct weir_simulation *simulation) {
    const struct weir_worker_groups *groups = weir_runtime_worker_groups(simulation->runtime);
    double rate[WEIR_WORKER_GROUPS_MAX], known = 0;
    for (int group = 0; group < groups->count; group++) {
        rate[group] = simulation->balancer ? weir_balancer_rates(simulation->balancer)[group] : 0;
        known += rate[group];
    }
    for (int group = 0; group < groups->count && known <= 0; group++)
        rate[group] = groups->group[group].kind == groups->group[0].kind; /* GPUs where there are any */
    WEIR_TRY(weir_homes_for_newcomers(simulation->domain, groups->count, rate));
    return simulation->balancer ? weir_balancer_follow_blocks(simulation->balancer) : 0;
}

/* All that knew the blocks of this rank looks at them anew. */
static int follow_blocks(struct weir_simulation *simulation) {
    simulation->block_steps_done = simulation->submitted * simulation->domain->set.count;
    WEIR_TRY(weir_reduction_follow_blocks(simulation->reduction));
    WEIR_TRY(weir_simulation_set_order(simulation));
    if (weir_runtime_policy(simulation->runtime) != WEIR_POLICY_STARPU)
        WEIR_TRY(place_newcomers(simulation));
    return weir_simulation_set_up_exchange(simulation);
}

/* No task is under way on any rank. */
static int migrate(struct weir_simulation *simulation, const int *rank_of, int64_t room) {
    struct weir_domain *domain = simulation->domain;
    struct weir_rank_moves *moves = &simulation->rank_moves;
    const int parity = (int)((simulation->submitted + 1) % 2); /* of the last step */
    const int blocks = weir_migration_moves(domain, rank_of);
    const double start = weir_seconds();
    bool moved;
    WEIR_TRY(weir_migration_make(simulation->world, domain, rank_of, parity, room, &moved, &moves->lacking));
    if (!moved) {
        moves->refusals++;
        return 0;
    }
    weir_exchange_destroy(simulation->exchange);
    simulation->exchange = NULL;
    WEIR_TRY(weir_world_agree(simulation->world, follow_blocks(simulation)));
    moves->times++;
    moves->blocks += blocks;
    moves->last_blocks = blocks;
    moves->last_seconds = weir_seconds() - start;
    return weir_exchange_submit(simulation->exchange, weir_model_lasting_channels(&domain->model), parity);
}

/* What probes have gathered lies where their blocks are. */
static int hand_over_samples(struct weir_simulation *simulation) {
    for (struct weir_probes *probes = simulation->probes; probes; probes = weir_probes_before(probes))
        WEIR_TRY(weir_simulation_hand_over(simulation, probes));
    return 0;
}

int weir_simulation_migrate(struct weir_simulation *simulation, const int *rank_of, int64_t room) {
    const int handed_over = hand_over_samples(simulation), waited = weir_simulation_wait(simulation);
    WEIR_TRY(weir_world_agree(simulation->world, waited < 0 ? waited : handed_over));
    simulation->migrating = true;
    const int error = migrate(simulation, rank_of, room);
    simulation->migrating = false;
    return error;
}

static int review_ranks(struct weir_simulation *simulation, const double *work) {
    const int *rank_of;
    if (!simulation->rank_balancer)
        return 0;
    WEIR_TRY(weir_rank_balancer_review(simulation->rank_balancer, simulation->submitted, work, &rank_of));
    if (!rank_of)
        return 0;
    const int refusals = simulation->rank_moves.refusals;
    WEIR_TRY(weir_simulation_migrate(simulation, rank_of, -1));
    weir_rank_balancer_moved(simulation->rank_balancer, simulation->submitted,
                             simulation->rank_moves.refusals == refusals,
                             simulation->rank_moves.last_seconds);
    return 0;
}

int weir_simulation_review(struct weir_simulation *simulation) {
    double work[WEIR_WORKER_GROUPS_MAX];
    if (!simulation->balancer && !simulation->rank_balancer)
        return 0;
    count_work(simulation, work);
    WEIR_TRY(review_homes(simulation, work));
    return review_ranks(simulation, work);
}
