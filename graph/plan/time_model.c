#include "graph/plan/time_model.h"

#include <math.h>
#include <stddef.h>

const char *const weir_machine_kind_names[] = {"cuda", "team", "core", NULL};

int weir_machine_worker_groups(const struct weir_machine *machine) {
    int groups = 0;
    for (int k = 0; k < machine->kind_count; k++)
        groups += machine->kinds[k].count;
    return groups < WEIR_WORKER_GROUPS_MAX ? groups : WEIR_WORKER_GROUPS_MAX;
}

int weir_machine_kind_of(const struct weir_machine *machine, int group) {
    int kind = 0;
    while (kind + 1 < machine->kind_count && group >= machine->kinds[kind].count)
        group -= machine->kinds[kind++].count;
    return kind;
}

struct weir_rates weir_time_model_rates(const struct weir_machine_kind *kind, double cells) {
    struct weir_rates rates = kind->rates;
    /* Caches were measured with bricks only: measured rates of lists stay as they are. */
    if (cells <= kind->cached_cells)
        rates.fluid_cell_seconds = fmin(rates.fluid_cell_seconds, kind->cached_fluid_cell_seconds);
    rates.solid_cell_seconds = fmin(rates.solid_cell_seconds, rates.fluid_cell_seconds);
    return rates;
}

struct weir_cell_seconds weir_time_model_cells(const struct weir_rates *rates, enum weir_cell_kind kind) {
    const struct weir_cell_kind_row *row = &weir_cell_kinds[kind], *brick = &weir_cell_kinds[WEIR_BRICK];
    if (kind == WEIR_LIST && rates->lists.fluid > 0)
        return rates->lists;
    return (struct weir_cell_seconds){
        .fluid = rates->fluid_cell_seconds * row->cost.fluid / brick->cost.fluid,
        .wall = rates->wall_cell_seconds * row->cost.wall / brick->cost.wall,
        .solid = rates->solid_cell_seconds * row->cost.solid / brick->cost.solid};
}

double weir_time_model_work(const struct weir_rates *rates, enum weir_cell_kind kind,
                            const struct weir_cell_counts *cells) {
    const struct weir_cell_seconds seconds = weir_time_model_cells(rates, kind);
    return seconds.fluid * cells->fluid + seconds.wall * cells->wall + seconds.solid * cells->solid;
}

double weir_time_model_all_work(const struct weir_rates *rates,
                                const struct weir_decomposition *decomposition) {
    double work = 0;
    for (int kind = 0; kind < WEIR_CELL_KIND_COUNT; kind++)
        work += weir_time_model_work(rates, (enum weir_cell_kind)kind, &decomposition->of_kind[kind]);
    return work;
}

double weir_time_model_block_work(const struct weir_rates *rates,
                                  const struct weir_decomposition *decomposition, int block) {
    return weir_time_model_work(rates, decomposition->kinds[block],
                                &(struct weir_cell_counts){.fluid = decomposition->fluid_cells[block],
                                                           .wall = decomposition->wall_cells[block],
                                                           .solid = decomposition->solid_cells[block]});
}

double weir_time_model_worker_group(const struct weir_machine_kind *kind, double work, double tasks) {
    if (tasks <= 0)
        return 0;
    const double handing = tasks * kind->rates.task_seconds;
    return fmax(work, handing) + fmin(work, handing) / fmin(kind->tasks_at_once, tasks);
}

/* Main memory is node 0, that of GPU worker group g is node 1 + g. */
struct state {
    const struct weir_machine *machine;
    const struct weir_decomposition *decomposition;
    const int *group_of;
    int kind_of[WEIR_WORKER_GROUPS_MAX], node_of[WEIR_WORKER_GROUPS_MAX];
    double memory_out[WEIR_WORKER_GROUPS_MAX],
        memory_in[WEIR_WORKER_GROUPS_MAX]; /* of each GPU worker group: seconds on its link */
    double gpu_out[WEIR_WORKER_GROUPS_MAX], gpu_in[WEIR_WORKER_GROUPS_MAX];
};

static double seconds_on(const struct weir_link *link, double bytes) {
    return link->message_seconds + link->byte_seconds * bytes;
}

/* One message from worker group to worker group of different memories, on the links that it crosses; returns
 * its own time. */
static double transfer(struct state *s, int from, int to, double bytes) {
    const bool from_gpu = s->node_of[from] > 0, to_gpu = s->node_of[to] > 0;
    if (from_gpu && to_gpu && s->machine->has_gpu_link) {
        const double seconds = seconds_on(&s->machine->gpu_link, bytes);
        s->gpu_out[from] += seconds;
        s->gpu_in[to] += seconds;
        return seconds;
    }
    const double seconds = seconds_on(&s->machine->memory_link, bytes);
    if (from_gpu)
        s->memory_out[from] += seconds;
    if (to_gpu)
        s->memory_in[to] += seconds;
    return seconds * (from_gpu + to_gpu);
}

/* (T6): seconds from the moment a block's messages are there until its own can be sent, while its worker
 * group works on as many others as it can. */
static double block_seconds(const struct state *s, const struct weir_prediction *p, int block) {
    const int group = s->group_of[block];
    const struct weir_machine_kind *kind = &s->machine->kinds[s->kind_of[group]];
    const struct weir_rates rates =
        weir_time_model_rates(kind, p->group[group].fluid_cells + p->group[group].solid_cells);
    return weir_time_model_block_work(&rates, s->decomposition, block) *
               fmin(kind->tasks_at_once, p->group[group].blocks) +
           kind->rates.task_seconds;
}

/* Whether an earlier reader of the message has brought it to this memory already. */
static bool is_there(const struct state *s, const struct weir_decomposition_message *m, int reader) {
    const int node = s->node_of[s->group_of[s->decomposition->readers[m->first_reader + reader]]];
    for (int k = 0; k < reader; k++)
        if (s->node_of[s->group_of[s->decomposition->readers[m->first_reader + k]]] == node)
            return true;
    return false;
}

/* Sends all messages; returns the longest half round trip, (T6). */
static double send_messages(struct state *s, const struct weir_prediction *p) {
    double longest = 0;
    for (int k = 0; k < weir_decomposition_messages(s->decomposition); k++) {
        const struct weir_decomposition_message *m = &s->decomposition->messages[k];
        if (m->reader_count == 0)
            continue;
        const int from = s->group_of[m->source];
        for (int r = 0; r < m->reader_count; r++) {
            const int reader = s->decomposition->readers[m->first_reader + r], to = s->group_of[reader];
            if (s->node_of[from] == s->node_of[to] || is_there(s, m, r))
                continue;
            const double way = transfer(s, from, to, m->bytes);
            longest =
                fmax(longest, 0.5 * (block_seconds(s, p, m->source) + block_seconds(s, p, reader)) + way);
        }
    }
    return longest;
}

/* A domain that is one block takes many steps in a task, of which each then costs next to nothing. */
static bool shares_tasks(const struct weir_decomposition *decomposition) {
    return decomposition->set.count == 1 && decomposition->stages <= 1 &&
           weir_block_grid_fluid_blocks(&decomposition->grid) == 1;
}

static void compute(struct state *s, struct weir_prediction *p) {
    struct weir_rates rates[WEIR_WORKER_GROUPS_MAX];
    double work[WEIR_WORKER_GROUPS_MAX] = {0};
    for (int block = 0; block < s->decomposition->set.count; block++) {
        const int group = s->group_of[block];
        struct weir_worker_group_load *load = &p->group[group];
        load->blocks++;
        load->fluid_cells += s->decomposition->fluid_cells[block];
        load->solid_cells += s->decomposition->solid_cells[block];
    }
    for (int group = 0; group < p->group_count; group++) {
        const struct weir_worker_group_load *load = &p->group[group];
        rates[group] = weir_time_model_rates(&s->machine->kinds[s->kind_of[group]],
                                             load->fluid_cells + load->solid_cells);
    }
    for (int block = 0; block < s->decomposition->set.count; block++)
        work[s->group_of[block]] +=
            weir_time_model_block_work(&rates[s->group_of[block]], s->decomposition, block);
    for (int group = 0; group < p->group_count; group++) {
        struct weir_worker_group_load *load = &p->group[group];
        load->seconds = shares_tasks(s->decomposition)
                            ? work[group]
                            : weir_time_model_worker_group(&s->machine->kinds[s->kind_of[group]], work[group],
                                                           load->blocks * s->decomposition->stages);
    }
}

/* What takes longer than all before decides. */
static void consider(struct weir_prediction *p, double *term, double seconds, enum weir_bound bound,
                     int group) {
    *term = fmax(*term, seconds);
    if (seconds > p->step_seconds) {
        p->step_seconds = seconds;
        p->bound = bound;
        p->bound_group = group;
    }
}

void weir_time_model_predict(const struct weir_machine *machine,
                             const struct weir_decomposition *decomposition, const int *group_of,
                             struct weir_prediction *p) {
    struct state s = {.machine = machine, .decomposition = decomposition, .group_of = group_of};
    *p = (struct weir_prediction){.group_count = weir_machine_worker_groups(machine)};
    int nodes = 0;
    for (int group = 0; group < p->group_count; group++) {
        s.kind_of[group] = weir_machine_kind_of(machine, group);
        s.node_of[group] = machine->kinds[s.kind_of[group]].kind == WEIR_WORKER_GROUP_GPU ? ++nodes : 0;
    }
    compute(&s, p);
    const double round_trip = send_messages(&s, p);
    for (int group = 0; group < p->group_count; group++) {
        consider(p, &p->compute_seconds, p->group[group].seconds, WEIR_BOUND_COMPUTE, group);
        consider(p, &p->memory_link_seconds, fmax(s.memory_out[group], s.memory_in[group]),
                 WEIR_BOUND_MEMORY_LINK, group);
        consider(p, &p->gpu_link_seconds, fmax(s.gpu_out[group], s.gpu_in[group]), WEIR_BOUND_GPU_LINK,
                 group);
    }
    consider(p, &p->submit_seconds,
             shares_tasks(decomposition)
                 ? 0
                 : machine->submit_seconds * decomposition->set.count * decomposition->stages,
             WEIR_BOUND_SUBMISSION, 0);
    const double overlapping = p->step_seconds;
    double ignored = 0;
    consider(p, &ignored, round_trip, WEIR_BOUND_ROUND_TRIP, 0);
    p->unhidden_seconds = p->step_seconds - overlapping;
    p->updates_per_second = p->step_seconds > 0 ? decomposition->total_fluid / p->step_seconds : 0;
}

double weir_machine_speed(const struct weir_machine *machine) {
    const double cells = 1e9, tasks = 100; /* many enough that none is waited for */
    double speed = 0;
    for (int k = 0; k < machine->kind_count; k++) {
        const struct weir_machine_kind *kind = &machine->kinds[k];
        speed += kind->count * cells /
                 weir_time_model_worker_group(kind, kind->rates.fluid_cell_seconds * cells, tasks);
    }
    return speed;
}

bool weir_time_model_costs(const struct weir_machine *machine,
                           struct weir_cell_costs costs[WEIR_CELL_KIND_COUNT]) {
    const struct weir_machine_kind *most = NULL; /* the kind that computes most */
    for (int k = 0; k < machine->kind_count; k++) {
        const struct weir_machine_kind *kind = &machine->kinds[k];
        if (kind->count > 0 && kind->rates.fluid_cell_seconds > 0 &&
            (!most ||
             kind->count / kind->rates.fluid_cell_seconds > most->count / most->rates.fluid_cell_seconds))
            most = kind;
    }
    if (!most || !(most->rates.wall_cell_seconds > 0))
        return false;
    const double unit = most->rates.fluid_cell_seconds;
    for (int k = 0; k < WEIR_CELL_KIND_COUNT; k++) {
        const struct weir_cell_seconds seconds = weir_time_model_cells(&most->rates, (enum weir_cell_kind)k);
        costs[k] = (struct weir_cell_costs){seconds.fluid / unit, seconds.wall / unit, seconds.solid / unit};
    }
    return true;
}
